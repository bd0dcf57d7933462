package import Quantity

/// How a link's queue decides what to drop, besides its limit.
package enum QueueDiscipline: Hashable, Sendable {
  /// Nothing but what the limit has no room for.
  case dropTail
  /// Controlled delay (RFC 8289).
  case codel(CoDelParameters = CoDelParameters())
  /// Controlled delay in a queue for each flow, served in turns (RFC 8290).
  case fqCodel(FQCoDelParameters = FQCoDelParameters())
  /// Proportional integral controller enhanced (RFC 8033).
  case pie(PIEParameters = PIEParameters())

  /// The names that a scenario uses.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case dropTail = "drop-tail"
    case codel
    case fqCodel = "fq-codel"
    case pie
  }

  /// The discipline of a name with the parameters of its RFC.
  package init(_ name: Name) {
    switch name {
    case .dropTail: self = .dropTail
    case .codel: self = .codel()
    case .fqCodel: self = .fqCodel()
    case .pie: self = .pie()
    }
  }

  /// The name without the parameters.
  package var name: Name {
    switch self {
    case .dropTail: .dropTail
    case .codel: .codel
    case .fqCodel: .fqCodel
    case .pie: .pie
    }
  }
}

extension QueueDiscipline.Name {
  /// Small, for a link's state; 0 is drop-tail.
  var number: UInt8 {
    switch self {
    case .dropTail: 0
    case .codel: 1
    case .fqCodel: 2
    case .pie: 3
    }
  }
}

/// What can be set about CoDel.
package struct CoDelParameters: Hashable, Sendable, BitwiseCopyable {
  /// Time in the queue that is tolerated for good; RFC 8289 section 4: 5 ms.
  package var target = SimDuration.milliseconds(5)
  /// How long it may be exceeded before the first drop, of the order of the greatest round trip; RFC 8289 section
  /// 4: 100 ms.
  package var interval = SimDuration.milliseconds(100)
  /// With no more than this left nothing is dropped: the greatest packet; RFC 8289 section 5: one MTU, with its
  /// link header 1514 bytes.
  package var greatestPacket = ByteCount(1514)

  package init() {}
}

/// What can be set about FQ-CoDel.
package struct FQCoDelParameters: Hashable, Sendable, BitwiseCopyable {
  /// CoDel in each of the queues.
  package var codel = CoDelParameters()
  /// Number of queues that flows are spread over; RFC 8290 section 5.2: 1024.
  package var queues = 1024
  /// Bytes that a queue may send in a turn; RFC 8290 section 5.2: one MTU.
  package var quantum = ByteCount(1514)
  /// Packets that the fattest queue loses at once at most when there is no room; Linux (`sch_fq_codel.c`): 64.
  package var batch = 64

  package init() {}
}

/// What can be set about PIE.
package struct PIEParameters: Hashable, Sendable, BitwiseCopyable {
  /// Delay that the controller aims at; RFC 8033 section 4.2: 15 ms.
  package var target = SimDuration.milliseconds(15)
  /// Time between two looks at the probability; RFC 8033 section 4.2: 15 ms.
  package var update = SimDuration.milliseconds(15)
  /// Weight of the distance from the target [1/s]; RFC 8033 section 4.2: 1/8.
  package var alpha = 0.125
  /// Weight of the change since the last look [1/s]; RFC 8033 section 4.2: 1 1/4.
  package var beta = 1.25
  /// How long a burst out of an empty queue passes untouched; RFC 8033 section 4.4: 150 ms.
  package var burst = SimDuration.milliseconds(150)

  package init() {}
}
