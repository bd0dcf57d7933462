package import Quantity

/// BBR version 3 (draft-ietf-ccwg-bbr-01): a rate and a window from a model of the path, as in version 1, but bounded
/// by observed losses.
///
/// It probes for bandwidth every 2 to 3 s, varied by a hash of the time rather than at random [our model], or sooner
/// where coexistence with Reno requires it. ECN and the undo of spurious losses are not modelled.
package struct BBR3Window: BitwiseCopyable, Sendable {
  package enum Mode: BitwiseCopyable, Sendable {
    case startup, drain, down, cruise, refill, up, probeRoundTrip
  }

  // Sections 2.5 and 2.6 of the draft.
  private static let startupGain = 2.77
  private static let drainGain = 0.35
  private static let windowGain = 2.0
  private static let upWindowGain = 2.25
  private static let upGain = 1.25
  private static let downGain = 0.9
  /// LossThresh, Beta, Headroom.
  private static let lossThreshold = 0.02
  private static let beta = 0.7
  private static let headroom = 0.15
  private static let leastWindow = 4
  /// Number of losses in a round from which Startup may end.
  private static let startupLosses = 6
  /// ProbeRTTInterval, ProbeRTTDuration, ProbeRTTCwndGain.
  private static let probeInterval = SimDuration.seconds(5)
  private static let probeTime = SimDuration.milliseconds(200)
  private static let probeWindowGain = 0.5
  /// Minimum time between probes for bandwidth, the range of the time added to it [ns], and the maximum number of
  /// rounds between probes.
  private static let leastWait = SimDuration.seconds(2)
  private static let waitRange = Int64(1_000_000_000)
  private static let mostRounds = 63
  private static let initialWindow = 10

  package private(set) var mode = Mode.startup
  package private(set) var path = PathModel(window: 2)
  package private(set) var window: Int
  private var pacing: ModelPacing
  /// Largest amount in flight that the path has carried without too many losses (inflight_longterm) [segment].
  package private(set) var mostInFlight = Int.max
  /// Amount in flight and delivery rate of the last rounds with losses (inflight_shortterm, bw_shortterm); `nil` for
  /// none.
  private var shortInFlight: Int?
  private var shortRate: Double?
  private var roundRate = 0.0
  private var roundInFlight = 0
  private var roundLost = 0
  private var roundDelivered = 0
  private var pipe = FullPipe()
  private var modeAt = SimTime.zero
  /// End of the last probe, and the wait until the next.
  private var downAt = SimTime.zero
  private var wait = SimDuration.seconds(2)
  private var roundsSinceProbe = 0
  /// Number of rounds for which ``mostInFlight`` has grown in a probe, and of segments acknowledged towards its next
  /// step.
  private var upRounds = 0
  private var upAcknowledged = 0
  private var priorWindow = 0
  private var probedAt = SimTime.zero
  private var probeDoneAt = SimTime?.none
  private var hasProbeRound = false
  private var isRecovering = false
  private var aggregation = AcknowledgementAggregation()

  package init(initial: Int = 10) {
    window = initial
    pacing = ModelPacing(startGain: Self.startupGain, window: initial)
  }

  /// Pacing rate [segment/s].
  package var pacingRate: Double { pacing.rate }
  private var isFull: Bool { pipe.isReached }

  private var pacingGain: Double {
    switch mode {
    case .startup: Self.startupGain
    case .drain: Self.drainGain
    case .down: Self.downGain
    case .up: Self.upGain
    case .cruise, .refill, .probeRoundTrip: 1
    }
  }

  private var windowGain: Double {
    switch mode {
    case .up: Self.upWindowGain
    case .probeRoundTrip: Self.probeWindowGain
    default: Self.windowGain
    }
  }

  /// Bandwidth of the path by the model [segment/s].
  package var rate: Double { min(path.rate, shortRate ?? .infinity) }

  package mutating func acknowledge(_ ack: BBRAcknowledgement, isRecovering: Bool, at now: SimTime) {
    if isRecovering, !self.isRecovering, mode != .probeRoundTrip { priorWindow = window }
    if !isRecovering, self.isRecovering { window = max(window, priorWindow) }
    self.isRecovering = isRecovering
    path.countRound(ack)
    path.note(rate: ack.sample.rate)
    aggregation.note(ack, rate: rate, window: window, isRoundStart: path.isRoundStart, at: now)
    noteLosses(ack, at: now)
    checkFull()
    advance(ack, at: now)
    updateRoundTrip(ack, at: now)
    if path.isRoundStart { beginRound() }
    pacing.follow(rate, gain: pacingGain, of: path, window: window, isFull: isFull)
    setWindow(ack)
  }

  /// Reacts to a timeout: the window falls to one segment and grows again.
  package mutating func collapse() {
    priorWindow = max(window, isRecovering ? priorWindow : 0)
    isRecovering = true
    window = 1
  }

  // MARK: Losses

  private mutating func noteLosses(_ ack: BBRAcknowledgement, at now: SimTime) {
    roundRate = max(roundRate, ack.sample.rate)
    roundInFlight = max(roundInFlight, Int(ack.sample.delivered))
    roundLost += ack.lost
    roundDelivered += ack.acknowledged
    if mode == .up || mode == .refill {
      if isLossy {
        // BBRHandleInflightTooHigh: no lower than beta times the model's target in flight.
        mostInFlight = max(ack.priorInFlight, Int(Double(target(1)) * Self.beta))
        if mode == .up { beginDown(at: now) }
        roundLost = 0
      }
    } else if path.isRoundStart, roundLost > 0, mode != .startup {
      shortRate = max(roundRate, (shortRate ?? path.rate) * Self.beta)
      shortInFlight = max(roundInFlight, Int(Double(shortInFlight ?? window) * Self.beta))
    }
  }

  /// Indicates that the losses in this round exceed the threshold.
  private var isLossy: Bool {
    Double(roundLost) > Self.lossThreshold * Double(roundLost + roundDelivered) && roundLost > 0
  }

  private mutating func beginRound() {
    roundRate = 0
    roundInFlight = 0
    roundLost = 0
    roundDelivered = 0
  }

  // MARK: Modes

  private mutating func checkFull() {
    guard !isFull, path.isRoundStart else { return }
    if roundLost >= Self.startupLosses, isLossy {
      pipe.reach()
      mostInFlight = max(target(1), roundInFlight)
    } else {
      pipe.note(path.rate)
    }
  }

  private mutating func begin(_ mode: Mode, at now: SimTime) {
    self.mode = mode
    modeAt = now
  }

  private mutating func advance(_ ack: BBRAcknowledgement, at now: SimTime) {
    if path.isRoundStart { roundsSinceProbe += 1 }
    switch mode {
    case .startup: if isFull { begin(.drain, at: now) }
    case .drain: if ack.inFlight <= target(1) { beginDown(at: now) }
    case .down:
      if isTimeToProbe(at: now) { return beginRefill(ack, at: now) }
      let least = min(target(1), withHeadroom)
      if ack.inFlight <= least { begin(.cruise, at: now) }
    case .cruise: if isTimeToProbe(at: now) { beginRefill(ack, at: now) }
    case .refill:
      guard path.isRoundStart else { return }
      begin(.up, at: now)
      upRounds = 0
      upAcknowledged = 0
      path.beginRound(delivered: ack.totalDelivered)
    case .up:
      raise(ack)
      let hasLasted = now - modeAt > path.leastRoundTrip ?? .zero
      if hasLasted, ack.priorInFlight > target(Self.upGain) { beginDown(at: now) }
    case .probeRoundTrip: break
    }
  }

  private mutating func beginDown(at now: SimTime) {
    begin(.down, at: now)
    downAt = now
    path.beginPeriod()
    roundsSinceProbe = 0
    // Spread over a second by a hash of the time.
    wait =
      Self.leastWait + SimDuration(nanoseconds: (now.nanoseconds &* 2_654_435_761 & .max) % Self.waitRange)
  }

  private mutating func beginRefill(_ ack: BBRAcknowledgement, at now: SimTime) {
    begin(.refill, at: now)
    shortRate = nil
    shortInFlight = nil
    path.beginRound(delivered: ack.totalDelivered)
  }

  private func isTimeToProbe(at now: SimTime) -> Bool {
    now - downAt > wait || roundsSinceProbe >= min(target(1), Self.mostRounds)
  }

  /// Raises ``mostInFlight`` while a probe fills it: by one segment in the first round, by twice as many in each
  /// further one.
  private mutating func raise(_ ack: BBRAcknowledgement) {
    guard mostInFlight < .max, ack.priorInFlight >= mostInFlight else { return }
    if path.isRoundStart { upRounds = min(upRounds + 1, 30) }
    upAcknowledged += ack.acknowledged
    let step = max(window >> upRounds, 1)
    mostInFlight += upAcknowledged / step
    upAcknowledged %= step
  }

  private mutating func updateRoundTrip(_ ack: BBRAcknowledgement, at now: SimTime) {
    if let roundTrip = ack.sample.roundTrip, roundTrip <= path.leastRoundTrip ?? roundTrip { probedAt = now }
    path.noteRoundTrip(ack.sample.roundTrip, at: now)
    if now - probedAt > Self.probeInterval, mode != .probeRoundTrip {
      priorWindow = window
      begin(.probeRoundTrip, at: now)
      probeDoneAt = nil
    }
    guard mode == .probeRoundTrip else { return }
    if let done = probeDoneAt {
      if path.isRoundStart { hasProbeRound = true }
      guard hasProbeRound, now > done else { return }
      probedAt = now
      window = max(window, priorWindow)
      shortRate = nil
      shortInFlight = nil
      if isFull { beginDown(at: now) }
      begin(isFull ? .cruise : .startup, at: now)
    } else if ack.inFlight <= probeWindow {
      probeDoneAt = now + Self.probeTime
      hasProbeRound = false
      path.beginRound(delivered: ack.totalDelivered)
    }
  }

  // MARK: Rate and window

  /// Returns a multiple of the bandwidth-delay product, with room for bursts [segment].
  private func target(_ gain: Double) -> Int {
    max(
      (path.product(gain, at: rate) ?? Self.initialWindow) + 3 * pacing.burst,
      Self.leastWindow)
  }

  private var withHeadroom: Int {
    guard mostInFlight < .max else { return .max }
    return max(mostInFlight - max(1, Int(Self.headroom * Double(mostInFlight))), Self.leastWindow)
  }

  private var probeWindow: Int {
    max(path.product(Self.probeWindowGain, at: rate) ?? Self.leastWindow, Self.leastWindow)
  }

  private mutating func setWindow(_ ack: BBRAcknowledgement) {
    var most = target(windowGain) + (isFull ? aggregation.allowance(at: rate) : 0)
    if isFull {
      window = min(window + ack.acknowledged, most)
    } else if window < most || ack.totalDelivered < Self.initialWindow {
      window += ack.acknowledged
    }
    switch mode {
    case .cruise, .probeRoundTrip: most = min(withHeadroom, shortInFlight ?? .max)
    case .down, .refill, .up: most = min(mostInFlight, shortInFlight ?? .max)
    case .startup, .drain: most = .max
    }
    window = max(min(window, most), Self.leastWindow)
    if mode == .probeRoundTrip { window = min(window, probeWindow) }
  }
}
