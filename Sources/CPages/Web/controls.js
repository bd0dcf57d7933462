// Playing, scrubbing, speed and choice of viewer, by mouse and by keyboard.

const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 20, 60];
const KEYS = [
  ["Space", "play, pause"],
  ["← →", "an interval back, on"],
  ["Shift ← →", "ten intervals"],
  ["Home End", "beginning, end"],
  ["P N", "event before, after"],
  ["− +", "slower, faster"],
  ["V, Shift V", "next viewer, the one before"],
  ["T", "light, dark"],
  ["?", "these keys"],
];

class Controls {
  constructor({ clock, times, viewers, onViewer, events }) {
    Object.assign(this, { clock, times, viewers, onViewer, events });
    this.play = make("button", { type: "button", class: "play", "aria-label": "Play", onclick: () => clock.toggle() });
    this.play.append(
      draw(
        "svg",
        { viewBox: "0 0 24 24", "aria-hidden": "true" },
        draw("path", { class: "icon-play", d: "M7 4l14 8-14 8z" }),
        draw("path", { class: "icon-pause", d: "M6 4h4v16H6zM14 4h4v16h-4z" }),
      ),
    );
    this.slider = make("input", {
      type: "range",
      class: "slider",
      min: 0,
      max: clock.duration,
      step: "any",
      value: 0,
      "aria-label": "Moment",
      oninput: () => clock.seek(Number(this.slider.value)),
    });
    this.marks = make("div", { class: "marks", "aria-hidden": "true" });
    this.troubles = make("div", { class: "troubles", role: "img" });
    this.troubleWords = make("p", { class: "note trouble-words" });
    this.time = make("output", { class: "time" });
    this.speed = make(
      "select",
      {
        id: "speed",
        onchange: () => {
          clock.speed = Number(this.speed.value);
        },
      },
      SPEEDS.map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
    );
    this.viewer = make(
      "select",
      { id: "viewer", onchange: () => onViewer(this.viewer.value) },
      viewers.map((id) => make("option", {}, id)),
    );
    this.keys = make(
      "details",
      { class: "keys" },
      make("summary", {}, "Keys"),
      make(
        "dl",
        {},
        KEYS.flatMap(([key, text]) => [
          make(
            "dt",
            {},
            key.split(" ").map((one) => make("kbd", {}, one)),
          ),
          make("dd", {}, text),
        ]),
      ),
    );
    this.element = make(
      "div",
      { class: "controls", role: "group", "aria-label": "Playing" },
      make(
        "div",
        { class: "transport" },
        this.play,
        make("div", { class: "track-box" }, this.marks, this.slider, this.troubles),
        this.time,
      ),
      this.troubleWords,
      make(
        "div",
        { class: "choices" },
        make("label", { for: "viewer" }, "Viewer ", this.viewer),
        make("label", { for: "speed" }, "Speed ", this.speed),
        this.keys,
      ),
    );
    document.addEventListener("keydown", (event) => this.key(event));
    clock.onChange((time) => this.show(time));
    this.showMarks();
  }

  show(time) {
    this.slider.value = time;
    const text = `${clockText(time)} / ${clockText(this.clock.duration)}`;
    setText(this.time, text);
    this.slider.setAttribute("aria-valuetext", clockText(time));
    this.play.setAttribute("aria-label", this.clock.isPlaying ? "Pause" : "Play");
    this.play.classList.toggle("is-playing", this.clock.isPlaying);
  }

  showMarks() {
    this.marks.replaceChildren(
      ...[...this.events.sentences()].slice(0, 400).map(([time, text]) => {
        const mark = make("i", { title: text, onclick: () => this.clock.seek(time) });
        mark.style.left = `${(100 * time) / this.clock.duration}%`;
        return mark;
      }),
    );
  }

  /** Bands below the slider: where one of the viewer's tiles is frozen, and where packets were lost on the way. */
  showTroubles(viewers) {
    const { duration } = this.clock;
    const band = (kind, spans) =>
      make(
        "div",
        { class: `band band-${kind}` },
        spans.map(([begin, end]) => {
          const part = make("i");
          part.style.left = `${(100 * begin) / duration}%`;
          part.style.width = `${(100 * (end - begin)) / duration}%`;
          return part;
        }),
      );
    const lists = viewers.map((viewer) => ({ freeze: frozenSpans(viewer), loss: lossySpans(viewer) }));
    this.troubles.replaceChildren(
      ...lists.flatMap((lists) => Object.entries(lists).map(([kind, spans]) => band(kind, spans))),
    );
    const told = (name) => lists.map((list) => list[name].length).join(" and ");
    const words = `${told("freeze")} stretches with a frozen tile, ${told("loss")} with 1 % of packets lost or more`;
    this.troubles.setAttribute("aria-label", words);
    this.troubleWords.replaceChildren(
      make("i", { class: "sample band-freeze" }),
      "a tile is frozen ",
      make("i", { class: "sample band-loss" }),
      "1 % of packets lost or more",
    );
    this.troubleWords.hidden = lists.every((list) => !list.freeze.length && !list.loss.length);
  }

  /** Moves by intervals; a moment between two ends counts as the end after it. */
  step(count) {
    const tick = lastAtMost(this.times, this.clock.time - 1e-9) + 1;
    const next = this.clock.time === 0 && count > 0 ? count - 1 : tick + count;
    this.clock.seek(next < 0 ? 0 : this.times[Math.min(next, this.times.length - 1)]);
  }

  toEvent(direction) {
    const moments = this.events.marks().sort((a, b) => a - b);
    const next =
      direction > 0
        ? moments.find((time) => time > this.clock.time + 1e-6)
        : moments.findLast((time) => time < this.clock.time - 1e-6);
    if (next !== undefined) this.clock.seek(next);
  }

  nextViewer(step) {
    const index = (this.viewer.selectedIndex + step + this.viewers.length) % this.viewers.length;
    this.viewer.selectedIndex = index;
    this.onViewer(this.viewers[index]);
  }

  faster(step) {
    const index = Math.min(Math.max(this.speed.selectedIndex + step, 0), SPEEDS.length - 1);
    this.speed.selectedIndex = index;
    this.clock.speed = SPEEDS[index];
  }

  key(event) {
    const { target } = event;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.matches("select, input:not([type=range]):not([type=checkbox]), textarea")
    )
      return;
    // Tables that scroll keep the keys that scroll them.
    if (target.matches(".scroll, pre") && event.key.length !== 1) return;
    const isPressable = target.matches("button, summary, a, input[type=checkbox]");
    const actions = {
      " ": () => !isPressable && this.clock.toggle(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.clock.seek(0),
      End: () => this.clock.seek(this.clock.duration),
      n: () => this.toEvent(1),
      p: () => this.toEvent(-1),
      v: () => this.nextViewer(1),
      V: () => this.nextViewer(-1),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
      t: () => toggleTheme(),
      "?": () => {
        this.keys.open = !this.keys.open;
      },
    };
    const action = actions[event.key];
    if (!action) return;
    if (action() !== false) event.preventDefault();
  }
}

/** Stretches of intervals of which something is true: from the begin of the first to the end of the last [s]. */
function spansWhere(times, isTrue) {
  const spans = [];
  for (const [tick, end] of times.entries()) {
    if (!isTrue(tick)) continue;
    const begin = tick ? times[tick - 1] : 0;
    if (spans.length && spans[spans.length - 1][1] >= begin) spans[spans.length - 1][1] = end;
    else spans.push([begin, end]);
  }
  return spans;
}

const frozenSpans = (viewer) =>
  spansWhere(viewer.run.times, (tick) => [...viewer.frozen.values()].some((lengths) => lengths[tick] > 0));

function lossySpans(viewer) {
  const losses = viewer.own("down_loss_frac");
  return losses ? spansWhere(viewer.run.times, (tick) => losses[tick] >= 0.01) : [];
}
