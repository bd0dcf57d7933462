// What a sweep's page shows is chosen here; the choices offered are those that exist.

const FACETS = ["p_policy", "p_system", "p_estimator"];
const SPREADS = {
  ci: "mean and its interval",
  quantiles: "median, 5th and 95th percentile",
  range: "mean, least and most",
};

class Choices {
  constructor(sweep, onChange) {
    this.sweep = sweep;
    this.onChange = onChange;
    this.spread = "ci";
    this.fixed = {};
    this.chooseVariables();
    this.element = make("div", { class: "sweep-choices panel", role: "group", "aria-label": "What is shown" });
    this.current = sweep.series[sweep.data.first_series];
    this.draw();
  }

  chooseVariables() {
    const { varied, variables } = this.sweep;
    const pool = varied.length ? varied : variables;
    const isFew = (variable, most) => variable.levels.length <= most;
    this.facet =
      pool.find((variable) => FACETS.includes(variable.name) && pool.length > 1 && isFew(variable, 16))?.name ?? "";
    const rest = pool.filter((variable) => variable.name !== this.facet);
    const numbers = rest.filter((variable) => variable.isNumber).sort((a, b) => b.levels.length - a.levels.length);
    this.x = (numbers[0] ?? rest[0] ?? pool[0])?.name ?? "";
    this.line = rest.find((variable) => variable.name !== this.x && isFew(variable, COLOUR_COUNT))?.name ?? "";
    this.fix();
  }

  /** Whatever is not drawn stays at one value. */
  fix() {
    if (!this.sweep.isGrid) return;
    for (const variable of this.sweep.varied) {
      if ([this.x, this.line, this.facet].includes(variable.name)) delete this.fixed[variable.name];
      else this.fixed[variable.name] ??= variable.levels[0];
    }
  }

  /** The series nearest to what is wanted: the metric first, then statistic, scope, viewer and source. */
  best(wanted) {
    let found = this.sweep.series;
    for (const name of ["metric", "scope", "stat", "viewer", "source"]) {
      const same = found.filter((series) => series[name] === wanted[name]);
      if (same.length) found = same;
    }
    return found[0];
  }

  /** The points at which what is not drawn has its value. */
  points() {
    const { sweep, fixed } = this;
    return sweep.data.points
      .map((_, point) => point)
      .filter((point) => Object.entries(fixed).every(([name, value]) => sweep.variable(name).values[point] === value));
  }

  draw() {
    const { sweep, current } = this;
    const options = (name, before) => [
      ...new Set(
        sweep.series
          .filter((series) => before.every((each) => series[each] === current[each]))
          .map((series) => series[name]),
      ),
    ];
    const pick = (name, value) => {
      this.current = this.best({ ...current, [name]: value });
      this.changed();
    };
    const metric = [
      ["metric", []],
      ["scope", ["metric"]],
      ["stat", ["metric", "scope"]],
      ["viewer", ["metric", "scope", "stat"]],
      ["source", ["metric", "scope", "stat", "viewer"]],
    ].map(([name, before]) => {
      const all = options(name, before).sort(natural);
      return all.length > 1 || name === "metric"
        ? chooser(
            name === "stat" ? "statistic" : name,
            all.map((each) => [each, each.replaceAll("_", " ") || "all"]),
            current[name],
            (value) => pick(name, value),
          )
        : "";
    });
    const variables = (withNone) => [
      ...(withNone ? [["", "none"]] : []),
      ...(sweep.varied.length ? sweep.varied : sweep.variables).map((variable) => [variable.name, variable.plain]),
    ];
    const axis = (key, label, withNone) =>
      chooser(label, variables(withNone), this[key], (value) => {
        // Two roles cannot have one variable: they change places.
        const other = ["x", "line", "facet"].find((each) => each !== key && this[each] === value && value !== "");
        if (other) this[other] = other === "x" && this[key] === "" ? this[other] : this[key];
        this[key] = value;
        this.fix();
        this.changed();
      });
    const fixed = Object.keys(this.fixed).map((name) => {
      const variable = sweep.variable(name);
      return chooser(
        `${variable.plain} is`,
        variable.levels.map((level, index) => [String(index), variable.shown(level)]),
        String(variable.levels.indexOf(this.fixed[name])),
        (value) => {
          this.fixed[name] = variable.levels[Number(value)];
          this.changed();
        },
      );
    });
    const spread = chooser("shown as", Object.entries(SPREADS), this.spread, (value) => {
      this.spread = value;
      this.changed();
    });
    const focused = document.activeElement?.closest?.(".chooser")?.dataset.name;
    this.element.replaceChildren(
      make("div", { class: "choosers" }, metric, spread),
      make(
        "div",
        { class: "choosers" },
        axis("x", "across", false),
        axis("line", "lines", true),
        axis("facet", "panels", true),
        fixed,
      ),
    );
    if (focused) this.element.querySelector(`[data-name="${focused}"] select`)?.focus();
  }

  changed() {
    this.draw();
    this.onChange();
  }
}

/** A labelled list of values to choose from. */
function chooser(label, options, value, onPick) {
  const select = make(
    "select",
    { onchange: () => onPick(select.value) },
    options.map(([key, text]) => make("option", { value: key, selected: key === value }, text)),
  );
  return make("label", { class: "chooser", "data-name": label }, make("span", {}, label), select);
}
