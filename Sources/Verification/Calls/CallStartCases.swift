import Scenario

/// Picture sizes at which calls with one encoding start, which are random in real calls as in ours (`AllocationWait`).
///
/// 25 recorded calls of Chromium, one to one: without delay on the path ten of 15 started at 180 lines and five at 270;
/// with 20 ms or more each way two of ten started at 180, three at 270 and five at 360. A check passes if the share of
/// our seeds lies in the 95 % interval of the recorded share (Clopper and Pearson).
enum CallStartCases {
  /// Recorded starts at a height.
  private struct Recorded {
    let lines: Int
    let count: Int
    /// 95 % interval of the share [%].
    let interval: ClosedRange<Double>

    init(_ lines: Int, _ count: Int, _ interval: ClosedRange<Double>) {
      self.lines = lines
      self.count = count
      self.interval = interval
    }
  }

  static let all = [
    start(
      "first-picture", "without delay", delay: "200 us", of: 15,
      [.init(180, 10, 38.4...88.2), .init(270, 5, 11.8...61.6), .init(360, 0, 0...21.8)]),
    start(
      "first-picture-20ms", "20 ms each way", delay: "20 ms", of: 10,
      [.init(180, 2, 2.5...55.6), .init(270, 3, 6.7...65.2), .init(360, 5, 18.7...81.3)]),
  ]

  private static func start(
    _ name: String, _ path: String, delay: String, of total: Int, _ recorded: [Recorded]
  ) -> VerificationCase {
    VerificationCase(
      name: name, setup: "first picture of a call of two on 2000 kbps, \(path); \(CallRuns.tried) seeds",
      source: "\(total) recorded calls of Chromium"
    ) {
      do {
        let heights = try heights(delay: delay)
        return VerificationOutcome(checks: recorded.map { check($0, of: total, heights) })
      } catch {
        return VerificationOutcome(failure: error)
      }
    }
  }

  private static func check(_ recorded: Recorded, of total: Int, _ heights: [Double?]) -> VerificationCheck {
    let count = heights.count { $0 == Double(recorded.lines) }
    let share = 100 * Double(count) / Double(heights.count)
    return VerificationCheck(
      "calls that start at \(recorded.lines) lines [%]",
      published: VerificationCheck.text(100 * Double(recorded.count) / Double(total)),
      simulated: VerificationCheck.text(share),
      tolerance:
        "\(VerificationCheck.text(recorded.interval.lowerBound)) to "
        + VerificationCheck.text(recorded.interval.upperBound),
      holds: recorded.interval.contains(share))
  }

  /// Returns the heights of the first frames, by seed.
  private static func heights(delay: String) throws -> [Double?] {
    let overrides = [
      "duration=3s", "timeline=[{at: 0s, participant: sender, speaks: 3s}]",
      "links.shaped.capacity=2000 kbps", "links.shaped.delay=\(delay)", "links.open.delay=\(delay)",
    ]
    let call = try ScenarioReader.read(
      bytes: PackageResources.call_p2p_yaml, file: "call", directory: "", overrides: overrides)
    return try CallRuns.starts(of: call)
  }
}
