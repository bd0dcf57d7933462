package import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a TCP sender sets its window.
package enum TCPCongestionControl: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// RFC 9438.
  case cubic
  /// RFC 5681 with the recovery of RFC 6582 (NewReno).
  case reno
}

/// A segment of a TCP flow; segments are of one size and numbered from 0.
package struct TCPSegment: BitwiseCopyable, Equatable, Sendable {
  package var number: UInt32
  package var sentAt: SimTime

  package init(number: UInt32, sentAt: SimTime) {
    self.number = number
    self.sentAt = sentAt
  }
}

/// The sending side of a TCP flow, segment by segment.
///
/// Slow start from ten segments (RFC 6928), congestion avoidance, fast retransmit and NewReno recovery, retransmission
/// timeouts of RFC 6298 with Linux's least value of 200 ms. Without selective acknowledgements, HyStart and pacing. It
/// has no timer: whoever drives it calls ``timeout(at:)`` at ``deadline``, and after every call takes segments with
/// ``next(at:)`` until there is none.
package struct TCPSender: BitwiseCopyable, Sendable {
  /// Size on the wire of a full segment: 1448 bytes of payload.
  package static let segmentSize: UInt16 = 1500
  package static let acknowledgementSize: UInt16 = 52
  private static let initialWindow = 10.0
  private static let leastTimeout = 0.2
  private static let greatestTimeout = 60.0
  private static let cubicScale = 0.4
  private static let cubicBackoff = 0.7
  private static let renoBackoff = 0.5

  private let control: TCPCongestionControl
  /// Segments in all; `.max` for an endless flow.
  private let total: UInt32
  /// Segments.
  package private(set) var window = Self.initialWindow
  package private(set) var threshold = Double.infinity
  private var unacknowledged: UInt32 = 0
  private var nextNumber: UInt32 = 0
  private var duplicates = 0
  private var recoverUntil: UInt32 = 0
  private var isRecovering = false
  private var mustRepeat = false
  private var smoothedRoundTrip = 0.0
  private var roundTripVariation = 0.0
  package private(set) var timeout = 1.0
  /// When ``timeout(at:)`` is wanted; in the distant future while nothing is under way.
  package private(set) var deadline = SimTime.distantFuture
  // CUBIC: the window before the last cut, when the present epoch began, and Reno's window beside it.
  private var windowBefore = 0.0
  private var epochAt: SimTime?
  private var friendlyWindow = 0.0

  /// - Parameter segments: how many to send; `nil` for as long as it is asked.
  package init(control: TCPCongestionControl, segments: UInt32? = nil) {
    self.control = control
    total = segments ?? .max
  }

  package var isFinished: Bool { unacknowledged >= total }
  package var inFlight: UInt32 { nextNumber - unacknowledged }

  /// The next segment that the window allows; `nil` for none.
  package mutating func next(at now: SimTime) -> TCPSegment? {
    if mustRepeat {
      mustRepeat = false
      restart(at: now)
      return TCPSegment(number: unacknowledged, sentAt: now)
    }
    guard nextNumber < total, Double(inFlight) + 1 <= window else { return nil }
    if deadline == .distantFuture { restart(at: now) }
    defer { nextNumber += 1 }
    return TCPSegment(number: nextNumber, sentAt: now)
  }

  /// An acknowledgement of everything below a number, in answer to a segment sent at a time.
  package mutating func acknowledge(_ number: UInt32, echo: SimTime, at now: SimTime) {
    guard number >= unacknowledged else { return }
    measure((now - echo).seconds)
    if number == unacknowledged {
      guard inFlight > 0 else { return }
      duplicates += 1
      if isRecovering {
        window += 1
      } else if duplicates == 3 {
        enterRecovery()
      }
      return
    }
    let acknowledged = number - unacknowledged
    unacknowledged = number
    nextNumber = max(nextNumber, number)
    duplicates = 0
    if isRecovering {
      if number >= recoverUntil {
        isRecovering = false
        window = threshold
      } else {
        mustRepeat = true
        window = max(1, window - Double(acknowledged) + 1)
      }
    } else {
      grow(Double(acknowledged), at: now)
    }
    if inFlight == 0 { deadline = .distantFuture } else { restart(at: now) }
  }

  /// Nothing was acknowledged in time: everything from the oldest segment on is sent again.
  package mutating func timeout(at now: SimTime) {
    guard deadline != .distantFuture else { return }
    windowBefore = window
    threshold = max(Double(inFlight) / 2, 2)
    window = 1
    epochAt = nil
    isRecovering = false
    duplicates = 0
    nextNumber = unacknowledged
    timeout = min(timeout * 2, Self.greatestTimeout)
    deadline = .distantFuture
  }

  private mutating func enterRecovery() {
    isRecovering = true
    recoverUntil = nextNumber
    windowBefore = window
    epochAt = nil
    let backoff = control == .cubic ? Self.cubicBackoff : Self.renoBackoff
    threshold = max(Double(inFlight) * backoff, 2)
    window = threshold + 3
    mustRepeat = true
  }

  private mutating func grow(_ acknowledged: Double, at now: SimTime) {
    if window < threshold {
      window = min(window + acknowledged, max(threshold, window))
      return
    }
    switch control {
    case .reno: window += acknowledged / window
    case .cubic: window = cubicWindow(acknowledged, at: now)
    }
  }

  /// W(t) = C (t - K)^3 + Wmax, or Reno's window where that is greater (RFC 9438 sections 4.2, 4.3).
  private mutating func cubicWindow(_ acknowledged: Double, at now: SimTime) -> Double {
    let began = epochAt ?? now
    if epochAt == nil {
      epochAt = now
      windowBefore = max(windowBefore, window)
      friendlyWindow = window
    }
    let elapsed = (now - began).seconds + smoothedRoundTrip
    let target = Self.cubic(elapsed, before: windowBefore, after: window(afterCut: windowBefore))
    friendlyWindow += 3 * (1 - Self.cubicBackoff) / (1 + Self.cubicBackoff) * acknowledged / window
    let next =
      target > window ? window + (min(target, 1.5 * window) - window) / window * acknowledged : window
    return max(next, friendlyWindow)
  }

  private func window(afterCut before: Double) -> Double { before * Self.cubicBackoff }

  /// The cubic curve some seconds after a cut from one window to another [segments].
  package static func cubic(_ elapsed: Double, before: Double, after: Double) -> Double {
    let k = cbrt((before - after) / cubicScale)
    let distance = elapsed - k
    return cubicScale * distance * distance * distance + before
  }

  /// RFC 6298 section 2.
  private mutating func measure(_ roundTrip: Double) {
    if smoothedRoundTrip == 0 {
      smoothedRoundTrip = roundTrip
      roundTripVariation = roundTrip / 2
    } else {
      roundTripVariation = 0.75 * roundTripVariation + 0.25 * abs(smoothedRoundTrip - roundTrip)
      smoothedRoundTrip = 0.875 * smoothedRoundTrip + 0.125 * roundTrip
    }
    timeout = min(max(smoothedRoundTrip + 4 * roundTripVariation, Self.leastTimeout), Self.greatestTimeout)
  }

  private mutating func restart(at now: SimTime) {
    deadline = now + SimDuration(nanoseconds: Int64(timeout * 1e9))
  }
}

/// The receiving side of a TCP flow: acknowledges every segment with the first number that it lacks.
package struct TCPReceiver: BitwiseCopyable, Sendable {
  /// Segments beyond the first missing one that can be kept.
  private static let capacity: UInt32 = 2048

  private var expected: UInt32 = 0
  private var isHere = InlineArray<32, UInt64>(repeating: 0)

  package init() {}

  /// Takes a segment; gives the acknowledgement.
  package mutating func receive(_ number: UInt32) -> UInt32 {
    guard number >= expected, number - expected < Self.capacity else { return expected }
    mark(number, true)
    while isMarked(expected) {
      mark(expected, false)
      expected += 1
    }
    return expected
  }

  private func isMarked(_ number: UInt32) -> Bool {
    let bit = number & (Self.capacity - 1)
    return isHere[Int(bit >> 6)] >> UInt64(bit & 63) & 1 == 1
  }

  private mutating func mark(_ number: UInt32, _ value: Bool) {
    let bit = number & (Self.capacity - 1)
    let mask = UInt64(1) << UInt64(bit & 63)
    if value { isHere[Int(bit >> 6)] |= mask } else { isHere[Int(bit >> 6)] &= ~mask }
  }
}
