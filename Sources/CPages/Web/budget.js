// What is known of a tile at a moment: what was decoded, and the budget that the policy had.

/** Parts of an estimate that are not the budget, in the order in which they are taken. */
const RESERVES = [
  ["voice_reserve_bps", "voice"],
  ["padding_bps", "padding"],
  ["header_bps", "headers"],
  ["repair_bps", "repair"],
];

class BudgetPanel {
  constructor(title = "Tile") {
    this.title = title;
    this.element = make("section", { class: "panel budget", "aria-label": `${title}: what was decoded and decided` });
    this.key = "";
  }

  show(viewer, source, time) {
    const tick = viewer.run.tickAt(time);
    const decided = lastAtMost(viewer.decidedAt, time + 1e-9);
    const key = `${viewer.id}|${source}|${tick}|${decided}`;
    if (this.key === key) return;
    this.key = key;
    const row = viewer.row(source, tick);
    const decisions = viewer.decisionsAt(time);
    const decision = decisions.find((one) => one.source === source);
    // What the person has open stays open.
    const isOpen = this.element.querySelector("details")?.open ?? false;
    this.element.replaceChildren(
      make("h2", {}, make("small", {}, this.title), source || "No tile"),
      ...(source
        ? [this.decoded(row, viewer, tick), this.explanation(viewer, source, time), ...this.decided(decision, viewer)]
        : []),
      ...(decisions.length ? [this.allDecisions(decisions, source, isOpen)] : []),
    );
  }

  decoded(row, viewer, tick) {
    const begin = tick ? viewer.run.times[tick - 1] : 0;
    const heading = make("h3", {}, `Decoded from ${clockText(begin)} to ${clockText(viewer.run.times[tick])}`);
    if (!row) return make("div", {}, heading, make("p", {}, "Nothing: it was not subscribed to."));
    const size = (width, height) => (height > 0 ? `${width} × ${height}` : "–");
    const facts = [
      ["state", STATES[row.state] ?? row.state],
      [
        "decoded",
        row.frame_height_px > 0
          ? `${size(row.frame_width_px, row.frame_height_px)} at ${short(row.frames_per_second)} frames/s`
          : "nothing",
      ],
      ["asked", row.requested_height_px > 0 ? quality(row.requested_height_px, row.requested_fps) : "nothing"],
      ["allocated", row.target_height_px > 0 ? `${short(row.target_height_px)} lines` : "nothing"],
      ["tile", row.tile_height_px > 0 ? `${size(row.tile_width_px, row.tile_height_px)} px` : "size not stated"],
      ["bit rate", bitRate(row.bitrate_bps)],
      ["packets lost", short(row.packets_lost)],
      ["opinion score", short(row.mos)],
    ];
    return make("div", {}, heading, factList(facts), this.limitation(row.limitation, viewer));
  }

  limitation(word, viewer) {
    if (!word) return "";
    return make(
      "p",
      { class: "limitation" },
      make("span", { class: `chip${word === "none" ? " chip-none" : ""}` }, word),
      " ",
      viewer.run.data.limitations[word] ?? "",
    );
  }

  explanation(viewer, source, time) {
    const known = viewer.run.data.explanations.filter((one) => one.viewer === viewer.id && one.source === source);
    const near = known.filter((one) => one.time === null || Math.abs(one.time - time) <= 2);
    return near.length
      ? make(
          "blockquote",
          {},
          near.map((one) => make("p", {}, one.text)),
        )
      : "";
  }

  decided(decision, viewer) {
    if (!decision) {
      return [
        make("h3", {}, "Decision"),
        make(
          "p",
          {},
          viewer.decisions.rows ? "None on this source so far." : "The result has no decisions.csv for this viewer.",
        ),
      ];
    }
    const word = (text) => (text && text !== "none" ? text : "nothing");
    const facts = [
      ["rank", short(decision.rank)],
      ["wanted", word(decision.wanted)],
      ["given", word(decision.given)],
      ["before", word(decision.previous)],
      ["rule", decision.rule || "–"],
    ];
    if (decision.missing_bps > 0) facts.push(["missing for the next", bitRate(decision.missing_bps)]);
    return [
      make("h3", {}, `Decision at ${clockText(decision.time_s)}`),
      factList(facts),
      this.limitation(decision.reason, viewer),
      make("h3", {}, "Budget of the viewer"),
      budgetBars(decision),
    ];
  }

  allDecisions(decisions, selected, isOpen) {
    const hasGiven = "given_before_bps" in decisions[0];
    const rows = decisions.map((one) =>
      make(
        "tr",
        { class: one.source === selected ? "is-selected" : null },
        make("td", {}, short(one.rank)),
        make("th", { scope: "row" }, one.source),
        make("td", {}, one.wanted || "–"),
        make("td", {}, one.given || "–"),
        make("td", {}, one.reason || "–"),
        hasGiven ? make("td", {}, bitRate(one.given_before_bps)) : "",
      ),
    );
    const names = ["rank", "source", "wanted", "given", "reason", ...(hasGiven ? ["given before"] : [])];
    return make(
      "details",
      { open: isOpen },
      make(
        "summary",
        {},
        decisions.length === 1 ? "The only source" : `All ${decisions.length} sources in the order of the decision`,
      ),
      framedTable("Decisions", names, make("tbody", {}, rows), { frame: "scroll" }),
    );
  }
}

function factList(facts) {
  return make(
    "dl",
    { class: "facts" },
    facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
  );
}

/** From the estimate to what was left for a source: a bar for each step, all to one scale. */
function budgetBars(decision) {
  const has = (name) => decision[name] !== undefined && !Number.isNaN(decision[name]);
  const bars = [];
  if (has("estimate_bps")) bars.push(["estimate", decision.estimate_bps, "whole"]);
  for (const [name, word] of RESERVES)
    if (has(name) && decision[name] !== 0) bars.push([`− ${word}`, decision[name], "taken"]);
  if (has("cap_bps")) bars.push(["cap", decision.cap_bps, "cap"]);
  bars.push(["budget", has("budget_bps") ? decision.budget_bps : NaN, "whole"]);
  if (has("given_before_bps")) {
    bars.push(["− given before", decision.given_before_bps, "taken"]);
    if (has("budget_bps"))
      bars.push(["left for it", Math.max(0, decision.budget_bps - decision.given_before_bps), "left"]);
  }
  const most = Math.max(1, ...bars.map(([, value]) => value || 0));
  return make(
    "dl",
    { class: "bars" },
    bars.flatMap(([name, value, kind]) => {
      const bar = make("i", { class: `bar bar-${kind}` });
      bar.style.width = `${(100 * (value || 0)) / most}%`;
      const text = name === "budget" && Number.isNaN(value) ? "unlimited" : bitRate(value);
      return [make("dt", {}, name), make("dd", {}, make("span", { class: "track" }, bar), make("span", {}, text))];
    }),
  );
}
