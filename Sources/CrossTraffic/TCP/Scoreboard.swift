/// A TCP sender's record of every outstanding segment: a simplified RFC 6675 scoreboard.
///
/// Invariant: ``outstanding`` is the number of segments from ``first`` to ``end`` in state `inFlight` or
/// `retransmitted`.
struct Scoreboard: Sendable {
  private enum State: UInt8 {
    case inFlight
    /// Selectively acknowledged.
    case sacked
    /// Marked lost, not yet retransmitted.
    case lost
    case retransmitted
  }

  private var states: [State]
  private let mask: Int64
  /// First unacknowledged segment.
  private(set) var first: Int64 = 0
  /// One past the last sent segment.
  private(set) var end: Int64 = 0
  /// Segments estimated to be in the network (`pipe`).
  private(set) var outstanding = 0
  /// Segments marked as lost since the beginning.
  private(set) var marked = 0
  /// Segments awaiting retransmission.
  private(set) var lost = 0
  /// Segment below which none is lost.
  private var lostCursor: Int64 = 0
  /// Segment below which loss detection is complete.
  private var markedTo: Int64 = 0
  /// Highest selectively acknowledged segment; the one before the first until there is any.
  private var highestSacked: Int64 = -1
  /// Delivery rate sampler; `nil` if the congestion control needs none.
  var delivery: DeliverySampler?

  /// - Parameter ringSize: maximum number of outstanding segments, a power of two.
  init(ringSize: Int) {
    precondition(ringSize > 0 && ringSize & (ringSize - 1) == 0, "ring of \(ringSize) segments")
    states = Array(repeating: .inFlight, count: ringSize)
    mask = Int64(ringSize - 1)
  }

  private subscript(number: Int64) -> State {
    get { states[Int(number & mask)] }
    set { states[Int(number & mask)] = newValue }
  }

  var isEmpty: Bool { first == end }
  var firstIsLost: Bool { !isEmpty && self[first] == .lost }

  /// Appends the next new segment and returns its number.
  mutating func append() -> Int64 {
    defer { end += 1 }
    self[end] = .inFlight
    outstanding += 1
    return end
  }

  /// Applies a cumulative acknowledgement; returns the number of segments acknowledged for the first time.
  mutating func advance(to next: Int64) -> Int {
    var newlyAcknowledged = 0
    while first < min(next, end) {
      switch self[first] {
      case .inFlight, .retransmitted:
        outstanding -= 1
        newlyAcknowledged += 1
        delivery?.noteDelivered(first)
      case .lost:
        lost -= 1
        newlyAcknowledged += 1
        delivery?.noteDelivered(first)
      case .sacked: break
      }
      first += 1
    }
    lostCursor = max(lostCursor, first)
    markedTo = max(markedTo, first)
    return newlyAcknowledged
  }

  /// Applies a SACK block; returns the number of segments acknowledged for the first time.
  mutating func applySACK(_ range: SegmentRange) -> Int {
    var newlyAcknowledged = 0
    var number = max(range.lower, first)
    while number < min(range.upper, end) {
      switch self[number] {
      case .inFlight, .retransmitted: outstanding -= 1
      case .lost: lost -= 1
      case .sacked:
        number += 1
        continue
      }
      newlyAcknowledged += 1
      delivery?.noteDelivered(number)
      self[number] = .sacked
      highestSacked = max(highestSacked, number)
      number += 1
    }
    return newlyAcknowledged
  }

  /// Marks segments that have this many SACKed segments above them as lost: `IsLost` of RFC 6675.
  mutating func markLost(threshold: Int) {
    var above = 0
    var number = highestSacked
    while number >= markedTo {
      if self[number] == .sacked { above += 1 }
      if above == threshold { break }
      number -= 1
    }
    guard above == threshold else { return }
    while markedTo < number {
      markLost(markedTo)
      markedTo += 1
    }
  }

  /// Marks one segment as lost unless it was already retransmitted.
  mutating func markLost(_ number: Int64) {
    guard number >= first, number < end, self[number] == .inFlight else { return }
    self[number] = .lost
    outstanding -= 1
    lost += 1
    marked += 1
    lostCursor = min(lostCursor, number)
  }

  /// Marks everything that is not SACKed as lost, after a timeout.
  mutating func markAllLost() {
    var number = first
    while number < end {
      if self[number] != .sacked {
        if self[number] != .lost { lost += 1 }
        self[number] = .lost
      }
      number += 1
    }
    outstanding = 0
    lostCursor = first
    markedTo = end
  }

  /// Returns the lowest lost segment and marks it as retransmitted.
  mutating func takeNextLost() -> Int64? {
    guard lost > 0 else { return nil }
    while self[lostCursor] != .lost { lostCursor += 1 }
    self[lostCursor] = .retransmitted
    lost -= 1
    outstanding += 1
    return lostCursor
  }
}
