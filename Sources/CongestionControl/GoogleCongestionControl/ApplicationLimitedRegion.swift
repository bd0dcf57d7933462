package import Quantity

/// Parameters of application-limited region (ALR) detection.
///
/// libwebrtc's effective values: `alr_detector.cc` uses the settings enabled by default in `alr_experiment.cc`, not
/// those of its own header.
package struct ApplicationLimitedRegionParameters: Hashable, Sendable {
  /// Fraction of the target below which budget accrues.
  package var usage = 0.8
  /// Fraction of the maximum budget above which the region starts.
  package var enter = 0.40
  /// Fraction of the maximum budget below which the region ends.
  package var leave = -0.60
  /// Time whose accrual is the limit of the budget (`interval_budget.cc`).
  package var window = SimDuration.milliseconds(500)
  /// Time without a packet after which the region starts; `nil` for never.
  package var silence: SimDuration?

  package init() {}
}

/// Detector of phases in which the application, not the path, limits the send rate, so that the estimate is not an
/// upper bound (libwebrtc's `alr_detector.cc`, `interval_budget.cc`).
package struct ApplicationLimitedRegion: Sendable {
  private let parameters: ApplicationLimitedRegionParameters
  /// Rate at which budget accrues [bit/s].
  private var rate = 0.0
  /// Unused budget, negative if overused [bit].
  private var budget = 0.0
  /// Limit of the budget either way [bit].
  private var maximumBudget = 0.0
  private var lastSentAt: SimTime?
  /// Start of the current region; `nil` outside one.
  package private(set) var startedAt: SimTime?

  package init(parameters: ApplicationLimitedRegionParameters = .init()) { self.parameters = parameters }

  package mutating func setTarget(_ target: BitRate) {
    rate = Double(target.bitsPerSecond) * parameters.usage
    maximumBudget = rate * parameters.window.seconds
    budget = min(max(budget, -maximumBudget), maximumBudget)
  }

  /// Starts the region if nothing has been sent for long.
  package mutating func process(at now: SimTime) {
    guard startedAt == nil, let silence = parameters.silence, let lastSentAt else { return }
    if now - lastSentAt > silence { startedAt = now }
  }

  /// Reports packets sent by the pacer.
  mutating func send(_ packets: Span<SentPacket>) {
    for index in packets.indices { send(size: packets[index].size, at: packets[index].sentAt) }
  }

  /// Reports a packet sent by the pacer.
  @inline(__always)
  package mutating func send(size: Int32, at now: SimTime) {
    guard let before = lastSentAt else {
      lastSentAt = now
      return
    }
    lastSentAt = now
    budget = max(budget - Double(size) * 8, -maximumBudget)
    budget = min(budget + rate * (Double((now - before).nanoseconds) * 1e-9), maximumBudget)
    if startedAt == nil {
      if budget > parameters.enter * maximumBudget { startedAt = now }
    } else if budget < parameters.leave * maximumBudget {
      startedAt = nil
    }
  }
}
