// Differences of every point from a baseline, repetition by repetition: with common seeds these are pairs.

/** Mean difference over the repetitions that both have, with its Student-t interval. */
function pairedDifference(values, base, t) {
  const differences = [...values]
    .filter(([repetition]) => base.has(repetition))
    .map(([repetition, value]) => value - base.get(repetition));
  const n = differences.length;
  if (!n) return null;
  const mean = differences.reduce((sum, each) => sum + each, 0) / n;
  if (n < 2) return { n, mean, low: NaN, high: NaN };
  const deviation = Math.sqrt(differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (n - 1));
  const half = (t[n] * deviation) / Math.sqrt(n);
  return { n, mean, low: mean - half, high: mean + half };
}

const PAIR_COLUMNS = ["point", "around 0", "difference", "interval"];

class PairTable {
  constructor(sweep) {
    this.sweep = sweep;
    this.base = 0;
    this.isNear = sweep.isGrid && sweep.data.points.length > 24;
    this.body = make("tbody");
    this.words = make("p", { class: "note", role: "status" });
    const options = sweep.data.points.map((_, point) => [String(point), sweep.pointInWords(point)]);
    const near = make("input", {
      type: "checkbox",
      checked: this.isNear,
      onchange: () => {
        this.isNear = near.checked;
        this.show(this.series);
      },
    });
    this.element = make(
      "section",
      { class: "panel", "aria-label": "Paired differences" },
      make("h2", {}, "Differences from a baseline"),
      make(
        "div",
        { class: "choosers" },
        chooser("baseline", options, "0", (value) => {
          this.base = Number(value);
          this.show(this.series);
        }),
        make("label", { class: "check" }, near, "only points that differ from it in one variable"),
      ),
      this.words,
      framedTable("Table of differences", PAIR_COLUMNS, this.body, { table: "pairs" }),
    );
  }

  async show(series) {
    this.series = series;
    const { sweep } = this;
    const runs = await sweep.runsOf(series);
    const base = runs.get(this.base);
    const level = `${short(100 * sweep.data.level)} %`;
    if (!base) {
      setText(
        this.words,
        runs.size
          ? "The baseline has no runs with this metric."
          : "The page does not hold the runs' own values of this metric.",
      );
      this.body.replaceChildren();
      return;
    }
    const found = [...runs]
      .filter(([point]) => point !== this.base && (!this.isNear || this.distance(point) === 1))
      .map(([point, values]) => [point, pairedDifference(values, base, sweep.data.t)])
      .filter(([, difference]) => difference);
    const isPaired = sweep.data.header.seeds === "common";
    const counts = [...new Set(found.map(([, each]) => each.n))].sort((a, b) => a - b);
    const count = counts.length > 1 ? `${counts[0]} to ${counts[counts.length - 1]} ` : counts.length ? `${counts[0]} ` : "";
    setText(
      this.words,
      `${seriesTitle(series)} ${seriesScope(series)}: mean differences from the baseline with ${level} intervals, ` +
        `over ${count}${isPaired ? "pairs of runs with the same random numbers" : "pairs of repetitions, whose random numbers are independent here"}. Bold: the interval does not hold 0.`,
    );
    const most = Math.max(
      1e-12,
      ...found.flatMap(([, each]) => [each.low, each.high, each.mean].filter(Number.isFinite).map(Math.abs)),
    );
    found.sort(([a], [b]) => a - b);
    this.body.replaceChildren(
      ...found.slice(0, 400).map(([point, each]) => this.row(point, each, most, series.direction)),
    );
  }

  distance(point) {
    return this.sweep.varied.filter((variable) => variable.values[point] !== variable.values[this.base]).length;
  }

  row(point, { mean, low, high }, most, direction) {
    const isClear = low > 0 || high < 0;
    const text = judged(mean, isClear ? direction : "");
    const cells = make(
      "tr",
      { class: isClear ? "is-clear" : null },
      make("th", { scope: "row" }, this.sweep.pointInWords(point)),
      make("td", {}, forest(mean, low, high, most)),
      make("td", {}, text),
      make("td", {}, Number.isFinite(low) ? `${short(low)} to ${short(high)}` : "–"),
    );
    return named(cells, PAIR_COLUMNS);
  }
}

/** An interval on an axis with 0 in its middle. */
function forest(mean, low, high, most) {
  const at = (value) => 55 + (value / most) * 50;
  const svg = draw(
    "svg",
    { width: 110, height: 16, "aria-hidden": "true", class: "forest" },
    draw("line", { class: "zero", x1: 55, x2: 55, y1: 0, y2: 16 }),
  );
  if (Number.isFinite(low))
    svg.append(
      styled(draw("path", { class: "interval", d: `M${at(low)} 8H${at(high)}M${at(low)} 4v8M${at(high)} 4v8` }), {
        stroke: "var(--c0)",
      }),
    );
  svg.append(marker(0, at(mean), 8, "var(--c0)", 3));
  return svg;
}
