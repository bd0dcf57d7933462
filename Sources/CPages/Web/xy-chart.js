// Values with intervals over a variable: a line for each group, with a colour, a dash and a marker of its own.

const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 4", "6 2 1 2"];
const XY_LEFT = 54;
const XY_BOTTOM = 40;

/** A marker of one of eight shapes. */
function marker(shape, x, y, colour, size = 4) {
  const [s, t] = [size, size * 1.25];
  const paths = [
    `M${x - s} ${y}a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`,
    `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z`,
    `M${x} ${y - t}l${t} ${2 * s}h${-2 * t}z`,
    `M${x} ${y - t}l${t} ${t}l${-t} ${t}l${-t} ${-t}z`,
    `M${x} ${y + t}l${t} ${-2 * s}h${-2 * t}z`,
    `M${x - s} ${y - s}l${2 * s} ${2 * s}M${x + s} ${y - s}l${-2 * s} ${2 * s}`,
    `M${x - t} ${y}h${2 * t}M${x} ${y - t}v${2 * t}`,
    `M${x - t} ${y - 1.5}h${2 * t}v3h${-2 * t}z`,
  ];
  const element = draw("path", { d: paths[shape % 8], class: "marker" });
  return styled(element, { fill: colour, stroke: colour });
}

/** Whether positive values, in ascending order, lie more evenly by their logarithms than as they are. */
function isGeometric(levels) {
  if (levels.length < 3 || !(levels[0] > 0)) return levels[0] > 0 && levels[levels.length - 1] / levels[0] >= 8;
  const unevenness = (values) => {
    const steps = values.slice(1).map((value, index) => value - values[index]);
    return Math.max(...steps) / Math.min(...steps);
  };
  return unevenness(levels.map(Math.log)) < unevenness(levels);
}

/** A scale of values to places: words evenly, numbers linearly or, where they are chosen so, by their logarithm. */
function positions(levels, isNumber, from, to, isLinear = false) {
  if (!isNumber) {
    const step = (to - from) / levels.length;
    return { at: (value) => from + (levels.indexOf(value) + 0.5) * step, ticks: levels };
  }
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  if (low === high) return { at: () => (from + to) / 2, ticks: [low] };
  const isLog = !isLinear && isGeometric(levels);
  const place = isLog ? Math.log : (value) => value;
  const inner = 10;
  const within = (value) => Math.min(Math.max(value, low), high);
  return {
    at: (value) =>
      from + inner + ((place(within(value)) - place(low)) / (place(high) - place(low))) * (to - from - 2 * inner),
    ticks:
      levels.length <= 12
        ? levels
        : isLog
          ? levels.filter((_, index) => index % Math.ceil(levels.length / 8) === 0)
          : ticksTo(high, 5, low).filter((tick) => tick >= low && tick <= high),
    isLog,
  };
}

/**
 * The lowest and highest value that an axis has to hold, of values and the ends of their intervals; from 0 where that
 * does not squeeze the rest, and where only an interval reaches below.
 */
function extent(values, ends = []) {
  const known = [...values, ...ends].filter((value) => Number.isFinite(value));
  if (!known.length) return [0, 1];
  const isPositive = values.every((value) => !(value < 0));
  const [low, high] = [isPositive ? Math.max(0, Math.min(...known)) : Math.min(...known), Math.max(...known)];
  if (low >= 0 && low < 0.6 * high) return [0, high];
  if (low === high) return low === 0 ? [0, 1] : low > 0 ? [0, high] : [low, 0];
  return [low, high];
}

/**
 * `groups`: {name, colour, shape, points: [{x, y, low, high, text}]}; `x`: {title, levels, isNumber};
 * `y`: {title, range}; `isJoined`: whether a line joins a group's points; `bounds`: values to keep, {value, text}.
 */
function xyChart({ groups, x, y, width, height, isJoined = true, front, bounds = [] }) {
  const floor = height - XY_BOTTOM;
  const svg = draw("svg", { class: "chart xy", viewBox: `0 0 ${width} ${height}`, role: "img", width, height });
  const across = positions(x.levels, x.isNumber, XY_LEFT, width - 10, x.isLinear);
  const ticks = ticksTo(y.range[1], 5, y.range[0]);
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  // Nothing is drawn beyond the axes.
  const up = (value) => floor - ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (floor - 10);
  svg.append(
    ...ticks.flatMap((tick) => [
      draw("line", { class: "grid", x1: XY_LEFT, x2: width - 10, y1: up(tick), y2: up(tick) }),
      draw("text", { class: "tick", x: XY_LEFT - 6, y: up(tick) + 3.5, "text-anchor": "end" }, short(tick)),
    ]),
  );
  let free = -Infinity;
  for (const tick of across.ticks) {
    const text = x.isNumber ? short(tick) : shortened(String(tick), (width - XY_LEFT - 10) / across.ticks.length);
    const half = text.length * 3.3;
    svg.append(draw("line", { class: "grid", x1: across.at(tick), x2: across.at(tick), y1: 10, y2: floor + 4 }));
    if (across.at(tick) - half < free) continue;
    // A long number at either end stays within the picture.
    const place = Math.min(Math.max(across.at(tick), half), width - half);
    svg.append(draw("text", { class: "tick", x: place, y: floor + 15, "text-anchor": "middle" }, text));
    free = place + half + 5;
  }
  svg.append(
    draw(
      "text",
      { class: "axis-title", x: (XY_LEFT + width) / 2, y: height - 5, "text-anchor": "middle" },
      x.title + (across.isLog ? ", logarithmic" : ""),
    ),
  );
  svg.append(
    draw(
      "text",
      {
        class: "axis-title",
        x: 12,
        y: (floor + 10) / 2,
        "text-anchor": "middle",
        transform: `rotate(-90 12 ${(floor + 10) / 2})`,
      },
      y.title,
    ),
  );
  if (front)
    svg.append(
      draw("path", {
        class: "front",
        d: front
          .map((each, index) => (index ? `H${across.at(each.x)}V${up(each.y)}` : `M${across.at(each.x)} ${up(each.y)}`))
          .join(""),
      }),
    );
  for (const { value, text } of bounds) {
    if (value < low || value > high) continue;
    svg.append(
      draw("line", { class: "bound", x1: XY_LEFT, x2: width - 10, y1: up(value), y2: up(value) }),
      draw("text", { class: "bound-text", x: XY_LEFT + 4, y: up(value) - 4 }, text),
    );
  }
  for (const group of groups) svg.append(...groupShapes(group, across, up, isJoined));
  svg.setAttribute(
    "aria-label",
    `${y.title} over ${x.title}. ${groups
      .map(
        (group) =>
          `${group.name}: ${group.points
            .map((one) => one.text)
            .slice(0, 12)
            .join("; ")}`,
      )
      .join(". ")}`,
  );
  return svg;
}

function groupShapes(group, across, up, isJoined) {
  const known = group.points.filter((one) => Number.isFinite(one.y));
  const shapes = [];
  if (isJoined && known.length > 1) {
    const line = draw("path", {
      class: "line",
      d: known
        .map((one, index) => `${index ? "L" : "M"}${across.at(one.x).toFixed(1)} ${up(one.y).toFixed(1)}`)
        .join(""),
      "stroke-dasharray": DASHES[group.shape % 8],
    });
    shapes.push(styled(line, { stroke: group.colour }));
  }
  for (const one of known) {
    const at = across.at(one.x) + (group.shift ?? 0);
    if (Number.isFinite(one.low) && Number.isFinite(one.high)) {
      shapes.push(
        styled(
          draw("path", {
            class: "interval",
            d: `M${at} ${up(one.low)}V${up(one.high)}m-3 0h6M${at - 3} ${up(one.low)}h6`,
          }),
          { stroke: group.colour },
        ),
      );
    }
    if (Number.isFinite(one.left) && Number.isFinite(one.right)) {
      shapes.push(
        styled(draw("path", { class: "interval", d: `M${across.at(one.left)} ${up(one.y)}H${across.at(one.right)}` }), {
          stroke: group.colour,
        }),
      );
    }
    const dot = marker(group.shape, at, up(one.y), group.colour, one.isFront ? 5.5 : 4);
    dot.append(draw("title", {}, `${group.name}: ${one.text}`));
    shapes.push(dot);
  }
  return shapes;
}

/** A legend of lines with their markers. */
function groupLegend(groups) {
  return make(
    "ul",
    { class: "legend" },
    groups.map((group) =>
      make(
        "li",
        {},
        draw(
          "svg",
          { width: 26, height: 12, "aria-hidden": "true" },
          styled(draw("path", { class: "line", d: "M0 6H26", "stroke-dasharray": DASHES[group.shape % 8] }), {
            stroke: group.colour,
          }),
          marker(group.shape, 13, 6, group.colour),
        ),
        group.name,
      ),
    ),
  );
}

/** Levels of a variable as groups; the ninth and later share grey. */
const groupLook = (index) => ({ colour: index < COLOUR_COUNT ? colourOf(index) : "var(--others)", shape: index % 8 });
