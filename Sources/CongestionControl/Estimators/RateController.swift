package import Parameters
package import Quantity

/// Congestion controller for one path.
///
/// A state machine without clock or network access: the owner passes events in and reads ``outlook()``. Times of calls
/// never decrease. All inputs have empty default implementations.
package protocol RateController: ~Copyable, Sendable {
  associatedtype Parameters: RateControllerParameters

  static var input: EstimatorInput { get }

  /// `true` if an allocator follows ``congestion`` and probes by itself; packets are then not paced.
  static var isAllocatorDriven: Bool { get }

  init(parameters: Parameters, at now: SimTime)

  /// Reports sent packets in sending order, before any later event or query.
  mutating func send(_ packets: Span<SentPacket>)

  /// Processes a transport-wide feedback message: its packets in sending order, lost ones included.
  mutating func receive(_ feedback: [PacketResult], at now: SimTime)

  /// Processes an RTCP receiver report.
  ///
  /// - Parameters:
  ///   - lost: packets lost since its last report.
  ///   - packets: packets expected since its last report.
  ///   - roundTrip: round trip measured by this report; zero if unknown.
  mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime)

  /// Runs the periodic processing, every ``EstimatorConfiguration/processInterval``.
  mutating func process(at now: SimTime)

  /// Updates the streams' rate demand.
  mutating func demand(_ demand: SenderDemand, at now: SimTime)

  /// Reports the path's true capacity from now on; only called for ``EstimatorInput/capacity``.
  mutating func observe(capacity: BitRate, at now: SimTime)

  /// Processes an estimate by the receiver; only called for ``EstimatorInput/receiverEstimate``.
  mutating func receive(estimate: BitRate, at now: SimTime)

  /// Returns the next probe cluster to send, if any.
  mutating func takeProbe() -> ProbeCluster?

  /// Returns the current target and encoder reduction.
  func outlook() -> PathOutlook

  /// State of a controller with a detector that allocators follow; otherwise ``PathCongestion/none``.
  var congestion: PathCongestion { get }

  /// Checks whether an allocator may have the path probed now, which only controllers that leave it to the allocator
  /// allow.
  func mayProbe(at now: SimTime) -> Bool

  /// Required duration of the allocator's next probe.
  var probeDuration: SimDuration { get }

  /// Carries out a command of the server that allocates the path.
  mutating func carryOut(_ command: SenderCommand, at now: SimTime)

  /// Returns a probe's result, once, when its feedback has arrived or is overdue.
  mutating func takeProbeVerdict(at now: SimTime) -> ProbeVerdict?
}

/// A command of an allocating server to a sender's estimator. Controllers ignore those that they have no use for.
package enum SenderCommand: Hashable, Sendable {
  /// Begins a probe: packets with this cluster's identifier.
  case beginProbe(Int32)
  /// Ends a probe that has been sent or abandoned.
  case endProbe
  /// Discards the estimate, as an allocator requests once nothing is limited any more.
  case reset
  /// Bounds the estimate, which restarts from the target that the server knows.
  case bound(minimum: BitRate, maximum: RateLimit)
}

extension RateController where Self: ~Copyable {
  package static var isAllocatorDriven: Bool { false }
  package mutating func send(_ packets: Span<SentPacket>) {}
  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {}
  package mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {}
  package mutating func process(at now: SimTime) {}
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {}
  package mutating func observe(capacity: BitRate, at now: SimTime) {}
  package mutating func receive(estimate: BitRate, at now: SimTime) {}
  package mutating func takeProbe() -> ProbeCluster? { nil }
  package var congestion: PathCongestion { .none }
  package func mayProbe(at now: SimTime) -> Bool { false }
  package var probeDuration: SimDuration { .zero }
  package mutating func carryOut(_ command: SenderCommand, at now: SimTime) {}
  package mutating func takeProbeVerdict(at now: SimTime) -> ProbeVerdict? { nil }
}

/// Parameters of a rate controller.
package protocol RateControllerParameters: Parameterized {
  /// Packet headers relative to video payload.
  var headerShare: Double { get }
}

extension RateControllerParameters {
  /// Overhead of 72 bytes on packets of about 700 bytes, typical of small pictures.
  package var headerShare: Double { 0.1 }
}
