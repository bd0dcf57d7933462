import CongestionControl
import Quantity
import Systems

/// A sender's own congestion detector as seen by the allocator: its last report, and the commands to it.
struct SenderDetector: Sendable {
  /// State in the last report.
  private(set) var state = PathCongestion.none
  /// Capacity in the last report [bit/s].
  private(set) var capacity: Int64 = 0
  private(set) var mayProbe = false
  private(set) var probeDuration = SimDuration.zero
  private var verdict: ProbeVerdict?
  private var probes: Int32 = 0
  var commands: [SenderCommand] = []

  mutating func report(_ state: PathCongestion, capacity: BitRate) {
    self.state = state
    self.capacity = capacity.bitsPerSecond
  }

  mutating func update(_ sender: SenderState) {
    mayProbe = sender.mayProbe
    probeDuration = sender.probeDuration
    capacity = sender.capacity.bitsPerSecond
    verdict = sender.verdict ?? verdict
  }

  mutating func beginProbe() {
    probes += 1
    verdict = nil
    commands.append(.beginProbe(probes))
  }

  mutating func takeVerdict() -> ProbeVerdict? {
    defer { verdict = nil }
    return verdict
  }

  mutating func reset() {
    state = .none
    verdict = nil
    mayProbe = false
    commands.append(.reset)
  }
}
