// Reads the tables that PackedTable.swift packed; the format is described there.

/** The columns of a packed table by name: arrays of numbers (NaN where missing) or of words ("" where missing). */
async function unpack(packed) {
  const text = atob(packed.data);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = new Uint8Array(await new Response(stream).arrayBuffer());
  const columns = { rows: packed.rows };
  let place = 0;
  for (const column of packed.columns) {
    const end = place + column.bytes * packed.rows;
    columns[column.name] = unpackColumn(column, data.subarray(place, end), packed.rows);
    place = end;
  }
  return columns;
}

function unpackColumn(column, part, rows) {
  if (column.bytes === 8) return new Float64Array(part.slice().buffer);
  if (column.float) return unpackFloats(part, rows);
  const stored = new Float64Array(rows);
  for (let plane = 0; plane < column.bytes; plane++) {
    const weight = 2 ** (8 * plane);
    for (let row = 0; row < rows; row++) stored[row] += part[plane * rows + row] * weight;
  }
  if (column.differences) for (let row = 1; row < rows; row++) stored[row] += stored[row - 1];
  if (column.words) {
    const words = ["", ...column.words];
    return Array.from(stored, (code) => words[code]);
  }
  for (let row = 0; row < rows; row++) {
    stored[row] = stored[row] === 0 ? NaN : (column.low + (stored[row] - 1) * column.step) / column.scale;
  }
  return stored;
}

function unpackFloats(part, rows) {
  const bytes = new Uint8Array(4 * rows);
  for (let plane = 0; plane < 4; plane++)
    for (let row = 0; row < rows; row++) bytes[4 * row + plane] = part[plane * rows + row];
  return Float64Array.from(new Float32Array(bytes.buffer));
}
