// The page of a sweep.

class SweepPage {
  constructor(root, data) {
    this.sweep = new Sweep(data);
    const head = this.header(data);
    if (!this.sweep.series.length) {
      root.append(
        head,
        make(
          "main",
          { id: "report" },
          make("p", { class: "shown-words" }, "No run has results, so there is nothing to draw."),
          failedRuns(data.failed),
        ),
      );
      return;
    }
    this.choices = new Choices(this.sweep, () => this.show());
    this.words = make("p", { class: "shown-words", role: "status" });
    this.lines = make("div", { class: "panels" });
    this.legend = make("div");
    this.heat = make("div", { class: "panels wide" });
    this.heatHead = make("div");
    this.pareto = new Pareto(this.sweep);
    this.pairs = new PairTable(this.sweep);
    const { header, omitted } = data;
    root.append(
      head,
      make(
        "main",
        { id: "report" },
        this.choices.element,
        this.words,
        omitted
          ? make(
              "p",
              { class: "note" },
              `${short(omitted)} more rows of each point, of tiles and links, are in summary.csv alone: the page would be too large.`,
            )
          : "",
        make("section", { "aria-label": "Lines" }, make("h2", {}, "Over a variable"), this.legend, this.lines),
        make("section", { "aria-label": "Heat map" }, make("h2", {}, "Over two variables"), this.heatHead, this.heat),
        make("div", { class: "halves" }, this.pareto.element, this.pairs.element),
        failedRuns(data.failed),
        header.sweep
          ? make(
              "details",
              { class: "panel" },
              make("summary", {}, "The sweep's file"),
              make("pre", { tabindex: "0" }, header.sweep),
            )
          : "",
      ),
    );
    document.addEventListener("keydown", (event) => {
      if (
        event.key === "t" &&
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey &&
        !event.target.matches("select, input")
      )
        toggleTheme();
    });
    let width = 0;
    new ResizeObserver(() => {
      if (this.lines.clientWidth !== width) {
        width = this.lines.clientWidth;
        this.show();
      }
    }).observe(this.lines);
    this.ready = this.show();
  }

  header({ header, statuses, points, failed, counts }) {
    const runs = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    return pageHeader(header.name, header.title, [
      ["points", short(points.length)],
      ["runs", short(runs)],
      ["without result", short(failed.count)],
      ["expectations", expectationCount(counts)],
      ["repetitions", header.repetitions],
      ["seeds", header.seeds],
      ["meetsim", header.version],
      ["result", header.directory],
    ]);
  }

  async show() {
    const { choices, sweep } = this;
    const series = choices.current;
    const summary = await sweep.summaryOf(series);
    if (series !== choices.current) return;
    this.tell(series, summary);
    this.drawLines(series, summary);
    this.drawHeat(series, summary);
    await Promise.all([this.pareto.show(choices), this.pairs.show(series)]);
  }

  /** What is shown, in a sentence. */
  tell(series, summary) {
    const { choices, sweep } = this;
    const runs = [...summary.values()].map((each) => each.n);
    const count = runs.length
      ? Math.min(...runs) === Math.max(...runs)
        ? short(runs[0])
        : `${short(Math.min(...runs))} to ${short(Math.max(...runs))}`
      : "no";
    const all = `${count} runs`;
    const isSome = runs.some((each) => each < 2);
    const marks = {
      ci: `means of ${all} each, with ${short(100 * sweep.data.level)} % Student-t intervals${isSome ? " where there are two or more" : ""}`,
      quantiles: `medians of ${all} each, with the 5th and 95th percentiles`,
      range: `means of ${all} each, from the least to the most`,
    };
    const shown = count === "1" ? "values of one run each, which have no interval" : marks[choices.spread];
    const fixed = Object.entries(choices.fixed).map(
      ([name, value]) => `${sweep.variable(name).plain} is ${sweep.variable(name).shown(value)}`,
    );
    const better =
      series.direction === "bigger" ? " More is better." : series.direction === "smaller" ? " Less is better." : "";
    setText(
      this.words,
      `${seriesTitle(series)} ${seriesScope(series)}: ${shown}.${better}${fixed.length ? ` Here ${fixed.join(", ")}.` : ""}${sweep.isGrid ? "" : " All points are drawn, whatever their other variables are."}`,
    );
  }

  values(each) {
    const [y, low, high] = {
      ci: ["mean", "ci_lo", "ci_hi"],
      quantiles: ["p50", "p05", "p95"],
      range: ["mean", "min", "max"],
    }[this.choices.spread];
    return { y: each[y], low: each[low], high: each[high] };
  }

  /** The panels' points: for each level of the panels' variable those that are drawn. */
  facets() {
    const { choices, sweep } = this;
    const points = choices.points();
    const facet = sweep.variable(choices.facet);
    if (!facet) return [{ name: "", points }];
    return facet.levels.map((level) => ({
      name: `${facet.plain} ${facet.shown(level)}`,
      points: points.filter((point) => facet.values[point] === level),
    }));
  }

  drawLines(series, summary) {
    const { choices, sweep } = this;
    const [x, line] = [sweep.variable(choices.x), sweep.variable(choices.line)];
    const facets = this.facets();
    if (!x) {
      this.lines.replaceChildren(make("p", { class: "note" }, "The sweep varies nothing."));
      return;
    }
    const groupsOf = (points) =>
      (line ? line.levels : [null]).map((level, index) => ({
        name: line ? `${line.plain} ${line.shown(level)}` : series.metric.replaceAll("_", " "),
        ...groupLook(index),
        points: points
          .filter((point) => summary.has(point) && (!line || line.values[point] === level))
          .map((point) => {
            const values = this.values(summary.get(point));
            return {
              x: x.values[point],
              ...values,
              text: `${x.shown(x.values[point])}: ${short(values.y)}${Number.isFinite(values.low) ? ` (${short(values.low)} to ${short(values.high)})` : ""}`,
            };
          })
          .sort((a, b) => x.levels.indexOf(a.x) - x.levels.indexOf(b.x)),
      }));
    const all = facets.map((facet) => ({ ...facet, groups: groupsOf(facet.points) }));
    const drawn = all.flatMap((facet) => facet.groups.flatMap((group) => group.points));
    const bounds = sweep.boundsOf(series);
    const range = seriesRange(
      series,
      drawn.map((one) => one.y),
      drawn.flatMap((one) => [one.low, one.high]),
      bounds,
    );
    this.legend.replaceChildren(line ? groupLegend(all[0].groups) : "");
    this.fillPanels(this.lines, all, (facet, width) =>
      xyChart({
        groups: facet.groups,
        width,
        height: 250,
        isJoined: x.isNumber && sweep.isGrid,
        x: { title: x.title, levels: x.levels, isNumber: x.isNumber },
        y: { title: seriesTitle(series), range },
        bounds,
      }),
    );
  }

  drawHeat(series, summary) {
    const { choices, sweep } = this;
    const [x, y] = [sweep.variable(choices.x), sweep.variable(choices.line) ?? sweep.variable(choices.facet)];
    if (!x || !y || x === y || !sweep.isGrid) {
      const reason = sweep.isGrid
        ? "A heat map needs two variables: choose lines or panels."
        : "A heat map needs all combinations of two variables; these points are a sample.";
      this.heatHead.replaceChildren(make("p", { class: "note" }, reason));
      this.heat.replaceChildren();
      return;
    }
    const facets = choices.line ? this.facets() : [{ name: "", points: choices.points() }];
    const value = (point) => (summary.has(point) ? this.values(summary.get(point)).y : NaN);
    const known = facets.flatMap((facet) => facet.points.map(value)).filter(Number.isFinite);
    const range = known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
    this.heatHead.replaceChildren(heatLegend(range, `${seriesTitle(series)}; ${y.title} upwards`));
    this.fillPanels(this.heat, facets, (facet, width) => {
      const cells = new Map(facet.points.map((point) => [`${x.values[point]}|${y.values[point]}`, value(point)]));
      return heatMap({
        x,
        y,
        range,
        width,
        title: seriesTitle(series),
        valueAt: (a, b) => cells.get(`${a}|${b}`) ?? NaN,
      });
    });
  }

  /** A figure for each panel, then its drawing at the width that it got. */
  fillPanels(box, facets, drawn) {
    const figures = facets.map((facet) =>
      make(
        "figure",
        { class: "chart-box" },
        facet.name ? make("figcaption", { class: "chart-title" }, facet.name) : "",
      ),
    );
    box.classList.toggle("single", facets.length === 1);
    box.replaceChildren(...figures);
    const width = figures[0].clientWidth;
    for (const [index, figure] of figures.entries()) figure.append(drawn(facets[index], Math.max(260, width)));
  }
}

/** How many expectations hold over the points, or nothing. */
function expectationCount(counts) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (!all) return "";
  const others = [
    [counts.fail, "failed"],
    [counts.inconclusive, "inconclusive"],
  ];
  return [
    `${counts.pass} of ${all} hold`,
    ...others.filter(([count]) => count).map(([count, word]) => `${count} ${word}`),
  ].join(", ");
}

function failedRuns({ count, columns, rows }) {
  if (!count)
    return make(
      "section",
      { class: "panel", "aria-label": "Runs without results" },
      make("h2", {}, "Runs without results"),
      make("p", {}, "None: every run finished."),
    );
  const names = columns.map((name) => name.replace(/^p_/, "").replaceAll("_", " "));
  return make(
    "section",
    { class: "panel", "aria-label": "Runs without results" },
    make("h2", {}, `Runs without results: ${short(count)}`),
    count > rows.length ? make("p", { class: "note" }, `The first ${rows.length}; runs.csv has all.`) : "",
    framedTable(
      "Table of runs without results",
      names,
      make(
        "tbody",
        {},
        rows.map((row) =>
          named(
            make(
              "tr",
              {},
              row.map((cell) => make("td", {}, String(cell ?? "–"))),
            ),
            names,
          ),
        ),
      ),
    ),
  );
}
