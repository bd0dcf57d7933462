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
}
