package import TestSupport
import Testing

/// Grants to the tiles of a server's only viewer over time, from the rows of `decisions.csv`.
package struct TileDecisions: Sendable {
  private struct Decision {
    var time: Double
    var isGiven: Bool
    var wasGiven: Bool
    var lacksBandwidth: Bool
  }

  private let bySource: [String: [Decision]]

  package init(_ rows: [Row]) {
    bySource = Dictionary(grouping: rows, by: { $0["source"] }).mapValues { rows in
      rows.map {
        Decision(
          time: $0.number("time_s"), isGiven: $0["given"] != "", wasGiven: $0["previous"] != "",
          lacksBandwidth: $0["reason"] == "bandwidth")
      }
    }
  }

  /// Indicates whether a source is granted nothing for lack of bandwidth at a time [s].
  package func withholds(_ source: String, at time: Double) -> Bool {
    guard let last = bySource[source]?.last(where: { $0.time <= time }) else { return false }
    return !last.isGiven && last.lacksBandwidth
  }

  /// Returns the share of grants to sources that had nothing before that were withdrawn for lack of bandwidth within a
  /// time [s].
  package func givenUpShare(within length: Double) -> Double {
    var begun = 0
    var givenUp = 0
    for decisions in bySource.values {
      var beganAt: Double?
      for decision in decisions where decision.isGiven != decision.wasGiven {
        if decision.isGiven {
          begun += 1
          beganAt = decision.time
        } else if let start = beganAt, decision.lacksBandwidth, decision.time - start <= length {
          givenUp += 1
        }
      }
    }
    return begun == 0 ? 0 : Double(givenUp) / Double(begun)
  }
}
