package import Parameters
package import Quantity

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

extension ControlledDelay: DroppingDiscipline {
  package mutating func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
  {
    drops(waited: waited, bytesLeft: bytesLeft, at: now)
  }
}

extension QueueDiscipline {
  /// Controlled delay (RFC 8289).
  package static func codel(_ parameters: CoDelParameters = CoDelParameters()) -> QueueDiscipline {
    QueueDiscipline("codel", ControlledDelay.self, parameters)
  }
}

/// What can be set about CoDel.
package struct CoDelParameters: Parameterized, BitwiseCopyable {
  /// Time in the queue that is tolerated for good; RFC 8289 section 4: 5 ms.
  package var target = SimDuration.milliseconds(5)
  /// How long it may be exceeded before the first drop, of the order of the greatest round trip; RFC 8289 section
  /// 4: 100 ms.
  package var interval = SimDuration.milliseconds(100)
  /// With no more than this left nothing is dropped: the greatest packet; RFC 8289 section 5: one MTU, with its
  /// link header 1514 bytes.
  package var greatestPacket = ByteCount(1514)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "target", \.target, in: .zero ... .seconds(10), "time in the queue that is tolerated for good",
      source: "RFC 8289 section 4"),
    .duration(
      "interval", \.interval, in: .zero ... .seconds(10), "how long it may be exceeded before the first drop",
      source: "RFC 8289 section 4"),
  ]
}
