/// Checks on a recorded call of one encoding and on its segments.
struct SingleEncodingChecks {
  private static let encodingHeights: [Double] = [180, 270, 360, 540, 720]
  /// RTP bytes per IP byte (about 1100 of 1138): recordings count the former, result tables the latter.
  private static let rtpShare = 1100.0 / 1138
  /// Minimum factor of a rise or a drop; smaller steps count as neither.
  private static let largeStep = 2.0

  private let call: RecordedCall
  private let runs: CallRuns

  init(_ call: RecordedCall, _ runs: CallRuns) {
    self.call = call
    self.runs = runs
  }

  /// Received rates, followed by the checks specific to constant or changing capacity.
  var all: [VerificationCheck] {
    let windows = SettledWindows(call)
    let segments = call.segments
    var checks = windows.rates.map(rate)
    if segments.count == 1 {
      checks += sawtooth(segments[0].kilobits, windows.sawtooth) + windows.heights.map(height) + climbs
    } else {
      checks += windows.heights.map(height)
      let steps = zip(segments, segments.dropFirst()).filter { SettledWindows.settled($1) != nil }
      let rises = steps.filter { $1.kilobits >= Self.largeStep * $0.kilobits }.map(\.1)
      let drops = steps.filter { $1.kilobits * Self.largeStep <= $0.kilobits }.map(\.1)
      for segment in rises {
        guard let settled = windows.rates.first(where: { segment.from..<segment.to ~= $0.lowerBound }) else {
          continue
        }
        checks.append(rise(segment, settled, at: Self.place(of: segment, among: rises)))
      }
      for segment in drops { checks += drop(segment, at: Self.place(of: segment, among: drops)) }
    }
    return checks
  }

  /// Names the time of a change if there are several of its kind.
  private static func place(of segment: Segment, among all: [Segment]) -> String {
    all.count > 1 ? " at \(segment.from) s" : ""
  }

  // MARK: Every segment

  private func rate(_ window: ClosedRange<Int>) -> VerificationCheck {
    let from = Double(window.lowerBound)
    let to = Double(window.upperBound)
    return .init(
      "received video, \(window.lowerBound) to \(window.upperBound) s [kbps]",
      published: call.rate("recv_bytes", from, to),
      simulated: runs.mean { $0.mean($0.received("bitrate_bps"), from, to) * Self.rtpShare / 1000 },
      withinShare: 0.15)
  }

  /// Checks the most frequent height in a window, over all seeds: the recording's encoding height or one next to it.
  private func height(_ window: ClosedRange<Int>) -> VerificationCheck {
    let metric = "height, \(window.lowerBound) to \(window.upperBound) s"
    guard let recorded = Self.mode(call.seconds("h", window.lowerBound, window.upperBound)) else {
      return .init(skipped: metric, because: "the recording has none of the model's heights there")
    }
    let simulated = Self.mode(
      runs.series.flatMap {
        $0.window($0.received("frame_height_px"), Double(window.lowerBound), Double(window.upperBound))
      })
    return .init(
      metric, published: "\(Int(Self.encodingHeights[recorded]))",
      simulated: simulated.map { "\(Int(Self.encodingHeights[$0]))" } ?? "none", tolerance: "same or next",
      holds: simulated.map { abs($0 - recorded) <= 1 } ?? false)
  }

  /// Returns the index of the most frequent encoding height; `nil` if no value has one.
  private static func mode(_ values: [Double]) -> Int? {
    let counts = encodingHeights.map { height in values.count { $0 == height } }
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
          // Recordings sample the estimate once a second; they contain no means.
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

  /// Checks of the time to each height that the recording reached while climbing.
  private var climbs: [VerificationCheck] {
    let heights = call.seconds("h")
    let start = call.startHeight ?? 0
    return Self.encodingHeights.filter { $0 > start }.compactMap { height in
      guard let recorded = heights.firstIndex(where: { ($0 ?? 0) >= height }) else { return nil }
      let metric = "time to \(Int(height))p [s]"
      if let mismatch = runs.mismatch { return .init(skipped: metric, because: mismatch) }
      return .init(
        metric, published: Double(recorded),
        simulated: runs.mean { run in
          run.received("frame_height_px").firstIndex { ($0 ?? 0) >= height }
            .map { Double($0 + 1) * run.interval } ?? .infinity
        }, withinShare: 0.4)
    }
  }

  // MARK: Changes of capacity

  /// Checks the time from a capacity increase to 90 % of the settled rate.
  private func rise(_ segment: Segment, _ settled: ClosedRange<Int>, at place: String) -> VerificationCheck {
    let seconds = segment.from + 1..<segment.to
    func time(_ rate: (Double, Double) -> Double) -> Double {
      let most = 0.9 * rate(Double(settled.lowerBound), Double(settled.upperBound))
      return Double((seconds.first { rate(Double($0 - 1), Double($0)) >= most } ?? segment.to) - segment.from)
    }
    return .init(
      "time from the rise\(place) to 90 % of the new rate [s]",
      published: time { call.rate("recv_bytes", $0, $1) },
      simulated: runs.mean { run in time { run.mean(run.received("bitrate_bps"), $0, $1) } }, withinShare: 0.4
    )
  }

  /// Checks frame rate and freezes in the ten seconds after a capacity drop.
  private func drop(_ segment: Segment, at place: String) -> [VerificationCheck] {
    let end = segment.from + 10
    let rates = call.seconds("fps", segment.from + 1, end)
    let counts = call.seconds("freeze", segment.from, end)
    let freezes = (counts.last ?? .nan) - (counts.first ?? .nan)
    return [
      .init(
        "frame rate in the ten seconds after the drop\(place) [fps]", published: CallRuns.mean(rates),
        simulated: runs.mean {
          $0.mean($0.received("frames_per_second"), Double(segment.from), Double(end))
        }, withinShare: 0.25),
      .init(
        "freezes in the ten seconds after the drop\(place)", published: freezes,
        simulated: runs.mean {
          $0.window($0.received("freeze_count"), Double(segment.from), Double(end)).reduce(0, +)
        }, within: 2),
    ]
  }
}

extension RecordedCall {
  /// Height of the first frame.
  var startHeight: Double? { column("h").lazy.compactMap { $0 }.first }
}

extension MeetingSeries {
  /// Returns a column of `streams.csv` for the receiver of a call.
  fileprivate func received(_ column: String) -> [Double?] { stream("receiver", "sender", column) }
}
