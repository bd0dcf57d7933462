// The charts of one viewer, below the screen.

const COLOUR_COUNT = 8;
const colourOf = (index) => `var(--c${index})`;

/** What each chart shows, from a viewer's tables; `tops` has the largest values of two runs that share their scales. */
function chartsOf(viewer, tops = {}) {
  const series = (name, colour, values, style = "line", factor = 1) =>
    values && values.some((value) => !Number.isNaN(value))
      ? [{ name, colour, values: factor === 1 ? values : values.map((value) => value * factor), style }]
      : [];
  const own = (name, colour, column, style, factor) => series(name, colour, viewer.own(column), style, factor);
  const direction = (way) => [
    ...own("capacity", "var(--ink)", `${way}_capacity_bps`, "line", 1e-6),
    ...own("estimate", "var(--c1)", `${way}_estimate_bps`, "dashed", 1e-6),
    ...own(way === "up" ? "received by the SFU" : "received", "var(--c0)", `${way}_bitrate_bps`, "line", 1e-6),
  ];
  const charts = [
    { id: "down", title: "Downlink: capacity, estimate, rate", unit: "Mbps", series: direction("down") },
    {
      id: "bitrate",
      title: "Bit rates of the sources, stacked",
      unit: "Mbps",
      series: bySource(viewer, "bitrate_bps", "area", 1e-6, "sum"),
    },
    {
      id: "height",
      title: "Heights decoded",
      unit: "lines",
      series: bySource(viewer, "frame_height_px", "line", 1, "mean"),
    },
    {
      id: "rate",
      title: "Frame rates decoded",
      unit: "frames/s",
      series: bySource(viewer, "frames_per_second", "line", 1, "mean"),
    },
    {
      id: "mos",
      title: "Mean opinion scores",
      unit: "1 to 5",
      low: 1,
      top: 5,
      ticks: [1, 2, 3, 4, 5],
      series: bySource(viewer, "mos", "line", 1, "mean"),
    },
    {
      id: "freeze",
      title: "Freezes that ended",
      unit: "s per interval",
      series: bySource(viewer, "freezes_duration_s", "bar", 1, "sum"),
    },
    {
      id: "queue",
      title: "Queuing delay",
      unit: "ms",
      series: [
        ...own("downlink", "var(--c0)", "down_queue_delay_s", "line", 1e3),
        ...own("uplink", "var(--c1)", "up_queue_delay_s", "dashed", 1e3),
      ],
    },
    {
      id: "loss",
      title: "Packet loss",
      unit: "%",
      series: [
        ...own("downlink", "var(--c0)", "down_loss_frac", "line", 100),
        ...own("uplink", "var(--c1)", "up_loss_frac", "dashed", 100),
      ],
    },
    {
      id: "voice",
      title: "Voice received",
      unit: "kbps",
      series: own("voice", "var(--c2)", "audio_bitrate_bps", "area", 1e-3),
    },
    {
      id: "voice-loss",
      title: "Voice concealed or late",
      unit: "%",
      series: [
        ...series("concealed", "var(--c3)", viewer.voice("concealed_frac"), "line", 100),
        ...own("late or lost", "var(--c4)", "audio_loss_frac", "dotted", 100),
      ],
    },
    { id: "up", title: "Uplink: capacity, estimate, rate", unit: "Mbps", series: direction("up") },
  ];
  return charts.filter((chart) => chart.series.length).map((chart) => withTop(chart, tops[chart.id]));
}

/** Whether a chart has anything but zeros. */
function isDrawn(chart, shared) {
  return shared > 0 || chart.series.some((one) => one.values.some((value) => value !== 0 && !Number.isNaN(value)));
}

/** The scale of a chart: a capacity or an estimate far above the rest would flatten it, so it is cut off and said. */
function withTop(chart, shared) {
  if (chart.top) return chart;
  const known = chart.series.filter((one) => ["capacity", "estimate"].includes(one.name));
  const isStacked = chart.series.every((one) => one.style === "area" || one.style === "bar");
  const sums = (all) => all[0].values.map((_, tick) => all.reduce((sum, one) => sum + (one.values[tick] || 0), 0));
  const rest = chart.series.filter((one) => !known.includes(one));
  const most = (all) =>
    all.length ? (isStacked ? largest(sums(all)) : Math.max(...all.map((one) => largest(one.values)))) : 0;
  let all = most(rest);
  const cut = [];
  // The lower of the two counts for the other.
  for (const one of [...known].sort((a, b) => largest(a.values) - largest(b.values))) {
    if (all > 0 && largest(one.values) > 3 * all) cut.push(one);
    else all = Math.max(all, largest(one.values));
  }
  const top = Math.max(cut.length ? all * 1.1 : all, shared ?? 0);
  const notes = cut.map((one) => {
    const lowest = Math.min(...one.values.filter((value) => !Number.isNaN(value)));
    return lowest > 1.5 * top
      ? `The ${one.name}, ${short(lowest)} Mbps or more, is above the chart.`
      : `Where the ${one.name} is far above the rates, it is cut off.`;
  });
  return { ...chart, top, note: notes.join(" ") };
}

/** A column of the sources that matter most, each in its colour; of the others their mean or sum. */
function bySource(viewer, column, style, factor, combine) {
  if (!viewer.streams.table[column]) return [];
  const { kept, others } = viewer.charted ?? (viewer.charted = chartedSources(viewer));
  const scaled = (source) => viewer.series(column, source).map((value) => value * factor);
  const series = kept.map((source, index) => ({
    name: source,
    colour: colourOf(index),
    values: scaled(source),
    style,
  }));
  if (others.length) {
    const all = others.map(scaled);
    const values = viewer.run.times.map((_, tick) => {
      const known = all.map((one) => one[tick]).filter((value) => !Number.isNaN(value));
      if (!known.length) return NaN;
      const sum = known.reduce((total, value) => total + value, 0);
      return combine === "sum" ? sum : sum / known.length;
    });
    series.push({
      name: `${others.length} others${combine === "mean" ? " (mean)" : ""}`,
      colour: "var(--others)",
      values,
      style,
    });
  }
  return series.some((one) => one.values.some((value) => !Number.isNaN(value))) ? series : [];
}

/** The sources asked for and seen largest, as many as there are colours. */
function chartedSources(viewer) {
  const size = new Map(
    viewer.sources.map((source) => [
      source,
      [
        meanOf(viewer.series("requested_height_px", source)) || 0,
        meanOf(viewer.series("frame_height_px", source)) || 0,
      ],
    ]),
  );
  const order = [...viewer.sources].sort(
    (a, b) => size.get(b)[0] - size.get(a)[0] || size.get(b)[1] - size.get(a)[1] || natural(a, b),
  );
  if (order.length <= COLOUR_COUNT) return { kept: order, others: [] };
  return { kept: order.slice(0, COLOUR_COUNT - 1), others: order.slice(COLOUR_COUNT - 1) };
}

/** The charts in a grid, drawn again when its width changes. */
class ChartGrid {
  constructor(label) {
    this.grid = make("div", { class: "charts", role: "group", "aria-label": label });
    this.zeros = make("p", { class: "note zeros" });
    this.element = make("div", {}, this.grid, this.zeros);
    this.charts = [];
    new ResizeObserver(() => this.resize()).observe(this.grid);
  }

  setViewer(viewer, marks, onSeek, tops) {
    const all = chartsOf(viewer, tops);
    const drawn = all.filter((chart) => isDrawn(chart, tops[chart.id]));
    const zeros = all.filter((chart) => !drawn.includes(chart)).map((chart) => chart.title.toLowerCase());
    this.charts = drawn.map((chart) => new TimeChart({ ...chart, times: viewer.run.times, marks, onSeek }));
    setText(this.zeros, zeros.length ? `Zero throughout, and not drawn: ${zeros.join(", ")}.` : "");
    this.grid.replaceChildren(...this.charts.map((chart) => chart.element));
    this.resize();
  }

  resize() {
    const widths = this.charts.map((chart) => chart.element.clientWidth);
    for (const [index, chart] of this.charts.entries()) {
      if (chart.width !== widths[index]) chart.resize(widths[index], 132);
    }
  }

  show(time, tick) {
    for (const chart of this.charts) chart.show(time, tick);
  }
}
