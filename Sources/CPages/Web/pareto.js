// Quality against bandwidth: a point for each point of the sweep, and the front that none of the others beats.

const FRONT_COLUMNS = ["point on the front", "bandwidth", "quality"];

class Pareto {
  constructor(sweep) {
    this.sweep = sweep;
    this.box = make("div", { class: "pareto-plot" });
    this.list = make("p", { class: "note" });
    this.front = make("tbody");
    this.head = make("tr");
    this.frontTable = make(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "The front" },
      make("table", { class: "pairs" }, make("thead", {}, this.head), this.front),
    );
    this.choosers = make("div", { class: "choosers" });
    this.element = make(
      "section",
      { class: "panel", "aria-label": "Quality and bandwidth" },
      make("h2", {}, "Quality and bandwidth"),
      this.choosers,
      this.box,
      this.list,
      this.frontTable,
    );
    this.costs = sweep.series.filter((series) => series.unit === "bit/s" || series.unit === "MB");
    this.gains = sweep.series.filter((series) => series.direction === "bigger");
  }

  /** For the viewer that is shown, where the metrics are of the same one. */
  async show(choices) {
    if (!this.costs.length || !this.gains.length) {
      setText(
        this.list,
        "The sweep keeps no rate or amount of data, or no metric of which more is better: there is nothing to weigh.",
      );
      this.choosers.replaceChildren();
      return;
    }
    const { current } = choices;
    const nearness = (series) =>
      4 * (series.viewer === current.viewer) +
      2 * (series.source === current.source) +
      (series.scope === current.scope);
    const near = (all, metrics) =>
      [...all].sort((a, b) => nearness(b) - nearness(a) || rankIn(metrics, a) - rankIn(metrics, b))[0];
    if (!this.cost || this.viewer !== current.viewer + current.source) {
      this.cost = near(this.costs, ["bitrate", "data_down"]);
      this.gain = null;
      this.viewer = current.viewer + current.source;
    }
    this.gain =
      current.direction === "bigger" ? current : (this.gain ?? near(this.gains, ["utility", "mos", "frame_height"]));
    this.choices = choices;
    await this.draw();
  }

  async draw() {
    const { sweep, cost, gain } = this;
    const pick = (name) => (value) => {
      this[name] = sweep.series[Number(value)];
      this.draw();
    };
    const options = (all, one) =>
      offered(all, one).map((series) => [
        String(series.index),
        `${series.metric.replaceAll("_", " ")} ${series.stat} ${seriesScope(series)}`,
      ]);
    this.choosers.replaceChildren(
      chooser("bandwidth", options(this.costs, cost), String(cost.index), pick("cost")),
      chooser("quality", options(this.gains, gain), String(gain.index), pick("gain")),
    );
    const [costs, gains] = await Promise.all([sweep.summaryOf(cost), sweep.summaryOf(gain)]);
    const dots = [...costs]
      .filter(([point]) => gains.has(point))
      .map(([point, each]) => {
        const good = gains.get(point);
        return {
          point,
          x: each.mean,
          left: each.ci_lo,
          right: each.ci_hi,
          y: good.mean,
          low: good.ci_lo,
          high: good.ci_hi,
          text: `${sweep.pointInWords(point)}: ${withUnit(each.mean, cost)}, ${withUnit(good.mean, gain)}`,
        };
      })
      .filter((dot) => Number.isFinite(dot.x) && Number.isFinite(dot.y));
    const front = frontOf(dots);
    for (const dot of front) dot.isFront = true;
    const variable = sweep.variable(this.choices.facet || this.choices.line || this.choices.x);
    const groups =
      variable && variable.levels.length <= 16
        ? variable.levels
            .map((level, index) => ({
              name: variable.shown(level),
              ...groupLook(index),
              points: dots.filter((dot) => variable.values[dot.point] === level),
            }))
            .filter((group) => group.points.length)
        : [{ name: "points", ...groupLook(0), points: dots }];
    this.box.replaceChildren(groupLegend(groups));
    const width = Math.max(280, this.box.clientWidth);
    const [least, most] = extent(
      dots.map((dot) => dot.x),
      dots.flatMap((dot) => [dot.left, dot.right]),
    );
    this.box.append(
      xyChart({
        groups,
        width,
        height: 340,
        isJoined: false,
        front,
        x: { title: seriesTitle(cost), levels: ticksTo(most, 5, least), isNumber: true, isLinear: true },
        y: {
          title: seriesTitle(gain),
          range: seriesRange(
            gain,
            dots.map((dot) => dot.y),
            dots.flatMap((dot) => [dot.low, dot.high]),
          ),
        },
      }),
    );
    setText(
      this.list,
      `${front.length} of ${dots.length} points are on the front (large marks): no other has more quality for as little.`,
    );
    this.head.replaceChildren(
      ...FRONT_COLUMNS.map((name) => make("th", { scope: "col" }, name)),
    );
    this.front.replaceChildren(
      ...front
        .slice(0, 100)
        .map((dot) =>
          named(
            make(
              "tr",
              {},
              make("th", { scope: "row" }, sweep.pointInWords(dot.point)),
              make("td", {}, withUnit(dot.x, cost)),
              make("td", {}, withUnit(dot.y, gain)),
            ),
            FRONT_COLUMNS,
          ),
        ),
    );
  }
}

/** The series that a menu offers: the first of many, and always the one that is shown. */
function offered(all, one) {
  const first = all.slice(0, 300);
  return first.includes(one) ? first : [one, ...first];
}

function withUnit(value, series) {
  const [unit] = unitOf(series);
  return unit === "1" ? short(value) : `${short(value)} ${unit}`;
}

function rankIn(metrics, series) {
  const rank = metrics.indexOf(series.metric);
  return rank < 0 ? metrics.length : rank;
}

/** From the cheapest on, each point that is better than all cheaper ones. */
function frontOf(dots) {
  let best = -Infinity;
  return [...dots]
    .sort((a, b) => a.x - b.x || b.y - a.y)
    .filter((dot) => {
      if (dot.y <= best) return false;
      best = dot.y;
      return true;
    });
}
