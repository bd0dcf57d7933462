// The worst moments of a run, as a table that jumps to them.

const MOMENT_COLUMNS = ["when", "viewer", "source", "what", "asked", "got", "because of", "weight"];

class MomentTable {
  constructor(run, onJump) {
    this.run = run;
    this.onJump = onJump;
    this.isAll = false;
    this.body = make("tbody");
    const box = make("input", {
      type: "checkbox",
      onchange: (change) => {
        this.isAll = change.target.checked;
        this.fill();
      },
    });
    this.element = make(
      "section",
      { class: "panel", "aria-label": ["Worst moments", run.name].filter(Boolean).join(" of run ") },
      make("h2", {}, make("small", {}, run.label ?? ""), "Worst moments"),
      make(
        "p",
        { class: "note" },
        "Freezes by source, with the longest, taken to end with its interval, and stretches below the request, by missing pixels (squares of lines × frames), with the median of the heights shown. At most eight of each for a viewer. Where a frozen picture was held up, meetsim explain --worst --by freezes tells.",
      ),
      run.viewers.length > 1 ? make("label", { class: "check" }, box, "of all viewers") : "",
      framedTable("Table of worst moments", MOMENT_COLUMNS, this.body, { frame: "scroll tall worst" }),
    );
  }

  setViewer(id) {
    this.viewer = id;
    this.fill();
  }

  fill() {
    const moments = this.run.data.moments.filter((moment) => this.isAll || moment.viewer === this.viewer);
    const rows = moments.map((moment) =>
      make(
        "tr",
        {},
        make(
          "td",
          {},
          make(
            "button",
            { type: "button", class: "jump", onclick: () => this.onJump(moment) },
            `${clockText(moment.begin)}–${clockText(moment.end)}`,
          ),
        ),
        make("td", {}, moment.viewer),
        make("td", {}, moment.source),
        make(
          "td",
          {},
          moment.what === "freeze"
            ? `${moment.count} ${moment.count === 1 ? "freeze" : "freezes"}, ${short(moment.total)} s`
            : moment.what,
        ),
        make("td", {}, `${moment.asked}p`),
        make("td", {}, moment.what === "freeze" ? "–" : moment.got > 0 ? `${moment.got}p` : "nothing"),
        make("td", {}, moment.limitation || "–"),
        make(
          "td",
          {},
          moment.what === "freeze" ? `longest ${short(moment.weight)} s` : `${short(moment.weight)} Mpx`,
        ),
      ),
    );
    for (const row of rows) named(row, MOMENT_COLUMNS);
    this.body.replaceChildren(
      ...(rows.length
        ? this.withSentences(moments, rows)
        : [make("tr", {}, make("td", { colspan: 8 }, "Nothing was below its request, and nothing froze."))]),
    );
  }

  /** The rows, each with what an explanation says of its moment. */
  withSentences(moments, rows) {
    return moments.flatMap((moment, index) => {
      const text = this.run.data.explanations.find(
        (one) =>
          one.viewer === moment.viewer &&
          one.source === moment.source &&
          (one.time === null || (one.time >= moment.begin && one.time <= moment.end)),
      )?.text;
      return text ? [rows[index], make("tr", { class: "sentence" }, make("td", { colspan: 8 }, text))] : [rows[index]];
    });
  }
}
