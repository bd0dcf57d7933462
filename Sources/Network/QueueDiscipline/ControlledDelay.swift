/// CoDel: drops at the head once packets have waited 5 ms or more for 100 ms, the more often the longer that lasts
/// (RFC 8289 section 5).
struct ControlledDelay: BitwiseCopyable {
  private var aboveSince: Int64 = -1
  private var dropNext: Int64 = 0
  private var count: Int64 = 0
  private var lastCount: Int64 = 0
  private var isDropping = false

  /// Whether the packet at the head, about to leave, is dropped instead; times in nanoseconds.
  mutating func drops(waited: Int64, bytesLeft: Int64, at now: Int64) -> Bool {
    let mayDrop = isAbove(waited, bytesLeft, now)
    if isDropping {
      guard mayDrop else {
        isDropping = false
        return false
      }
      guard now >= dropNext else { return false }
      count += 1
      dropNext = Self.next(after: dropNext, count)
      return true
    }
    guard mayDrop else { return false }
    isDropping = true
    let recent = count - lastCount
    let isSoon = now - dropNext < 16 * ControlledDelayParameters.interval
    count = recent > 1 && isSoon ? recent : 1
    dropNext = Self.next(after: now, count)
    lastCount = count
    return true
  }

  private mutating func isAbove(_ waited: Int64, _ bytesLeft: Int64, _ now: Int64) -> Bool {
    guard waited >= ControlledDelayParameters.target, bytesLeft > ControlledDelayParameters.packet else {
      aboveSince = -1
      return false
    }
    if aboveSince < 0 {
      aboveSince = now + ControlledDelayParameters.interval
      return false
    }
    return now >= aboveSince
  }

  /// The control law: an interval divided by the square root of the drops.
  private static func next(after time: Int64, _ count: Int64) -> Int64 {
    time + Int64(Double(ControlledDelayParameters.interval) / Double(count).squareRoot())
  }
}
