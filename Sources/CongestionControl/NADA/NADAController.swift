package import Quantity

/// Network-Assisted Dynamic Adaptation (RFC 8698), entirely at the sender.
///
/// In the RFC, the receiver computes congestion signal, receiving rate and update mode and reports them every 100 ms.
/// Here the sender computes them from per-packet feedback, as discussed in RFC 8698 section 6.4, and updates the rate
/// with the first feedback at least DELTA after the last update. Not modelled: ECN marks, and the rate shaping buffer
/// of section 5.2, which belongs to the encoder: the pacing rate exceeds the rate by ``NADAParameters/pacingFactor``
/// instead. Ours: the reaction to missing feedback, and the bound TAU on the update interval.
///
/// The base delay is the minimum over all packets, small ones included: if a link serializes a full packet for longer
/// than QEPS, the accelerated ramp-up needs packets of similar sizes.
package struct NADAController: Sendable {
  private let parameters: NADAParameters
  private var constraints: RateConstraints
  private var senderDemand = SenderDemand()
  private var base: BaseDelay
  private var delays: MinimumFilter
  private var roundTrips: MinimumFilter
  private var window: ObservationWindow
  private var intervals = LossIntervals()
  /// p_loss: smoothed loss ratio.
  private var loss = 0.0
  private var updatedAt: SimTime?
  /// Send time of the first packet since the last feedback.
  private var waitingSince: SimTime?
  /// r_ref: reference rate.
  private var rate: BitRate
  /// x_curr: congestion signal [ms].
  package private(set) var congestionSignal = 0.0
  /// Set if the last update was an accelerated ramp-up.
  package private(set) var isRampingUp = false

  package init(parameters: NADAParameters = .init(), constraints: RateConstraints, at now: SimTime) {
    self.parameters = parameters
    self.constraints = constraints
    base = BaseDelay(history: parameters.baseHistory, at: now)
    delays = MinimumFilter(taps: parameters.filterTaps)
    roundTrips = MinimumFilter(taps: parameters.filterTaps)
    window = ObservationWindow(length: parameters.window, shortest: parameters.updateInterval)
    rate = constraints.start
    rate = clamped(rate)
  }

  /// Target; RFC 8698 uses no padding.
  package var target: PathTarget {
    let pacing = max(rate, senderDemand.minimumAllocated).scaled(by: parameters.pacingFactor)
    return PathTarget(rate: rate, pacing: RateLimit(pacing), padding: .zero)
  }

  /// Minimum of the last round trips, from a packet's departure to its feedback; zero before the first feedback.
  package var roundTrip: SimDuration { roundTrips.minimum ?? .zero }

  package mutating func send(_ packet: SentPacket) {
    if waitingSince == nil { waitingSince = packet.sentAt }
  }

  /// Reports sent packets in sending order.
  package mutating func send(_ packets: Span<SentPacket>) {
    for index in packets.indices { send(packets[index]) }
  }

  /// Processes a feedback message in order of sequence numbers.
  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {
    guard !feedback.isEmpty else { return }
    waitingSince = nil
    for result in feedback {
      window.append(result)
      guard let receivedAt = result.receivedAt else {
        intervals.appendLost()
        continue
      }
      intervals.appendReceived()
      let delay = receivedAt - result.packet.sentAt
      base.append(delay, at: now)
      delays.append(delay)
      roundTrips.append(now - result.packet.sentAt)
    }
    guard let last = updatedAt else {
      updatedAt = now
      return
    }
    guard now - last >= parameters.updateInterval else { return }
    updatedAt = now
    update(interval: min(now - last, parameters.horizon))
  }

  /// Checks for missing feedback; called every 25 ms.
  package mutating func process(at now: SimTime) {
    guard let since = waitingSince, now - since >= parameters.feedbackTimeout + roundTrip else { return }
    waitingSince = now
    rate = clamped(rate.scaled(by: 0.5))
  }

  /// Updates the streams' rate demand. It only affects the minimum pacing rate: RFC 8698 has no notion of an
  /// application-limited sender, and the rate grows up to RMAX.
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) { senderDemand = demand }

  package mutating func constrain(_ constraints: RateConstraints, at now: SimTime) {
    self.constraints = constraints
    rate = clamped(rate)
  }

  /// RMAX: maximum rate.
  private var maximumRate: BitRate {
    constraints.maximum.rate ?? parameters.maximumRate
  }

  private func clamped(_ rate: BitRate) -> BitRate {
    min(max(rate, constraints.minimum, parameters.minimumRate), maximumRate)
  }

  private mutating func update(interval: SimDuration) {
    guard let delay = delays.minimum, let base = base.minimum else { return }
    loss += parameters.lossSmoothing * (window.lossRatio - loss)
    let previous = congestionSignal
    let queuing = delay - base
    let seen =
      if let mean = intervals.mean {
        parameters.warped(queuing, packetsSinceLoss: intervals.open, interval: mean)
      } else {
        Double(queuing.nanoseconds) / 1e6
      }
    congestionSignal = parameters.signal(delay: seen, loss: loss)
    isRampingUp = window.lost == 0 && (window.longestDelay ?? delay) - base < parameters.rampUpQueue
    if isRampingUp {
      let reached = (1 + parameters.rampUp(roundTrip: roundTrip)) * window.receivedRate
      rate = clamped(max(rate, BitRate(rounding: reached)))
    } else {
      let updated = parameters.gradual(
        from: Double(rate.bitsPerSecond), signal: congestionSignal, previous: previous,
        maximum: Double(maximumRate.bitsPerSecond), interval: interval)
      rate = clamped(BitRate(rounding: max(0, updated)))
    }
  }
}

extension NADAController: RateController {
  package static let traits = EstimatorTraits(.transportFeedback)

  /// Creates a controller at the default start rate, bounded by the parameters only.
  package init(parameters: NADAParameters, at now: SimTime) {
    self.init(parameters: parameters, constraints: RateConstraints(), at: now)
  }

  package mutating func handle(_ input: ControllerInput, at now: SimTime) {
    switch input {
    case .feedback(let feedback): receive(feedback, at: now)
    case .process: process(at: now)
    case .demand(let demand): self.demand(demand, at: now)
    case .report, .capacity, .estimate, .command: break
    }
  }

  package func outlook() -> PathOutlook { PathOutlook(target: target) }
}
