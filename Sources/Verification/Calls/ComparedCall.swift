import Metrics
import Scenario

/// A recorded call compared with simulations of a scenario derived from it.
package struct ComparedCall: Sendable {
  /// Quantity of a run in a part of the call.
  package enum Measure: Sendable {
    /// Video that a viewer receives from a source, including RTP headers [kbps].
    case received(source: String)
    /// Everything that a participant sends, including IP headers [kbps].
    case sent(participant: String)
    /// Estimate of a participant's uplink [kbps].
    case estimate(participant: String)
    /// Most frequent height of a source.
    case height(source: String)
  }

  /// A recorded value.
  package struct Value: Sendable {
    let measure: Measure
    let seconds: Range<Int>
    let recorded: Double

    package init(_ measure: Measure, _ seconds: Range<Int>, recorded: Double) {
      self.measure = measure
      self.seconds = seconds
      self.recorded = recorded
    }
  }

  /// Seeds over which the mean is compared.
  private static let seeds: ClosedRange<UInt64> = 1...10
  /// RTP bytes per IP byte (about 1100 of 1138).
  private static let rtpShare = 1100.0 / 1138
  private static let viewer = "receiver"

  private let name: String
  private let scenario: String
  private let values: [Value]

  /// - Parameters:
  ///   - scenario: text of the scenario, whose viewer is `receiver`.
  package init(name: String, scenario: String, values: [Value]) {
    self.name = name
    self.scenario = scenario
    self.values = values
  }

  /// The comparison as a case, like those of recorded calls.
  package var verification: VerificationCase {
    VerificationCase(
      name: name, setup: "the imported call; \(Self.seeds.count) seeds",
      source: "settled stretches of the recording"
    ) {
      do {
        let loaded = try ScenarioReader.read(
          bytes: Array(scenario.utf8), file: name, directory: "", overrides: [])
        let runs = try Self.seeds.map { try MeetingSeries(loaded, seed: $0) }
        return VerificationOutcome(checks: values.map { Self.check($0, runs) })
      } catch {
        return VerificationOutcome(failure: error)
      }
    }
  }

  private static func check(_ value: Value, _ runs: [MeetingSeries]) -> VerificationCheck {
    let part = "\(value.seconds.lowerBound) to \(value.seconds.upperBound) s"
    func mean(_ factor: Double, _ column: (MeetingSeries) -> [Double?]) -> Double {
      CallRuns.mean(
        runs.map {
          $0.mean(column($0), Double(value.seconds.lowerBound), Double(value.seconds.upperBound)) * factor
            / 1000
        })
    }
    switch value.measure {
    case .received(let source):
      return .init(
        "received of \(source), \(part) [kbps]", published: value.recorded,
        simulated: mean(rtpShare) { $0.stream(viewer, source, "bitrate_bps") }, withinShare: 0.15)
    case .sent(let participant):
      return .init(
        "sent by \(participant), \(part) [kbps]", published: value.recorded,
        simulated: mean(1) { $0.participant(participant, "up_bitrate_bps") }, withinShare: 0.15)
    case .estimate(let participant):
      return .init(
        "estimate of \(participant), \(part) [kbps]", published: value.recorded,
        simulated: mean(1) { $0.participant(participant, "up_estimate_bps") }, withinShare: 0.25)
    case .height(let source):
      let heights = runs.flatMap {
        $0.window(
          $0.stream(viewer, source, "frame_height_px"), Double(value.seconds.lowerBound),
          Double(value.seconds.upperBound))
      }
      let simulated = mode(heights) ?? .nan
      // One step of libwebrtc's adaptation is 2/3 or 3/4 of the height.
      return .init(
        "height of \(source), \(part)", published: VerificationCheck.text(value.recorded),
        simulated: VerificationCheck.text(simulated), tolerance: "same or next",
        holds: simulated >= 0.65 * value.recorded && simulated <= 1.55 * value.recorded)
    }
  }

  /// Returns the most frequent value, the largest in a tie.
  private static func mode(_ values: [Double]) -> Double? {
    var counts: [Double: Int] = [:]
    for value in values where value > 0 { counts[value, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
