// What the scenario expected of the run, and what became of it; a click shows the worst moment of whom it is about.

const VERDICT_COLUMNS = ["", "expectation", "expected", "measured", "remark"];
const VERDICTS = { pass: "holds", fail: "failed", inconclusive: "not decided" };

class VerdictTable {
  constructor(run, onShow) {
    const rows = run.data.verdicts.map((one) =>
      make(
        "tr",
        { class: `verdict-${one.verdict}` },
        make("td", {}, make("span", { class: "verdict" }, VERDICTS[one.verdict])),
        make(
          "th",
          { scope: "row" },
          run.viewers.includes(one.viewer)
            ? make("button", { type: "button", class: "jump", onclick: () => onShow(one) }, one.subject)
            : one.subject,
        ),
        make("td", {}, one.bound),
        make("td", {}, one.measured),
        make("td", {}, one.remark),
      ),
    );
    this.element = rows.length
      ? make(
          "section",
          { class: "panel verdicts", "aria-label": ["Expectations", run.name].filter(Boolean).join(" of run ") },
          make("h2", {}, make("small", {}, run.name), "Expectations"),
          framedTable(
            "Table of expectations",
            VERDICT_COLUMNS,
            make("tbody", {}, rows.map((row) => named(row, VERDICT_COLUMNS))),
          ),
        )
      : "";
  }
}

/** How many expectations hold, for the head of the page. */
function verdictCount(run) {
  const all = run.data.verdicts;
  return all.length ? `${all.filter((one) => one.verdict === "pass").length} of ${all.length} hold` : "";
}
