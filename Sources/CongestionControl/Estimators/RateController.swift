package import Parameters
package import Quantity

/// A congestion controller for one path.
///
/// A state machine without clock or network access: the owner passes events in and reads ``outlook()``. Times of calls
/// never decrease. All inputs have empty default implementations.
package protocol RateController: ~Copyable, Sendable {
  associatedtype Parameters: RateControllerParameters

  static var input: EstimatorInput { get }

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

  /// Periodic processing, every ``EstimatorConfiguration/processInterval``.
  mutating func process(at now: SimTime)

  /// Updates the streams' rate demand.
  mutating func demand(_ demand: SenderDemand, at now: SimTime)

  /// Reports the path's true capacity from now on; only called for ``EstimatorInput/capacity``.
  mutating func observe(capacity: BitRate, at now: SimTime)

  /// Processes an estimate of the receiver; only called for ``EstimatorInput/receiverEstimate``.
  mutating func receive(estimate: BitRate, at now: SimTime)

  /// The next probe cluster to send, if any.
  mutating func takeProbe() -> ProbeCluster?

  /// The current target and encoder reduction.
  func outlook() -> PathOutlook
}

extension RateController where Self: ~Copyable {
  package mutating func send(_ packets: Span<SentPacket>) {}
  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {}
  package mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {}
  package mutating func process(at now: SimTime) {}
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {}
  package mutating func observe(capacity: BitRate, at now: SimTime) {}
  package mutating func receive(estimate: BitRate, at now: SimTime) {}
  package mutating func takeProbe() -> ProbeCluster? { nil }
}

/// Parameters of a rate controller.
package protocol RateControllerParameters: Parameterized {
  /// Packet headers relative to video payload.
  var headerShare: Double { get }
}

extension RateControllerParameters {
  /// 72 bytes on packets of about 700 bytes, typical of small pictures.
  package var headerShare: Double { 0.1 }
}
