import CongestionControl
import Media
package import Network
package import Quantity

/// A downlink whose receiver estimates its capacity: the send times in its packets, and the receiver's estimator.
package struct ReceiverState {
  private let parameters: ReceiveSideParameters
  var sendTimes = SendTimes()
  private var estimator: ReceiveSideEstimator
  private var throttle: REMBThrottle
  /// Estimate that is repeated in the RTCP of one stream.
  package private(set) var reported: BitRate?
  /// Source of the stream whose RTCP repeats the estimate.
  private(set) var reportingSource: Int?

  init(_ parameters: ReceiveSideParameters) {
    self.parameters = parameters
    estimator = ReceiveSideEstimator(parameters: parameters)
    throttle = REMBThrottle(parameters: parameters)
  }

  /// Restarts the estimator for a new connection.
  package mutating func restart() {
    let times = sendTimes
    self = ReceiverState(parameters)
    sendTimes = times
  }

  /// Handles a packet of video or padding.
  ///
  /// - Parameter source: source of the video; `nil` for padding, which has a stream of its own.
  /// - Returns: `true` if an estimate must be reported at once.
  package mutating func receive(_ packet: Packet, of source: Int?, at now: SimTime) -> Bool {
    if reportingSource == nil { reportingSource = source }
    let payload = Int(packet.size) - PacketOverhead.perPacket
    let stream = UInt32(packet.stream) << 8 | UInt32(packet.kind)
    guard
      let estimate = estimator.receive(
        payload: payload, sendTime: sendTimes[packet.transportSequence], ssrc: stream, arrivedAt: now,
        now: now),
      throttle.passes(estimate, at: now)
    else { return false }
    reported = estimate.codedAsREMB
    return true
  }
}

/// Send times that packets carry as a header extension (abs-send-time), by their number on the path.
///
/// They are stored here because a packet has no room for them; those of the last 8192 packets are kept.
struct SendTimes {
  private static let capacity = 8192

  private var times: [UInt32] = []
  package private(set) var next: UInt16 = 0

  /// Records the time of a packet that is sent now.
  ///
  /// - Returns: its number.
  package mutating func stamp(at now: SimTime) -> UInt16 {
    if times.isEmpty { times = Array(repeating: 0, count: Self.capacity) }
    let number = next
    next &+= 1
    times[Int(number) % Self.capacity] = Self.stamp(now)
    return number
  }

  /// Returns a time as 24 bits, in units of 2^-18 s.
  package static func stamp(_ time: SimTime) -> UInt32 {
    UInt32(truncatingIfNeeded: time.nanoseconds.scaled(by: 1 << 18, per: 1_000_000_000)) & 0xFF_FFFF
  }

  subscript(number: UInt16) -> UInt32 { times.isEmpty ? 0 : times[Int(number) % Self.capacity] }
}
