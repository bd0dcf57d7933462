package import Parameters
package import Quantity

/// CoDel state machine: drops at the head once the queuing delay has been at or above the target for an interval, at an
/// increasing rate while it stays there (RFC 8289 section 5).
package struct ControlledDelay: BitwiseCopyable, Sendable {
  private let target: Int64
  private let interval: Int64
  private let maximumPacketSize: Int64
  /// Time from which dropping may start [ns]; negative while the queuing delay is below the target.
  private var mayDropFrom: Int64 = -1
  private var dropNext: Int64 = 0
  private var count: Int64 = 0
  private var lastCount: Int64 = 0
  private var isDropping = false
  /// Set while the last packet was dropped in the dropping state, so that the next drop time is not set yet.
  private var hasJustDropped = false

  package init(_ parameters: CoDelParameters) {
    target = parameters.target.nanoseconds
    interval = parameters.interval.nanoseconds
    maximumPacketSize = parameters.maximumPacketSize.bytes
  }

  /// Decides whether the head packet is dropped instead of dequeued; if so, it must be called again for the next
  /// packet at the same time.
  ///
  /// - Parameters:
  ///   - waited: queuing delay of the packet [ns].
  ///   - bytesLeft: bytes queued behind it [byte].
  ///   - now: dequeue time [ns].
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

  /// Enters the dropping state; if that follows shortly after the last one, it resumes at nearly the same drop rate.
  private mutating func begin(at now: Int64) {
    let recent = count - lastCount
    count = recent > 1 && now - dropNext < 16 * interval ? recent : 1
    lastCount = count
    dropNext = next(after: now)
    isDropping = true
  }

  private mutating func isAbove(_ waited: Int64, _ bytesLeft: Int64, _ now: Int64) -> Bool {
    guard waited >= target, bytesLeft > maximumPacketSize else {
      mayDropFrom = -1
      return false
    }
    if mayDropFrom < 0 {
      mayDropFrom = now + interval
      return false
    }
    return now >= mayDropFrom
  }

  /// Applies the control law: the interval divided by the square root of the drop count.
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
  /// Creates CoDel (RFC 8289).
  package static func codel(_ parameters: CoDelParameters = CoDelParameters()) -> QueueDiscipline {
    QueueDiscipline("codel", ControlledDelay.self, parameters)
  }
}

/// CoDel parameters.
package struct CoDelParameters: Parameterized, BitwiseCopyable {
  /// Acceptable standing queuing delay; RFC 8289 section 4: 5 ms.
  package var target = SimDuration.milliseconds(5)
  /// Time for which the target may be exceeded before the first drop, on the order of the worst-case round trip; RFC
  /// 8289 section 4: 100 ms.
  package var interval = SimDuration.milliseconds(100)
  /// Amount of queued data up to which nothing is dropped: the largest packet; RFC 8289 section 5: one MTU, 1514 bytes
  /// with its link header.
  package var maximumPacketSize = ByteCount(1514)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "target", \.target, in: .zero ... .seconds(10), "acceptable standing queuing delay",
      source: "RFC 8289 section 4"),
    .duration(
      "interval", \.interval, in: .zero ... .seconds(10),
      "how long the target may be exceeded before the first drop",
      source: "RFC 8289 section 4"),
  ]
}
