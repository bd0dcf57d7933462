package import Metrics
import Quantity

/// A value of a run and the bound it should satisfy.
package struct Expectation: Codable, Hashable, Sendable {
  /// Kind of subject described by the value.
  package var scope: ScalarMetric.Scope
  /// Id of the viewer, listener or participant, in which each `*` stands for any characters; empty for a link or the
  /// meeting.
  package var viewer: String
  /// Name of the source, voice or link, in which each `*` stands for any characters; empty for a participant or the
  /// meeting.
  package var source: String
  /// Metric name of `scalars.csv`, such as `frame_height`.
  package var metric: String
  /// Statistic of the metric, such as `p50`.
  package var stat: String
  /// Measurement of the value on an interval table; `nil` if every run records it.
  package var measure: Measure?
  /// Relation of the value to ``bound``.
  package var relation: Relation
  /// Bound in the metric's unit.
  package var bound: Double
  /// Line of the scenario file, for reports; 0 when unknown.
  package var line: Int
  /// Column of the scenario file; `nil` when unknown.
  package var column: Int?
  /// In a sweep, the statistic over a point's runs that is compared with the bound; `nil` for the mean.
  package var overRuns: RunStatistic?
  /// In a sweep, the ids of the points at which it must hold; `nil` for all.
  package var points: [String]?

  package init(
    scope: ScalarMetric.Scope = .tile, viewer: String, source: String, metric: String, stat: String,
    measure: Measure? = nil, relation: Relation, bound: Double, line: Int, column: Int? = nil
  ) {
    self.scope = scope
    self.viewer = viewer
    self.source = source
    self.metric = metric
    self.stat = stat
    self.measure = measure
    self.relation = relation
    self.bound = bound
    self.line = line
    self.column = column
  }

  /// A statistic over the runs of a point.
  package enum RunStatistic: String, Codable, Hashable, Sendable, CaseIterable {
    case mean, p05, p10, p25, p50, p75, p90, p95

    /// Share of runs below a quantile; `nil` for the mean.
    package var probability: Double? {
      switch self {
      case .mean: nil
      case .p05: 0.05
      case .p10: 0.1
      case .p25: 0.25
      case .p50: 0.5
      case .p75: 0.75
      case .p90: 0.9
      case .p95: 0.95
      }
    }
  }

  /// Relation between a value and its bound.
  package enum Relation: String, Codable, Hashable, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "=="

    /// Checks whether a value satisfies the bound.
    package func holds(_ value: Double, _ bound: Double) -> Bool {
      switch self {
      case .atLeast: value >= bound
      case .atMost: value <= bound
      case .above: value > bound
      case .below: value < bound
      case .equal: value == bound
      }
    }
  }
}

extension Expectation {
  /// A statistic over the intervals of a table's column, or a recovery time.
  package struct Measure: Codable, Hashable, Sendable {
    package var column: String
    package var statistic: IntervalStatistic
    /// Start of the window of intervals [ms]; `nil` for the meeting's start.
    package var from: Int64?
    /// End of the window of intervals [ms]; `nil` for the meeting's end.
    package var to: Int64?
    /// Condition at the end of a recovery; `nil` for any other statistic.
    package var target: Target?
    /// Unit of the value, as in `scalars.csv`.
    package var unit: String
    package var direction: ScalarRow.Direction

    package init(
      column: String, statistic: IntervalStatistic, from: Int64? = nil, to: Int64? = nil,
      target: Target? = nil,
      unit: String, direction: ScalarRow.Direction = .neither
    ) {
      self.column = column
      self.statistic = statistic
      self.from = from
      self.to = to
      self.target = target
      self.unit = unit
      self.direction = direction
    }

    /// Name in the column `stat`: `p05 from 10 s to 20 s`, `recovery to >= 720.0 from 40 s`.
    package var name: String {
      var name = statistic.rawValue
      if let target { name += " to \(target.relation.rawValue) \(target.bound)" }
      if let from { name += " from \(SimDuration.milliseconds(from))" }
      if let to { name += " to \(SimDuration.milliseconds(to))" }
      return name
    }
  }

  /// Target of a recovery.
  package struct Target: Codable, Hashable, Sendable {
    package var relation: Relation
    package var bound: Double

    package init(relation: Relation, bound: Double) {
      self.relation = relation
      self.bound = bound
    }
  }

  /// A statistic over the intervals of a table, each weighted by its length.
  package enum IntervalStatistic: String, Codable, Hashable, Sendable, CaseIterable {
    case mean, min, max, total, p05, p10, p20, p25, p50, p75, p80, p90, p95, p99
    /// Time from the start of the window to the end of the last interval that misses the target [s].
    case recovery

    /// Statistics that an expectation names by `stat`.
    package static let named = allCases.filter { $0 != .recovery }

    /// Percentage of the time below a quantile; `nil` for any other statistic.
    package var percent: Int64? { rawValue.hasPrefix("p") ? Int64(rawValue.dropFirst()) : nil }
  }

  /// Checks whether the expectation applies to the value of a viewer and source.
  package func covers(viewer: String, source: String) -> Bool {
    Self.matches(self.viewer, viewer) && Self.matches(self.source, source)
  }

  /// Indicates whether it may apply to several subjects.
  package var isAboutMany: Bool { viewer.contains("*") || source.contains("*") }

  /// Checks whether a name matches a pattern, in which each `*` stands for any characters.
  package static func matches(_ pattern: String, _ name: String) -> Bool {
    guard pattern.contains("*") else { return pattern == name }
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else { return false }
    var rest = name.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
