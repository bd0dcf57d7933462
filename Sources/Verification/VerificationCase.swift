/// A published experiment that the model is validated against.
package struct VerificationCase: Sendable {
  /// Short name, such as `goog-cc-capacity` or `rfc8867-5.1`.
  package var name: String
  /// Setup in one line.
  package var setup: String
  /// Source of the experiment and its values.
  package var source: String
  /// Set for a recording to which constants of the model were fitted.
  package var isFitted = false
  /// Reason why the case cannot be run, such as a file that is not a recording; `nil` if it can.
  package var defect: String?
  /// Runs the case.
  package var run: @Sendable () -> VerificationOutcome

  package init(
    name: String, setup: String, source: String, defect: String? = nil,
    run: @escaping @Sendable () -> VerificationOutcome
  ) {
    self.name = name
    self.setup = setup
    self.source = source
    self.defect = defect
    self.run = run
  }
}

/// Outcome of a case.
package struct VerificationOutcome: Sendable {
  package var checks: [VerificationCheck]
  /// Series for plotting; empty for cases without a plot.
  package var series: [VerificationSeries]

  package init(checks: [VerificationCheck], series: [VerificationSeries] = []) {
    self.checks = checks
    self.series = series
  }

  /// Creates the outcome of a case whose run ended with an error.
  init(failure: any Error) {
    self.init(checks: [
      VerificationCheck("run", published: "runs", simulated: "\(failure)", tolerance: "-", holds: false)
    ])
  }
}

/// A published value and its simulated counterpart.
package struct VerificationCheck: Sendable {
  package enum Verdict: String, Sendable {
    case pass
    case fail
    /// The check fails for the reason in ``KnownFailure``.
    case knownFailure = "known-failure"
    /// The case could not be run here, for example because a recording is missing.
    case skipped
  }

  /// Measured quantity with its unit.
  package var metric: String
  package var published: String
  package var simulated: String
  /// Remark shown beside the simulated value; empty for none.
  package var remark = ""
  package var tolerance: String
  package var verdict: Verdict
  /// Kind of the quantity in a recorded call; `nil` in other cases.
  package var kind: CallCheckKind?

  package init(
    _ metric: String, published: String, simulated: String, tolerance: String, holds: Bool
  ) {
    self.metric = metric
    self.published = published
    self.simulated = simulated
    self.tolerance = tolerance
    verdict = holds ? .pass : .fail
  }

  /// Creates a check that could not be made.
  package init(skipped metric: String, because reason: String) {
    self.metric = metric
    published = "-"
    simulated = reason
    tolerance = "-"
    verdict = .skipped
  }

  /// Checks that a value is within an absolute distance of the published one.
  package init(_ metric: String, published: Double, simulated: Double, within tolerance: Double) {
    self.init(
      metric, published: Self.text(published), simulated: Self.text(simulated),
      tolerance: "±\(Self.text(tolerance))", holds: abs(simulated - published) <= tolerance)
  }

  /// Checks that a value is within a relative distance of the published one.
  package init(_ metric: String, published: Double, simulated: Double, withinShare share: Double) {
    self.init(
      metric, published: Self.text(published), simulated: Self.text(simulated),
      tolerance: "±\(Self.text(share * 100)) %", holds: abs(simulated - published) <= share * abs(published))
  }

  /// Checks a value against a lower bound.
  package init(_ metric: String, atLeast bound: Double, simulated: Double) {
    self.init(
      metric, published: "≥ \(Self.text(bound))", simulated: Self.text(simulated), tolerance: "bound",
      holds: simulated >= bound)
  }

  /// Checks a value against an upper bound.
  package init(_ metric: String, atMost bound: Double, simulated: Double) {
    self.init(
      metric, published: "≤ \(Self.text(bound))", simulated: Self.text(simulated), tolerance: "bound",
      holds: simulated <= bound)
  }

  /// Formats a value with two decimals, with one from 10 on, and with none from 100 on; `never` if it is not finite.
  package static func text(_ value: Double) -> String {
    guard value.isFinite else { return "never" }
    let magnitude = abs(value)
    let scale = magnitude >= 100 ? 1.0 : magnitude >= 10 ? 10 : 100
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

/// Values over time: one line of a plot.
package struct VerificationSeries: Sendable {
  /// Name of the line, such as `capacity` or `flow-1`.
  package var name: String
  /// Quantity on the vertical axis: `rate_kbps` or `queue_delay_ms`.
  package var quantity: String
  package var points: [(time: Double, value: Double)]

  package init(name: String, quantity: String, points: [(time: Double, value: Double)]) {
    self.name = name
    self.quantity = quantity
    self.points = points
  }
}
