// The timeline's events: marks above the scrubber, lines in the charts, and a table that jumps to them.

/** Kinds of events with their numbers; those that are few are shown first. */
function eventKinds(events) {
  const counts = new Map();
  for (const [time, , kind] of events) {
    const known = counts.get(kind) ?? { count: 0, later: 0 };
    known.count++;
    if (time > 0) known.later++;
    counts.set(kind, known);
  }
  return [...counts].map(([kind, { count, later }]) => ({
    kind,
    count,
    isShown: later > 0 && count <= EVENTS_SHOWN && !kind.startsWith("speech-"),
  }));
}

const EVENT_COLUMNS = ["time", "who", "event", "detail", "result"];

class EventList {
  constructor(runs, onSeek, onChange) {
    this.onChange = onChange;
    this.onSeek = onSeek;
    this.events = runs.flatMap((run, index) =>
      run.data.events.map((event) => ({ event, label: runs.length > 1 ? run.name : "" })),
    );
    this.kinds = eventKinds(this.events.map(({ event }) => event));
    this.body = make("tbody");
    this.element = make(
      "section",
      { class: "panel", "aria-label": "Events" },
      make("h2", {}, "Events"),
      this.filters(),
      framedTable("Table of events", EVENT_COLUMNS, this.body),
    );
    this.fill();
  }

  filters() {
    const boxes = this.kinds.map((kind) =>
      make(
        "label",
        { class: "check" },
        make("input", {
          type: "checkbox",
          checked: kind.isShown,
          onchange: (change) => {
            kind.isShown = change.target.checked;
            this.fill();
            this.onChange();
          },
        }),
        `${kind.kind} (${kind.count})`,
      ),
    );
    return boxes.length
      ? make("div", { class: "checks", role: "group", "aria-label": "Kinds of events shown" }, boxes)
      : make("p", {}, "The result has none.");
  }

  shown() {
    const kinds = new Set(this.kinds.filter((kind) => kind.isShown).map((kind) => kind.kind));
    return this.events.filter(({ event }) => kinds.has(event[2]));
  }

  fill() {
    const rows = this.shown()
      .slice(0, 500)
      .map(({ event: [time, who, kind, detail, result], label }) =>
        make(
          "tr",
          {},
          make(
            "td",
            {},
            make("button", { type: "button", class: "jump", onclick: () => this.onSeek(time) }, clockText(time)),
          ),
          make("td", {}, [label, who].filter(Boolean).join(": ") || "link"),
          make("td", {}, kind),
          make("td", {}, detail),
          make("td", {}, result),
        ),
      );
    this.body.replaceChildren(...rows.map((row) => named(row, EVENT_COLUMNS)));
  }

  /** The moments of the events shown, each once. */
  marks() {
    return [...new Set(this.shown().map(({ event }) => event[0]))].slice(0, 400);
  }

  /** What happened at each of these moments, in words. */
  sentences() {
    const words = new Map();
    for (const {
      event: [time, who, kind, detail],
    } of this.shown()) {
      const text = [who, kind, detail].filter(Boolean).join(" ");
      words.set(time, words.has(time) ? `${words.get(time)}\n${text}` : `${clockText(time)}\n${text}`);
    }
    return words;
  }
}
