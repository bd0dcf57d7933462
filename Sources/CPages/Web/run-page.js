// The page of one run, or of two beside each other.

class RunPage {
  constructor(root, data) {
    this.title = data.title;
    this.runs = data.runs.map((each, index) => new Run(each, data.runs.length > 1 ? "AB"[index] : ""));
    for (const run of this.runs) run.label = run.name;
    const [first] = this.runs;
    this.viewers = first.viewers.filter((id) => this.runs.every((run) => run.viewers.includes(id)));
    if (!this.viewers.length) {
      root.append(
        ...this.header(),
        make(
          "main",
          { id: "report" },
          make("p", { class: "shown-words" }, "Nobody watches in this run: there is no screen to replay."),
          scenarioText(first),
        ),
      );
      return;
    }
    const longest = this.runs.reduce((a, b) => (b.duration > a.duration ? b : a));
    this.clock = new Clock(longest.duration);
    this.selected = "";
    const seek = (time) => this.clock.seek(time);
    this.seek = seek;
    this.events = new EventList(this.runs, seek, () => this.marksChanged());
    this.controls = new Controls({
      clock: this.clock,
      times: longest.times,
      viewers: this.viewers,
      events: this.events,
      onViewer: (id) => this.setViewer(id),
    });
    this.panes = this.runs.map((run) => this.paneOf(run));
    root.append(...this.header(), this.layout());
    this.clock.onChange((time) => this.show(time));
    const missing = ({ data }) => (this.viewers.includes(data.first_viewer) ? data.first_viewer_missing : -1);
    const worst = this.panes.reduce((a, b) => (missing(b.run) > missing(a.run) ? b : a));
    const start = missing(worst.run) < 0 ? this.viewers[0] : worst.run.data.first_viewer;
    this.ready = this.open(start, worst);
  }

  /**
   * Opens at the first moment worth seeing: the first of the viewer's worst ones in the run of a pane, else the first
   * whole screen.
   */
  async open(id, pane) {
    await this.setViewer(id);
    const { run, viewer } = pane;
    const isStart = (moment) => moment.what !== "freeze" && ["starting", "switching"].includes(moment.limitation);
    const worth = run.data.moments.filter((moment) => moment.viewer === id && !isStart(moment));
    const first = worth.reduce((a, b) => (a && a.begin <= b.begin ? a : b), null);
    if (first) {
      this.selected = first.source;
      this.clock.seek(first.what === "freeze" ? first.end : run.times[lastAtMost(run.times, first.begin) + 1] ?? first.end);
      return;
    }
    const shown = run.times.map((_, tick) =>
      viewer.sources.filter(
        (source) =>
          viewer.value("frame_height_px", source, tick) > 0 && viewer.value("state", source, tick) !== "hidden",
      ),
    );
    const counts = shown.map((sources) => sources.length);
    const tick = counts.indexOf(largest(counts));
    const sources = shown[tick] ?? [];
    if (!sources.includes(this.selected)) this.selected = sources[0] ?? this.selected;
    this.clock.seek(run.times[tick] ?? 0);
  }

  paneOf(run) {
    const select = (source) => this.select(source);
    return {
      run,
      screen: new Screen(run.name ? `Screen in run ${run.name}` : "Screen", select),
      charts: new ChartGrid(run.name ? `Charts of run ${run.name}` : "Charts"),
      budget: new BudgetPanel(run.name ? `Tile in run ${run.name}` : "Tile"),
      moments: new MomentTable(run, (moment) => this.jump(moment)),
      verdicts: new VerdictTable(run, (verdict) => this.showWorst(run, verdict)),
    };
  }

  header() {
    if (this.runs.length === 1) {
      const { header } = this.runs[0];
      return [
        pageHeader(header.scenario, header.title, [
          ...runFacts(header),
          ["expectations", verdictCount(this.runs[0])],
        ]),
      ];
    }
    return [pageHeader(this.title, this.runs.map((run) => `${run.name}: ${run.header.directory}`).join(" · "), [])];
  }

  layout() {
    const isTwo = this.runs.length > 1;
    const column = (pane) => make("div", { class: "pane" }, isTwo ? this.paneTitle(pane.run) : "", pane.screen.element);
    const screens = make("div", { class: isTwo ? "screens two" : "screens" }, this.panes.map(column));
    const budgets = make(
      "div",
      { class: "budgets" },
      this.panes.map((pane) => pane.budget.element),
    );
    this.difference = isTwo ? new DifferenceTable(this.runs) : null;
    return make(
      "main",
      { id: "report" },
      make(
        "div",
        { class: isTwo ? "stage-area stacked" : "stage-area" },
        make("div", { class: "watch" }, screens, this.controls.element, legendOfTiles(isTwo)),
        budgets,
      ),
      this.panes.map((pane) => pane.verdicts.element),
      this.difference ? this.difference.element : "",
      ...(isTwo
        ? [
            make(
              "div",
              { class: "two" },
              this.panes.map((pane) => make("div", {}, make("h2", {}, `Run ${pane.run.name}`), pane.charts.element)),
            ),
          ]
        : [make("h2", {}, "Over time"), this.panes[0].charts.element]),
      make(
        "div",
        { class: this.runs.length > 1 ? "tables differences" : "tables" },
        this.panes.map((pane) => pane.moments.element),
        this.events.element,
      ),
      ...this.runs.map((run) => scenarioText(run)),
    );
  }

  paneTitle(run) {
    return make(
      "div",
      { class: "pane-title" },
      make("h2", {}, make("b", { class: "run-letter" }, run.name), run.header.scenario),
      make(
        "p",
        {},
        runFacts(run.header)
          .filter(([, value]) => value)
          .map(([name, value]) => `${name} ${value}`)
          .join(" · "),
      ),
    );
  }

  async setViewer(id) {
    const viewers = await Promise.all(this.runs.map((run) => run.viewer(id)));
    this.viewerId = id;
    this.controls.viewer.value = id;
    for (const [index, pane] of this.panes.entries()) {
      pane.viewer = viewers[index];
      pane.screen.setViewer(viewers[index]);
      pane.moments.setViewer(id);
    }
    const known = viewers[0].sources;
    if (!known.includes(this.selected))
      this.selected = viewers[0].run.data.moments.find((moment) => moment.viewer === id)?.source ?? known[0] ?? "";
    this.difference?.setViewer(id);
    this.marksChanged();
  }

  marksChanged() {
    const tops = sharedTops(this.panes.map((pane) => pane.viewer));
    for (const pane of this.panes) pane.charts.setViewer(pane.viewer, this.events.marks(), this.seek, tops);
    this.controls.showMarks();
    this.controls.showTroubles(this.panes.map((pane) => pane.viewer));
    this.clock.tell();
  }

  select(source) {
    this.selected = source;
    this.show(this.clock.time);
  }

  async jump(moment) {
    if (moment.viewer !== this.viewerId && this.viewers.includes(moment.viewer)) await this.setViewer(moment.viewer);
    this.selected = moment.source;
    this.clock.isPlaying = false;
    this.clock.seek(momentOf(moment));
    document.querySelector(".watch").scrollIntoView({ block: "start" });
  }

  /** Shows whom a verdict is about, at its worst moment. */
  async showWorst(run, { viewer, source }) {
    const moment = run.data.moments.find((one) => one.viewer === viewer && (!source || one.source === source));
    if (moment) return this.jump(moment);
    if (this.viewers.includes(viewer)) await this.setViewer(viewer);
    if (source) this.select(source);
  }

  show(time) {
    for (const pane of this.panes) {
      if (!pane.viewer) return;
      const moment = Math.min(time, pane.run.duration);
      pane.screen.show(moment, this.selected);
      pane.budget.show(pane.viewer, this.selected, moment);
      pane.charts.show(moment, pane.run.tickAt(moment));
    }
    if (this.difference) this.difference.show(this.panes, time);
  }
}

/** When a moment is looked at: a freeze where it ends, else the middle. */
const momentOf = (moment) => (moment.what === "freeze" ? moment.end : (moment.begin + moment.end) / 2);

/** The largest values of two runs' charts, so that both have the same scales. */
function sharedTops(viewers) {
  if (viewers.length < 2) return {};
  const tops = {};
  for (const viewer of viewers)
    for (const chart of chartsOf(viewer)) tops[chart.id] = Math.max(tops[chart.id] ?? 0, chart.top);
  return tops;
}

function legendOfTiles(isTwo) {
  const entry = (name, text) => make("li", {}, make("i", { class: `sample sample-${name}` }), text);
  return make(
    "ul",
    { class: "tile-legend" },
    entry("meter", "lines decoded of those asked"),
    entry("soft", "blurred: enlarged to its tile"),
    entry("speaking", "speaks"),
    entry("frozen", "frozen"),
    entry("chip", "why it is below the request"),
    isTwo ? entry("change", "different: what the other run shows") : "",
  );
}

function scenarioText(run) {
  if (!run.header.resolved_scenario) return "";
  return make(
    "details",
    { class: "panel" },
    make("summary", {}, `The scenario as it was resolved${run.name ? `, run ${run.name}` : ""}`),
    make("pre", { tabindex: "0" }, run.header.resolved_scenario),
  );
}
