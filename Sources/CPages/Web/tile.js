// One tile of a screen: its place, and what was decoded in the interval.

class Tile {
  constructor(viewer, source, kind, onSelect) {
    this.source = source;
    this.name = make("span", { class: "tile-name" });
    this.short = make("span", { class: "tile-short" }, initials(source));
    this.delivered = make("span", { class: "tile-delivered" });
    this.reason = make("span", { class: "chip" });
    this.change = make("span", { class: "chip chip-change", hidden: true });
    this.note = make("span", { class: "tile-note" });
    this.fill = make("span");
    const circle = make("span", { class: "tile-initials" }, initials(source));
    this.button = make(
      "button",
      { type: "button", class: "tile", "aria-pressed": "false", onclick: () => onSelect(source) },
      pictureOf(source, kind, hueOf(viewer.sources, source)),
      circle,
      this.note,
      make("span", { class: "tile-chips" }, this.change, this.reason),
      make("span", { class: "tile-foot" }, this.name, this.short, this.delivered),
      make("span", { class: "meter" }, this.fill),
    );
    this.button.style.setProperty("--hue", hueOf(viewer.sources, source));
    this.shown = {};
    setText(this.name, source);
  }

  /** Puts the tile where it was, in percent of the screen. */
  place(place, screen) {
    const key = [
      place.x - screen.x,
      place.y - screen.y,
      place.width,
      place.height,
      place.z,
      place.area,
      screen.width,
      screen.height,
    ].join();
    if (this.shown.place === key) return;
    this.shown.place = key;
    const { style, dataset } = this.button;
    style.left = `${(100 * (place.x - screen.x)) / screen.width}%`;
    style.top = `${(100 * (place.y - screen.y)) / screen.height}%`;
    style.width = `${(100 * place.width) / screen.width}%`;
    style.height = `${(100 * place.height) / screen.height}%`;
    style.zIndex = place.z + 1;
    dataset.area = place.area;
  }

  /** Shows an interval's row; `freeze` is the length of a freeze that covers it [s], which holds a picture of some lines. */
  show(row, freeze, place, frozenHeight) {
    const look = tileLook(row, freeze, place, frozenHeight);
    const key = JSON.stringify(look);
    if (this.shown.look === key) return;
    this.shown.look = key;
    const { classList, style, dataset } = this.button;
    dataset.look = look.look;
    dataset.height = look.height;
    dataset.limitation = look.limitation;
    classList.toggle("is-frozen", freeze > 0);
    classList.toggle("is-below", look.share < 0.995);
    style.setProperty("--soft", look.softness);
    this.fill.style.width = `${100 * look.share}%`;
    setText(this.delivered, look.delivered);
    setText(this.reason, look.reason);
    this.reason.hidden = !look.reason;
    setText(this.note, look.note);
    this.button.setAttribute("aria-label", `${this.source}: ${look.sentence}`);
    this.button.title = `${this.source}: ${look.sentence}`;
  }

  speaks(speaks) {
    if (this.shown.speaks === speaks) return;
    this.shown.speaks = speaks;
    this.button.classList.toggle("is-speaking", speaks);
  }

  /** Marks what is different in the other run. */
  differs(text) {
    this.change.hidden = !text;
    setText(this.change, text);
    this.button.classList.toggle("is-different", Boolean(text));
  }
}

/** What a tile looks like for a row of streams.csv. */
function tileLook(row, freeze, place, frozenHeight) {
  if (!row) {
    return {
      look: "none",
      height: "",
      limitation: "",
      share: 0,
      softness: 0,
      delivered: "",
      reason: "",
      note: "not subscribed",
      sentence: "not subscribed",
    };
  }
  const height = row.frame_height_px > 0 ? row.frame_height_px : 0;
  const rate = row.frames_per_second > 0 ? row.frames_per_second : 0;
  const asked = row.requested_height_px > 0 ? row.requested_height_px : 0;
  const isOff = row.state === "muted";
  const seen = height || (frozenHeight > 0 ? frozenHeight : 0);
  const look = isOff ? "muted" : seen ? "picture" : "waiting";
  const drawnHeight = Math.min(place?.height || height, asked || Infinity) || seen;
  const limitation = row.limitation === "none" ? "" : row.limitation || "";
  const waiting = seen ? "no new picture" : (STATES[row.state] ?? row.state);
  const note = isOff ? "" : freeze > 0 ? `frozen ${short(freeze)} s` : height ? "" : waiting;
  return {
    look,
    height: String(height || ""),
    limitation: row.limitation ?? "",
    share: asked && !isOff ? Math.min(1, height / asked) : 1,
    softness: seen ? Math.max(0, Math.log2(drawnHeight / seen)).toFixed(2) : 0,
    delivered: isOff ? STATES[row.state] : height ? quality(height, rate) : "",
    reason: isOff ? "" : limitation,
    note,
    sentence:
      `${STATES[row.state] ?? row.state}, ${quality(height, rate)} of ${quality(asked, row.requested_fps)} asked` +
      (limitation ? `, limited by ${limitation}` : "") +
      (freeze > 0 ? `, frozen for ${short(freeze)} s` : ""),
  };
}
