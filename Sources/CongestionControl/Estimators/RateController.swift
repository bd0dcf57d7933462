package import Parameters
package import Quantity

/// What finds out, for one path, how fast its sender may send.
///
/// A state machine without a clock or a network: whoever owns them tells it what happened and takes its ``outlook()``.
/// Times of calls do not fall. What a controller has no use for it need not implement.
package protocol RateController: ~Copyable, Sendable {
  associatedtype Parameters: RateControllerParameters

  /// Whether packets are numbered, paced and reported for it; one that does without is told the capacity instead.
  static var usesFeedback: Bool { get }

  init(parameters: Parameters, at now: SimTime)

  /// Takes packets that left one after another, in the order of leaving, before anything later is told or asked.
  mutating func send(_ packets: Span<SentPacket>)

  /// Takes one transport-wide feedback message: its packets in the order of sending, lost ones included.
  mutating func receive(_ feedback: [PacketResult], at now: SimTime)

  /// Takes an RTCP receiver report.
  ///
  /// - Parameters:
  ///   - lost: how many packets the receiver missed...
  ///   - packets: ... of as many since its last report.
  ///   - roundTrip: by this report; zero for unknown.
  mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime)

  /// Does what is due with time alone, every ``EstimatorConfiguration/processInterval``.
  mutating func process(at now: SimTime)

  /// Takes what the streams could use.
  mutating func demand(_ demand: SenderDemand, at now: SimTime)

  /// Takes the path's true capacity, which holds from now on; told only to a controller without feedback.
  mutating func observe(capacity: BitRate, at now: SimTime)

  /// The next burst to send above the target, if one is wanted.
  mutating func takeProbe() -> ProbeCluster?

  /// What it says now.
  func outlook() -> PathOutlook
}

extension RateController where Self: ~Copyable {
  package mutating func send(_ packets: Span<SentPacket>) {}
  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {}
  package mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {}
  package mutating func process(at now: SimTime) {}
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {}
  package mutating func observe(capacity: BitRate, at now: SimTime) {}
  package mutating func takeProbe() -> ProbeCluster? { nil }
}

/// Parameters of a rate controller.
package protocol RateControllerParameters: Parameterized {
  /// Packet headers relative to video payload.
  var headerShare: Double { get }
}

extension RateControllerParameters {
  /// 72 bytes on packets of some 700 bytes, as small pictures have them.
  package var headerShare: Double { 0.1 }
}
