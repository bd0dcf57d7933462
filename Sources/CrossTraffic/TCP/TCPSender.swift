package import Quantity

/// The sending end of a TCP connection, as a state machine.
///
/// Its driver calls ``start(at:)`` once, tells it of acknowledgements and, at ``deadline``, of the timeout. After each
/// of these it calls ``next(at:)`` until there is nothing to send. The connection is open from the start: no handshake,
/// no FIN, no window updates and no zero window.
///
/// Fast retransmit and recovery follow RFC 6675 with selective acknowledgements and RFC 6582 (NewReno) without,
/// limited transmit RFC 3042, timeouts RFC 6298. Instead of inflating the window by duplicates as RFC 6582 writes it,
/// duplicates are taken off what is in the network, as Linux does: the same segments are sent at the same times.
/// Proportional rate reduction, RACK, tail loss probes and the undoing of spurious recoveries, which Linux has on top,
/// are not modelled; a lost retransmission therefore waits for the timeout.
package struct TCPSender: Sendable {
  package enum Phase: BitwiseCopyable, Sendable {
    case open
    case fastRecovery
    case timeoutRecovery
  }

  package let parameters: TCPParameters
  package private(set) var phase = Phase.open
  package private(set) var window: CongestionWindow
  package private(set) var retransmission: RetransmissionTimeout
  /// When ``timeout(at:)`` is due; ``Quantity/SimTime/distantFuture`` while nothing is under way.
  package private(set) var deadline = SimTime.distantFuture
  private var board: Scoreboard
  private let windowLimit: Int64
  /// One past the last segment; `.max` for an endless transfer.
  private var total: Int64 = .max
  /// Payload of the last segment [byte].
  private var lastPayload: Int32
  private var isStarted = false
  /// Duplicate acknowledgements that each stand for a segment which left the network; without selective ones only.
  private var duplicates = 0
  /// Recovery lasts until everything before this segment is acknowledged.
  private var recover: Int64
  private var sendsLostNow = false
  private var isLimitedByWindow = true
  private var measuredAt = SimTime.zero
  private var hasTimedOut = false

  /// - Parameters:
  ///   - bytes: payload to send, above zero; `nil` for an endless transfer.
  ///   - firstSegment: number of the first segment.
  package init(parameters: TCPParameters = .init(), bytes: ByteCount? = nil, firstSegment: Int64 = 0) {
    self.parameters = parameters
    windowLimit = Int64(parameters.receiveWindowSegments)
    window = CongestionWindow(parameters.congestionControl, initial: parameters.initialWindow)
    retransmission = RetransmissionTimeout(parameters: parameters)
    board = Scoreboard(ringSize: parameters.ringSize, first: firstSegment)
    recover = firstSegment - 1
    lastPayload = parameters.segmentSize
    limit(to: bytes)
  }

  private mutating func limit(to bytes: ByteCount?) {
    guard let bytes else {
      total = .max
      return
    }
    precondition(bytes.bytes > 0, "a transfer of \(bytes.bytes) bytes")
    let payload = Int64(parameters.segmentSize)
    total = board.end + (bytes.bytes + payload - 1) / payload
    lastPayload = Int32(bytes.bytes - (bytes.bytes - 1) / payload * payload)
  }

  /// Whether all has been acknowledged.
  package var isFinished: Bool { board.first == total }
  /// The first segment that has not been acknowledged.
  package var firstUnacknowledged: Int64 { board.first }
  /// Segments that should be in the network: `pipe` of RFC 6675.
  package var inFlight: Int { board.outstanding - duplicates }

  package mutating func start(at now: SimTime) {
    isStarted = true
    measuredAt = now
  }

  /// The next segment to send now; `nil` when the windows are full or nothing is left.
  package mutating func next(at now: SimTime) -> TCPSegment? {
    guard isStarted else { return nil }
    let hasRoom = Double(inFlight) + 1 <= window.segments
    if hasRoom || sendsLostNow, let number = board.takeLost() {
      sendsLostNow = false
      return segment(number, isRetransmission: true, at: now)
    }
    isLimitedByWindow = !hasRoom
    guard hasRoom, board.end < total, board.end - board.first < windowLimit else { return nil }
    return segment(board.append(), isRetransmission: false, at: now)
  }

  private mutating func segment(_ number: Int64, isRetransmission: Bool, at now: SimTime) -> TCPSegment {
    if deadline == .distantFuture { deadline = now + retransmission.duration }
    let payload = number + 1 == total ? lastPayload : parameters.segmentSize
    return TCPSegment(
      number: number, size: payload + TCPSegment.headerSize, sentAt: now, isRetransmission: isRetransmission)
  }

  /// Takes an acknowledgement.
  package mutating func acknowledge(_ ack: TCPAcknowledgement, at now: SimTime) {
    guard isStarted, ack.next >= board.first, ack.next <= board.end else { return }
    var delivered = 0
    if parameters.usesSelectiveAcknowledgements {
      delivered = board.select(ack.first) + board.select(ack.second) + board.select(ack.third)
    }
    if ack.next > board.first {
      advance(to: ack, delivered: delivered, at: now)
    } else if !parameters.usesSelectiveAcknowledgements, !board.isEmpty, phase != .timeoutRecovery {
      duplicates = min(duplicates + 1, board.outstanding)
    }
    detectLoss()
  }

  private mutating func advance(to ack: TCPAcknowledgement, delivered selected: Int, at now: SimTime) {
    let acknowledged = Int(ack.next - board.first)
    let delivered = selected + board.advance(to: ack.next)
    measure(now - ack.echo, sentAt: ack.echo, at: now)
    deadline = board.isEmpty ? .distantFuture : now + retransmission.duration
    hasTimedOut = false
    let isPast = ack.next >= recover
    switch phase {
    case .open:
      duplicates = 0
      grow(by: delivered, at: now)
    case .fastRecovery where isPast:
      phase = .open
      duplicates = 0
      let limit = parameters.usesSelectiveAcknowledgements ? .infinity : Double(max(inFlight, 1) + 1)
      window.settle(atMost: limit)
    case .fastRecovery:
      guard !parameters.usesSelectiveAcknowledgements else { break }
      // A partial acknowledgement: the next gap is lost too, and all but one of these came as duplicates.
      duplicates = max(0, duplicates - (acknowledged - 1))
      board.markLost(board.first)
      sendsLostNow = board.firstIsLost
      duplicates = min(duplicates, board.outstanding)
    case .timeoutRecovery:
      if isPast { phase = .open }
      // RFC 3465 section 2.3: a jump over what had come before the timeout opens the window by one.
      grow(by: min(delivered, 1), at: now)
    }
  }

  private mutating func grow(by count: Int, at now: SimTime) {
    guard isLimitedByWindow else { return }
    window.grow(acknowledged: count, roundTrip: retransmission.smoothed ?? .zero, at: now)
  }

  /// One sample a round trip, as RFC 6298 section 3 asks: of a segment sent after the last sample was taken.
  private mutating func measure(_ roundTrip: SimDuration, sentAt: SimTime, at now: SimTime) {
    guard sentAt >= measuredAt else { return }
    retransmission.measure(roundTrip)
    measuredAt = now
  }

  private mutating func detectLoss() {
    let isLost: Bool
    if parameters.usesSelectiveAcknowledgements {
      board.markLost(threshold: parameters.duplicateThreshold)
      isLost = board.firstIsLost
    } else {
      // RFC 6582 section 3.2, step 2: duplicates that a timeout's own retransmissions caused do not count.
      isLost = duplicates >= parameters.duplicateThreshold && board.first > recover
    }
    guard isLost, phase == .open else { return }
    phase = .fastRecovery
    recover = board.end
    window.reduce()
    if !parameters.usesSelectiveAcknowledgements { board.markLost(board.first) }
    sendsLostNow = board.firstIsLost
  }

  /// Takes the passing of ``deadline``: the window falls to one segment, and all that is not known to have come is
  /// sent again.
  package mutating func timeout(at now: SimTime) {
    guard now >= deadline, !board.isEmpty else { return }
    window.collapse(isRepeated: hasTimedOut)
    hasTimedOut = true
    board.markAllLost()
    duplicates = 0
    sendsLostNow = false
    isLimitedByWindow = true
    phase = .timeoutRecovery
    recover = board.end
    retransmission.backOff()
    deadline = now + retransmission.duration
  }
}
