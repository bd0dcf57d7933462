import Files
import Metrics
import Quantity

extension SummaryTable {
  /// A column. On a narrow terminal, columns with a rank are dropped, the lowest rank first.
  struct Column {
    let title: String
    var isRight = false
    var rank: Int?
    /// Marks a column of names, which may be truncated.
    var isName = false
  }

  /// A row, with the delivered share over time; several courses are drawn as their mean.
  struct Row {
    let cells: [String]
    let courses: [DeliveryCourse]
    let tone: Terminal.Tone
  }

  /// Lays out the rows in lines of limited width, header first, with bars over time where there is room.
  ///
  /// - Parameter duration: duration that the bars cover; `nil` for no bars.
  static func lines(
    _ columns: [Column], _ rows: [Row], duration: SimDuration?, width: Int
  ) -> [Terminal.Line] {
    let whole = ([columns.map(\.title)] + rows.map(\.cells)).map { $0.map(\.printable) }
    var cells = whole
    var places = Array(columns.indices)
    func widest(_ place: Int) -> Int { cells.map { $0[place].count }.max() ?? 0 }
    func needed() -> Int { places.reduce(0) { $0 + widest($1) + gap.count } }
    /// Truncates the widest names until the columns fit, or no name is longer than `least`.
    func cutNames(to room: Int, least: Int) {
      while needed() > room,
        let place = places.filter({ columns[$0].isName }).max(by: { widest($0) < widest($1) }),
        widest(place) > least
      {
        let length = widest(place) - 1
        for row in cells.indices { cells[row][place] = cutName(whole[row][place], to: length) }
      }
    }
    let fewestBars = duration == nil ? -gap.count : fewestBars
    while needed() > width - fewestBars,
      let least = places.filter({ columns[$0].rank != nil })
        .min(by: { (columns[$0].rank ?? 0) < (columns[$1].rank ?? 0) })
    {
      places.removeAll { $0 == least }
    }
    // Distinguishable names take precedence over bars.
    cutNames(to: width - fewestBars, least: shortestName)
    if needed() > width - fewestBars {
      cells = whole
      cutNames(to: width + gap.count, least: 1)
    }
    let bars = min(mostBars, width - needed())
    let right = Set(places.indices.filter { columns[places[$0]].isRight })
    var shown = cells.map { row in places.map { row[$0] } }
    if let duration, bars >= fewestBars {
      shown[0].append(Sparkline.axis(of: duration, width: bars))
      for (row, place) in zip(rows, 1...) {
        shown[place].append(Sparkline.bars(of: row.courses, width: bars))
      }
    }
    let texts = aligned(shown, right: right).map { cut($0, to: width) }
    return zip(texts, [.strong] + rows.map(\.tone)).map { Terminal.Line($0, $1) }
  }

  private static let gap = "  "
  /// Minimum number of bars of a course; with less room, none are drawn.
  private static let fewestBars = 10
  private static let mostBars = 60
  /// Length down to which names are truncated to make room for bars.
  private static let shortestName = 14

  /// Truncates a text to a width, with an ellipsis where it was cut.
  static func cut(_ text: String, to width: Int) -> String {
    text.columns > width ? text.beginning(max(0, width - 1)) + "…" : text
  }

  /// Truncates names to a width: at their end, or in their middle where they would be alike.
  static func cut(_ names: [String], to width: Int) -> [String] {
    let ends = names.map { cut($0, to: width) }
    guard Set(ends).count < Set(names).count else { return ends }
    return names.map { name in
      guard name.columns > width else { return name }
      let tail = String(String(name.reversed()).beginning(width / 2).reversed())
      return name.beginning(max(0, width - 1 - tail.columns)) + "…" + tail
    }
  }

  /// Aligns rows to a width: names are truncated as long as they can be told apart, then the columns stand in several
  /// blocks, each with the first columns up to the names.
  ///
  /// - Parameters:
  ///   - names: columns of names, the first ones.
  ///   - leading: number of columns that each block begins with.
  /// - Returns: lines of the blocks, a line for each row.
  static func blocks(
    _ rows: [[String]], names: Range<Int>, leading: Int, right: Set<Int>, width: Int
  ) -> [[String]] {
    let whole = rows.map { $0.map(\.printable) }
    var rows = whole
    func widest(_ place: Int) -> Int { rows.map { $0[place].columns }.max() ?? 0 }
    func needed(_ places: some Sequence<Int>) -> Int {
      places.reduce(-gap.count) { $0 + widest($1) + gap.count }
    }
    func cutNames(to room: Int, _ places: [Int], least: Int) {
      while needed(places) > room, let place = names.max(by: { widest($0) < widest($1) }),
        widest(place) > least
      {
        let cut = cut(whole.map { $0[place] }, to: widest(place) - 1)
        for row in rows.indices { rows[row][place] = cut[row] }
      }
    }
    cutNames(to: width, Array(rows[0].indices), least: shortestName)
    guard needed(rows[0].indices) > width else { return [aligned(rows, right: right)] }
    rows = whole
    let others = leading..<rows[0].count
    let largest = others.max { widest($0) < widest($1) }
    cutNames(to: width, Array(0..<leading) + [largest].compactMap(\.self), least: 1)
    var blocks: [[Int]] = []
    for place in others {
      if let last = blocks.last, needed(last + [place]) <= width {
        blocks[blocks.count - 1].append(place)
      } else {
        blocks.append(Array(0..<leading) + [place])
      }
    }
    return blocks.map { places in
      aligned(
        rows.map { row in places.map { row[$0] } },
        right: Set(places.indices.filter { right.contains(places[$0]) }))
    }
  }

  /// Truncates a name or a list of names to a width. A list loses its final count if all names then fit; otherwise the
  /// count stays and no number is cut in two: `student-1… (23)`.
  private static func cutName(_ text: String, to width: Int) -> String {
    guard text.count > width, text.hasSuffix(")"), let open = text.lastIndex(of: "(") else {
      return cut(text, to: width)
    }
    let names = text[..<open].dropLast()
    if names.count <= width { return String(names) }
    let count = text[open...]
    var head = names.prefix(max(1, width - count.count - 2))
    if let next = names.dropFirst(head.count).first, next.isNumber {
      while head.count > 1, head.last?.isNumber ?? false { head.removeLast() }
    }
    while head.count > 1, let last = head.last, " …,-".contains(last) { head.removeLast() }
    return cut(head + "… " + count, to: width)
  }

  /// Wraps a text to a width; a longer word is cut into pieces.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for var word in text.split(separator: " ") {
      while word.columns > width, width > 1 {
        let part = word.beginning(width)
        lines.append(String(part))
        word = word.dropFirst(part.count)
      }
      if let last = lines.last, last.columns + 1 + word.columns <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
