import TestSupport
import Testing

extension [Row] {
  /// When the server found its viewer's path congested, by the rows of `events.csv` of a meeting with one viewer [s].
  package var congestedPeriods: [ClosedRange<Double>] {
    var periods: [ClosedRange<Double>] = []
    var congestedAt: Double?
    for row in self where row["event"] == "congestion" {
      let time = row.number("time_s")
      guard row["detail"] != "congested" else {
        congestedAt = congestedAt ?? time
        continue
      }
      if let start = congestedAt { periods.append(start...time) }
      congestedAt = nil
    }
    return periods + (congestedAt.map { [$0...Double.infinity] } ?? [])
  }

  /// When the server probed its viewer's path, by the rows of `events.csv` of a meeting with one viewer [s]; the estimate of
  /// a receiver follows within a second.
  package var probePeriods: [ClosedRange<Double>] {
    var periods: [ClosedRange<Double>] = []
    var begun: Double?
    for row in self where row["event"] == "probe" {
      let time = row.number("time_s")
      if row["detail"].hasPrefix("begins") {
        begun = time
      } else if let start = begun {
        periods.append(start...time + 1)
        begun = nil
      }
    }
    return periods + (begun.map { [$0...Double.infinity] } ?? [])
  }
}

extension ClosedRange<Double> {
  /// Returns how long this period lies within another [s].
  package func seconds(within other: ClosedRange<Double>) -> Double {
    Swift.max(0, Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound))
  }
}
