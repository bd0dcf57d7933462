/// A measure of a recording and of its counterpart.
package struct MeasureCheck: Equatable, Sendable {
  package var measure: Measure
  /// Window of the measure; `nil` if it covers the whole recording.
  package var window: MeasureWindow?
  package var recorded: Double
  package var other: Double
  /// Set for a recording of a scalable stream.
  package var isLayered = false

  package var bound: Bound { isLayered ? measure.layeredBound : measure.bound }
  package var holds: Bool { bound.holds(recorded: recorded, other: other) }
}

/// A recording compared with another of the same setup, or with simulations of it.
package struct CourseComparison: Equatable, Sendable {
  /// Names of the two sides, as in the report.
  package let recorded: String
  package let other: String
  /// Checks by window; those of the whole recording come last.
  package let checks: [MeasureCheck]

  /// Compares two recordings.
  package init(_ recording: SFURecording, with repetition: SFURecording) {
    self.init(
      recording, name: "\(repetition.name).csv", courses: [repetition.course],
      windows: recording.windows(with: repetition.course))
  }

  /// Compares a recording with the means over several simulations of it.
  package init(_ recording: SFURecording, simulated: [TileCourse]) {
    let windows = simulated.first.map(recording.windows) ?? []
    self.init(recording, name: "simulated", courses: simulated, windows: windows)
  }

  private init(_ recording: SFURecording, name: String, courses: [TileCourse], windows: [MeasureWindow]) {
    recorded = "\(recording.name).csv"
    other = name
    var checks: [MeasureCheck] = []
    for window in windows {
      guard let here = WindowMeasures(recording.course, in: window) else { continue }
      let there = courses.compactMap { WindowMeasures($0, in: window) }
      guard there.count == courses.count, !there.isEmpty else { continue }
      let mean = WindowMeasures.mean(of: there)
      checks += recording.measures.map {
        MeasureCheck(
          measure: $0, window: window, recorded: here[$0], other: mean[$0], isLayered: recording.isLayered)
      }
    }
    let shown = recording.isLayered ? [] : courses.map(\.allShown)
    if !shown.isEmpty {
      checks.append(
        MeasureCheck(
          measure: .allShown, window: nil, recorded: recording.course.allShown,
          other: shown.reduce(0, +) / Double(shown.count)))
    }
    self.checks = checks
  }

  package var held: Int { checks.count(where: \.holds) }

  /// Returns a measure of the last window, or of the whole recording.
  package func settled(_ measure: Measure) -> MeasureCheck? { checks.last { $0.measure == measure } }

  /// Formats a line per window, and one for the whole; `!` marks a miss.
  ///
  /// - Parameter shownDecimals: number of decimals of the times until all tiles are shown.
  package func lines(shownDecimals: Int = 0) -> [String] {
    var lines: [String] = []
    var window: MeasureWindow?
    for check in checks {
      let decimals = check.window == nil ? shownDecimals : 2
      let mark = check.holds ? "" : " !"
      let values = "\(check.recorded.text(decimals: decimals))/\(check.other.text(decimals: decimals))"
      guard let own = check.window else {
        lines.append("    all tiles shown after \(values) s\(mark)")
        continue
      }
      if own != window { lines.append("\(recorded) \(other) \(own.text) s") }
      window = own
      lines[lines.count - 1] += "  \(check.measure.rawValue) \(values)\(mark)"
    }
    return lines
  }
}
