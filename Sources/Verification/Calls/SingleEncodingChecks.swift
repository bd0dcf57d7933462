import Network
import Plan
import Quantity

/// Checks on a recorded call with one encoding: every series that the recording has, in each part of the call.
struct SingleEncodingChecks {
  private static let encodingHeights: [Double] = [180, 270, 360, 540, 720]
  /// RTP bytes per IP byte (about 1100 of 1138): recordings count the former, result tables the latter.
  private static let rtpShare = 1100.0 / 1138
  private static let layer = "f"

  private let call: RecordedCall
  private let plan: MeetingPlan
  private let runs: CallRuns
  private let segments: [Segment]

  init(_ call: RecordedCall, _ plan: MeetingPlan, _ runs: CallRuns) {
    self.call = call
    self.plan = plan
    self.runs = runs
    segments = Segment.all(of: plan, seconds: call.duration)
  }

  var all: [VerificationCheck] {
    let settled = SettledWindows.all(of: segments, seconds: call.duration, hasTrace: plan.hasTrace)
    var checks: [VerificationCheck] = []
    for (segment, window) in settled {
      checks += rates(window) + [height(window)] + frameRate(window) + roundTrip(segment, window)
      if segments.contains(segment), !plan.hasTrace { checks += sawtooth(segment) }
    }
    checks += climbs
    for (before, segment) in zip(segments, segments.dropFirst()) {
      guard SettledWindows.settled(before) != nil, let window = SettledWindows.settled(segment) else {
        continue
      }
      if segment.isRise(from: before) { checks.append(rise(segment, window)) }
      if segment.isDrop(from: before) { checks += frameRate(segment.from + 1...segment.from + 10) }
    }
    for segment in settled.map(\.0) { checks += freezes(segment) + counts(segment) }
    return checks
  }

  private static func span(_ window: ClosedRange<Int>) -> String {
    "\(window.lowerBound) to \(window.upperBound) s"
  }

  // MARK: Settled windows

  private func rates(_ window: ClosedRange<Int>) -> [VerificationCheck] {
    let from = Double(window.lowerBound)
    let to = Double(window.upperBound)
    func simulated(_ factor: Double, _ column: (MeetingSeries) -> [Double?]) -> Double {
      runs.mean { $0.mean(column($0), from, to) * factor / 1000 }
    }
    func recorded(_ name: String) -> Double {
      CallRuns.mean(call.seconds(name, window.lowerBound, window.upperBound))
    }
    let place = Self.span(window)
    var checks = [
      CallCheckKind.rate.check(
        "received video, \(place) [kbps]", recorded: call.rate("recv_bytes", from, to),
        simulated: simulated(Self.rtpShare) { $0.received("bitrate_bps") }),
      CallCheckKind.estimate.check(
        "estimate, \(place) [kbps]", recorded: recorded("bwe_kbps"),
        simulated: simulated(1) { $0.participant(CallSetup.sender, "up_estimate_bps") }),
    ]
    if call.has("target_kbps") {
      checks.append(
        CallCheckKind.rate.check(
          "encoder's target, \(place) [kbps]", recorded: recorded("target_kbps"),
          simulated: simulated(1) { sent($0, "target_bitrate_bps") }))
    }
    return checks
  }

  /// Checks that in most seeds the height is the recorded one, second by second.
  private func height(_ window: ClosedRange<Int>) -> VerificationCheck {
    let metric = "height, \(Self.span(window))"
    let heights = call.seconds("h")
    let recorded = window.compactMap { second in heights[second].map { (second, $0) } }
    let columns = runs.series.map { ($0.received("frame_height_px"), $0.interval) }
    let pairs = recorded.map { second, height in
      (height, Self.mode(columns.compactMap { Self.height(in: $0, every: $1, at: second) }))
    }
    let equal = Double(pairs.count { $0 == $1 }) / Double(max(pairs.count, 1))
    func text(_ heights: [Double]) -> String { Self.mode(heights).map { "\(Int($0))" } ?? "none" }
    var check = VerificationCheck(
      metric, published: text(pairs.map(\.0)), simulated: text(pairs.compactMap(\.1)),
      tolerance: "equal in \(Int(CallCheckKind.equalSeconds * 100)) % of the seconds",
      holds: equal >= CallCheckKind.equalSeconds
    ).of(.height)
    check.remark = "equal in \(Int((equal * 100).rounded())) %"
    return check
  }

  /// Height of the last frame before a second.
  private static func height(in heights: [Double?], every interval: Double, at second: Int) -> Double? {
    let place = Int((Double(second) / interval).rounded()) - 1
    return heights.indices.contains(place) ? heights[place] : nil
  }

  /// Returns the most frequent value, the largest in a tie.
  private static func mode(_ values: [Double]) -> Double? {
    var counts: [Double: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  private func frameRate(_ window: ClosedRange<Int>) -> [VerificationCheck] {
    let recorded = CallRuns.median(call.seconds("fps", window.lowerBound, window.upperBound))
    guard !recorded.isNaN else { return [] }
    return [
      CallCheckKind.frameRate.check(
        "frame rate, \(Self.span(window)) [fps]", recorded: recorded,
        simulated: runs.mean { run in
          let rates = run.received("frames_per_second")
          return CallRuns.median(
            window.map { run.mean(rates, Double($0 - 1), Double($0)) }.filter { !$0.isNaN })
        })
    ]
  }

  /// Checks the median round trip: the links' delays plus the wait before the sender's uplink. Means would differ,
  /// since browsers probe at independent times, while packets mostly wait behind others of their own frame.
  private func roundTrip(_ segment: Segment, _ window: ClosedRange<Int>) -> [VerificationCheck] {
    let recorded = CallRuns.median(call.seconds("rtt_ms", window.lowerBound, window.upperBound))
    guard !recorded.isNaN else { return [] }
    let links = plan.participants.flatMap { [$0.up, $0.down] }.flatMap(\.self)
    let delays = links.map {
      plan.links[$0].parameters.delay(at: .zero + .seconds(Int64(segment.from))).seconds
    }
    let path = delays.reduce(0, +) * 1000
    return [
      CallCheckKind.delay.check(
        "round trip, \(Self.span(window)) [ms]", recorded: recorded,
        simulated: runs.mean { run in
          let waits = run.participant(CallSetup.sender, "up_queue_delay_s")
          return path
            + CallRuns.median(run.window(waits, Double(window.lowerBound), Double(window.upperBound))) * 1000
        })
    ]
  }

  /// Checks the sawtooth of the estimate after the first third of a segment, if the recording has one.
  private func sawtooth(_ segment: Segment) -> [VerificationCheck] {
    let window = segment.from + segment.length / 3...segment.to - 1
    guard let recorded = Sawtooth(call.seconds("bwe_kbps", window.lowerBound, window.upperBound)) else {
      return []
    }
    let simulated = runs.series.compactMap { run in
      let estimates = run.participant(CallSetup.sender, "up_estimate_bps")
      return Sawtooth(
        (window.lowerBound..<window.upperBound).map {
          // Recordings have samples of the estimate, once a second, instead of means.
          run.mean(estimates, Double($0), Double($0) + run.interval) / 1000
        })
    }
    let place = Self.span(window)
    return [
      CallCheckKind.estimate.check(
        "estimate's peak, \(place) [kbps]", recorded: recorded.peak,
        simulated: CallRuns.mean(simulated.map(\.peak))),
      CallCheckKind.estimate.check(
        "estimate's trough, \(place) [kbps]", recorded: recorded.trough,
        simulated: CallRuns.mean(simulated.map(\.trough))),
      CallCheckKind.time.check(
        "length of the sawtooth, \(place) [s]", recorded: recorded.length,
        simulated: CallRuns.mean(simulated.map(\.length))),
    ]
  }

  // MARK: Changes

  /// Checks on the time to each height that the recording reached while climbing in its first segment.
  private var climbs: [VerificationCheck] {
    let heights = call.seconds("h").prefix(plan.hasTrace ? 0 : segments.first?.to ?? 0)
    let start = call.startHeight ?? 0
    return Self.encodingHeights.filter { $0 > start }.compactMap { height in
      guard let recorded = heights.firstIndex(where: { ($0 ?? 0) >= height }) else { return nil }
      return CallCheckKind.time.check(
        "time to \(Int(height))p [s]", recorded: Double(recorded),
        simulated: runs.median { run in
          run.received("frame_height_px").firstIndex { ($0 ?? 0) >= height }
            .map { Double($0 + 1) * run.interval } ?? .infinity
        })
    }
  }

  /// Checks the time from a rise to 90 % of the settled rate.
  private func rise(_ segment: Segment, _ settled: ClosedRange<Int>) -> VerificationCheck {
    let seconds = segment.from + 1..<segment.to
    func time(_ rate: (Double, Double) -> Double) -> Double {
      let most = 0.9 * rate(Double(settled.lowerBound), Double(settled.upperBound))
      return Double((seconds.first { rate(Double($0 - 1), Double($0)) >= most } ?? segment.to) - segment.from)
    }
    return CallCheckKind.time.check(
      "time from the rise at \(segment.from) s to 90 % of the new rate [s]",
      recorded: time { call.rate("recv_bytes", $0, $1) },
      simulated: runs.median { run in
        let rates = run.received("bitrate_bps")
        return time { run.mean(rates, $0, $1) }
      })
  }

  // MARK: Whole segments

  private func freezes(_ segment: Segment) -> [VerificationCheck] {
    [("freeze", "freezes", "freeze_count"), ("freeze_s", "time frozen", "freezes_duration_s")]
      .filter { call.has($0.0) }.map { column, name, simulated in
        sum(.freeze, of: column, "\(name), \(Self.place(of: segment))", in: segment) {
          $0.received(simulated)
        }
      }
  }

  private func counts(_ segment: Segment) -> [VerificationCheck] {
    let sent = [
      ("nack", "requests for packets", "nack_count"), ("rtx", "repairs", "retransmitted_packets_sent"),
      ("keyframes", "key frames", "key_frames_encoded"), ("pli", "key frame requests", "pli_count"),
    ]
    var checks: [VerificationCheck] = []
    if call.has("lost") {
      checks.append(
        sum(.count, of: "lost", "packets lost, \(Self.place(of: segment))", in: segment) {
          $0.received("packets_lost")
        })
    }
    return checks
      + sent.filter { call.has($0.0) }.map { column, name, simulated in
        sum(.count, of: column, "\(name), \(Self.place(of: segment))", in: segment) {
          self.sent($0, simulated)
        }
      }
  }

  private static func place(of segment: Segment) -> String { span(segment.from...segment.to - 1) }

  /// Compares the increase of a recording's counter over a segment with the sum of a column.
  private func sum(
    _ kind: CallCheckKind, of counter: String, _ metric: String, in segment: Segment,
    _ column: (MeetingSeries) -> [Double?]
  ) -> VerificationCheck {
    let values = call.seconds(counter, segment.from, segment.to)
    let first = segment.from == 0 ? 0 : values.first ?? .nan
    return kind.check(
      metric, recorded: (values.last ?? .nan) - first,
      simulated: runs.mean {
        $0.window(column($0), Double(segment.from), Double(segment.to)).reduce(0, +)
      })
  }

  private func sent(_ run: MeetingSeries, _ column: String) -> [Double?] {
    run.sent(CallSetup.sender, layer: Self.layer, column)
  }
}

extension RecordedCall {
  /// Height of the first frame.
  var startHeight: Double? { column("h").lazy.compactMap { $0 }.first }
}

extension LinkParameters {
  /// Propagation delay at a time.
  fileprivate func delay(at time: SimTime) -> SimDuration {
    var delay = propagationDelay
    for step in changes where step.at <= time {
      if case .delay(let changed) = step.change { delay = changed }
    }
    return delay
  }
}
