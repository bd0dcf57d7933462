// A sweep as the page sees it: variables, points, and what each metric was at each point.

const VARIABLE_UNITS = [
  ["_bps", "Mbps", 1e-6],
  ["_s", "ms", 1e3],
  ["_frac", "%", 100],
  ["_bytes", "kB", 1e-3],
];
const METRIC_UNITS = { "bit/s": ["Mbps", 1e-6], "": ["1", 1] };

/** A column of the sweep's variables: its levels in their order, numbers in the unit that people use. */
class Variable {
  constructor({ name, values }) {
    this.isNumber = values.every((value) => typeof value === "number");
    let [suffix, unit, factor] = VARIABLE_UNITS.find(([end]) => name.endsWith(end)) ?? ["", "", 1];
    if (unit === "ms" && values.every((value) => value === 0 || value >= 1)) [unit, factor] = ["s", 1];
    this.name = name;
    this.plain = name.slice(2, suffix ? -suffix.length : undefined).replaceAll("_", " ");
    this.unit = this.isNumber ? unit : "";
    this.values = this.isNumber
      ? values.map((value) => Number((value * factor).toPrecision(9)))
      : values.map((value) => String(value ?? "none"));
    this.levels = [...new Set(this.values)];
    if (this.isNumber) this.levels.sort((a, b) => a - b);
  }

  get title() {
    return this.unit ? `${this.plain} [${this.unit}]` : this.plain;
  }

  shown(value) {
    return this.isNumber ? `${short(value)}${this.unit ? ` ${this.unit}` : ""}` : value;
  }
}

class Sweep {
  constructor(data) {
    this.data = data;
    this.variables = data.variables.map((each) => new Variable(each));
    this.varied = this.variables.filter((variable) => variable.levels.length > 1);
    // Samples have few of all combinations: what is not drawn cannot be held at a value.
    this.isGrid =
      data.points.length >= 0.5 * this.varied.reduce((product, variable) => product * variable.levels.length, 1);
    this.series = data.series.map((row, index) => ({
      ...Object.fromEntries(data.series_columns.map((name, column) => [name, row[column]])),
      index,
    }));
    this.unpacked = { summary: new Map(), runs: new Map() };
  }

  /** The variable with a name, or nothing. */
  variable(name) {
    return this.variables.find((each) => each.name === name);
  }

  async table(kind, metric) {
    if (!this.data[kind][metric]) return null;
    const known = this.unpacked[kind];
    if (!known.has(metric)) known.set(metric, unpack(this.data[kind][metric]));
    return known.get(metric);
  }

  /** For each point what the summary says of a series: {point, mean, ci_lo, …}, in the unit that is drawn. */
  async summaryOf(series) {
    const table = await this.table("summary", series.metric);
    const [, factor] = unitOf(series);
    const found = new Map();
    for (let row = 0; row < table.rows; row++) {
      if (table.series[row] !== series.index) continue;
      const values = { point: table.point[row], n: table.n[row] };
      for (const name of ["mean", "sd", "ci_lo", "ci_hi", "min", "p05", "p50", "p95", "max"]) {
        values[name] = table[name] ? table[name][row] * factor : NaN;
      }
      found.set(values.point, values);
    }
    return found;
  }

  /** For each point the value of each repetition of a series. */
  async runsOf(series) {
    const table = await this.table("runs", series.metric);
    const [, factor] = unitOf(series);
    const found = new Map();
    for (let row = 0; table && row < table.rows; row++) {
      if (table.series[row] !== series.index || Number.isNaN(table.value[row])) continue;
      const point = table.point[row];
      if (!found.has(point)) found.set(point, new Map());
      found.get(point).set(table.repetition[row], table.value[row] * factor);
    }
    return found;
  }

  /** The bounds of expectations on a series, in the unit that is drawn. */
  boundsOf(series) {
    const [unit, factor] = unitOf(series);
    const found = this.data.bounds.filter((each) => each.series.includes(series.index));
    const texts = new Map(
      found.map((each) => [
        each.bound * factor,
        `expected ${each.relation} ${short(each.bound * factor)}${unit === "1" ? "" : ` ${unit}`}`,
      ]),
    );
    return [...texts].map(([value, text]) => ({ value, text }));
  }

  /** A point in words: the values of what varies. */
  pointInWords(point) {
    const parts = this.varied.map((variable) => `${variable.plain} ${variable.shown(variable.values[point])}`);
    return parts.join(" · ") || this.data.points[point];
  }
}

/** The unit that a series is drawn in, and the factor to it. */
function unitOf(series) {
  return METRIC_UNITS[series.unit] ?? [series.unit, 1];
}

function seriesTitle(series) {
  const unit = series.metric === "mos" ? "1 to 5" : unitOf(series)[0];
  return `${series.metric.replaceAll("_", " ")}, ${series.stat}${unit === "1" ? "" : ` [${unit}]`}`;
}

/** Of whom a series is. */
function seriesScope(series) {
  if (series.scope === "meeting") return "of the meeting";
  if (series.scope === "link") return `of link ${series.source || series.viewer}`;
  return `of ${series.viewer}${series.source ? `, of source ${series.source}` : ""}`;
}

/** The range of a series' axis: scores are from 1 to 5; else the values, with the bounds. */
function seriesRange(series, values, ends = [], bounds = []) {
  if (series.metric === "mos") return [1, 5];
  return extent(values, [...ends, ...bounds.map(({ value }) => value)]);
}
