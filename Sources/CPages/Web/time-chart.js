// A small chart over the meeting's time: a value for each interval, drawn as steps, stacked areas or bars.

const LEFT = 46;
const BOTTOM = 20;
const TOP = 6;
const RIGHT = 8;

/**
 * `series`: {name, colour, values, style}; styles are line, dashed, dotted and area (areas stack), bar.
 * `top`: the largest value drawn; larger ones are cut off, which `note` says.
 */
class TimeChart {
  constructor({ title, unit, series, times, marks, top, low, ticks, note, onSeek }) {
    Object.assign(this, { title, unit, series, times, marks, top, low: low ?? 0, ticks, note, onSeek });
    this.duration = times[times.length - 1];
    this.svg = draw("svg", { class: "chart", role: "img" });
    this.svg.setAttribute("aria-label", this.summary());
    // Apart from the drawing, which would else be painted again whenever it moves.
    this.cursor = make("i", { class: "cursor", "aria-hidden": "true" });
    this.values = series.map(() => make("b"));
    this.element = make(
      "figure",
      { class: "chart-box" },
      make(
        "figcaption",
        {},
        make("span", { class: "chart-title" }, title, " ", make("span", { class: "unit" }, `[${unit}]`)),
        this.legend(),
      ),
      make("div", { class: "plot" }, this.svg, this.cursor),
      note ? make("p", { class: "note" }, note) : null,
    );
    this.listen();
  }

  legend() {
    return make(
      "ul",
      { class: "legend" },
      this.series.map((one, index) => {
        const swatch = make("i", { class: `swatch swatch-${one.style}` });
        swatch.style.setProperty("--colour", one.colour);
        return make("li", {}, swatch, one.name, " ", this.values[index]);
      }),
    );
  }

  summary() {
    const parts = this.series.map(
      (one) => `${one.name}: mean ${short(meanOf(one.values))}, at most ${short(largest(one.values))}`,
    );
    return `${this.title} over time in ${this.unit}. ${parts.join("; ")}.`;
  }

  listen() {
    const seek = (event) => {
      const box = this.svg.getBoundingClientRect();
      this.onSeek(((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * this.duration);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
    });
  }

  /** Draws everything for a size [CSS px]. */
  resize(width, height) {
    if (width < 80) return;
    this.width = width;
    this.height = height;
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.x = (time) => LEFT + (time / this.duration) * (width - LEFT - RIGHT);
    const ticks = this.ticks ?? ticksTo(this.top ?? this.largestValue(), 3, this.low);
    const high = ticks[ticks.length - 1];
    this.high = high;
    const floor = height - BOTTOM;
    this.y = (value) =>
      floor - ((Math.min(Math.max(value, this.low), high) - this.low) / (high - this.low)) * (floor - TOP);
    this.cursor.style.height = `${floor - TOP}px`;
    this.columns = pixelColumns(this.times, this.x);
    this.svg.replaceChildren(...this.axes(ticks), ...this.markLines(), ...this.shapes());
    if (this.time !== undefined) this.moveCursor(this.time);
  }

  largestValue() {
    const areas = this.series.filter((one) => one.style === "area" || one.style === "bar");
    const stacked = this.times.map((_, tick) => areas.reduce((sum, one) => sum + (one.values[tick] || 0), 0));
    const lines = this.series.filter((one) => !areas.includes(one)).map((one) => largest(one.values));
    return Math.max(largest(stacked), ...lines, this.low) || 1;
  }

  axes(ticks) {
    const floor = this.height - BOTTOM;
    const parts = ticks.flatMap((tick) => [
      draw("line", { class: "grid", x1: LEFT, x2: this.width - RIGHT, y1: this.y(tick), y2: this.y(tick) }),
      draw("text", { class: "tick", x: LEFT - 6, y: this.y(tick) + 3.5, "text-anchor": "end" }, short(tick)),
    ]);
    for (const tick of timeTicks(this.duration, Math.max(2, this.width / 90))) {
      const minutes = Math.floor(tick / 60);
      const text = `${minutes}:${String(Math.round((tick % 60) * 10) / 10).padStart(2, "0")}`;
      parts.push(draw("line", { class: "grid", x1: this.x(tick), x2: this.x(tick), y1: floor, y2: floor + 4 }));
      const anchor = this.x(tick) > this.width - 30 ? "end" : tick === 0 ? "start" : "middle";
      parts.push(draw("text", { class: "tick", x: this.x(tick), y: floor + 15, "text-anchor": anchor }, text));
    }
    return parts;
  }

  markLines() {
    const floor = this.height - BOTTOM;
    return this.marks.map((time) =>
      draw("line", { class: "mark", x1: this.x(time), x2: this.x(time), y1: TOP, y2: floor }),
    );
  }

  shapes() {
    const shapes = [];
    let below = this.times.map(() => 0);
    for (const one of this.series) {
      if (one.style === "area" || one.style === "bar") {
        const above = below.map((value, tick) => value + (one.values[tick] || 0));
        const d = one.style === "area" ? this.areaPath(below, above) : this.barPath(below, above);
        shapes.push(styled(draw("path", { class: "area", d }), { fill: one.colour }));
        below = above;
      } else {
        const line = draw("path", { class: `line line-${one.style}`, d: this.linePath(one.values) });
        shapes.push(styled(line, { stroke: one.colour }));
      }
    }
    return shapes;
  }

  /** Steps: an interval's value holds from the end of the one before to its own. */
  linePath(values) {
    if (this.columns) return this.rangePath(values);
    let path = "";
    let isDrawing = false;
    for (const [tick, value] of values.entries()) {
      // A line along the upper edge would be read as a value.
      if (Number.isNaN(value) || value > this.high) {
        isDrawing = false;
        continue;
      }
      const y = this.y(value).toFixed(1);
      path += isDrawing ? `V${y}` : `M${this.x(this.begin(tick)).toFixed(1)} ${y}`;
      path += `H${this.x(this.times[tick]).toFixed(1)}`;
      isDrawing = true;
    }
    return path;
  }

  /** Where a pixel has several intervals: from their least to their largest value. */
  rangePath(values) {
    let path = "";
    let isDrawing = false;
    for (const [from, to] of this.columns) {
      const known = values.slice(from, to).filter((value) => value <= this.high);
      if (!known.length) {
        isDrawing = false;
        continue;
      }
      const x = this.x(this.times[to - 1]).toFixed(1);
      const [low, high] = [this.y(Math.min(...known)).toFixed(1), this.y(Math.max(...known)).toFixed(1)];
      path += `${isDrawing ? "L" : "M"}${x} ${low}V${high}`;
      isDrawing = true;
    }
    return path;
  }

  areaPath(below, above) {
    if (this.columns) {
      const mean = (values, [from, to]) => this.y(meanOf(values.slice(from, to))).toFixed(1);
      const at = (column) => this.x(this.times[column[1] - 1]).toFixed(1);
      const there = this.columns.map((column) => `L${at(column)} ${mean(above, column)}`);
      const back = this.columns.map((column) => `L${at(column)} ${mean(below, column)}`).reverse();
      return `M${LEFT} ${mean(above, this.columns[0])}${there.join("")}${back.join("")}Z`;
    }
    const there = above.map((value, tick) => `V${this.y(value).toFixed(1)}H${this.x(this.times[tick]).toFixed(1)}`);
    const back = below
      .map((value, tick) => `V${this.y(value).toFixed(1)}H${this.x(this.begin(tick)).toFixed(1)}`)
      .reverse();
    return `M${LEFT} ${this.y(below[0]).toFixed(1)}${there.join("")}${back.join("")}Z`;
  }

  barPath(below, above) {
    return above
      .map((value, tick) => {
        if (value <= below[tick]) return "";
        const [left, right] = [this.x(this.begin(tick)), this.x(this.times[tick])];
        const wide = Math.max(right - left - 0.5, 1.5);
        return `M${left.toFixed(1)} ${this.y(below[tick]).toFixed(1)}V${this.y(value).toFixed(1)}h${wide.toFixed(1)}V${this.y(below[tick]).toFixed(1)}Z`;
      })
      .join("");
  }

  begin(tick) {
    return tick ? this.times[tick - 1] : 0;
  }

  /** Moves the cursor; the values in the legend are of its interval. */
  show(time, tick) {
    this.time = time;
    this.moveCursor(time);
    if (this.tick === tick) return;
    this.tick = tick;
    for (const [index, one] of this.series.entries()) setText(this.values[index], short(one.values[tick]));
  }

  moveCursor(time) {
    if (this.x) this.cursor.style.transform = `translateX(${this.x(time).toFixed(1)}px)`;
  }
}

/** The intervals of each pixel, where there are more than two for a pixel; else nothing. */
function pixelColumns(times, x) {
  if (times.length < 2 * (x(times[times.length - 1]) - x(0))) return null;
  const columns = [];
  for (const [tick, time] of times.entries()) {
    const pixel = Math.floor(x(time));
    if (columns.length && columns[columns.length - 1][2] === pixel) columns[columns.length - 1][1] = tick + 1;
    else columns.push([tick, tick + 1, pixel]);
  }
  return columns;
}

/** Colours are properties of style, not attributes: those of a theme are variables. */
function styled(element, properties) {
  Object.assign(element.style, properties);
  return element;
}
