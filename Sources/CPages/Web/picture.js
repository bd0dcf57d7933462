// What a tile shows in place of video: somebody, or a shared window, in the colour of the source.

function pictureOf(source, kind, hue) {
  const svg = draw("svg", {
    class: "picture",
    viewBox: "0 0 160 90",
    preserveAspectRatio: "xMidYMax slice",
    "aria-hidden": "true",
  });
  const fill = (lightness, saturation = 32) => `hsl(${hue} ${saturation}% ${lightness}%)`;
  svg.append(draw("rect", { width: 160, height: 90, fill: fill(30) }));
  if (kind === "screen") {
    svg.append(draw("rect", { x: 22, y: 10, width: 116, height: 70, rx: 3, fill: "#f4f4f2" }));
    svg.append(draw("rect", { x: 22, y: 10, width: 116, height: 9, rx: 3, fill: fill(48) }));
    for (const [line, width] of [50, 88, 72, 94, 60].entries()) {
      svg.append(
        draw("rect", { x: 30, y: 27 + line * 9, width, height: 3.4, rx: 1.7, fill: line ? "#a4a7ac" : fill(40) }),
      );
    }
    return svg;
  }
  svg.append(
    draw("circle", { cx: 132, cy: 12, r: 38, fill: fill(34) }),
    draw("circle", { cx: 22, cy: 70, r: 26, fill: fill(27) }),
  );
  svg.append(draw("path", { d: "M34 92c0-23 20-32 46-32s46 9 46 32z", fill: fill(60, 36) }));
  svg.append(draw("path", { d: "M70 50h20v12c0 5-20 5-20 0z", fill: fill(66, 30) }));
  svg.append(draw("ellipse", { cx: 80, cy: 37, rx: 16.5, ry: 19.5, fill: fill(80, 32) }));
  return svg;
}

/** The initials of an id: ST-12 becomes S12, teacher T. */
function initials(source) {
  const words = source
    .replace(/\/.*$/, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words
    .map((word) => (/^\d+$/.test(word) ? word : word[0].toUpperCase()))
    .slice(0, 3)
    .join("");
}

/** A hue for each source, far from its neighbours'. */
function hueOf(sources, source) {
  const person = source.replace(/\/.*$/, "");
  const people = [...new Set(sources.map((name) => name.replace(/\/.*$/, "")))];
  return Math.round((205 + people.indexOf(person) * 137.5) % 360);
}
