import Metrics
import Plan
import Quantity

/// Schema of expectations.
extension ScenarioSchema {
  /// Schema of an expectation in a scenario.
  package static var expectation: Shape { expectation(beside: []) }

  /// Builds the schema of an expectation with additional keys.
  static func expectation(beside more: [(String, Shape)]) -> Shape {
    let metrics = ExpectationMetric.all
    let meanings = metrics.map { "\($0.metric) (\($0.stat)) of \($0.scope.phrase): \($0.meaning)" }
    let statistics = (Expectation.IntervalStatistic.named.map(\.rawValue) + metrics.map(\.stat))
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let every = "a name, 'every', or a pattern in which '*' stands for any characters"
    let tile = "{viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 360'}"
    let window = "{viewer: eve, source: ann, metric: frame_height, stat: min, is: '>= 90'}"
    let recovery = "{viewer: eve, source: ann, metric: frame_height, is: '>= 90', after: 1s, within: 5s}"
    return .mapping(
      [
        ("viewer", who("Viewing participants: \(every).", shown: "every").beside(tile)),
        (
          "source",
          who("Sources, ID/screen for a screen share: \(every).").beside(tile)
        ),
        (
          "voice",
          who("Participants who are heard: \(every).")
            .beside("{viewer: eve, metric: concealed_frac, stat: mean, is: '<= 0.1'}")
        ),
        (
          "participant",
          who("Participants, of whom a value of their own is meant: \(every).", shown: "eve")
            .beside("{metric: utility_ratio, is: '>= 0.5'}")
        ),
        (
          "link",
          Shape.anyText.described("Links: \(every).").shown("eve/down")
            .beside("{metric: queue_delay, stat: max, is: '<= 0.5'}")
        ),
        (
          "metric",
          Shape.word(ExpectationMetric.names()).described(
            "A value of the whole meeting, or a number in the subject's interval table, with or without its unit. "
              + meanings.joined(separator: "; ")
          ).shown("frame_height").beside(tile)
        ),
        (
          "stat",
          Shape.word(statistics).described(
            "Statistic of the metric over the meeting, or over the intervals of a table."
          ).withDefault(.text("mean")).shown("p05").beside(tile)
        ),
        (
          "from",
          Shape.quantity(.duration, "Only the intervals from this time on count.", examples: "30s")
            .shown("10s").beside(window)
        ),
        (
          "to",
          Shape.quantity(.duration, "Only the intervals until this time count.", examples: "60s")
            .shown("40s").beside(window)
        ),
        (
          "after",
          Shape.quantity(
            .duration,
            "The time from which on it may take 'within' until the metric is as stated, and stays so.",
            examples: "40s"
          ).shown("1s").beside(recovery)
        ),
        (
          "within",
          Shape.quantity(.duration, "How long that may take.", examples: "5s").shown("5s").beside(recovery)
        ), ("is", Shape.bound.beside(tile)),
      ] + more, required: ["metric", "is"],
      rules: [
        .any(of: [
          .all([.has("viewer"), exclusively("source", "voice")]),
          .not(.any(of: [.has("viewer"), .has("source"), .has("voice")])),
        ]),
        .not(.has("participant", "link")), .not(.has("participant", "viewer")), .not(.has("link", "viewer")),
        .when(
          .any(of: [.has("after"), .has("within")]),
          .all([.has("after", "within"), .not(.any(of: [.has("from"), .has("stat")]))])),
      ]
    ).with("{viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 360'}")
  }

  private static func exclusively(_ first: String, _ second: String) -> Rule {
    .exactlyOne(of: [first, second])
  }
}
