import Quantity

/// CoDel as a state machine: drops at the head once packets have waited for the target or more during an interval, the
/// more often the longer that lasts (RFC 8289 section 5).
package struct ControlledDelay: BitwiseCopyable, Sendable {
  private let target: Int64
  private let interval: Int64
  private let greatestPacket: Int64
  /// When dropping may begin; below zero while packets wait shorter than the target.
  private var mayDropFrom: Int64 = -1
  private var dropNext: Int64 = 0
  private var count: Int64 = 0
  private var lastCount: Int64 = 0
  private var isDropping = false
  /// Whether the last packet was dropped while dropping, so that the next drop has no time yet.
  private var hasJustDropped = false

  package init(_ parameters: CoDelParameters) {
    target = parameters.target.nanoseconds
    interval = parameters.interval.nanoseconds
    greatestPacket = parameters.greatestPacket.bytes
  }

  /// Whether the packet at the head, about to leave, is dropped instead; then it is the next one's turn, at the same
  /// time.
  ///
  /// - Parameters:
  ///   - waited: its time in the queue [ns].
  ///   - bytesLeft: what waits behind it [byte].
  ///   - now: the time at which it would leave [ns].
  package mutating func drops(waited: Int64, bytesLeft: Int64, at now: Int64) -> Bool {
    let mayDrop = isAbove(waited, bytesLeft, now)
    guard isDropping else {
      if mayDrop { begin(at: now) }
      return mayDrop
    }
    guard mayDrop else {
      isDropping = false
      hasJustDropped = false
      return false
    }
    if hasJustDropped { dropNext = next(after: dropNext) }
    hasJustDropped = now >= dropNext
    if hasJustDropped { count += 1 }
    return hasJustDropped
  }

  /// Enters the dropping state: soon after the last time at nearly the rate that helped then.
  private mutating func begin(at now: Int64) {
    let recent = count - lastCount
    count = recent > 1 && now - dropNext < 16 * interval ? recent : 1
    lastCount = count
    dropNext = next(after: now)
    isDropping = true
  }

  private mutating func isAbove(_ waited: Int64, _ bytesLeft: Int64, _ now: Int64) -> Bool {
    guard waited >= target, bytesLeft > greatestPacket else {
      mayDropFrom = -1
      return false
    }
    if mayDropFrom < 0 {
      mayDropFrom = now + interval
      return false
    }
    return now >= mayDropFrom
  }

  /// The control law: an interval divided by the square root of the drops.
  private func next(after time: Int64) -> Int64 {
    time + Int64(Double(interval) / Double(count).squareRoot())
  }
}
