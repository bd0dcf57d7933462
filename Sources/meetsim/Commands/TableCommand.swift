import ArgumentParser
import Files
import Metrics
import Quantity
import ResultReading
import Scenario
import TextLayout

/// Prints a table of a run.
struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Prints rows and columns of a result table, aligned, with units.",
    usage: "meetsim table <directory> <table> [<options>]",
    discussion: """
      Bit rates are in kbps, fractions in per cent. A column goes by its name in the CSV file, with or without its \
      unit ('meetsim reference TABLE' lists them). Without --columns, as many columns are printed as there is room for; \
      columns that are named but do not fit are printed below the others.

      EXAMPLES
        meetsim table out streams --viewer alice --source bob --from 19s --to 30s \\
          --columns time,frame_height,bitrate
        meetsim table out participants --viewer bob \\
          --columns time,up_capacity,up_estimate,up_bitrate
        meetsim table out events
        meetsim table out-sweep summary --viewer bob --metric mos
      """)

  @Argument(help: "Result directory of a run or a sweep.", completion: .directory)
  var directory: String

  @Argument(
    help: "The table: \(names.dropLast(2).joined(separator: ", ")); of a sweep also runs and summary.",
    completion: .list(names))
  var table: String

  @Option(help: ArgumentHelp("Only rows of this viewer, or of this participant.", valueName: "id"))
  var viewer: String?

  @Option(help: ArgumentHelp("Only rows of this source, or of this link.", valueName: "id"))
  var source: String?

  @Option(help: ArgumentHelp("Only rows of this metric.", valueName: "name"))
  var metric: String?

  @Option(help: ArgumentHelp("Only rows at this time or later.", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("Only rows at this time or earlier.", valueName: "time"))
  var to: String?

  @Option(help: ArgumentHelp("Columns, separated by commas.", valueName: "name,…"))
  var columns: String?

  @Flag(help: "Prints all rows, not only the first 60.")
  var all = false

  private static let names = ResultTable.allCases.map(\.name) + ["runs", "summary"]

  /// Maximum number of rows without --all.
  private static let limit = 60

  /// Columns that say what a row is about; leading ones are repeated where a table is printed in blocks.
  private static let keys = ["run_id", "time", "viewer", "source", "participant", "link", "metric"]

  @OptionGroup var quiet: QuietOption

  func run() throws {
    guard Self.names.contains(table) else {
      throw ValidationError("'\(table)': \(Suggestion.text(for: table, among: Self.names))")
    }
    let path = StoredTable.path(of: "\(directory)/\(table).csv")
    guard Directory.exists(path) else {
      Terminal.error("\(path): error: there is no such table")
      throw ExitCode(2)
    }
    do {
      try print(try ColumnReader(path: path))
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
      throw ExitCode(2)
    }
  }

  private func print(_ reader: ColumnReader) throws {
    var reader = reader
    let shown = try chosen(reader.header)
    let conditions = try conditions(reader.header)
    let times = try (from: moment(from, "--from"), to: moment(to, "--to"))
    let time = reader.header.firstIndex(of: "time_s")
    if time == nil, from != nil || to != nil {
      throw ValidationError("\(table).csv has no times: --from and --to do not apply")
    }
    var rows: [[String]] = []
    var rest = 0
    /// Values that a condition meets.
    var met = conditions.map { _ in Set<String>() }
    while try reader.next() {
      var isChosen = true
      for (number, condition) in conditions.enumerated() {
        let value = try reader.text(condition.place)
        met[number].insert(value)
        if value != condition.value { isChosen = false }
      }
      if let time, times.from != nil || times.to != nil {
        guard let at = try reader.number(time), at >= times.from ?? 0, at <= times.to ?? .infinity else {
          continue
        }
      }
      guard isChosen else { continue }
      guard all || rows.count < Self.limit else {
        rest += 1
        continue
      }
      rows.append(try shown.map { try $0.cell(of: reader) })
    }
    guard !rows.isEmpty else {
      // A table may have no row at all.
      guard times.from != nil || times.to != nil || !conditions.isEmpty else {
        return Terminal.line("\(table).csv has no rows")
      }
      let participants = participants
      let hints = zip(conditions, met).compactMap { condition, values -> String? in
        guard !values.contains(condition.value) else { return nil }
        let known = values.sorted()
        return participants.contains(condition.value)
          ? ": '\(condition.value)' has none there; it is about \(known.joined(separator: ", "))"
          : ": there is no '\(condition.value)': \(Suggestion.text(for: condition.value, among: known))"
      }
      Terminal.error("\(directory): error: no row of \(table).csv is about that\(hints.joined())")
      throw ExitCode(2)
    }
    print(shown, rows)
    if rest > 0 { Terminal.line("… and \(rest) more rows: --all") }
  }

  /// Ids of the run's participants; empty if its table of them is missing.
  private var participants: Set<String> {
    let path = StoredTable.path(of: "\(directory)/\(ResultTable.participants.name).csv")
    guard var reader = try? ColumnReader(path: path), let place = try? reader.index(of: "participant") else {
      return []
    }
    var ids: Set<String> = []
    while (try? reader.next()) ?? false {
      if let id = try? reader.text(place) { ids.insert(id) }
    }
    return ids
  }

  private func print(_ columns: [ShownColumn], _ rows: [[String]]) {
    var cells = [columns.map(\.title), columns.map { $0.unit.isEmpty ? "" : "[\($0.unit)]" }] + rows
    var count = columns.count
    if self.columns == nil {
      var room = Terminal.listWidth
      count = 0
      for column in columns.indices {
        let width = cells.map { $0[column].count }.max() ?? 0
        guard width <= room else { break }
        room -= width + 2
        count += 1
      }
    }
    cells = cells.map { Array($0.prefix(max(1, count))) }
    let right = Set(
      columns.indices.filter { column in rows.allSatisfy { $0[column] == "-" || Double($0[column]) != nil } })
    let leading = columns.prefix { Self.keys.contains($0.title) }.count
    let blocks = TextTable.blocks(
      cells, names: 0..<0, leading: leading < count ? leading : 0, right: right, width: Terminal.listWidth)
    for (number, block) in blocks.enumerated() {
      if number > 0 { Terminal.line("") }
      for line in block { Terminal.line(line) }
    }
    let left = columns.dropFirst(max(1, count)).map(\.title)
    if !left.isEmpty {
      Terminal.paragraph("not printed, for --columns: " + left.joined(separator: ", "))
    }
  }

  private func moment(_ text: String?, _ option: String) throws -> Double? {
    do {
      return try text.map { try SimDuration(text: $0).seconds }
    } catch {
      throw ValidationError("\(option): \(error)")
    }
  }

  /// Returns the columns to print.
  private func chosen(_ header: [String]) throws -> [ShownColumn] {
    let declared = ResultTable.allCases.first { $0.name == table }?.columns ?? []
    // All rows of a single run have the same id.
    let hasRuns = Directory.exists("\(directory)/runs.csv")
    let known = header.enumerated().filter { hasRuns || $0.element != "run_id" }.map { place, name in
      ShownColumn(name, place: place, unit: declared.first { $0.name == name }?.unit)
    }
    guard let columns else { return known }
    return try columns.split(separator: ",").map(String.init).map { name in
      guard let column = known.first(where: { $0.name == name || $0.title == name }) else {
        throw ValidationError("--columns '\(name)': \(Suggestion.text(for: name, among: known.map(\.title)))")
      }
      return column
    }
  }

  /// Returns the conditions on the fields of rows.
  private func conditions(_ header: [String]) throws -> [(place: Int, value: String)] {
    var found: [(place: Int, value: String)] = []
    for (value, option, names) in [
      (viewer, "--viewer", ["viewer", "participant"]), (source, "--source", ["source", "link"]),
      (metric, "--metric", ["metric"]),
    ] {
      guard let value else { continue }
      guard let place = names.lazy.compactMap({ header.firstIndex(of: $0) }).first else {
        throw ValidationError(
          "\(option): the table has no such column: it has \(header.dropFirst().joined(separator: ", "))")
      }
      found.append((place, value))
    }
    return found
  }
}

/// A column of a table as printed.
private struct ShownColumn {
  let name: String
  /// Name without its unit.
  let title: String
  let unit: String
  private let place: Int
  /// `true` for a column of a run's table, in which values have a fixed number of decimals.
  private let isDeclared: Bool

  init(_ name: String, place: Int, unit: ColumnUnit?) {
    self.name = name
    self.place = place
    isDeclared = unit != nil
    let suffix = ["_px", "_bps", "_s", "_frac"].first { name.hasSuffix($0) && !name.hasSuffix("_per_s") }
    title = String(name.dropLast(suffix?.count ?? 0))
    switch (unit, suffix) {
    case (.bitsPerSecond?, _), (nil, "_bps"?): self.unit = "kbps"
    case (.one?, "_frac"?), (nil, "_frac"?): self.unit = "%"
    case (nil, "_s"?): self.unit = "s"
    case (.one?, _), (nil, _): self.unit = ""
    case (.some(let other), _): self.unit = other.rawValue
    }
  }

  /// Returns the field of the current row; "-" for an empty one.
  func cell(of reader: ColumnReader) throws(ResultReadingError) -> String {
    let text = try reader.text(place)
    guard !text.isEmpty else { return "-" }
    guard let value = Double(text), unit == "kbps" || unit == "%" || !isDeclared && text.contains(".") else {
      return text
    }
    if unit != "kbps", unit != "%" { return ComparisonReport.figure(value) }
    // Finer digits of bit rates and percentages are noise.
    if unit == "%" { return "\((value * 10_000).rounded() / 100)" }
    return "\((value / 100).rounded() / 10)"
  }
}
