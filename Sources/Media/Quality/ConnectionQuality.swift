package import Quantity

/// Quality of a participant's connection, as its tile shows it to others.
///
/// The levels are those that video SDKs show; how their SFUs determine them is not published, so the rule is our model:
/// the worst of loss, delay and rate in either direction, with a vendor's published limits for loss and those of ITU-T
/// G.114 for delay.
package enum ConnectionQuality: Int, Hashable, Sendable, Comparable {
  case poor, good, excellent

  package static func < (a: ConnectionQuality, b: ConnectionQuality) -> Bool { a.rawValue < b.rawValue }

  /// One direction of a connection over an interval.
  package struct Path: Hashable, Sendable {
    /// Packets sent.
    package var packets: Int64
    /// Sent packets that were lost.
    package var packetsMissing: Int64
    /// Mean one-way delay with queues.
    package var delay: SimDuration
    /// Estimated capacity of the path for video.
    package var budget: RateLimit
    /// Rate that the video needs at full quality.
    package var need: BitRate

    package init(
      packets: Int64, packetsMissing: Int64, delay: SimDuration, budget: RateLimit, need: BitRate
    ) {
      self.packets = packets
      self.packetsMissing = packetsMissing
      self.delay = delay
      self.budget = budget
      self.need = need
    }
  }

  /// Rates a path: excellent below 0.5 % loss, up to 150 ms of delay, with a budget that covers the need; poor from
  /// 3 % loss, above 400 ms, or with less than half the need.
  package init(_ path: Path) {
    let loss: ConnectionQuality =
      path.packetsMissing * 100 >= path.packets * 3 && path.packetsMissing > 0
      ? .poor : path.packetsMissing * 200 >= path.packets && path.packetsMissing > 0 ? .good : .excellent
    let delay: ConnectionQuality =
      path.delay > .milliseconds(400) ? .poor : path.delay > .milliseconds(150) ? .good : .excellent
    let rate: ConnectionQuality =
      path.budget.admits(path.need)
      ? .excellent
      : path.budget.admits(BitRate(bitsPerSecond: path.need.bitsPerSecond / 2)) ? .good : .poor
    self = min(loss, min(delay, rate))
  }

  /// Word in `participants.csv`.
  package var name: StaticString {
    switch self {
    case .poor: "poor"
    case .good: "good"
    case .excellent: "excellent"
    }
  }
}
