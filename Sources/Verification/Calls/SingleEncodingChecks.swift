/// The checks on a recorded call of one encoding and on its stretches.
struct SingleEncodingChecks {
  private static let rungs: [Double] = [180, 270, 360, 540, 720]
  /// The recordings count RTP packets, the tables IP packets: about 1100 of 1138 bytes.
  private static let rtpShare = 1100.0 / 1138
  /// A step up by at least this factor is a rise, one down by at least it a drop; smaller steps are neither.
  private static let largeStep = 2.0

  private let call: RecordedCall
  private let runs: CallRuns

  init(_ call: RecordedCall, _ runs: CallRuns) {
    self.call = call
    self.runs = runs
  }

  /// Received rates first, then the checks that are specific to constant or changing capacity.
  var all: [VerificationCheck] {
    let windows = SettledWindows(call)
    let stretches = call.stretches
    var checks = windows.rates.map(rate)
    if stretches.count == 1 {
      checks += sawtooth(stretches[0].kilobits, windows.sawtooth) + windows.heights.map(height) + climbs
    } else {
      checks += windows.heights.map(height)
      let steps = zip(stretches, stretches.dropFirst()).filter { SettledWindows.settled($1) != nil }
      let rises = steps.filter { $1.kilobits >= Self.largeStep * $0.kilobits }.map(\.1)
      let drops = steps.filter { $1.kilobits * Self.largeStep <= $0.kilobits }.map(\.1)
      for stretch in rises {
        guard let settled = windows.rates.first(where: { stretch.from..<stretch.to ~= $0.lowerBound }) else {
          continue
        }
        checks.append(rise(stretch, settled, at: Self.place(of: stretch, among: rises)))
      }
      for stretch in drops { checks += drop(stretch, at: Self.place(of: stretch, among: drops)) }
    }
    return checks
  }

  /// The time of a change, if it is not the only one of its kind.
  private static func place(of stretch: Stretch, among all: [Stretch]) -> String {
    all.count > 1 ? " at \(stretch.from) s" : ""
  }

  // MARK: Every stretch

  private func rate(_ window: ClosedRange<Int>) -> VerificationCheck {
    let from = Double(window.lowerBound)
    let to = Double(window.upperBound)
    return .init(
      "received video, \(window.lowerBound) to \(window.upperBound) s [kbps]",
      published: call.rate("recv_bytes", from, to),
      simulated: runs.mean { $0.mean($0.received("bitrate_bps"), from, to) * Self.rtpShare / 1000 },
      withinShare: 0.15)
  }

  /// The height of most seconds of a window, over all seeds: the recording's encoding height or a neighbouring one.
  private func height(_ window: ClosedRange<Int>) -> VerificationCheck {
    let metric = "height, \(window.lowerBound) to \(window.upperBound) s"
    guard let recorded = Self.mode(call.seconds("h", window.lowerBound, window.upperBound)) else {
      return .init(skipped: metric, because: "the recording has none of our heights there")
    }
    let simulated = Self.mode(
      runs.series.flatMap {
        $0.window($0.received("frame_height_px"), Double(window.lowerBound), Double(window.upperBound))
      })
    return .init(
      metric, published: "\(Int(Self.rungs[recorded]))",
      simulated: simulated.map { "\(Int(Self.rungs[$0]))" } ?? "none", tolerance: "same or next",
      holds: simulated.map { abs($0 - recorded) <= 1 } ?? false)
  }

  /// Index of the encoding height that most values have; `nil` if no value has one.
  private static func mode(_ values: [Double]) -> Int? {
    let counts = rungs.map { rung in values.count { $0 == rung } }
    let most = counts.indices.max { counts[$0] < counts[$1] }
    return most.flatMap { counts[$0] > 0 ? $0 : nil }
  }

  // MARK: A constant capacity

  private func sawtooth(_ capacity: Double, _ window: ClosedRange<Int>) -> [VerificationCheck] {
    guard let recorded = Sawtooth(call.seconds("bwe_kbps", window.lowerBound, window.upperBound)) else {
      return []
    }
    let simulated = runs.series.compactMap { run in
      Sawtooth(
        (window.lowerBound..<window.upperBound).map {
          // The recordings sample the estimate once a second; they have no mean.
          run.mean(run.participant("sender", "up_estimate_bps"), Double($0), Double($0) + run.interval) / 1000
        })
    }
    return [
      .init(
        "estimate's peak relative to capacity [%]", published: recorded.peak / capacity * 100,
        simulated: CallRuns.mean(simulated.map(\.peak)) / capacity * 100, withinShare: 0.25),
      .init(
        "estimate's trough relative to capacity [%]", published: recorded.trough / capacity * 100,
        simulated: CallRuns.mean(simulated.map(\.trough)) / capacity * 100, withinShare: 0.25),
      .init(
        "length of the sawtooth [s]", published: recorded.length,
        simulated: CallRuns.mean(simulated.map(\.length)), withinShare: 0.25),
    ]
  }

  /// When each height was first reached, for those that the recording reached while climbing.
  private var climbs: [VerificationCheck] {
    let heights = call.seconds("h")
    let start = call.startHeight ?? 0
    return Self.rungs.filter { $0 > start }.compactMap { rung in
      guard let recorded = heights.firstIndex(where: { ($0 ?? 0) >= rung }) else { return nil }
      let metric = "time to \(Int(rung)) lines [s]"
      if let mismatch = runs.mismatch { return .init(skipped: metric, because: mismatch) }
      return .init(
        metric, published: Double(recorded),
        simulated: runs.mean { run in
          run.received("frame_height_px").firstIndex { ($0 ?? 0) >= rung }
            .map { Double($0 + 1) * run.interval } ?? .infinity
        }, withinShare: 0.4)
    }
  }

  // MARK: Changes of capacity

  /// How soon most of the settled rate of a stretch is reached.
  private func rise(_ stretch: Stretch, _ settled: ClosedRange<Int>, at place: String) -> VerificationCheck {
    let seconds = stretch.from + 1..<stretch.to
    func time(_ rate: (Double, Double) -> Double) -> Double {
      let most = 0.9 * rate(Double(settled.lowerBound), Double(settled.upperBound))
      return Double((seconds.first { rate(Double($0 - 1), Double($0)) >= most } ?? stretch.to) - stretch.from)
    }
    return .init(
      "time from the rise\(place) to 90 % of the new rate [s]",
      published: time { call.rate("recv_bytes", $0, $1) },
      simulated: runs.mean { run in time { run.mean(run.received("bitrate_bps"), $0, $1) } }, withinShare: 0.4
    )
  }

  /// The cost of a drop in its first ten seconds.
  private func drop(_ stretch: Stretch, at place: String) -> [VerificationCheck] {
    let end = stretch.from + 10
    let rates = call.seconds("fps", stretch.from + 1, end)
    let counts = call.seconds("freeze", stretch.from, end)
    let freezes = (counts.last ?? .nan) - (counts.first ?? .nan)
    return [
      .init(
        "frame rate in the ten seconds after the drop\(place) [fps]", published: CallRuns.mean(rates),
        simulated: runs.mean {
          $0.mean($0.received("frames_per_second"), Double(stretch.from), Double(end))
        }, withinShare: 0.25),
      .init(
        "freezes in the ten seconds after the drop\(place)", published: freezes,
        simulated: runs.mean {
          $0.window($0.received("freeze_count"), Double(stretch.from), Double(end)).reduce(0, +)
        }, within: 2),
    ]
  }
}

extension RecordedCall {
  /// Height of the first frame.
  var startHeight: Double? { column("h").lazy.compactMap { $0 }.first }
}

extension MeetingSeries {
  /// A column of `streams.csv` for the receiver of a call.
  fileprivate func received(_ column: String) -> [Double?] { stream("receiver", "sender", column) }
}
