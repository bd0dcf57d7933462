import Expectations
import Files
import Plan
import ResultReading
import Statistics
import TextLayout

/// Verdicts on one expectation over the points of a sweep: a grid, the threshold in words, and the worst value.
struct VerdictGrid {
  private typealias Case = ExpectationReport.Case

  private let cases: [Case]
  private let width: Int
  /// Index of the variable along the columns; `nil` if nothing varies.
  private let across: Int?
  /// Indices of the variables along the rows; the first names the row.
  private let down: [Int]
  /// Values of the variable along the columns, in order.
  private let columns: [String]
  /// Values of the variables along the rows, in the order of the points.
  private let rows: [[String]]

  /// - Parameters:
  ///   - cases: verdicts on one expectation, at least one.
  ///   - levels: number of values of each variable in the whole sweep, of which the cases may be a part.
  init(_ cases: [ExpectationReport.Case], levels whole: [String: Int], width: Int) {
    self.cases = cases
    self.width = width
    let variables = cases[0].variables
    func levels(_ place: Int) -> [String] {
      cases.map { $0.variables[place].value }.uniqued()
    }
    let varied = variables.indices.filter { levels($0).count > 1 }
    let isNumber = varied.filter { place in levels(place).allSatisfy { Double($0) != nil } }
    func rank(_ place: Int) -> (Int, Int, Int) {
      (-(whole[variables[place].name] ?? 0), -levels(place).count, place)
    }
    let numbers = isNumber.sorted { rank($0) < rank($1) }
    let across = numbers.first ?? varied.last
    self.across = across
    down = varied.filter { $0 != across }
    let found = across.map(levels) ?? []
    columns =
      found.allSatisfy { Double($0) != nil }
      ? found.sorted { (Double($0) ?? 0) < (Double($1) ?? 0) } : found
    let own = down
    rows = cases.map { one in own.map { one.variables[$0].value } }.uniqued()
  }

  var lines: [Terminal.Line] {
    let first = cases[0]
    var lines = "\(first.subject) \(first.bound)".wrapped(to: width)
      .map { Terminal.Line($0, .strong) }
    guard across != nil else {
      return lines + [Terminal.Line("  \(first.judgement.verdict.rawValue): measured \(first.measured)")]
    }
    lines += grid
    let told = sentences
    let kept = told.count <= Self.sentenceLimit + 1 ? told : Array(told.prefix(Self.sentenceLimit))
    let rest = told.count - kept.count
    let more = rest > 0 ? ["… and \(rest) more: 'meetsim check --all'"] : []
    for sentence in kept + more + [failures].compactMap(\.self) {
      lines += sentence.wrapped(to: width).map { Terminal.Line($0) }
    }
    return lines
  }

  /// Maximum numbers of rows of a grid, and of sentences.
  private static let rowLimit = 40
  private static let sentenceLimit = 16

  // MARK: Grid

  private static let marks: [(verdict: Verdict, mark: String, meaning: String)] = [
    (.pass, "✓", "holds"), (.fail, "✗", "failed"), (.inconclusive, "?", "not decided"),
  ]

  private func point(_ row: [String], _ column: String) -> Case? {
    cases.first { one in
      across.map { one.variables[$0].value == column } ?? true
        && zip(down, row).allSatisfy { one.variables[$0].value == $1 }
    }
  }

  private func mark(_ point: Case?) -> String {
    guard let point else { return "·" }
    return point.hasNoRun ? "–" : Self.marks.first { $0.verdict == point.judgement.verdict }?.mark ?? "·"
  }

  /// Lines of the grid; empty if it does not fit.
  private var grid: [Terminal.Line] {
    guard let across, rows.count <= Self.rowLimit else { return [] }
    let name = cases[0].variables[across].name
    let head = PointText.column(name, columns)
    var table = [
      down.map { PointText.title(of: cases[0].variables[$0].name) }
        + ["\(PointText.title(of: name))\(head.unit.isEmpty ? "" : " [\(head.unit)]")"] + head.values
    ]
    var previous: [String] = []
    for row in rows {
      let names = zip(down, row).enumerated().map { place, element -> String in
        // A name in the row above is not repeated.
        guard previous.count <= place || row.prefix(place + 1) != previous.prefix(place + 1) else {
          return ""
        }
        return PointText.value(RunRecord.Variable(name: cases[0].variables[element.0].name, value: element.1))
      }
      table.append(names + [""] + columns.map { mark(point(row, $0)) })
      previous = row
    }
    let right = Set(down.count + 1..<down.count + 1 + columns.count)
    var titles: [String] = []
    if (TextTable.aligned(table, right: right).map(\.columns).max() ?? 0) > width {
      // The column title gives way first, then row names that do not fit.
      titles = table[0][down.count].wrapped(to: width)
      table[0][down.count] = ""
      for place in down.indices { shorten(place, of: &table, right) }
    }
    let texts = titles + TextTable.aligned(table, right: right)
    guard texts.allSatisfy({ $0.columns <= width }) else { return [] }
    let used = Self.marks.filter { each in
      cases.contains { $0.judgement.verdict == each.verdict && !$0.hasNoRun }
    }
    var legend = used.map { "\($0.mark) \($0.meaning)" }
    if cases.contains(where: \.hasNoRun) { legend.append("– no run finished") }
    if rows.contains(where: { row in columns.contains { point(row, $0) == nil } }) {
      legend.append("· no such point")
    }
    return texts.map { Terminal.Line($0) } + [Terminal.Line(legend.joined(separator: ", "))]
  }

  /// Shortens the names of a column as far as the width requires while they remain distinct.
  private func shorten(_ place: Int, of table: inout [[String]], _ right: Set<Int>) {
    let names = table.map { $0[place] }
    var length = names.map(\.columns).max() ?? 0
    while length > Self.shortestName,
      (TextTable.aligned(table, right: right).map(\.columns).max() ?? 0) > width
    {
      length -= 1
      let cut = TextTable.truncated(names, to: length)
      guard Set(cut.dropFirst()).count == Set(names.dropFirst()).count else { return }
      for row in table.indices { table[row][place] = cut[row] }
    }
  }

  private static let shortestName = 8

  // MARK: Words

  /// Returns the values at which the expectation holds along a row: `from 2.4 Mbps`.
  ///
  /// - Returns: `nil` if no run has finished.
  private func range(_ row: [String]) -> String? {
    guard let across else { return "" }
    let name = cases[0].variables[across].name
    func shown(_ value: String) -> String { PointText.value(RunRecord.Variable(name: name, value: value)) }
    let points = columns.map { point(row, $0) }
    let known = zip(columns, points).compactMap { column, point in
      point.flatMap { $0.hasNoRun ? nil : (column, $0.judgement.verdict) }
    }
    if known.isEmpty { return nil }
    let passing = known.filter { $0.1 == .pass }.map(\.0)
    guard let first = passing.first, let last = passing.last else {
      let failed = known.count { $0.1 == .fail }
      return failed == 0 ? Self.undecided : failed == known.count ? "nowhere" : "nowhere as far as decided"
    }
    let isWhole = !points.contains { $0?.hasNoRun ?? false }
    if passing.count == known.count, isWhole { return "everywhere" }
    // Nothing is known beyond points without a finished run.
    let isOrdered = isWhole && columns.allSatisfy { Double($0) != nil }
    if isOrdered, known.suffix(passing.count).allSatisfy({ $0.1 == .pass }) { return "from \(shown(first))" }
    if isOrdered, known.prefix(passing.count).allSatisfy({ $0.1 == .pass }) { return "up to \(shown(last))" }
    return "at " + passing.map(shown).joined(separator: ", ")
  }

  private static let undecided = "not decided anywhere"

  /// A sentence such as `livekit holds from 2.4 Mbps` for each value of the first variable along the rows, or, where
  /// its rows differ, for each row: `livekit, loss 5 % holds from 2.7 Mbps`.
  private var sentences: [String] {
    guard !down.isEmpty else { return [Self.told(range([]))] }
    func named(_ values: some Sequence<String>) -> String {
      PointText.point(
        zip(down, values).map { RunRecord.Variable(name: cases[0].variables[$0].name, value: $1) })
    }
    return rows.map { $0[0] }.uniqued().flatMap { system -> [String] in
      let own = rows.filter { $0[0] == system }
      let ranges = own.map(range)
      guard ranges.uniqued().count > 1 else { return ["\(named([system])) \(Self.told(ranges[0]))"] }
      return zip(own, ranges).map { "\(named($0)) \(Self.told($1))" }
    }
  }

  private static func told(_ range: String?) -> String {
    range.map { $0 == undecided ? "is \($0)" : "holds \($0)" } ?? "has no finished run"
  }

  /// The failed points, with the worst value; `nil` if there are none.
  private var failures: String? {
    let failed = cases.filter { $0.judgement.verdict == .fail }
    let wantsMore = cases[0].expectation.relation == .atLeast || cases[0].expectation.relation == .above
    func value(_ one: Case) -> Double? { one.judgement.quantile?.value ?? one.judgement.estimate?.mean }
    let worst = failed.min { a, b in
      guard let x = value(a), let y = value(b) else { return value(a) == nil && value(b) != nil }
      return wantsMore ? x < y : x > y
    }
    return worst.map { "failed at \(failed.count) of \(cases.count) points, \($0.asWorst)" }
  }
}

extension VerdictGrid {
  /// Returns the verdicts on a sweep: a grid for each expectation.
  static func lines(of report: ExpectationReport, width: Int) -> [Terminal.Line] {
    var values: [String: Set<String>] = [:]
    for variable in report.directory.results.runs.flatMap(\.variables) {
      values[variable.name, default: []].insert(variable.value)
    }
    let levels = values.mapValues(\.count)
    var groups: [(expectation: Expectation, cases: [ExpectationReport.Case])] = []
    for one in report.cases {
      if let last = groups.indices.last, groups[last].expectation == one.expectation {
        groups[last].cases.append(one)
      } else {
        groups.append((one.expectation, [one]))
      }
    }
    return groups.flatMap { [Terminal.Line("")] + VerdictGrid($0.cases, levels: levels, width: width).lines }
  }
}
