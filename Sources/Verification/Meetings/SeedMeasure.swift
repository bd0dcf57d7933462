/// A quantity measured in runs with several seeds, and compared with a limit as a single value.
struct SeedMeasure: Sendable {
  enum Limit: Sendable {
    case atLeast(Double)
    case atMost(Double)
    /// Absolute distance from a published value.
    case within(Double, of: Double)
  }

  /// Aggregation of the runs' values.
  enum Summary: Sendable {
    case mean
    /// For times, which are infinite if the event never happens.
    case median
    /// For limits that no run may exceed: the value furthest beyond the limit, or else nearest to it.
    case worst
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

  /// Compares the runs' summary with the limit, and reports how many runs exceed it individually.
  func check(_ runs: [MeetingSeries]) -> VerificationCheck {
    let values = runs.map(value)
    var check = check(summarized(values))
    let beyond = values.count { self.check($0).verdict == .fail }
    if beyond > 0 { check.remark = "\(beyond) of \(values.count) seeds beyond the bound" }
    return check
  }

  private func check(_ simulated: Double) -> VerificationCheck {
    switch limit {
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
    case .worst:
      return switch limit {
      case .atLeast: values.min() ?? .nan
      case .atMost: values.max() ?? .nan
      case .within(_, let published):
        values.max { abs($0 - published) < abs($1 - published) } ?? .nan
      }
    }
  }

  /// Describes how the values of several seeds are aggregated.
  static func text(_ measures: [SeedMeasure], seeds: Int) -> String {
    let hasTimes = measures.contains { $0.summary == .median }
    let hasWorst = measures.contains { $0.summary == .worst }
    return "means" + (hasTimes ? ", medians of times" : "") + (hasWorst ? ", the worst of maxima" : "")
      + " over \(seeds) seeds"
  }
}
