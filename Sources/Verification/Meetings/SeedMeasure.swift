/// Something that is measured in the runs of several seeds and held against a limit as one value.
struct SeedMeasure: Sendable {
  enum Limit: Sendable {
    case atLeast(Double)
    case atMost(Double)
    /// An absolute distance from a published value.
    case within(Double, of: Double)
  }

  /// How the runs' values become one.
  enum Summary: Sendable {
    case mean
    /// For times, which may be infinite for what never comes.
    case median
  }

  private let metric: String
  private let limit: Limit
  private let summary: Summary
  private let value: @Sendable (MeetingSeries) -> Double

  init(
    _ metric: String, _ limit: Limit, over summary: Summary = .mean,
    value: @escaping @Sendable (MeetingSeries) -> Double
  ) {
    self.metric = metric
    self.limit = limit
    self.summary = summary
    self.value = value
  }

  func check(_ runs: [MeetingSeries]) -> VerificationCheck {
    let simulated = summarized(runs.map(value))
    return switch limit {
    case .atLeast(let bound): VerificationCheck(metric, atLeast: bound, simulated: simulated)
    case .atMost(let bound): VerificationCheck(metric, atMost: bound, simulated: simulated)
    case .within(let tolerance, let published):
      VerificationCheck(metric, published: published, simulated: simulated, within: tolerance)
    }
  }

  private func summarized(_ values: [Double]) -> Double {
    guard !values.isEmpty, !values.contains(where: \.isNaN) else { return .nan }
    switch summary {
    case .mean: return values.reduce(0, +) / Double(values.count)
    case .median:
      let sorted = values.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
  }

  /// Says how values of ten seeds are joined.
  static func text(_ measures: [SeedMeasure]) -> String {
    let hasTimes = measures.contains { $0.summary == .median }
    return "means" + (hasTimes ? " and medians of times" : "") + " over ten seeds"
  }
}
