package import Quantity

/// TCP receiver state machine: cumulative and selective acknowledgements, immediate for segments that are out of order
/// or fill a gap, delayed otherwise (RFC 5681 section 4.2, RFC 2018).
package struct TCPReceiver: Sendable {
  private let parameters: TCPParameters
  private var outOfOrder: [Bool]
  private var outOfOrderCount = 0
  private let mask: Int64
  /// Next expected segment.
  package private(set) var next: Int64 = 0
  /// Payload received, without duplicates.
  package private(set) var received = ByteCount.zero
  /// Time at which ``timeout(at:)`` is due, to send a delayed acknowledgement.
  package private(set) var deadline = Deadline.never
  private var first = SegmentRange.empty
  private var second = SegmentRange.empty
  private var third = SegmentRange.empty
  /// Number of in-order segments not yet acknowledged.
  private var unacknowledged = 0
  /// Send time of the oldest in-order segment not yet acknowledged.
  private var echo = SimTime.zero

  package init(parameters: TCPParameters = .init()) {
    self.parameters = parameters
    outOfOrder = Array(repeating: false, count: parameters.ringSize)
    mask = Int64(parameters.ringSize - 1)
  }

  /// Processes a segment; returns an acknowledgement if one is due immediately.
  package mutating func receive(_ segment: TCPSegment, at now: SimTime) -> TCPAcknowledgement? {
    let number = segment.number
    // Segments beyond the ring violate the receive window.
    guard number >= next, number - next <= mask, !outOfOrder[Int(number & mask)] else { return acknowledge() }
    received += ByteCount(Int64(segment.size - TCPSegment.headerSize))
    guard number == next else {
      outOfOrder[Int(number & mask)] = true
      outOfOrderCount += 1
      updateBlocks(around: number)
      return acknowledge()
    }
    if unacknowledged == 0 { echo = segment.sentAt }
    unacknowledged += 1
    next += 1
    guard outOfOrderCount == 0 else {
      advanceOverReceived()
      return acknowledge()
    }
    guard parameters.delaysAcknowledgements, unacknowledged < 2 else { return acknowledge() }
    deadline = Deadline(now + parameters.acknowledgementDelay)
    return nil
  }

  /// Handles expiry of ``deadline``; returns the delayed acknowledgement.
  package mutating func timeout(at now: SimTime) -> TCPAcknowledgement? {
    guard deadline.isDue(at: now) else { return nil }
    return acknowledge()
  }

  private mutating func acknowledge() -> TCPAcknowledgement {
    unacknowledged = 0
    deadline = .never
    var ack = TCPAcknowledgement(next: next, echo: echo)
    guard parameters.usesSelectiveAcknowledgements else { return ack }
    ack.first = first
    ack.second = second
    ack.third = third
    return ack
  }

  /// Advances ``next`` over segments received out of order.
  private mutating func advanceOverReceived() {
    while outOfOrder[Int(next & mask)] {
      outOfOrder[Int(next & mask)] = false
      outOfOrderCount -= 1
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
    guard first.isEmpty, outOfOrderCount > 0 else { return }
    // Only three blocks are kept, so the nearest of the others must be found again.
    for ahead in 1...mask where outOfOrder[Int((next + ahead) & mask)] {
      updateBlocks(around: next + ahead)
      return
    }
  }

  /// Moves the block around a segment to the front of the SACK blocks.
  private mutating func updateBlocks(around number: Int64) {
    var block = SegmentRange(lower: number, upper: number + 1)
    if number == first.upper, !first.isEmpty { block.lower = first.lower }
    while block.lower - 1 > next, outOfOrder[Int((block.lower - 1) & mask)] { block.lower -= 1 }
    while block.upper - next <= mask, outOfOrder[Int(block.upper & mask)] { block.upper += 1 }
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
