package import Quantity

/// What can be set about the detection of a sender that has little to send.
///
/// The effective values in libwebrtc: `alr_detector.cc` takes them from the settings that are on by default in
/// `alr_experiment.cc`, not from its own header.
package struct ApplicationLimitedRegionParameters: Hashable, Sendable {
  /// A sender that uses less than this share of the target saves up a budget.
  package var usage = 0.8
  /// The region begins above this share of the greatest budget...
  package var enter = 0.40
  /// ... and ends below this one.
  package var leave = -0.60
  /// The greatest budget is what passes in this time (`interval_budget.cc`).
  package var window = SimDuration.milliseconds(500)

  package init() {}
}

/// Detects that the application, not the path, limits what is sent: the estimate then can't be trusted to be a limit
/// (libwebrtc's `alr_detector.cc`, `interval_budget.cc`).
package struct ApplicationLimitedRegion: Sendable {
  private let parameters: ApplicationLimitedRegionParameters
  /// What should be used [bit/s].
  private var rate = 0.0
  /// Saved up, or overdrawn [bit].
  private var budget = 0.0
  /// [bit]
  private var greatestBudget = 0.0
  private var lastSentAt: SimTime?
  /// When the present region began.
  package private(set) var startedAt: SimTime?

  package init(parameters: ApplicationLimitedRegionParameters = .init()) { self.parameters = parameters }

  package mutating func setTarget(_ target: BitRate) {
    rate = Double(target.bitsPerSecond) * parameters.usage
    greatestBudget = rate * parameters.window.seconds
    budget = min(max(budget, -greatestBudget), greatestBudget)
  }

  /// Takes packets that left the pacer.
  mutating func send(_ packets: Span<SentPacket>) {
    for index in packets.indices { send(size: packets[index].size, at: packets[index].sentAt) }
  }

  /// Takes a packet that left the pacer.
  @inline(__always)
  package mutating func send(size: Int32, at now: SimTime) {
    guard let before = lastSentAt else {
      lastSentAt = now
      return
    }
    lastSentAt = now
    budget = max(budget - Double(size) * 8, -greatestBudget)
    budget = min(budget + rate * (Double((now - before).nanoseconds) * 1e-9), greatestBudget)
    if startedAt == nil {
      if budget > parameters.enter * greatestBudget { startedAt = now }
    } else if budget < parameters.leave * greatestBudget {
      startedAt = nil
    }
  }
}
