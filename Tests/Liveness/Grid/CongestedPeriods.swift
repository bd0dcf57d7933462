import TestSupport
import Testing

extension [Row] {
  /// Periods in which the server found its viewer's path congested, from the `events.csv` of a meeting with one viewer
  /// [s].
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

  /// Periods in which the server probed its viewer's path, from the `events.csv` of a meeting with one viewer [s]; a
  /// receiver's estimate follows within a second and a round trip.
  package func probePeriods(roundTrip: Double) -> [ClosedRange<Double>] {
    var periods: [ClosedRange<Double>] = []
    var begun: Double?
    for row in self where row["event"] == "probe" {
      let time = row.number("time_s")
      if row["detail"].hasPrefix("begins") {
        begun = time
      } else if let start = begun {
        periods.append(start...time + 1 + roundTrip)
        begun = nil
      }
    }
    return periods + (begun.map { [$0...Double.infinity] } ?? [])
  }
}

extension ClosedRange<Double> {
  /// Returns the duration of the overlap of this period with another [s].
  package func seconds(within other: ClosedRange<Double>) -> Double {
    Swift.max(0, Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound))
  }
}
