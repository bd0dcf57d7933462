package import Quantity

/// BBR version 1 as in Linux (`net/ipv4/tcp_bbr.c`; draft-cardwell-iccrg-bbr-congestion-control-00): a pacing rate and
/// a window from a model of the path, regardless of losses.
///
/// Policer detection (long-term sampling) is not modelled. The gain cycle, whose first phase is random in Linux, starts
/// with the first phase of steady sending.
package struct BBRWindow: BitwiseCopyable, Sendable {
  package enum Mode: BitwiseCopyable, Sendable { case startup, drain, probeBandwidth, probeRoundTrip }

  /// 2/ln 2 and its inverse (`bbr_high_gain`, `bbr_drain_gain`).
  package static let highGain = 2.885
  private static let windowGain = 2.0
  /// `bbr_pacing_gain`: a probe, a drain, six rounds of steady sending.
  private static let cycle: InlineArray<8, Double> = [1.25, 0.75, 1, 1, 1, 1, 1, 1]
  private static let steadyPhase = 2
  /// `bbr_cwnd_min_target` [segment].
  private static let leastWindow = 4
  /// `bbr_probe_rtt_mode_ms`.
  private static let probeTime = SimDuration.milliseconds(200)
  private static let initialWindow = 10

  package private(set) var mode = Mode.startup
  package private(set) var path = PathModel(window: 10)
  package private(set) var window: Int
  private var pacing: ModelPacing
  package private(set) var phase = 0
  private var phaseAt = SimTime.zero
  private var pipe = FullPipe()
  private var priorWindow = 0
  private var isRecovering = false
  private var conserves = false
  private var probeDoneAt = SimTime?.none
  private var hasProbeRound = false
  private var aggregation = AcknowledgementAggregation()

  package init(initial: Int = 10) {
    window = initial
    pacing = ModelPacing(startGain: Self.highGain, window: initial)
  }

  /// Pacing rate [segment/s].
  package var pacingRate: Double { pacing.rate }
  /// `true` once the rate has stopped growing.
  package var isFull: Bool { pipe.isReached }

  private var pacingGain: Double {
    switch mode {
    case .startup: Self.highGain
    case .drain: 1 / Self.highGain
    case .probeBandwidth: Self.cycle[phase]
    case .probeRoundTrip: 1
    }
  }

  private var windowGain: Double {
    switch mode {
    case .startup, .drain: Self.highGain
    case .probeBandwidth: Self.windowGain
    case .probeRoundTrip: 1
    }
  }

  /// Processes an acknowledgement.
  ///
  /// - Parameter isRecovering: `true` while the connection repairs a loss.
  package mutating func acknowledge(_ ack: BBRAcknowledgement, isRecovering: Bool, at now: SimTime) {
    updateRate(ack)
    aggregation.note(ack, rate: path.rate, window: window, isRoundStart: path.isRoundStart, at: now)
    if mode == .probeBandwidth, endsPhase(ack, at: now) { begin(phase: (phase + 1) % 8, at: now) }
    if !isFull, path.isRoundStart { pipe.note(path.rate) }
    checkDrain(ack, at: now)
    updateRoundTrip(ack, at: now)
    pacing.follow(path.rate, gain: pacingGain, of: path, window: window, isFull: isFull)
    setWindow(ack, isRecovering: isRecovering)
  }

  /// Reacts to a timeout: the window falls to one segment, as in Linux's `tcp_enter_loss`, and grows again.
  package mutating func collapse() {
    saveWindow()
    isRecovering = true
    conserves = false
    pipe.restart()
    window = 1
  }

  // MARK: Model

  private mutating func updateRate(_ ack: BBRAcknowledgement) {
    path.countRound(ack)
    if path.isRoundStart {
      path.beginPeriod()
      conserves = false
    }
    path.note(rate: ack.sample.rate)
  }

  private mutating func checkDrain(_ ack: BBRAcknowledgement, at now: SimTime) {
    if mode == .startup, isFull { mode = .drain }
    if mode == .drain, ack.inFlight <= inFlight(1) {
      mode = .probeBandwidth
      begin(phase: Self.steadyPhase, at: now)
    }
  }

  private mutating func begin(phase: Int, at now: SimTime) {
    self.phase = phase
    phaseAt = now
  }

  private func endsPhase(_ ack: BBRAcknowledgement, at now: SimTime) -> Bool {
    let hasLasted = now - phaseAt > path.leastRoundTrip ?? .zero
    let gain = Self.cycle[phase]
    if gain > 1 { return hasLasted && (ack.lost > 0 || ack.priorInFlight >= inFlight(gain)) }
    return hasLasted || gain < 1 && ack.priorInFlight <= inFlight(1)
  }

  private mutating func updateRoundTrip(_ ack: BBRAcknowledgement, at now: SimTime) {
    let isStale = path.isStale(at: now)
    path.noteRoundTrip(ack.sample.roundTrip, at: now)
    if isStale, mode != .probeRoundTrip {
      saveWindow()
      mode = .probeRoundTrip
      probeDoneAt = nil
    }
    guard mode == .probeRoundTrip else { return }
    if let done = probeDoneAt {
      if path.isRoundStart { hasProbeRound = true }
      guard hasProbeRound, now > done else { return }
      path.renew(at: now)
      window = max(window, priorWindow)
      mode = isFull ? .probeBandwidth : .startup
      begin(phase: Self.steadyPhase, at: now)
    } else if ack.inFlight <= Self.leastWindow {
      probeDoneAt = now + Self.probeTime
      hasProbeRound = false
      path.beginRound(delivered: ack.totalDelivered)
    }
  }

  // MARK: Rate and window

  /// Returns the window for a multiple of the bandwidth-delay product, with room for bursts [segment].
  private func inFlight(_ gain: Double) -> Int {
    budgeted(path.product(gain, at: path.rate) ?? Self.initialWindow)
  }

  /// Adds three bursts, rounds up to an even number, and lets a probe exceed small bandwidth-delay products
  /// (`bbr_quantization_budget`).
  private func budgeted(_ segments: Int) -> Int {
    let even = (segments + 3 * pacing.burst + 1) & ~1
    return even + (mode == .probeBandwidth && phase == 0 ? 2 : 0)
  }

  private mutating func setWindow(_ ack: BBRAcknowledgement, isRecovering: Bool) {
    defer { if mode == .probeRoundTrip { window = min(window, Self.leastWindow) } }
    guard ack.acknowledged > 0, !recover(ack, isRecovering) else { return }
    var target = path.product(windowGain, at: path.rate) ?? Self.initialWindow
    if isFull { target += aggregation.allowance(at: path.rate) }
    target = budgeted(target)
    if isFull {
      window = min(window + ack.acknowledged, target)
    } else if window < target || ack.totalDelivered < Self.initialWindow {
      window += ack.acknowledged
    }
    window = max(window, Self.leastWindow)
  }

  /// Conserves packets in the first round of a recovery, and restores the window after the recovery.
  ///
  /// - Returns: `true` if the window is set.
  private mutating func recover(_ ack: BBRAcknowledgement, _ now: Bool) -> Bool {
    if ack.lost > 0 { window = max(window - ack.lost, 1) }
    if now, !isRecovering {
      saveWindow()
      conserves = true
      path.beginRound(delivered: ack.totalDelivered)
      window = ack.inFlight + ack.acknowledged
    } else if !now, isRecovering {
      window = max(window, priorWindow)
      conserves = false
    }
    isRecovering = now
    guard conserves else { return false }
    window = max(window, ack.inFlight + ack.acknowledged)
    return true
  }

  private mutating func saveWindow() {
    priorWindow = isRecovering || mode == .probeRoundTrip ? max(priorWindow, window) : window
  }
}

/// Segments acknowledged beyond those that the delivery rate accounts for, because acknowledgements arrive in clumps
/// (`bbr_update_ack_aggregation`): their maximum over five to ten rounds widens the window.
struct AcknowledgementAggregation: BitwiseCopyable, Sendable {
  private static let rounds = 5
  /// `bbr_extra_acked_max_us` [s].
  private static let longest = 0.1

  private var present = 0
  private var past = 0
  private var age = 0
  private var epochAt = SimTime.zero
  private var acknowledged = 0

  mutating func note(
    _ ack: BBRAcknowledgement, rate: Double, window: Int, isRoundStart: Bool, at now: SimTime
  ) {
    if isRoundStart {
      age += 1
      if age >= Self.rounds {
        age = 0
        past = present
        present = 0
      }
    }
    var expected = Int(rate * (now - epochAt).seconds)
    if acknowledged <= expected {
      acknowledged = 0
      epochAt = now
      expected = 0
    }
    acknowledged += ack.acknowledged
    present = max(present, min(acknowledged - expected, window))
  }

  /// Returns the number of segments to add to a window.
  func allowance(at rate: Double) -> Int { min(max(present, past), Int(rate * Self.longest)) }
}
