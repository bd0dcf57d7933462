package import Quantity

/// Parameters of a unidirectional link.
package struct LinkParameters: Hashable, Sendable {
  /// Capacity over time; at zero, packets wait in the queue.
  package var capacity: CapacityProfile
  /// One-way propagation delay.
  package var propagationDelay: SimDuration
  /// Queue limit, excluding the packet in transmission.
  package var queueLimit: QueueLimit
  /// Queue discipline (AQM or scheduler).
  package var discipline: QueueDiscipline
  /// Independent random loss after transmission.
  package var loss: Fraction
  /// Burst loss, replaces ``loss``.
  package var burstLoss: GilbertElliott?
  /// Depth of a token-bucket shaper, as in `tc-tbf(8)`: a burst of up to this size departs at once, with no
  /// transmission time; `nil` for a link that serializes bit by bit. A shaped link drops at the tail, and a trace of
  /// delivery opportunities counts as its mean per second.
  package var bucket: ByteCount?
  /// Per-packet link-layer overhead, as `overhead` in `tc-stab(8)`: 14 bytes if a shaper counts Ethernet headers (`tc`
  /// does), 8 or more for PPPoE, 38 for Ethernet header, checksum, preamble and gap. It uses capacity and queue space
  /// but is not part of byte counters.
  package var overhead: ByteCount
  /// Standard deviation of the normal distribution whose absolute value, capped at three standard deviations, is each
  /// packet's extra delay. Packets keep their order and their spacing at the capacity (RFC 8868 section 4.5, NR-BPDV)
  /// unless ``reorders`` is set.
  package var jitter: SimDuration
  /// Permits ``jitter`` to reorder packets (RFC 8868 section 4.5, RBPDV).
  package var reorders = false
  /// Timed changes of parameters other than the capacity, in order of time; see ``change(_:at:)``.
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
  /// Copy of the link without its outages; `nil` if it has none.
  package var uninterrupted: LinkParameters? {
    guard !outages.isEmpty else { return nil }
    var link = self
    link.changes.removeAll { if case .down = $0.change { true } else { false } }
    return link
  }

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

/// Queue limit beyond which arriving packets are dropped.
package enum QueueLimit: Hashable, Sendable {
  case packets(Int)
  case bytes(ByteCount)
  /// Limit as the traffic that the current capacity (at zero capacity: the last positive one) carries in this time, at
  /// least ``QueueLimit/smallestDurationBytes``. RFC 8867 section 4 uses 300 ms.
  case duration(SimDuration)

  /// Minimum size of a limit given as a duration [byte]: token-bucket shapers on real test beds keep room for several
  /// packets at any rate.
  package static let smallestDurationBytes: Int64 = 10_000
}
