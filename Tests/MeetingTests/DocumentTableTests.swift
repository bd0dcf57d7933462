import Files
import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// Every figure of `docs/documents.md` is reproduced by its scenario.
@Suite("Vendor documentation, row by row")
struct DocumentTableTests {
  /// A row of the page with a scenario.
  struct Row: Sendable, CustomTestStringConvertible {
    var behaviour: String
    var scenario: String
    var figures: [String]
    var testDescription: String { behaviour }
  }

  private static let folder = Repository.root + "/docs/"

  private static let table: [[String]] = {
    let text = String(decoding: Repository.bytes(of: folder + "documents.md") ?? [], as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmed }
    }
  }()

  private static let rows: [Row] = table.filter { $0.count == 4 && $0[1].hasPrefix("[") }.map { cells in
    let link = cells[1].split(separator: "(").last?.dropLast() ?? ""
    let spans = cells[2].split(separator: "`", omittingEmptySubsequences: false)
    return Row(
      behaviour: cells[0], scenario: String(link),
      figures: spans.indices.filter { $0 % 2 == 1 }.map { String(spans[$0]) })
  }

  private static let scenarios = Array(Set(rows.map(\.scenario))).sorted()

  @Test func thePageHasRowsForEveryDocument() {
    #expect(Self.rows.count >= 80)
    #expect(Self.rows.allSatisfy { !$0.figures.isEmpty })
    let verdicts = Self.table.filter { $0.count == 4 }.map { $0[3] }
    #expect(verdicts.count { $0.hasPrefix("exact") } >= 30)
  }

  @Test(arguments: scenarios)
  func everyFigureIsWhatTheScenarioShows(scenario: String) throws {
    let tables = try Self.tables(of: scenario)
    for row in Self.rows where row.scenario == scenario {
      for figure in row.figures {
        let failure = try Self.failure(of: figure, in: tables)
        #expect(failure == nil, "\(row.behaviour): \(figure): \(failure ?? "")")
      }
    }
  }

  /// Figures that are not reproduced with the default estimator, as the page lists them.
  private static let differences: [(scenario: String, figure: String)] = table.filter {
    $0.count == 3 && $0[0].hasPrefix("[")
  }.map { cells in
    (String(cells[0].split(separator: "(").last?.dropLast() ?? ""), String(cells[1].dropFirst().dropLast()))
  }

  @Test(arguments: scenarios)
  func thePageSaysWhichFiguresDifferWithTheDefaultEstimator(scenario: String) throws {
    let tables = try Self.tables(of: scenario, overrides: ["estimator=gcc"])
    let figures = Self.rows.filter { $0.scenario == scenario }.flatMap(\.figures)
    let found = try figures.filter { try Self.failure(of: $0, in: tables) != nil }
    #expect(found == Self.differences.filter { $0.scenario == scenario }.map(\.figure), "\(scenario)")
  }

  private static func tables(of scenario: String, overrides: [String] = []) throws -> MemorySink {
    let loaded: LoadedScenario
    do { loaded = try ScenarioReader.read(path: folder + scenario, overrides: overrides) } catch {
      throw Meetings.Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
    return try Meetings.run(loaded).tables
  }

  /// Returns why a figure does not hold; `nil` if it does.
  static func failure(of figure: String, in tables: MemorySink) throws -> String? {
    let halves = figure.split(separator: "→")
    guard let colon = figure.firstIndex(of: ":"), halves.count == 2,
      let table = ResultTable.allCases.first(where: { $0.name == figure[..<colon] })
    else { return "unreadable" }
    let selection = words(halves[0].drop { $0 != ":" }.dropFirst())
    let conditions = words(halves[1])
    let records = try CSVReader.records(of: Array(tables.text(of: table).utf8))
    guard let header = records.first else { return "no table" }
    let selected = records.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
      .filter { row in selection.allSatisfy { holds($0, row) } }
    let counts = conditions.filter { $0.hasPrefix("count") }
    for condition in counts where !holds(condition, ["count": "\(selected.count)"]) {
      return "\(selected.count) rows"
    }
    if counts.isEmpty, selected.isEmpty { return "no row" }
    for row in selected {
      for condition in conditions where !condition.hasPrefix("count") && !holds(condition, row) {
        return "\(row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
      }
    }
    return nil
  }

  /// Splits at spaces outside double quotes, and removes the quotes.
  private static func words(_ text: Substring) -> [String] {
    var words = [""]
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case " " where !isQuoted: words.append("")
      default: words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }

  /// Returns whether `column=value`, `!=`, `>=` or `<=` holds; `=` with a range `a..b` includes both ends.
  private static func holds(_ condition: String, _ row: [String: String]) -> Bool {
    guard let place = condition.firstIndex(where: { "=!<>".contains($0) }) else { return false }
    let column = String(condition[..<place])
    let relation = condition[place] == "=" ? "=" : String(condition[place]) + "="
    let value = String(condition[condition.index(place, offsetBy: relation.count)...])
    guard let own = row[column] else {
      Issue.record("'\(condition)': there is no column '\(column)'")
      return false
    }
    let bounds = value.split(separator: ".", omittingEmptySubsequences: false)
    if relation == "=", value.contains(".."), bounds.count >= 3 {
      let ends = value.ranges(of: "..").first.map { (value[..<$0.lowerBound], value[$0.upperBound...]) }
      guard let ends, let low = Double(ends.0), let high = Double(ends.1), let number = Double(own) else {
        return false
      }
      return (low...high).contains(number)
    }
    if let a = Double(own), let b = Double(value) {
      return switch relation {
      case "=": a == b
      case "!=": a != b
      case ">=": a >= b
      default: a <= b
      }
    }
    return relation == "=" ? own == value : relation == "!=" ? own != value : false
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start[..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.endIndex)])
  }
}
