// Elements, numbers as text, and names in the order in which people count.

/** An HTML element: attributes by name, `on…` are listeners, everything else is content. */
function make(tag, attributes = {}, ...content) {
  return filled(document.createElement(tag), attributes, content);
}

/** An SVG element. */
function draw(tag, attributes = {}, ...content) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content);
}

function filled(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...content.flat().filter((part) => part !== null && part !== undefined && part !== ""));
  return element;
}

/** A table in a frame that scrolls by itself; columns without a name have no head. */
function framedTable(label, names, body, { frame = "scroll tall", table = null } = {}) {
  const heads = names.map((name) => (name ? make("th", { scope: "col" }, name) : make("td")));
  return make(
    "div",
    { class: frame, tabindex: "0", role: "group", "aria-label": label },
    make("table", { class: table }, make("thead", {}, make("tr", {}, heads)), body),
  );
}

/** Gives a row's cells the names of their columns, which stand beside them where a screen is too narrow for a head. */
function named(row, names) {
  for (const [index, cell] of [...row.children].entries()) if (names[index]) cell.dataset.label = names[index];
  return row;
}

/** Sets text only where it differs: the screen is not laid out again for nothing. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const collator = new Intl.Collator("en", { numeric: true });
const natural = (a, b) => collator.compare(a, b);

/** A number with three significant digits, or all of its whole part. */
function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  const text =
    size >= 100 || Number.isInteger(value)
      ? value.toLocaleString("en", { maximumFractionDigits: 0 })
      : size < 1e-5
        ? value.toExponential(1)
        : value.toLocaleString("en", { maximumSignificantDigits: 3 });
  return text.replace("-", "−");
}

const prefixes = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** A number of any size in few characters, with an SI prefix: 28.3M, 142k. */
function compact(value) {
  if (!(Math.abs(value) >= 1e5)) return short(value);
  const rounded = Number(value.toPrecision(3));
  const [scale, letter] = prefixes.find(([least]) => Math.abs(rounded) >= least);
  return short(rounded / scale) + letter;
}

/** A bit rate with the unit that suits it. */
function bitRate(value) {
  if (Number.isNaN(value) || value === null || value === undefined) return "–";
  return Math.abs(value) >= 999_500 ? `${short(value / 1e6)} Mbps` : `${short(value / 1e3)} kbps`;
}

/** Minutes and seconds with a decimal. */
function clockText(seconds) {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${String(((tenths % 600) / 10).toFixed(1)).padStart(4, "0")}`;
}

/** A height and a rate as the field writes them: 720p30. */
function quality(height, rate) {
  if (!(height > 0)) return "no picture";
  return `${height}p${rate > 0 ? Math.round(rate) : ""}`;
}

/** The last index whose value is at most the wanted one, or -1. */
function lastAtMost(values, wanted) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
