package import Quantity

/// What a directed link is like.
package struct LinkParameters: Hashable, Sendable {
  /// Bits per second over time; zero is an outage, during which packets wait.
  package var capacity: CapacityProfile
  /// One-way propagation delay.
  package var propagationDelay: SimDuration
  /// What the queue holds besides the packet in transmission.
  package var queueLimit: QueueLimit
  /// How the queue drops before it is full.
  package var discipline: QueueDiscipline
  /// Independent loss of each packet after its transmission.
  package var loss: Fraction
  /// Loss in bursts, in place of ``loss``.
  package var burstLoss: GilbertElliott?
  /// Bucket of a token-bucket shaper, as `tc-tbf(8)` has it: up to so much leaves at once when little was sent before,
  /// without any time for its transmission; `nil` for a link that sends bit by bit. Such a link drops at the tail, and a
  /// trace of opportunities counts as its mean per second.
  package var bucket: ByteCount?
  /// What the link adds to every packet, as `overhead` of `tc-stab(8)`: 14 bytes where a shaper counts Ethernet's header
  /// (`tc` does), 8 or more for PPPoE, 38 for Ethernet's header, checksum, preamble and gap. It takes capacity and room
  /// in the queue, and is in no count of bytes that arrived.
  package var overhead: ByteCount
  /// Standard deviation of the normal distribution whose absolute value, at most three times this one, delays each
  /// packet further; packets keep their order and their distance at the capacity (RFC 8868 section 4.5, NR-BPDV) unless
  /// ``reorders`` is set.
  package var jitter: SimDuration
  /// Whether ``jitter`` lets packets overtake one another (RFC 8868 section 4.5, RBPDV).
  package var reorders = false
  /// What changes during the run besides the capacity, times not falling; see ``change(_:at:)``.
  package internal(set) var changes: [LinkChangeStep] = []

  package init(
    capacity: CapacityProfile, propagationDelay: SimDuration = .zero,
    queueLimit: QueueLimit = .duration(.milliseconds(300)), loss: Fraction = .zero,
    jitter: SimDuration = .zero
  ) {
    self.capacity = capacity
    self.propagationDelay = propagationDelay
    self.queueLimit = queueLimit
    self.loss = loss
    self.jitter = jitter
    burstLoss = nil
    discipline = .dropTail
    bucket = nil
    overhead = .zero
  }
}

extension LinkParameters {
  /// Times at which the link is down, disjoint and in order.
  package var outages: [Range<SimTime>] {
    var outages: [Range<SimTime>] = []
    for step in changes {
      guard case .down(let length) = step.change else { continue }
      if let last = outages.last, step.at <= last.upperBound {
        outages[outages.count - 1] = last.lowerBound..<max(last.upperBound, step.at + length)
      } else {
        outages.append(step.at..<step.at + length)
      }
    }
    return outages
  }
}

/// How much a queue holds before it drops what arrives.
package enum QueueLimit: Hashable, Sendable {
  case packets(Int)
  case bytes(ByteCount)
  /// The bytes that the present capacity (during an outage: the last one above zero) carries in this time, at least
  /// ``QueueLimit/smallestDurationBytes``. RFC 8867 section 4 uses 300 ms.
  case duration(SimDuration)

  /// Token-bucket shapers on real test beds keep room for some packets however narrow the link [byte].
  package static let smallestDurationBytes: Int64 = 10_000
}
