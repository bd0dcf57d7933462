// Light or dark: what the system says, until the reader chooses.

const theme = document.documentElement.dataset;

{
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (theme.theme = system.matches ? "dark" : "light");
  system.addEventListener("change", () => theme.chosen ?? follow());
  follow();
}

function toggleTheme() {
  theme.chosen = theme.theme = theme.theme === "dark" ? "light" : "dark";
}

const themeButton = () =>
  make(
    "button",
    { type: "button", class: "theme", onclick: toggleTheme, "aria-label": "Light or dark" },
    draw(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      draw("circle", { cx: 12, cy: 12, r: 9, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
      draw("path", { d: "M12 3a9 9 0 0 1 0 18z", fill: "currentColor" }),
    ),
  );

/** The line of names and values at the top of every report. */
function pageHeader(title, subtitle, facts) {
  return make(
    "header",
    { class: "page-header" },
    make("div", {}, make("h1", {}, title), subtitle ? make("p", { class: "subtitle" }, subtitle) : ""),
    themeButton(),
    make(
      "dl",
      { class: "header-facts" },
      facts
        .filter(([, value]) => value !== "")
        .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
    ),
  );
}

function runFacts(header) {
  return [
    ["system", header.system],
    ["estimator", header.estimator],
    ["seed", header.seed],
    ["repetition", header.repetition === "0" ? "" : header.repetition],
    ["meetsim", header.version],
    ["result", header.directory],
  ];
}
