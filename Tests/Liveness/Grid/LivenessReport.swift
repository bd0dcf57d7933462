/// The grid's table: one line per series of capacities, then every cell that falls short.
package struct LivenessReport: Sendable {
  package private(set) var lines: [String] = []
  /// Cells that fall short without a known reason, and steps of capacity that lose video.
  package private(set) var unexplained = 0
  private var notes: [String] = []
  private var cells = 0
  private var explained = 0
  private var chances = 0
  private var steps = 0

  package init() {}

  /// Returns the header of the table.
  package static func header(_ capacities: [Int]) -> String {
    "system     ladder                people loss delay | "
      + capacities.map { pad("\($0)", 9) }.joined(separator: " ")
      + "\n(of the oracle: seconds with a picture %, delivered video %; - where the oracle has none)"
  }

  /// Adds the cells of one series in order of rising capacity, and returns its line.
  package mutating func add(_ series: [LivenessResult]) async throws -> String {
    guard let first = series.first?.cell else { return "" }
    let fields = series.map { result in
      let letters = result.shortfalls.map(\.rawValue).joined()
      return Self.pad(
        Self.percent(result.pictureShare, of: result.oraclePictureShare) + "/"
          + Self.percent(result.delivered, of: result.oracleDelivered) + letters, 9)
    }
    let line =
      Self.pad(first.system.rawValue, -10) + " " + Self.pad(first.ladder, -20) + " "
      + Self.pad("\(first.people)", 6) + " " + Self.pad("\(first.loss)", 4) + " "
      + Self.pad("\(first.delay)", 5)
      + " | " + fields.joined(separator: " ")
    lines.append(line)
    for result in series {
      cells += 1
      for shortfall in result.shortfalls { try note(shortfall, of: result) }
    }
    for (narrower, wider) in zip(series, series.dropFirst()) {
      steps += 1
      guard try await wider.isBelow(narrower) else { continue }
      let reason = KnownShortfall.reasonForLess(at: wider, than: narrower)
      if reason == nil { unexplained += 1 } else { explained += 1 }
      let verdict = reason.map { "known, \($0)" } ?? "unexplained"
      notes.append(
        "\(verdict): less with more: \(Self.name(of: wider.cell)): \(Int(wider.deliveredInAll / 1000)) kbps, "
          + "at \(narrower.cell.capacity): \(Int(narrower.deliveredInAll / 1000))")
    }
    return line
  }

  private mutating func note(_ shortfall: LivenessResult.Shortfall, of result: LivenessResult) throws {
    if let reason = KnownShortfall.reason(for: shortfall, of: result) {
      explained += 1
      notes.append("known, \(reason): \(Self.text(of: shortfall, of: result))")
      return
    }
    let repeated = try result.repeated()
    let text = Self.text(of: shortfall, of: repeated)
    guard repeated.shortfalls.contains(shortfall) else {
      chances += 1
      notes.append("by chance, with other seeds: \(text)")
      return
    }
    if let reason = KnownShortfall.reason(for: shortfall, of: repeated) {
      explained += 1
      notes.append("known, \(reason), with other seeds: \(text)")
    } else {
      unexplained += 1
      notes.append("unexplained: \(text)")
    }
  }

  private static func text(of shortfall: LivenessResult.Shortfall, of result: LivenessResult) -> String {
    "(\(shortfall.rawValue)) \(name(of: result.cell)): picture \(percent(result.pictureShare, of: 1)) % "
      + "(oracle \(percent(result.oraclePictureShare, of: 1))), \(Int(result.delivered / 1000)) kbps "
      + "(oracle \(Int(result.oracleDelivered / 1000))), longest gap \(result.longestGap) s, "
      + "estimate \(Int(result.estimate / 1000)) kbps, full \(percent(result.fullShare, of: 1)) % of the time"
  }

  /// The text below the table.
  package var summary: String {
    (notes + KnownShortfall.reasons + [
      "\(cells) cells, \(steps) steps of capacity; short with a known reason: \(explained), without: \(unexplained), "
        + "with these seeds alone: \(chances)"
    ]).joined(separator: "\n")
  }

  private static func name(of cell: LivenessCell) -> String {
    "\(cell.system.rawValue) \(cell.ladder) \(cell.people) people \(cell.capacity) kbps \(cell.loss) % "
      + "\(cell.delay) ms"
  }

  private static func percent(_ value: Double, of whole: Double) -> String {
    whole > 0 ? "\(Int((100 * value / whole).rounded()))" : "-"
  }

  /// Pads with spaces, on the left for a positive width and on the right for a negative one.
  private static func pad(_ text: String, _ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width > 0 ? spaces + text : text + spaces
  }
}
