import Comparison
import Metrics
import ResultReading
import TextLayout

/// Rows of a comparison, by aspect of the meeting: quality first, then cost, then causes.
struct ComparisonTable {
  /// Difference of one metric of one subject.
  struct Line {
    let verdict: String
    let isChange: Bool
    let key: ScalarKey
    let point: String
    var base: Double?
    var new: Double?
    let relative: Double?
    var count: Int?
    var interval: (low: Double, high: Double)?
    var pValue: Double?
  }

  /// Maximum number of rows per aspect.
  private static let limit = 14
  /// Maximum number of rows per metric if an aspect has too many, so that one metric does not hide others.
  private static let limitOfMetric = 4
  /// Maximum difference between the values of subjects that share a row, as a share of the first.
  private static let alike = 0.1

  let lines: [Line]
  let isTested: Bool
  /// Set for a requested metric, all of whose rows are shown.
  let showsAll: Bool

  /// Rows that differ only in the number of a name and slightly in their values.
  private struct Group {
    var lines: [Line]

    func takes(_ line: Line) -> Bool {
      let first = lines[0]
      return first.verdict == line.verdict && first.key.scope == line.key.scope && first.point == line.point
        && first.key.metric == line.key.metric && first.key.stat == line.key.stat
        && NameList.stem(of: first.key.viewer) == NameList.stem(of: line.key.viewer)
        && (first.key.scope == "link"
          ? first.key.source == line.key.source
          : NameList.stem(of: first.key.source) == NameList.stem(of: line.key.source))
        && Self.areAlike(first.base, line.base) && Self.areAlike(first.new, line.new)
    }

    private static func areAlike(_ a: Double?, _ b: Double?) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return abs(a - b) <= alike * max(abs(a), abs(b))
    }
  }

  /// Formats the rows within a width.
  func text(width: Int) -> String {
    var texts: [String] = []
    var rows: [SummaryTable.Row] = []
    var titles: [(at: Int, title: String)] = []
    for aspect in ScalarMetric.Aspect.allCases {
      let groups = groups(of: aspect)
      guard !groups.isEmpty else { continue }
      titles.append((rows.count, aspect.title))
      let kept = showsAll || groups.count <= Self.limit ? groups : Self.first(of: groups)
      rows += kept.map { SummaryTable.Row(cells: cells(of: $0.lines), courses: [], tone: .plain) }
      if kept.count < groups.count {
        titles.append((rows.count, "… and \(groups.count - kept.count) more rows: use --csv for all"))
      }
    }
    guard !rows.isEmpty else { return "" }
    var columns = columns
    let (apart, keepsAll) = self.apart(columns, rows, width: width)
    for place in columns.indices where keepsAll && columns[place].rank ?? 0 >= Self.keptRank {
      columns[place].rank = nil
    }
    func beside<Cell>(_ cells: [Cell]) -> [Cell] {
      cells.enumerated().filter { !apart.contains($0.offset) }.map(\.element)
    }
    let margin = apart.isEmpty ? "" : "  "
    let shown = SummaryTable.lines(
      beside(columns), rows.map { .init(cells: beside($0.cells), courses: [], tone: .plain) }, duration: nil,
      width: width - margin.count
    ).map { margin + $0.text }
    texts.append(shown[0])
    var above = ""
    for (place, line) in shown.dropFirst().enumerated() {
      let own = titles.filter { $0.at == place }.map(\.title)
      texts += own
      let head = apart.map { rows[place].cells[$0] }.joined(separator: ": ")
      if !apart.isEmpty, head != above || !own.isEmpty {
        texts += head.wrapped(to: width)
      }
      above = head
      texts.append(line)
    }
    texts += titles.filter { $0.at == rows.count }.map(\.title)
    return texts.joined(separator: "\n") + "\n\n"
  }

  /// Returns the first rows of each metric, as many as fit in an aspect, of which changes are kept first.
  private static func first(of groups: [Group]) -> [Group] {
    var counts: [String: Int] = [:]
    let first = groups.indices.filter { place in
      let metric = groups[place].lines[0].key.metric
      counts[metric, default: 0] += 1
      return counts[metric, default: 0] <= limitOfMetric
    }
    let changes = first.filter { groups[$0].lines[0].isChange }
    let others = first.filter { !groups[$0].lines[0].isChange }
    return (changes + others).prefix(limit).sorted().map { groups[$0] }
  }

  /// Minimum width for the names of a row's subject; if there is less, they are put on separate lines.
  private static let leastName = 24

  /// Lowest rank of the columns that are kept if names can make room for them.
  private static let keptRank = 2

  /// Returns the columns to put on separate lines above the others, names and, if the rest still does not fit, metrics;
  /// and whether the difference and its interval are kept, for which names make room.
  private func apart(
    _ columns: [SummaryTable.Column], _ rows: [SummaryTable.Row], width: Int
  ) -> (places: [Int], keepsAll: Bool) {
    let widths = columns.indices.map { place in
      2 + max(columns[place].title.count, rows.map { $0.cells[place].count }.max() ?? 0)
    }
    func needed(from rank: Int, without places: [Int]) -> Int {
      columns.indices.filter { columns[$0].rank ?? .max >= rank && !places.contains($0) }
        .reduce(0) { $0 + widths[$1] }
    }
    // Points that are cut in their middle look alike.
    let hasPoints = lines.contains { !$0.point.isEmpty }
    let least = hasPoints ? widths[1] - 2 : min(Self.leastName, widths[1] - 2)
    if width - needed(from: Self.keptRank, without: [1]) >= least { return ([], true) }
    for places in [[1], [1, 2]] where needed(from: Self.keptRank, without: places) <= width {
      return (places, true)
    }
    return (needed(from: .max, without: [1]) <= width ? [1] : [1, 2], false)
  }

  /// Groups the rows of an aspect: the leading metrics, then the others that changed, worst first.
  private func groups(of aspect: ScalarMetric.Aspect) -> [Group] {
    var groups: [Group] = []
    let leading = aspect == .quality ? ScalarMetric.leading : []
    let ranks = Dictionary(uniqueKeysWithValues: zip(leading, 0...))
    func rank(_ line: Line) -> Int { ranks[line.key.metric] ?? leading.count }
    // A viewer's mean over a single tile repeats that tile's row.
    func repeatsTile(_ line: Line) -> Bool {
      guard line.key.scope == "participant" else { return false }
      return lines.contains { tile in
        guard tile.key.scope == "tile", tile.key.viewer == line.key.viewer else { return false }
        return tile.key.metric == line.key.metric && tile.base == line.base && tile.new == line.new
      }
    }
    let own = lines.filter { ScalarMetric.aspect(of: $0.key.metric) == aspect && !repeatsTile($0) }
    let sorted = own.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
    for line in sorted.map(\.element)
    where line.isChange || showsAll || isTested && ranks[line.key.metric] != nil {
      if let place = groups.firstIndex(where: { $0.takes(line) }) {
        groups[place].lines.append(line)
      } else {
        groups.append(Group(lines: [line]))
      }
    }
    return groups
  }

  // MARK: Cells

  private var columns: [SummaryTable.Column] {
    var columns = [
      SummaryTable.Column(title: isTested ? "verdict" : "change"),
      SummaryTable.Column(title: "of", isName: true), SummaryTable.Column(title: "metric"),
      SummaryTable.Column(title: "base", isRight: true), SummaryTable.Column(title: "new", isRight: true),
      SummaryTable.Column(title: "by", isRight: true, rank: 3),
    ]
    guard isTested else { return columns }
    columns.insert(SummaryTable.Column(title: "n", isRight: true, rank: 0), at: 3)
    return columns + [
      SummaryTable.Column(title: "interval of the difference", isRight: true, rank: 2),
      SummaryTable.Column(title: "p (Holm)", isRight: true, rank: 1),
    ]
  }

  private func cells(of lines: [Line]) -> [String] {
    let first = lines[0]
    let point = first.point.isEmpty ? "" : " at \(first.point)"
    let sources = first.key.scope == "meeting" ? [] : [lines.map(\.key.source)]
    let names = ([lines.map(\.key.viewer)] + sources).map { names in
      NameList.text(of: NameList.ordered(names))
    }
    let subject = ([first.key.scope] + names).filter { !$0.isEmpty }.joined(separator: " ")
    var cells = [
      first.verdict, subject + point,
      ComparisonReport.metric(first.key.metric, first.key.stat, first.key.unit),
      Self.range(lines.map(\.base)), Self.range(lines.map(\.new)),
      Self.range(lines.map { $0.relative.map { $0 * 100 } }, isChange: true),
    ]
    guard isTested else { return cells }
    // Of several rows, the least significant one.
    let least = lines.max { ($0.pValue ?? 1) < ($1.pValue ?? 1) } ?? first
    cells.insert("\(least.count ?? 0)", at: 3)
    return cells + [
      least.interval.map { "\(ComparisonReport.figure($0.low)) to \(ComparisonReport.figure($0.high))" }
        ?? "-",
      least.pValue.map { $0 > 0 && $0 < 0.0001 ? "<0.0001" : ComparisonReport.figure($0) } ?? "-",
    ]
  }

  /// Formats a single value, or the smallest and largest of several.
  private static func range(_ values: [Double?], isChange: Bool = false) -> String {
    let known = values.compactMap(\.self)
    guard let least = known.min(), let most = known.max() else { return "-" }
    let texts = [least, most].map { (isChange && $0 > 0 ? "+" : "") + ComparisonReport.figure($0) }
    return (texts[0] == texts[1] ? texts[0] : texts.joined(separator: "…")) + (isChange ? " %" : "")
  }
}
