import TextLayout

extension CameraFit {
  /// Lines for a scenario: the published camera, and comments on how well it fits.
  package var text: String {
    var lines = [
      "publish: {camera: {capture: \(capture), ladder: \(ladder), content: \(content)}}", "",
    ]
    lines += verdict.map { "# \($0)" } + ["#"] + table.map { "# \($0)" } + ["#", "# Not identifiable:"]
    lines += unknown.flatMap { "- \($0)".split(separator: "\n") }.map { "# \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var verdict: [String] {
    guard let search, let agreement else {
      return ["Fitted to \(file): what was sent where the path did not limit it."]
    }
    let share = agreement.all > 0 ? Int((agreement.same / agreement.all * 100).rounded()) : 0
    var lines = [
      "Fitted to \(file): given the recorded targets, the encoder has the recorded height in "
        + "\(share) % of \(Int(agreement.all.rounded())) s;",
      "the rate of a second is off by \(Int((agreement.rate * 100).rounded())) % (median).",
    ]
    if hasRepairs { lines.append("What was sent beyond the targets, repairs and protection, is left out.") }
    if let range = search.range {
      let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
      let rich = search.isRichPossible && search.best.text != "rich" ? ", as does 'rich'" : ""
      lines.append(
        low == high && rich.isEmpty
          ? "No other content fits about as well." : "\(low) to \(high) kbps fit about as well\(rich).")
    } else {
      lines.append("No rate fits about as well as 'rich', whose small pictures are dearer.")
    }
    return lines
  }

  private var table: [String] {
    let head = ["from", "to", "target", "height", "rate", "model", "rate", "off", "limited by"]
    let cells =
      [head, ["[s]", "[s]", "[kbps]", "[px]", "[kbps]", "[px]", "[kbps]", "[%]", ""]]
      + rows.map { row in
        [
          Self.number(row.from), Self.number(row.to), Self.number(row.target),
          row.height.map(String.init) ?? "-", Self.number(row.rate), row.modelHeight.map(String.init) ?? "-",
          Self.number(row.modelRate), Self.difference(row.modelRate, row.rate), row.limit.rawValue,
        ]
      }
    // The last column is a word.
    return TextTable.aligned(cells, right: Set(head.indices.dropLast()))
  }

  private static func number(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? "-" }

  /// Returns the deviation of the model from the recording [%].
  private static func difference(_ model: Double?, _ recorded: Double) -> String {
    guard let model, recorded > 0 else { return "-" }
    let percent = Int(((model / recorded - 1) * 100).rounded())
    return percent > 0 ? "+\(percent)" : "\(percent)"
  }
}
