package import Quantity

/// Filter for the estimates that are sent as REMB messages: notable falls at once, others at intervals (libwebrtc's
/// `remb_throttler.cc`).
package struct REMBThrottle: Sendable {
  private let interval: SimDuration
  /// Last rate relative to the new one from which a fall is notable [percent].
  private let threshold: Int64
  private var last: (estimate: BitRate, at: SimTime)?

  package init(parameters: ReceiveSideParameters = .init()) {
    interval = parameters.throttleInterval
    threshold = 100 + Int64(parameters.throttledFall)
  }

  /// Checks whether a new estimate is sent, and records it if so.
  package mutating func passes(_ estimate: BitRate, at now: SimTime) -> Bool {
    if let last, estimate.bitsPerSecond * threshold / 100 > last.estimate.bitsPerSecond,
      now < last.at + interval
    {
      return false
    }
    last = (estimate, now)
    return true
  }
}

extension BitRate {
  /// Rate as coded in a REMB message: 18 bits of mantissa and an exponent, rounded down
  /// (draft-alvestrand-rmcat-remb-03, section 2.2).
  package var codedAsREMB: BitRate {
    let excess = max(0, Int64.bitWidth - 18 - bitsPerSecond.leadingZeroBitCount)
    return BitRate(bitsPerSecond: (bitsPerSecond >> excess) << excess)
  }
}
