package import Quantity

/// Delivery rate of a TCP connection: draft-cheng-iccrg-delivery-rate-estimation, as in Linux's `tcp_rate.c`.
///
/// Each acknowledgement yields one sample, over the flight of the most recently sent segment among those it delivers.
struct DeliverySampler: Sendable {
  /// State of the connection when a segment was sent.
  private struct Departure: BitwiseCopyable, Sendable {
    var delivered: Int64 = 0
    var deliveredAt = SimTime.zero
    var firstSentAt = SimTime.zero
    var sentAt = SimTime.zero
    var isRetransmission = false
  }

  private var departures: [Departure]
  private let mask: Int64
  /// Segments delivered since the beginning (C.delivered).
  private(set) var delivered: Int64 = 0
  private var deliveredAt = SimTime.zero
  private var firstSentAt = SimTime.zero
  private var newest: Departure?

  /// - Parameter ringSize: maximum number of outstanding segments, a power of two.
  init(ringSize: Int) {
    departures = Array(repeating: Departure(), count: ringSize)
    mask = Int64(ringSize - 1)
  }

  mutating func noteSent(_ number: Int64, isRetransmission: Bool, isPipeEmpty: Bool, at now: SimTime) {
    if isPipeEmpty {
      firstSentAt = now
      deliveredAt = now
    }
    departures[Int(number & mask)] = Departure(
      delivered: delivered, deliveredAt: deliveredAt, firstSentAt: firstSentAt, sentAt: now,
      isRetransmission: isRetransmission)
  }

  mutating func noteDelivered(_ number: Int64) {
    delivered += 1
    let departure = departures[Int(number & mask)]
    if newest.map({ departure.sentAt >= $0.sentAt }) ?? true { newest = departure }
  }

  /// Returns the sample of the acknowledgement that has just been applied; `nil` if it delivered nothing.
  mutating func takeSample(at now: SimTime) -> DeliverySample? {
    guard let departure = newest else { return nil }
    newest = nil
    deliveredAt = now
    firstSentAt = departure.sentAt
    let interval = max(departure.sentAt - departure.firstSentAt, now - departure.deliveredAt)
    return DeliverySample(
      delivered: delivered - departure.delivered, priorDelivered: departure.delivered, interval: interval,
      roundTrip: departure.isRetransmission ? nil : now - departure.sentAt)
  }
}

/// Sample of the path's delivery rate and round trip from one acknowledgement.
package struct DeliverySample: BitwiseCopyable, Sendable {
  /// Segments delivered over ``interval``.
  package var delivered: Int64
  /// Segments that had been delivered when the sample's segment was sent.
  package var priorDelivered: Int64
  package var interval: SimDuration
  /// `nil` for a retransmission, whose acknowledgement may be the original's (RFC 6298 section 3).
  package var roundTrip: SimDuration?

  package init(delivered: Int64, priorDelivered: Int64, interval: SimDuration, roundTrip: SimDuration?) {
    self.delivered = delivered
    self.priorDelivered = priorDelivered
    self.interval = interval
    self.roundTrip = roundTrip
  }

  /// Delivery rate [segment/s]; 0 for an empty interval.
  package var rate: Double { interval > .zero ? Double(delivered) / interval.seconds : 0 }
}

/// An acknowledgement as BBR sees it.
package struct BBRAcknowledgement: BitwiseCopyable, Sendable {
  package var sample: DeliverySample
  /// Segments delivered since the beginning.
  package var totalDelivered: Int64
  /// Segments that it delivers, and those that it reveals as lost.
  package var acknowledged: Int
  package var lost: Int
  /// Segments in flight before and after it.
  package var priorInFlight: Int
  package var inFlight: Int

  package init(
    sample: DeliverySample, totalDelivered: Int64, acknowledged: Int, lost: Int = 0, priorInFlight: Int,
    inFlight: Int
  ) {
    self.sample = sample
    self.totalDelivered = totalDelivered
    self.acknowledged = acknowledged
    self.lost = lost
    self.priorInFlight = priorInFlight
    self.inFlight = inFlight
  }
}
