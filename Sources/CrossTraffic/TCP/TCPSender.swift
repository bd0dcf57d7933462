package import Quantity

/// TCP sender state machine.
///
/// Call ``start(at:)`` once, pass in acknowledgements, and call ``timeout(at:)`` at ``deadline``; after each of these,
/// call ``next(at:)`` until it returns `nil`. The connection is open from the start: no handshake, no FIN, no window
/// updates, no zero window.
///
/// Fast retransmit and recovery follow RFC 6675 with SACK and RFC 6582 (NewReno) without; limited transmit follows
/// RFC 3042, timeouts RFC 6298. Duplicate acknowledgements do not inflate the window as in RFC 6582, but are
/// subtracted from the number of segments in flight, as in Linux: the same segments are sent at the same times.
/// Proportional rate reduction, RACK, tail loss probes and undo of spurious recoveries, which Linux adds, are not
/// modelled; a lost retransmission therefore waits for the timeout.
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
  /// Expiry of the retransmission timer; never while nothing is outstanding.
  private var timer = Deadline.never
  /// Time at which ``timeout(at:)`` is due or a paced segment may leave.
  package var deadline: Deadline { min(timer, pacing.waitsUntil) }
  private var model: BBRControl?
  private var pacing = SegmentPacing()
  private var board: Scoreboard
  private let windowLimit: Int64
  /// One past the last segment; `.max` for an endless transfer.
  private var total: Int64 = .max
  /// Payload of the last segment [byte].
  private var lastPayload: Int32
  private var isStarted = false
  /// Number of duplicate acknowledgements, each for one segment that left the network; used without SACK only.
  private var duplicates = 0
  /// Recovery point: recovery ends when everything before it is acknowledged; before the first
  /// segment until there is any.
  private var recover: Int64 = -1
  private var retransmitsNow = false
  private var isLimitedByWindow = true
  private var measuredAt = SimTime.zero
  private var hasTimedOut = false
  /// Segments delivered before the current acknowledgement, if a path model counts them.
  private var acknowledgedBefore: Int64 = 0

  /// - Parameter bytes: payload to send, above zero; `nil` for an endless transfer.
  package init(parameters: TCPParameters = .init(), bytes: ByteCount? = nil) {
    self.parameters = parameters
    windowLimit = Int64(parameters.receiveWindowSegments)
    window = CongestionWindow(parameters.congestionControl, initial: parameters.initialWindow)
    retransmission = RetransmissionTimeout(parameters: parameters)
    board = Scoreboard(ringSize: parameters.ringSize)
    model = BBRControl(parameters)
    if model != nil { board.delivery = DeliverySampler(ringSize: parameters.ringSize) }
    lastPayload = parameters.segmentSize
    limit(to: bytes)
  }

  /// Creates a connection that sends as many segments as ``extend(by:)`` grants.
  package init(idle parameters: TCPParameters) {
    self.init(parameters: parameters)
    total = board.end
  }

  /// Gives the connection more segments to send; the caller decides their sizes.
  package mutating func extend(by segments: Int) { total += Int64(segments) }

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

  /// Set once everything has been acknowledged.
  package var isFinished: Bool { board.first == total }
  /// First unacknowledged segment.
  package var firstUnacknowledged: Int64 { board.first }
  /// Segments estimated to be in the network: `pipe` of RFC 6675.
  package var inFlight: Int { board.outstanding - duplicates }

  package mutating func start(at now: SimTime) {
    isStarted = true
    measuredAt = now
  }

  /// Returns the next segment to send now; `nil` if the windows are full or nothing is left to send.
  package mutating func next(at now: SimTime) -> TCPSegment? {
    guard isStarted else { return nil }
    let hasRoom = Double(inFlight) + 1 <= window.segments
    pacing.waitsUntil = .never
    if model != nil, hasRoom, board.lost > 0 || board.end < total, !pacing.permits(at: now) { return nil }
    if hasRoom || retransmitsNow, let number = board.takeNextLost() {
      retransmitsNow = false
      return segment(number, isRetransmission: true, at: now)
    }
    isLimitedByWindow = !hasRoom
    guard hasRoom, board.end < total, board.end - board.first < windowLimit else { return nil }
    return segment(board.append(), isRetransmission: false, at: now)
  }

  private mutating func segment(_ number: Int64, isRetransmission: Bool, at now: SimTime) -> TCPSegment {
    if timer == .never { timer = Deadline(now + retransmission.duration) }
    let payload = number + 1 == total ? lastPayload : parameters.segmentSize
    if let model {
      board.delivery?.noteSent(
        number, isRetransmission: isRetransmission, isPipeEmpty: board.outstanding == 1, at: now)
      pacing.noteSent(at: model.pacingRate, now)
    }
    return TCPSegment(number: number, size: payload + TCPSegment.headerSize, sentAt: now)
  }

  /// Processes an acknowledgement.
  package mutating func acknowledge(_ ack: TCPAcknowledgement, at now: SimTime) {
    guard isStarted, ack.next >= board.first, ack.next <= board.end else { return }
    let (before, lostBefore) = (inFlight, board.marked)
    var delivered = 0
    if parameters.usesSelectiveAcknowledgements {
      delivered = board.applySACK(ack.first) + board.applySACK(ack.second) + board.applySACK(ack.third)
    }
    if ack.next > board.first {
      advance(to: ack, delivered: delivered, at: now)
    } else if !parameters.usesSelectiveAcknowledgements, !board.isEmpty, phase != .timeoutRecovery {
      duplicates = min(duplicates + 1, board.outstanding)
    }
    detectLoss()
    followModel(inFlightBefore: before, lost: board.marked - lostBefore, at: now)
  }

  /// Updates window and rate from the path model.
  private mutating func followModel(inFlightBefore: Int, lost: Int, at now: SimTime) {
    guard model != nil, let sampler = board.delivery else { return }
    let before = acknowledgedBefore
    acknowledgedBefore = sampler.delivered
    guard let sample = board.delivery?.takeSample(at: now) else { return }
    let ack = BBRAcknowledgement(
      sample: sample, totalDelivered: sampler.delivered, acknowledged: Int(sampler.delivered - before),
      lost: lost,
      priorInFlight: inFlightBefore, inFlight: inFlight)
    model?.acknowledge(ack, isRecovering: phase != .open, at: now)
    window.follow(model?.window ?? 1)
  }

  private mutating func advance(to ack: TCPAcknowledgement, delivered sacked: Int, at now: SimTime) {
    let acknowledged = Int(ack.next - board.first)
    let delivered = sacked + board.advance(to: ack.next)
    measure(now - ack.echo, sentAt: ack.echo, at: now)
    timer = board.isEmpty ? .never : Deadline(now + retransmission.duration)
    hasTimedOut = false
    let coversRecoveryPoint = ack.next >= recover
    switch phase {
    case .open:
      duplicates = 0
      grow(by: delivered, at: now)
    case .fastRecovery where coversRecoveryPoint:
      phase = .open
      duplicates = 0
      let limit = parameters.usesSelectiveAcknowledgements ? .infinity : Double(max(inFlight, 1) + 1)
      window.exitRecovery(atMost: limit)
    case .fastRecovery:
      guard !parameters.usesSelectiveAcknowledgements else { break }
      // Partial acknowledgement: the next gap is lost too, and all but one of the acknowledged segments were counted
      // as duplicates.
      duplicates = max(0, duplicates - (acknowledged - 1))
      board.markLost(board.first)
      retransmitsNow = board.firstIsLost
      duplicates = min(duplicates, board.outstanding)
    case .timeoutRecovery:
      if coversRecoveryPoint { phase = .open }
      // RFC 3465 section 2.3: an acknowledgement covering data received before the timeout opens the window by one.
      grow(by: min(delivered, 1), at: now)
    }
  }

  private mutating func grow(by count: Int, at now: SimTime) {
    guard isLimitedByWindow else { return }
    window.grow(acknowledged: count, roundTrip: retransmission.smoothed ?? .zero, at: now)
  }

  /// Takes one sample per round trip, as RFC 6298 section 3 requires: only from segments sent after the last sample.
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
      // RFC 6582 section 3.2, step 2, ignores duplicates caused by a timeout's own retransmissions.
      isLost = duplicates >= parameters.duplicateThreshold && board.first > recover
    }
    guard isLost, phase == .open else { return }
    phase = .fastRecovery
    recover = board.end
    window.reduce()
    if !parameters.usesSelectiveAcknowledgements { board.markLost(board.first) }
    retransmitsNow = board.firstIsLost
  }

  /// Handles expiry of ``deadline``. When the timer expires, the window falls to one segment, and everything not SACKed
  /// is retransmitted.
  package mutating func timeout(at now: SimTime) {
    guard timer.isDue(at: now), !board.isEmpty else { return }
    window.collapse(isRepeated: hasTimedOut)
    if model != nil {
      if !hasTimedOut { model?.collapse() }
      window.follow(1)
    }
    hasTimedOut = true
    board.markAllLost()
    duplicates = 0
    retransmitsNow = false
    isLimitedByWindow = true
    phase = .timeoutRecovery
    recover = board.end
    retransmission.backOff()
    timer = Deadline(now + retransmission.duration)
  }
}
