package import Parameters
package import Quantity

/// Congestion controller for one path.
///
/// A state machine without clock or network access: the owner passes events in and reads ``outlook()``. Times of calls
/// never decrease. By default, inputs are ignored.
package protocol RateController: ~Copyable, Sendable {
  associatedtype Parameters: RateControllerParameters

  static var traits: EstimatorTraits { get }

  init(parameters: Parameters, at now: SimTime)

  /// Reports sent packets in sending order, before any later event or query.
  mutating func send(_ packets: Span<SentPacket>)

  mutating func handle(_ input: ControllerInput, at now: SimTime)

  /// Returns the next probe cluster to send, if any.
  mutating func takeProbe() -> ProbeCluster?

  /// Returns the current target and encoder reduction.
  func outlook() -> PathOutlook

  /// Returns the state that an allocator follows in place of ``outlook()``; `nil` unless it drives the controller.
  mutating func takeSenderState(at now: SimTime) -> SenderState?
}

/// Input of a controller.
package enum ControllerInput: Sendable {
  /// Transport-wide feedback message: its packets in sending order, lost ones included.
  case feedback([PacketResult])
  /// RTCP receiver report: packets lost and expected since its last one, and the round trip that it measures; zero if
  /// unknown.
  case report(lost: Int, expected: Int, roundTrip: SimDuration)
  /// Periodic processing, every ``EstimatorConfiguration/processInterval``.
  case process
  /// Rate demand of the streams.
  case demand(SenderDemand)
  /// True capacity of the path from now on, for ``EstimatorInput/capacity``.
  case capacity(BitRate)
  /// Estimate by the receiver, for ``EstimatorInput/receiverEstimate``.
  case estimate(BitRate)
  /// Command of the server that allocates the path.
  case command(SenderCommand)
}

/// A command of an allocating server to a sender's estimator. Controllers ignore those that do not apply to them.
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
  package mutating func send(_ packets: Span<SentPacket>) {}
  package mutating func handle(_ input: ControllerInput, at now: SimTime) {}
  package mutating func takeProbe() -> ProbeCluster? { nil }
  package mutating func takeSenderState(at now: SimTime) -> SenderState? { nil }
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
