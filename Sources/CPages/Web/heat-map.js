// A metric over two variables: a cell for each pair of values, dark for low and light for high, with its number in it.

// Cividis (Nuñez, Anderton and Renslow, 2018), which looks the same with every kind of colour vision.
const CIVIDIS = [
  [0, 34, 78],
  [42, 63, 109],
  [87, 93, 109],
  [124, 123, 120],
  [165, 156, 116],
  [210, 193, 98],
  [254, 232, 56],
];

function cividis(share) {
  const at = Math.min(Math.max(share, 0), 1) * (CIVIDIS.length - 1);
  const index = Math.min(Math.floor(at), CIVIDIS.length - 2);
  return CIVIDIS[index].map((from, channel) => Math.round(from + (CIVIDIS[index + 1][channel] - from) * (at - index)));
}

/** Numbers with as many decimals as a hundredth of the range has. */
function inCell(value, range) {
  const hundredth = (range[1] - range[0]) / 100;
  const decimals = hundredth > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(hundredth)), 0), 6) : 2;
  return value.toLocaleString("en", { maximumFractionDigits: decimals });
}

/** A text as far as it fits, at 6 px a character. */
function shortened(text, width) {
  const most = Math.max(3, Math.floor(width / 6));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** `valueAt(x, y)` is a cell's number or NaN; `range` the numbers of the ends of the colours. */
function heatMap({ x, y, valueAt, range, width, title }) {
  const left = Math.min(150, 26 + 7 * Math.max(4, ...y.levels.map((level) => y.shown(level).length)));
  const cellWidth = (width - left - 10) / x.levels.length;
  const cellHeight = Math.min(34, Math.max(22, 300 / y.levels.length));
  const floor = 6 + cellHeight * y.levels.length;
  const height = floor + 42;
  const svg = draw("svg", {
    class: "chart heat",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    width,
    height,
    "aria-label": `${title}: ${y.title} by ${x.title}`,
  });
  for (const [row, levelY] of [...y.levels].reverse().entries()) {
    const top = 6 + row * cellHeight;
    svg.append(
      draw(
        "text",
        { class: "tick", x: left - 7, y: top + cellHeight / 2 + 4, "text-anchor": "end" },
        shortened(y.shown(levelY), left - 12),
      ),
    );
    for (const [column, levelX] of x.levels.entries()) {
      const value = valueAt(levelX, levelY);
      // A combination that is no point of the sweep, or whose runs all failed, has an empty cell.
      const colour = Number.isFinite(value) ? cividis((value - range[0]) / (range[1] - range[0] || 1)) : [0, 0, 0];
      const isBright = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 118;
      const cell = draw(
        "rect",
        {
          x: left + column * cellWidth,
          y: top,
          width: cellWidth - 1.5,
          height: cellHeight - 1.5,
          rx: 2,
          class: "cell",
        },
        draw(
          "title",
          {},
          `${x.plain} ${x.shown(levelX)}, ${y.plain} ${y.shown(levelY)}: ${Number.isFinite(value) ? short(value) : "no result"}`,
        ),
      );
      svg.append(
        Number.isFinite(value) ? styled(cell, { fill: `rgb(${colour})` }) : styled(cell, { fill: "var(--grid)" }),
      );
      if (!Number.isFinite(value)) {
        cell.classList.add("is-empty");
      } else if (cellWidth > 30) {
        const text = draw(
          "text",
          {
            class: "cell-text",
            x: left + (column + 0.5) * cellWidth,
            y: top + cellHeight / 2 + 4,
            "text-anchor": "middle",
          },
          inCell(value, range),
        );
        svg.append(styled(text, { fill: isBright ? "#10151b" : "#ffffff" }));
      }
    }
  }
  let free = -Infinity;
  for (const [column, level] of x.levels.entries()) {
    const text = x.isNumber ? short(level) : shortened(level, cellWidth);
    const half = text.length * 3.3;
    const at = Math.min(left + (column + 0.5) * cellWidth, width - half);
    if (at - half < free) continue;
    svg.append(draw("text", { class: "tick", x: at, y: floor + 14, "text-anchor": "middle" }, text));
    free = at + half + 4;
  }
  svg.append(
    draw("text", { class: "axis-title", x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, x.title),
  );
  return svg;
}

/** The colours with the numbers of their ends. */
function heatLegend(range, title) {
  const bar = make("i", { class: "heat-bar" });
  bar.style.background = `linear-gradient(90deg, ${CIVIDIS.map((colour) => `rgb(${colour})`).join(", ")})`;
  return make("p", { class: "heat-legend" }, `${title}: `, short(range[0]), bar, short(range[1]));
}
