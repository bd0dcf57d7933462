// A viewer's screen as it was at a moment: tiles in their places, and what is off the screen.

const EMPTY_SCREEN = { x: 0, y: 0, width: 1280, height: 720 };

class Screen {
  constructor(label, onSelect) {
    this.onSelect = onSelect;
    this.surface = make("div", { class: "screen", role: "group", "aria-label": label });
    this.status = make("p", { class: "screen-status" });
    this.offScreen = make("div", {
      class: "off-screen",
      role: "group",
      "aria-label": "Sources that are not on the screen",
    });
    this.element = make(
      "div",
      { class: "screen-box" },
      make("div", { class: "bezel" }, this.surface),
      this.status,
      this.offScreen,
    );
    this.tiles = new Map();
  }

  setViewer(viewer) {
    this.viewer = viewer;
    this.tiles.clear();
    this.surface.replaceChildren();
    this.shape = "";
    this.off = "";
    this.key = "";
    this.visible = [];
  }

  /** Shows a moment; only what differs from what is shown is touched. */
  show(time, selected) {
    const { viewer } = this;
    this.time = time;
    const tick = viewer.run.tickAt(time);
    const { tiles, screen, row } = viewer.placedTiles(time);
    const key = `${tick}|${row}|${selected}`;
    if (this.key !== key) {
      this.key = key;
      const frame = screen?.width > 0 && screen.height > 0 ? screen : EMPTY_SCREEN;
      this.visible = [...tiles.values()].filter((place) => isVisible(place, frame));
      this.showTiles(frame, tick, selected);
    }
    const speaking = [];
    for (const { source } of this.visible) {
      const speaks = viewer.speaks(source, time, tick);
      this.tiles.get(source).speaks(speaks);
      if (speaks) speaking.push(source);
    }
    this.showStatus(speaking);
  }

  showTiles(frame, tick, selected) {
    const { viewer } = this;
    this.setShape(frame);
    const names = new Set(this.visible.map((place) => place.source));
    for (const [source, tile] of this.tiles) {
      if (names.has(source)) continue;
      tile.button.remove();
      this.tiles.delete(source);
    }
    for (const place of this.visible) {
      const row = viewer.row(place.source, tick);
      const tile = this.tileOf(place.source, row?.kind);
      tile.place(place, frame);
      const freeze = viewer.frozen.get(place.source)?.[tick] ?? 0;
      // Between two pictures the last one stays, whether or not the time counts as a freeze.
      const isHeld = freeze > 0 || row?.state === "receiving";
      tile.show(row, freeze, place, isHeld ? viewer.lastHeight(place.source, tick) : NaN);
      tile.button.setAttribute("aria-pressed", String(place.source === selected));
    }
    this.showOffScreen(
      viewer.sources.filter((source) => !names.has(source)),
      selected,
      tick,
    );
  }

  tileOf(source, kind) {
    if (!this.tiles.has(source)) {
      const tile = new Tile(this.viewer, source, kind ?? (source.includes("/") ? "screen" : "camera"), this.onSelect);
      this.tiles.set(source, tile);
      this.surface.append(tile.button);
    }
    return this.tiles.get(source);
  }

  setShape(frame) {
    const shape = `${frame.width} / ${frame.height}`;
    if (this.shape === shape) return;
    this.shape = shape;
    this.surface.style.aspectRatio = shape;
    this.surface.style.setProperty("--shape", frame.width / frame.height);
  }

  showStatus(speaking) {
    const { visible } = this;
    const of = (area) =>
      visible
        .filter((place) => place.area === area)
        .map((place) => place.source)
        .join(", ");
    const parts = [`${visible.length} ${visible.length === 1 ? "tile" : "tiles"}`];
    for (const [area, word] of [
      ["stage", "on the stage"],
      ["share", "shared screen"],
      ["window", "in a window"],
    ]) {
      if (of(area)) parts.push(`${word}: ${of(area)}`);
    }
    if (this.viewer.speaks(this.viewer.id, this.time, this.viewer.run.tickAt(this.time)))
      speaking = [...speaking, `${this.viewer.id} (the viewer)`];
    parts.push(speaking.length ? `speaking: ${speaking.join(", ")}` : "nobody shown is speaking");
    setText(this.status, parts.join(" · "));
  }

  showOffScreen(sources, selected, tick) {
    const states = sources.map((source) => this.viewer.row(source, tick)?.state ?? "none");
    const key = `${sources.join()}|${states.join()}|${selected}`;
    if (this.off === key) return;
    this.off = key;
    const chips = sources.map((source, index) =>
      make(
        "button",
        {
          type: "button",
          class: "off-chip",
          "aria-pressed": String(source === selected),
          onclick: () => this.onSelect(source),
        },
        source,
        make("small", {}, states[index] === "none" ? "not subscribed" : (STATES[states[index]] ?? states[index])),
      ),
    );
    this.offScreen.replaceChildren(...(chips.length ? [make("span", {}, "Not on the screen"), ...chips] : []));
  }
}

/** Whether any of a tile is within the screen, which scrolls over the content. */
function isVisible(place, frame) {
  if (place.visible === 0) return false;
  return (
    place.x < frame.x + frame.width &&
    place.x + place.width > frame.x &&
    place.y < frame.y + frame.height &&
    place.y + place.height > frame.y
  );
}
