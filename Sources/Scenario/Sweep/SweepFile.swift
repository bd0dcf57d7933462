package import Meeting
package import Quantity

/// What a sweep file says: a scenario, what varies in it, and how often each point is run.
package struct SweepFile {
  /// How points are made from variables.
  package enum Design: Sendable {
    /// Every combination; the variables of a group advance together.
    case grid(groups: [[Int]])
    /// Exactly these, each with a value per variable.
    case points([[SweepValue]])
    /// Points spread over the ranges, combined with every value of the other variables.
    case sample(SampleMethod, count: Int, seed: UInt64)
  }

  package enum SampleMethod: String, CaseIterable, Sendable {
    case latinHypercube = "latin-hypercube"
    case sobol
  }

  /// Which random numbers points draw.
  package enum Seeds: String, CaseIterable, Sendable {
    /// Repetition r draws the same at every point, so that differences between points are not chance.
    case common
    /// Every point draws its own.
    case independent
  }

  /// Repeats a point until the interval of a metric's mean is narrow enough.
  package struct StopRule: Codable, Hashable, Sendable {
    package var metric: String
    package var stat: String
    /// Empty for whichever there is.
    package var viewer: String
    package var source: String
    /// Half of the interval's width: a share of the mean, or an amount in the metric's unit.
    package var halfWidth: Double
    package var isRelative: Bool
    /// Repetitions at most.
    package var maximum: Int
  }

  /// What is expected, and at which points.
  package struct PointExpectation: Sendable {
    package var expectation: Expectation
    /// All of them have to hold for a point to be meant.
    package var conditions: [SweepExpression]
  }

  package var name: String
  package var title: String
  /// The file, as the user named it.
  package var path: String
  package var text: String
  package var scenario: ScenarioSource
  /// `PATH=VALUE` for every point.
  package var settings: [String]
  package var variables: [SweepVariable]
  package var design: Design
  /// What a point must fulfil to be run.
  package var constraints: [SweepExpression]
  package var repetitions: Int
  package var until: StopRule?
  package var seeds: Seeds
  /// In place of the scenario's.
  package var seed: UInt64?
  /// Wall time that one run may take.
  package var timeout: SimDuration
  package var keepsSeries: Bool
  /// Length of the intervals of the tables.
  package var interval: SimDuration
  /// Metrics, scopes and viewers that are kept; an empty list keeps all.
  package var metrics: [String]
  package var scopes: [String]
  package var viewers: [String]
  /// Level of the confidence intervals.
  package var level: Double
  package var expectations: [PointExpectation]
}
