import Allocation
import Decision
import Ladder
import Meeting
import Metrics
import Quantity
import TextLayout

/// Decisions over a range of budgets, as CSV or as a Markdown table.
struct AllocationTable {
  private let decision: StandaloneAllocation
  private let viewer: String
  private let range: BudgetRange

  static let header =
    "budget_bps,viewer,source,rank,encoding,temporal,frame_height_px,frames_per_second,bitrate_bps,limitation,"
    + "missing_bps,rule,spatial\n"

  init(_ decision: StandaloneAllocation, viewer: String, range: BudgetRange) {
    self.decision = decision
    self.viewer = viewer
    self.range = range
  }

  /// Formats a row for each budget and source.
  ///
  /// - Parameter onlyChanges: `true` to write only the first budget, and those at which a layer or a limitation
  ///   changes.
  func csv(onlyChanges: Bool) -> String {
    var writer = ByteWriter()
    writer.raw(Self.header)
    if onlyChanges {
      for (budget, rows) in changes { write(rows, at: budget, to: &writer) }
    } else {
      var budget = range.from
      while budget <= range.to {
        write(decision.rows(budget: budget).rows, at: budget, to: &writer)
        budget += range.step
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(_ rows: [StandaloneAllocation.Row], at budget: BitRate, to writer: inout ByteWriter) {
    for row in rows {
      let isScalable = decision.sources[row.source].isScalable
      writer.integer(budget.bitsPerSecond)
      writer.comma()
      writer.field(viewer)
      writer.comma()
      writer.field(decision.sources[row.source].name)
      writer.comma()
      if let rank = row.rank { writer.integer(Int64(rank)) }
      writer.comma()
      if let layer = row.layer { writer.integer(isScalable ? 0 : Int64(layer.id.encoding)) }
      writer.comma()
      if let layer = row.layer { writer.integer(Int64(layer.id.temporal)) }
      writer.comma()
      writer.integer(Int64(row.layer?.format.resolution.height ?? 0))
      writer.comma()
      writer.fixed(Int64(row.layer?.format.milliFramesPerSecond ?? 0), decimals: 3)
      writer.comma()
      writer.integer(row.layer?.bitrate.bitsPerSecond ?? 0)
      writer.comma()
      writer.field(row.limitation.rawValue)
      writer.comma()
      writer.integer(row.missing.bitsPerSecond)
      writer.comma()
      writer.field(row.rule)
      writer.comma()
      if isScalable, let layer = row.layer { writer.integer(Int64(layer.id.encoding)) }
      writer.newline()
    }
  }

  /// Rows at the first budget, and at those where a layer or a limitation changes, exact to the bit per second.
  private var changes: [(budget: BitRate, rows: [StandaloneAllocation.Row])] {
    var found: [(budget: BitRate, rows: [StandaloneAllocation.Row])] = []
    var budget = range.from
    while true {
      let (rows, rise) = decision.rows(budget: budget)
      if found.last.map({ !Self.isSame($0.rows, rows) }) ?? true { found.append((budget, rows)) }
      guard let rise, rise <= (range.to - budget).bitsPerSecond else { return found }
      budget += BitRate(bitsPerSecond: rise)
    }
  }

  private static func isSame(_ a: [StandaloneAllocation.Row], _ b: [StandaloneAllocation.Row]) -> Bool {
    zip(a, b).allSatisfy { $0.layer == $1.layer && $0.limitation == $1.limitation }
  }

  /// Names each row after its source; several subscriptions to one source are numbered in order.
  private func names(of rows: [StandaloneAllocation.Row]) -> [String] {
    rows.indices.map { place in
      let name = decision.sources[rows[place].source].name
      let same = rows.indices.filter { rows[$0].source == rows[place].source }
      guard same.count > 1, let number = same.firstIndex(of: place) else { return name }
      return "\(name) #\(number + 1)"
    }
  }

  /// Formats the changes as a Markdown table, with a row per budget and a column per source or subscription; as several
  /// tables if the columns exceed the width.
  func markdown(width: Int) -> String {
    let shown = changes
    // The budgets take up to 18 characters.
    let longest = max(16, width - 24)
    let names = TextTable.truncated(names(of: shown[0].rows), to: longest)
    var lines: [[String]] = [["budget"] + names]
    for (place, change) in shown.enumerated() {
      let before = place > 0 ? shown[place - 1].rows : []
      let cells = change.rows.enumerated().map { column, row in
        let text = self.text(of: row)
        guard !before.isEmpty else { return text }
        let isNew = before[column].layer?.id != row.layer?.id || self.text(of: before[column]) != text
        return isNew ? "**\(text)**" : text
      }
      lines.append([Self.grouped(change.budget.bitsPerSecond) + " bps"] + cells)
    }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var parts: [[Int]] = []
    for column in widths.indices.dropFirst() {
      let columns = [0] + (parts.last ?? []).dropFirst() + [column]
      if !parts.isEmpty, columns.reduce(1, { $0 + widths[$1] + 3 }) <= width {
        parts[parts.count - 1] = columns
      } else {
        parts.append([0, column])
      }
    }
    return parts.map { columns in
      Self.markdown(lines.map { line in columns.map { line[$0] } }, widths: columns.map { widths[$0] })
    }.joined(separator: "\n")
  }

  private static func markdown(_ lines: [[String]], widths: [Int]) -> String {
    var text = ""
    for (place, line) in lines.enumerated() {
      let cells = line.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? space + cell : cell + space
      }
      text += "| " + cells.joined(separator: " | ") + " |\n"
      guard place == 0 else { continue }
      let rules = widths.enumerated().map { column, width in
        column == 0
          ? String(repeating: "-", count: width + 1) + ":" : String(repeating: "-", count: width + 2)
      }
      text += "|" + rules.joined(separator: "|") + "|\n"
    }
    return text
  }

  /// Formats a layer as `360p15`, or the reason why nothing is forwarded. If several layers of the source have this
  /// format, encoding and temporal layer are added: `360p15 (1.0)`.
  private func text(of row: StandaloneAllocation.Row) -> String {
    guard let layer = row.layer else {
      return row.limitation == .bandwidth ? "–" : "– (\(row.limitation.rawValue))"
    }
    let text = Self.text(of: layer.format)
    let alike = decision.sources[row.source].layers.count { Self.text(of: $0.format) == text }
    return alike > 1 ? "\(text) (\(layer.id.encoding).\(layer.id.temporal))" : text
  }

  /// Formats `360p15`, or `360p` if the frame rate is unknown.
  private static func text(of format: VideoFormat) -> String {
    let rate = format.milliFramesPerSecond
    let fps = rate % 1000 == 0 ? "\(rate / 1000)" : "\(Double(rate) / 1000)"
    return "\(format.resolution.height)p" + (rate == 0 ? "" : fps)
  }

  /// Formats a number with its digits in groups of three.
  private static func grouped(_ number: Int64) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(" ", at: place)
      place -= 3
    }
    return String(digits)
  }
}
