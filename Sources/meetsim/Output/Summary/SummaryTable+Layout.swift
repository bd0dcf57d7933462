import Files
import Metrics
import Quantity
import TextLayout

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
    func widest(_ place: Int) -> Int { cells.map { $0[place].columns }.max() ?? 0 }
    func needed() -> Int { places.reduce(0) { $0 + widest($1) + TextTable.gap.count } }
    /// Truncates the widest names until the columns fit, or no name is longer than `least`.
    func truncateNames(to room: Int, least: Int) {
      while needed() > room,
        let place = places.filter({ columns[$0].isName }).max(by: { widest($0) < widest($1) }),
        widest(place) > least
      {
        let length = widest(place) - 1
        let names = truncated(whole.map { $0[place] }, to: length)
        for row in cells.indices { cells[row][place] = names[row] }
      }
    }
    let fewestBars = duration == nil ? -TextTable.gap.count : fewestBars
    while needed() > width - fewestBars,
      let least = places.filter({ columns[$0].rank != nil })
        .min(by: { (columns[$0].rank ?? 0) < (columns[$1].rank ?? 0) })
    {
      places.removeAll { $0 == least }
    }
    // Distinguishable names take precedence over bars.
    truncateNames(to: width - fewestBars, least: TextTable.shortestName)
    if needed() > width - fewestBars {
      cells = whole
      truncateNames(to: width + TextTable.gap.count, least: 1)
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
    let texts = TextTable.aligned(shown, right: right).map { $0.truncated(to: width) }
    return zip(texts, [.strong] + rows.map(\.tone)).map { Terminal.Line($0, $1) }
  }

  /// Minimum number of bars of a course; with less room, none are drawn.
  private static let fewestBars = 10
  private static let mostBars = 60

  /// Truncates names and lists of names to a width, so that names remain distinct if possible.
  private static func truncated(_ texts: [String], to width: Int) -> [String] {
    zip(texts, TextTable.truncated(texts, to: width)).map { text, name in
      text.hasSuffix(")") ? truncated(text, to: width) : name
    }
  }

  /// Truncates a name or a list of names to a width. A list loses its final count if all names then fit; otherwise the
  /// count stays and no number is cut in two: `student-1… (23)`.
  private static func truncated(_ text: String, to width: Int) -> String {
    guard text.columns > width, text.hasSuffix(")"), let open = text.lastIndex(of: "(") else {
      return text.truncated(to: width)
    }
    let names = text[..<open].dropLast()
    if names.columns <= width { return String(names) }
    let count = text[open...]
    var head = names.beginning(max(1, width - count.columns - 2))
    if let next = names.dropFirst(head.count).first, next.isNumber {
      while head.count > 1, head.last?.isNumber ?? false { head.removeLast() }
    }
    while head.count > 1, let last = head.last, " …,-".contains(last) { head.removeLast() }
    return "\(head)… \(count)".truncated(to: width)
  }
}
