// A run as the page sees it: what one viewer had in each interval, and what was decided and shown at each moment.

// A voice sends 50 packets a second, and about two and a half of comfort noise while it is silent.
const SPEAKING_PACKETS = 10;

class Run {
  constructor(data, name) {
    this.data = data;
    this.name = name;
    this.header = data.header;
    this.times = data.times;
    this.viewers = data.viewers;
    this.duration = data.times[data.times.length - 1];
    this.cache = new Map();
    this.people = null;
    this.speech = spansByPerson(data.speech);
  }

  /** The interval that holds a moment: the first that ends at it or later. */
  tickAt(time) {
    return Math.min(lastAtMost(this.times, time - 1e-9) + 1, this.times.length - 1);
  }

  /** A viewer's tables, unpacked once. */
  viewer(id) {
    if (!this.cache.has(id)) this.cache.set(id, this.load(id));
    return this.cache.get(id);
  }

  async load(id) {
    const empty = { rows: 0 };
    const table = async (packed) => (packed ? unpack(packed) : empty);
    const [streams, layout, decisions, audio] = await Promise.all(
      ["streams", "layout", "decisions", "audio"].map((name) => table(this.data[name][id])),
    );
    this.people ??= this.data.participants
      ? indexBy(await unpack(this.data.participants), "participant", this.times.length)
      : null;
    return new Viewer(this, id, { streams, layout, decisions, audio });
  }
}

/** When each person begins and ends to speak, in the order of time. */
function spansByPerson(speech) {
  const spans = new Map();
  for (const [who, begin, end] of speech) {
    if (!spans.has(who)) spans.set(who, { begins: [], ends: [] });
    spans.get(who).begins.push(begin);
    spans.get(who).ends.push(end);
  }
  return spans;
}

/** A table's columns with the row of each name at each tick, or -1. */
function indexBy(table, column, ticks) {
  const rowOf = new Map();
  for (let row = 0; row < table.rows; row++) {
    const name = table[column][row];
    if (!rowOf.has(name)) rowOf.set(name, new Int32Array(ticks).fill(-1));
    rowOf.get(name)[table.tick[row]] = row;
  }
  return { table, rowOf };
}

class Viewer {
  constructor(run, id, { streams, layout, decisions, audio }) {
    this.run = run;
    this.id = id;
    this.streams = indexBy(streams, "source", run.times.length);
    this.layout = layout;
    this.decisions = decisions;
    this.voices = audio.rows ? indexBy(audio, "source", run.times.length) : null;
    this.sources = [...this.streams.rowOf.keys()].sort(natural);
    this.frozen = frozenTicks(this.streams, run.times);
    this.decidedAt = Array.from({ length: decisions.rows }, (_, row) => decisions.time_s[row]);
    this.placedAt = Array.from({ length: layout.rows }, (_, row) => layout.time_s[row]);
    this.placements = { row: -1, tiles: new Map(), screen: null };
  }

  /** One value of a source's row, NaN or "" where there is none. */
  value(column, source, tick) {
    const row = this.streams.rowOf.get(source)?.[tick] ?? -1;
    const values = this.streams.table[column];
    return row < 0 || !values ? NaN : values[row];
  }

  /** The lines of the last picture decoded, which a tile still shows; NaN if the source has been off since. */
  lastHeight(source, tick) {
    for (let back = tick; back >= 0; back--) {
      const height = this.value("frame_height_px", source, back);
      if (height > 0) return height;
      if (["muted", "absent", "hidden"].includes(this.value("state", source, back))) return NaN;
    }
    return NaN;
  }

  /** All values of a source's row, or nothing. */
  row(source, tick) {
    const row = this.streams.rowOf.get(source)?.[tick] ?? -1;
    if (row < 0) return null;
    const table = this.streams.table;
    return Object.fromEntries(
      Object.keys(table)
        .filter((name) => name !== "rows")
        .map((name) => [name, table[name][row]]),
    );
  }

  /** A source's values over all ticks. */
  series(column, source) {
    return this.run.times.map((_, tick) => this.value(column, source, tick));
  }

  /** What the viewer's own row in participants.csv says, over all ticks. */
  own(column) {
    const people = this.run.people;
    const rows = people?.rowOf.get(this.id);
    const values = people?.table[column];
    if (!rows || !values) return null;
    return this.run.times.map((_, tick) => (rows[tick] < 0 ? NaN : values[rows[tick]]));
  }

  /** A column of the voices heard, over all ticks: their mean. */
  voice(column) {
    const values = this.voices?.table[column];
    if (!values) return null;
    return this.run.times.map((_, tick) => {
      const rows = [...this.voices.rowOf.values()].map((ticks) => ticks[tick]).filter((row) => row >= 0);
      const known = rows.map((row) => values[row]).filter((value) => !Number.isNaN(value));
      return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : NaN;
    });
  }

  /** Tiles by source and the screen, as they were at a moment; the rows of the layout say what changed. */
  placedTiles(time) {
    const last = lastAtMost(this.placedAt, time);
    let { row, tiles, screen } = this.placements;
    if (last < row) [row, tiles, screen] = [-1, new Map(), null];
    const at = this.layout;
    while (row < last) {
      row++;
      const place = {
        source: at.source[row],
        area: at.area?.[row] ?? "",
        x: at.x_px[row],
        y: at.y_px[row],
        width: at.width_px[row],
        height: at.height_px[row],
        z: at.z?.[row] || 0,
        visible: at.visible_frac?.[row] ?? 1,
      };
      if (!place.source) screen = place;
      else if (place.width > 0 && place.height > 0) tiles.set(place.source, place);
      else tiles.delete(place.source);
    }
    this.placements = { row, tiles, screen };
    return this.placements;
  }

  /** Whether somebody speaks at a moment: as events tell it, else as the timeline or the voice in the interval has it. */
  speaks(source, time, tick) {
    const person = source.replace(/\/.*$/, "");
    if (source !== person) return false;
    const spans = this.run.speech.get(person);
    if (spans) {
      const last = lastAtMost(spans.begins, time);
      if (last >= 0 && time < spans.ends[last]) return true;
    }
    if (this.run.data.speech_is_told) return false;
    const row = this.voices?.rowOf.get(person)?.[tick] ?? -1;
    if (row < 0) return false;
    const length = this.run.times[tick] - (tick ? this.run.times[tick - 1] : 0);
    return this.voices.table.packets_received[row] >= SPEAKING_PACKETS * length;
  }

  /** The last decision on each source at a moment, in the order of their ranks. */
  decisionsAt(time) {
    const last = lastAtMost(this.decidedAt, time + 1e-9);
    const latest = new Map();
    for (let row = 0; row <= last; row++) latest.set(this.decisions.source[row], row);
    const names = Object.keys(this.decisions).filter((name) => name !== "rows");
    const rows = [...latest.values()].map((row) =>
      Object.fromEntries(names.map((name) => [name, this.decisions[name][row]])),
    );
    return rows.sort((a, b) => (a.rank || Infinity) - (b.rank || Infinity) || natural(a.source, b.source));
  }
}

/** For each source the length of the freeze that covers a tick. */
function frozenTicks({ table, rowOf }, times) {
  const frozen = new Map();
  if (!table.frozen_s) return frozen;
  for (const [source, rows] of rowOf) {
    frozen.set(source, Float64Array.from(times, (_, tick) => (rows[tick] < 0 ? 0 : table.frozen_s[rows[tick]] || 0)));
  }
  return frozen;
}
