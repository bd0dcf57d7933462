import Files
import TextLayout
import Verification

/// Recorded meetings compared with simulations and with each other, as text for a terminal or as CSV.
struct RecordedMeetingReport {
  private let isCSV: Bool
  private var simulated: [CourseComparison] = []
  private var repeated: [CourseComparison] = []
  private var differences: [Difference] = []

  init(isCSV: Bool) {
    self.isCSV = isCSV
    if isCSV {
      Terminal.result("case,metric,published,simulated,tolerance,verdict,source,from_s,to_s,against\n")
    }
  }

  /// Number of failed checks and differences; disagreements between recordings do not count.
  var failed: Int {
    simulated.reduce(0) { $0 + $1.checks.count - $1.held } + differences.count { $0.verdict == .fail }
  }

  /// Adds a recording as soon as it has been simulated.
  mutating func add(_ setup: SFUFolder.Setup, _ outcome: SFUVerification.Outcome) {
    simulated.append(outcome.comparison)
    guard !isCSV else { return write(outcome.comparison, name: setup.name, against: "simulation") }
    let tiles = setup.recording.tileCount
    var text = ": \(tiles) \(tiles == 1 ? "tile" : "tiles")"
    if let server = setup.server, !server.text.isEmpty { text += "; the server logged \(server.text)" }
    Terminal.result("\(text.printable)\n", heading: setup.name)
    show(outcome.comparison.lines(shownDecimals: 1))
  }

  /// Adds comparisons between recordings of one setup.
  mutating func add(repetitions: [CourseComparison]) {
    repeated = repetitions
    guard !repetitions.isEmpty else { return }
    if !isCSV { Terminal.result("\n", heading: "Repetitions, against each other") }
    for one in repetitions {
      if isCSV {
        write(one, name: String(one.recorded.dropLast(".csv".count)), against: one.other)
      } else {
        show(one.lines())
      }
    }
  }

  mutating func add(differences: [Difference]) {
    self.differences = differences
    guard !differences.isEmpty else { return }
    guard !isCSV else { return differences.forEach(write) }
    var rows = [["  pair", "measure", "recorded", "simulated", "repetitions", "verdict"]]
    for one in differences {
      rows.append([
        "  \(one.first) → \(one.second)", one.measure.rawValue, Self.signed(one.recorded),
        Self.signed(one.simulated), "±" + one.noise.text(decimals: 2), one.verdict.rawValue,
      ])
    }
    Terminal.result("\n", heading: "Differences")
    Terminal.result(TextTable.aligned(rows).joined(separator: "\n") + "\n")
  }

  func end() {
    guard !isCSV else { return }
    let (totals, reality) = (SFUTotals(of: simulated), SFUTotals(of: repeated))
    var rows = [["  checks that hold", "simulated", "reality with itself"]]
    for measure in Measure.allCases where totals.has(measure) || reality.has(measure) {
      rows.append(["  " + measure.rawValue, totals.text(of: measure), reality.text(of: measure)])
    }
    rows.append(["  all", totals.text, reality.text])
    Terminal.result("\n", heading: "Totals")
    Terminal.result(TextTable.aligned(rows).joined(separator: "\n") + "\n")
    let judged = differences.filter { $0.verdict != .undecided }
    guard !differences.isEmpty else { return }
    Terminal.result(
      "\(judged.count { $0.verdict == .pass }) of \(judged.count) differences beyond those of repetitions have their "
        + "sign in the simulation\n")
  }

  // MARK: Text

  private func show(_ lines: [String]) { Terminal.result(lines.map { $0 + "\n" }.joined()) }

  private static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + value.text(decimals: 2) }

  // MARK: CSV

  private func write(_ comparison: CourseComparison, name: String, against: String) {
    for check in comparison.checks {
      Terminal.result(
        CSVLine.text(of: [
          name, check.measure.rawValue, check.recorded.text(decimals: 3), check.other.text(decimals: 3),
          check.bound.text, (check.holds ? VerificationCheck.Verdict.pass : .fail).rawValue,
          comparison.recorded, check.window?.from.text(decimals: 3) ?? "",
          check.window?.to.text(decimals: 3) ?? "", against,
        ]))
    }
  }

  private func write(_ one: Difference) {
    let verdict =
      switch one.verdict {
      case .pass: VerificationCheck.Verdict.pass
      case .fail: VerificationCheck.Verdict.fail
      case .undecided: VerificationCheck.Verdict.skipped
      }
    Terminal.result(
      CSVLine.text(of: [
        "\(one.first) to \(one.second)", one.measure.rawValue, one.recorded.text(decimals: 3),
        one.simulated.text(decimals: 3), "sign, beyond ±\(one.noise.text(decimals: 3))", verdict.rawValue,
        "\(one.first).csv and \(one.second).csv", "", "", "difference",
      ]))
  }
}
