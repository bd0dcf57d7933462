/// How a link's queue decides what to drop, besides its limit.
package enum QueueDiscipline: String, Hashable, Sendable, CaseIterable {
  /// Nothing but what the limit has no room for.
  case dropTail = "drop-tail"
  /// Controlled delay (RFC 8289).
  case codel
  /// Controlled delay in a queue for each flow, served in turns (RFC 8290).
  case fqCodel = "fq-codel"
  /// Proportional integral controller enhanced (RFC 8033).
  case pie

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

/// CoDel's parameters (RFC 8289 section 4).
enum ControlledDelayParameters {
  static let target: Int64 = 5_000_000
  static let interval: Int64 = 100_000_000
  /// With no more than this left nothing is dropped [byte].
  static let packet: Int64 = 1514
}
