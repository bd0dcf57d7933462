package import Quantity

/// The receiving end of a TCP connection, as a state machine: cumulative and selective acknowledgements, at once for
/// what is out of order or fills a gap, delayed otherwise (RFC 5681 section 4.2, RFC 2018).
package struct TCPReceiver: Sendable {
  private let parameters: TCPParameters
  private var held: [Bool]
  private var heldCount = 0
  private let mask: Int64
  /// The first segment that is missing.
  package private(set) var next: Int64
  /// Payload that came for the first time.
  package private(set) var received = ByteCount.zero
  /// When ``timeout(at:)`` is due: an answer is being held back until then.
  package private(set) var deadline = SimTime.distantFuture
  private var first = SegmentRange.empty
  private var second = SegmentRange.empty
  private var third = SegmentRange.empty
  /// Segments in order that have not been answered, and when the oldest was sent.
  private var unanswered = 0
  private var echo = SimTime.zero

  package init(parameters: TCPParameters = .init(), firstSegment: Int64 = 0) {
    self.parameters = parameters
    held = Array(repeating: false, count: parameters.ringSize)
    mask = Int64(parameters.ringSize - 1)
    next = firstSegment
  }

  /// Takes a segment; returns what to answer now.
  package mutating func receive(_ segment: TCPSegment, at now: SimTime) -> TCPAcknowledgement? {
    let number = segment.number
    // A segment beyond the ring is one that the window forbids.
    guard number >= next, number - next <= mask, !held[Int(number & mask)] else { return answer() }
    received += ByteCount(Int64(segment.size - TCPSegment.headerSize))
    guard number == next else {
      held[Int(number & mask)] = true
      heldCount += 1
      note(number)
      return answer()
    }
    if unanswered == 0 { echo = segment.sentAt }
    unanswered += 1
    next += 1
    guard heldCount == 0 else {
      takeHeld()
      return answer()
    }
    guard parameters.delaysAcknowledgements, unanswered < 2 else { return answer() }
    deadline = now + parameters.acknowledgementDelay
    return nil
  }

  /// Takes the passing of ``deadline``; returns the answer that was held back.
  package mutating func timeout(at now: SimTime) -> TCPAcknowledgement? {
    guard now >= deadline else { return nil }
    return answer()
  }

  private mutating func answer() -> TCPAcknowledgement {
    unanswered = 0
    deadline = .distantFuture
    var ack = TCPAcknowledgement(next: next, echo: echo)
    guard parameters.usesSelectiveAcknowledgements else { return ack }
    ack.first = first
    ack.second = second
    ack.third = third
    return ack
  }

  /// Moves ``next`` over what is held already.
  private mutating func takeHeld() {
    while held[Int(next & mask)] {
      held[Int(next & mask)] = false
      heldCount -= 1
      next += 1
    }
    if third.upper <= next { third = .empty }
    if second.upper <= next {
      second = third
      third = .empty
    }
    if first.upper <= next {
      first = second
      second = third
      third = .empty
    }
    guard first.isEmpty, heldCount > 0 else { return }
    // Blocks beyond the third have been forgotten; the nearest comes back.
    for ahead in 1...mask where held[Int((next + ahead) & mask)] {
      note(next + ahead)
      return
    }
  }

  /// Puts the block around a segment in front of the others.
  private mutating func note(_ number: Int64) {
    var block = SegmentRange(lower: number, upper: number + 1)
    if number == first.upper, !first.isEmpty { block.lower = first.lower }
    while block.lower - 1 > next, held[Int((block.lower - 1) & mask)] { block.lower -= 1 }
    while block.upper - next <= mask, held[Int(block.upper & mask)] { block.upper += 1 }
    let others = (first, second, third)
    first = block
    second = .empty
    third = .empty
    keep(others.0)
    keep(others.1)
    keep(others.2)
  }

  private mutating func keep(_ block: SegmentRange) {
    guard !block.isEmpty, block.upper <= first.lower || block.lower >= first.upper else { return }
    if second.isEmpty {
      second = block
    } else if third.isEmpty {
      third = block
    }
  }
}
