import Files

/// Text tables: columns are padded to the widest cell, with two spaces between them.
package enum TextTable {
  /// Space between two columns.
  package static let gap = "  "
  /// Width to which names are truncated before anything else gives way.
  package static let shortestName = 14

  /// Pads the columns of rows; the given columns are right-aligned. Escapes control characters.
  package static func aligned(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    guard let columns = rows.first?.indices else { return [] }
    let rows = rows.map { $0.map(\.printable) }
    let widths = columns.map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column -> String in
        let padding = String(repeating: " ", count: widths[column] - row[column].columns)
        return right.contains(column) ? padding + row[column] : row[column] + padding
      }
      var line = cells.joined(separator: gap)
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// Truncates names to a width: at the end, in the middle if they would otherwise be equal, or on both sides of where
  /// those that would still be equal begin to differ.
  package static func truncated(_ names: [String], to width: Int) -> [String] {
    let ends = names.map { $0.truncated(to: width) }
    guard Set(ends).count < Set(names).count else { return ends }
    let middles = names.map { name in
      guard name.columns > width else { return name }
      let tail = String(String(name.reversed()).beginning(width / 2).reversed())
      return name.beginning(max(0, width - 1 - tail.columns)) + "…" + tail
    }
    guard Set(middles).count < Set(names).count else { return middles }
    return names.indices.map { place in
      let alike = names.indices.filter { middles[$0] == middles[place] }.map { names[$0] }.uniqued()
      guard alike.count > 1, width > 4 else { return middles[place] }
      let common = alike.map { other in zip(other, alike[0]).prefix { $0 == $1 }.count }.min() ?? 0
      let head = names[place].beginning(width / 3)
      let rest = names[place].dropFirst(max(head.count, common - width / 6))
      return head + "…" + String(rest).truncated(to: width - 1 - head.columns)
    }
  }

  /// Aligns rows to a width: names are truncated, to no less than ``shortestName``, and if that does not suffice, the
  /// columns are split into several blocks, each starting with the leading columns.
  ///
  /// - Parameters:
  ///   - names: columns of names, the first ones.
  ///   - leading: number of columns that each block starts with.
  /// - Returns: the lines of each block, one per row.
  package static func blocks(
    _ rows: [[String]], names: Range<Int>, leading: Int, right: Set<Int>, width: Int
  ) -> [[String]] {
    guard let columns = rows.first?.indices else { return [] }
    let whole = rows.map { $0.map(\.printable) }
    var rows = whole
    func widest(_ place: Int) -> Int { rows.map { $0[place].columns }.max() ?? 0 }
    func needed(_ places: some Sequence<Int>) -> Int {
      places.reduce(-gap.count) { $0 + widest($1) + gap.count }
    }
    func truncateNames(to room: Int, _ places: some Sequence<Int>, least: Int) {
      while needed(places) > room, let place = names.max(by: { widest($0) < widest($1) }),
        widest(place) > least
      {
        let names = truncated(whole.map { $0[place] }, to: widest(place) - 1)
        for row in rows.indices { rows[row][place] = names[row] }
      }
    }
    truncateNames(to: width, columns, least: shortestName)
    guard needed(columns) > width else { return [aligned(rows, right: right)] }
    rows = whole
    let others = leading..<columns.count
    func split() -> [[Int]] {
      var blocks: [[Int]] = []
      for place in others {
        if let last = blocks.last, needed(last + [place]) <= width {
          blocks[blocks.count - 1].append(place)
        } else {
          blocks.append(Array(0..<leading) + [place])
        }
      }
      return blocks
    }
    let largest = others.max { widest($0) < widest($1) }
    truncateNames(to: width, Array(0..<leading) + [largest].compactMap(\.self), least: 1)
    var blocks = split()
    // Names are truncated further only if that saves a block.
    for least in (0..<(names.map(widest).max() ?? 0)).reversed() where least >= shortestName {
      let longer = rows
      truncateNames(to: 0, names, least: least)
      let fewer = split()
      if fewer.count < blocks.count { blocks = fewer } else { rows = longer }
    }
    return blocks.map { places in
      aligned(
        rows.map { row in places.map { row[$0] } },
        right: Set(places.indices.filter { right.contains(places[$0]) }))
    }
  }
}
