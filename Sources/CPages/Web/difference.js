// What is different between two runs for a viewer: at the moment that is shown, and over the whole run.

const METRIC_COLUMNS = ["metric", "A", "B", "B − A", "unit"];

class DifferenceTable {
  constructor(runs) {
    this.runs = runs;
    this.now = make("tbody");
    this.count = make("p", { class: "note", role: "status" });
    this.whole = make("tbody");
    this.element = make(
      "div",
      { class: "tables differences" },
      make(
        "section",
        { class: "panel", "aria-label": "Differences at this moment" },
        make("h2", {}, "Different at this moment"),
        this.count,
        framedTable("Sources that differ", ["source", "A", "B"], this.now),
      ),
      make(
        "section",
        { class: "panel", "aria-label": "Whole run" },
        make("h2", {}, "The viewer's whole run"),
        framedTable("Metrics of the viewer", METRIC_COLUMNS, this.whole),
      ),
    );
  }

  setViewer(id) {
    this.key = "";
    const [a, b] = this.runs.map(
      (run) => new Map(run.data.scalars.filter(([viewer]) => viewer === id).map((row) => [`${row[1]} ${row[2]}`, row])),
    );
    const rows = [...a]
      .filter(([name]) => b.has(name))
      .map(([name, [, , , unit, direction, before]]) => {
        const after = b.get(name)[5];
        const row = make(
          "tr",
          {},
          make("th", { scope: "row" }, name.replaceAll("_", " ")),
          make("td", {}, compact(before)),
          make("td", {}, compact(after)),
          make("td", {}, judged(after - before, direction)),
          make("td", {}, unit === "1" ? "" : unit),
        );
        return named(row, METRIC_COLUMNS);
      });
    this.whole.replaceChildren(
      ...(rows.length
        ? rows
        : [make("tr", {}, make("td", { colspan: 5 }, "A result has no scalars.csv with this viewer."))]),
    );
  }

  /** Marks the tiles that differ, and lists them; only when an interval or a screen has changed. */
  show(panes, time) {
    const ticks = panes.map((pane) => pane.run.tickAt(Math.min(time, pane.run.duration)));
    const key = `${ticks}|${panes.map((pane) => `${pane.viewer.id} ${pane.screen.key}`)}`;
    if (this.key === key) return;
    this.key = key;
    const sources = [...new Set(panes.flatMap((pane) => pane.viewer.sources))].sort(natural);
    const different = [];
    for (const source of sources) {
      const rows = panes.map((pane, index) => pane.viewer.row(source, ticks[index]));
      const freezes = panes.map((pane, index) => (pane.viewer.frozen.get(source)?.[ticks[index]] ?? 0) > 0);
      const differs = differ(...rows) || freezes[0] !== freezes[1];
      if (differs)
        different.push([source, ...rows.map((row, index) => inWords(row) + (freezes[index] ? ", frozen" : ""))]);
      for (const [index, pane] of panes.entries()) {
        pane.screen.tiles
          .get(source)
          ?.differs(
            differs ? `${panes[1 - index].run.name}: ${freezes[1 - index] ? "frozen" : brief(rows[1 - index])}` : "",
          );
      }
    }
    setText(
      this.count,
      `${different.length} of ${sources.length} sources differ in state, height, limitation, freezing, or frame rate by more than 2.`,
    );
    this.now.replaceChildren(
      ...different.map(([source, a, b]) =>
        make("tr", {}, make("th", { scope: "row" }, source), make("td", {}, a), make("td", {}, b)),
      ),
    );
  }
}

/** Whether two rows show something different; a frame rate that wobbles by two frames does not. */
function differ(a, b) {
  if (!a || !b) return Boolean(a) !== Boolean(b);
  const same = (name) => a[name] === b[name] || (Number.isNaN(a[name]) && Number.isNaN(b[name]));
  return (
    !same("state") ||
    !same("frame_height_px") ||
    !same("limitation") ||
    Math.abs((a.frames_per_second || 0) - (b.frames_per_second || 0)) > 2
  );
}

function brief(row) {
  if (!row) return "none";
  return row.frame_height_px > 0
    ? quality(row.frame_height_px, row.frames_per_second)
    : (STATES[row.state] ?? row.state);
}

function inWords(row) {
  if (!row) return "not subscribed";
  const limitation = row.limitation && row.limitation !== "none" ? `, ${row.limitation}` : "";
  return `${brief(row)}${limitation}`;
}

/** A difference with its sign, and whether it is for the better. */
function judged(difference, direction) {
  if (difference === 0) return "0";
  const text = `${difference > 0 ? "+" : "−"}${compact(Math.abs(difference))}`;
  if (direction !== "bigger" && direction !== "smaller") return text;
  return `${text} ${difference > 0 === (direction === "bigger") ? "better" : "worse"}`;
}
