/// What a TCP sender knows of each segment under way: a simplified RFC 6675.
///
/// Invariant: ``outstanding`` is the number of segments from ``first`` to ``end`` whose state is `inFlight` or
/// `retransmitted`.
struct Scoreboard: Sendable {
  private enum State: UInt8 {
    case inFlight
    /// The receiver holds it beyond a gap.
    case selected
    /// Taken for lost and not sent again yet.
    case lost
    case retransmitted
  }

  private var states: [State]
  private let mask: Int64
  /// The first segment that has not been acknowledged.
  private(set) var first: Int64
  /// One past the last segment that was sent.
  private(set) var end: Int64
  /// Segments that should be in the network.
  private(set) var outstanding = 0
  /// Segments that wait for their retransmission.
  private(set) var lost = 0
  /// No lost segment lies before this one.
  private var lostCursor: Int64
  /// Losses have been marked up to here.
  private var markedTo: Int64
  private var highestSelected: Int64

  /// - Parameter ringSize: a power of two, the most segments under way.
  init(ringSize: Int, first: Int64) {
    precondition(ringSize > 0 && ringSize & (ringSize - 1) == 0, "ring of \(ringSize) segments")
    states = Array(repeating: .inFlight, count: ringSize)
    mask = Int64(ringSize - 1)
    self.first = first
    end = first
    lostCursor = first
    markedTo = first
    highestSelected = first - 1
  }

  private subscript(number: Int64) -> State {
    get { states[Int(number & mask)] }
    set { states[Int(number & mask)] = newValue }
  }

  var isEmpty: Bool { first == end }
  var firstIsLost: Bool { !isEmpty && self[first] == .lost }

  /// Adds the next new segment.
  mutating func append() -> Int64 {
    defer { end += 1 }
    self[end] = .inFlight
    outstanding += 1
    return end
  }

  /// Takes a cumulative acknowledgement; returns how many segments it told of for the first time.
  mutating func advance(to next: Int64) -> Int {
    var told = 0
    while first < min(next, end) {
      switch self[first] {
      case .inFlight, .retransmitted:
        outstanding -= 1
        told += 1
      case .lost:
        lost -= 1
        told += 1
      case .selected: break
      }
      first += 1
    }
    lostCursor = max(lostCursor, first)
    markedTo = max(markedTo, first)
    return told
  }

  /// Takes a selective block; returns how many segments it told of for the first time.
  mutating func select(_ range: SegmentRange) -> Int {
    var told = 0
    var number = max(range.lower, first)
    while number < min(range.upper, end) {
      switch self[number] {
      case .inFlight, .retransmitted: outstanding -= 1
      case .lost: lost -= 1
      case .selected:
        number += 1
        continue
      }
      told += 1
      self[number] = .selected
      highestSelected = max(highestSelected, number)
      number += 1
    }
    return told
  }

  /// Takes for lost what has this many selected segments above it: `IsLost` of RFC 6675.
  mutating func markLost(threshold: Int) {
    var above = 0
    var number = highestSelected
    while number >= markedTo {
      if self[number] == .selected { above += 1 }
      if above == threshold { break }
      number -= 1
    }
    guard above == threshold else { return }
    while markedTo < number {
      markLost(markedTo)
      markedTo += 1
    }
  }

  /// Takes one segment for lost that has not been sent again.
  mutating func markLost(_ number: Int64) {
    guard number >= first, number < end, self[number] == .inFlight else { return }
    self[number] = .lost
    outstanding -= 1
    lost += 1
    lostCursor = min(lostCursor, number)
  }

  /// After a timeout: what is not known to have come is lost.
  mutating func markAllLost() {
    var number = first
    while number < end {
      if self[number] != .selected {
        if self[number] != .lost { lost += 1 }
        self[number] = .lost
      }
      number += 1
    }
    outstanding = 0
    lostCursor = first
    markedTo = end
  }

  /// The lowest lost segment, which is sent again now.
  mutating func takeLost() -> Int64? {
    guard lost > 0 else { return nil }
    while self[lostCursor] != .lost { lostCursor += 1 }
    self[lostCursor] = .retransmitted
    lost -= 1
    outstanding += 1
    return lostCursor
  }
}
