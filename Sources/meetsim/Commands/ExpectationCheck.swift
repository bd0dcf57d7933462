import Meeting
import Metrics
import Quantity

/// Holds a run against the scenario's expectations.
enum ExpectationCheck {
  /// The expectations that do not hold, each with its line and what was found.
  static func failures(
    of expectations: [Expectation], in result: MeetingRun.Result, interval: SimDuration
  ) -> [(line: Int, text: String)] {
    expectations.compactMap { expectation in
      let tile = result.tiles.first { $0.viewer == expectation.viewer && $0.source == expectation.source }
      let value = tile.flatMap { Self.value(expectation, $0.summary, interval) }
      if let value, expectation.relation.holds(value, expectation.bound) { return nil }
      let found = value.map { "\($0)" } ?? "nothing"
      return (
        expectation.line,
        "\(expectation.metric) (\(expectation.stat)) of \(expectation.source) at \(expectation.viewer) is "
          + "\(found), not \(expectation.relation.rawValue) \(expectation.bound)"
      )
    }
  }

  private static func value(_ expectation: Expectation, _ tile: TileSummary, _ interval: SimDuration)
    -> Double?
  {
    let seconds = Double(tile.intervals) * interval.seconds
    switch expectation.metric {
    case "frame_height": return Double(tile.medianHeight)
    case "requested_height_share": return Double(tile.thousandthsAsAsked) / 1000
    case "frames_per_second": return Double(tile.frames) / seconds
    case "bitrate": return Double(tile.bytes) * 8 / seconds
    case "freeze_count": return Double(tile.freezeCount)
    case "freezes_duration": return tile.freezesDuration.seconds
    case "packets_lost": return Double(tile.packetsLost)
    case "mos": return tile.scores > 0 ? Double(tile.scoreSum) / Double(tile.scores) / 100 : nil
    case "first_frame_delay": return tile.firstFrameDelay?.seconds
    case "frame_delay":
      if expectation.stat == "max" { return Double(tile.frameDelayMaximum) / 1e9 }
      return tile.frames > 0 ? Double(tile.frameDelaySum) / Double(tile.frames) / 1e9 : nil
    default: return nil
    }
  }
}
