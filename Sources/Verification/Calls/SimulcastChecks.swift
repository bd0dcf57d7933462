import Meeting
import Metrics
import Scenario

/// Checks on a recorded call with three encodings.
struct SimulcastChecks {
  private static let rids = ["l", "m", "h"]
  /// Rates below this count as not sent [kbps].
  private static let least = 20.0

  private let call: RecordedCall
  private let setup: CallSetup

  init(_ call: RecordedCall, _ setup: CallSetup) {
    self.call = call
    self.setup = setup
  }

  /// Checks the time to satisfy each request of the viewer or, if the request never changes, the rate of each encoding.
  func all() throws -> [VerificationCheck] { call.requestChanges.count > 1 ? try switches() : try rates() }

  // MARK: Rates

  private func rates() throws -> [VerificationCheck] {
    let segments = Segment.all(of: setup.plan, seconds: call.duration)
    // The first ten seconds of a segment, or its first half if that is shorter, do not count.
    var windows = segments.filter { $0.length >= RecordedCall.shortest }
      .map { $0.from + min(10, $0.length / 2)..<$0.to }
    if windows.isEmpty { windows = [call.duration / 3..<call.duration] }
    let totals = try (1...UInt64(CallRuns.wanted)).map { seed in
      try Dictionary(
        uniqueKeysWithValues: Set(windows.flatMap { [$0.lowerBound, $0.upperBound] }).map {
          ($0, try sentBytes(until: $0, seed: seed))
        })
    }
    return windows.flatMap { window in
      Self.rids.enumerated().map { place, rid in
        let simulated = CallRuns.mean(
          totals.map {
            let bytes = ($0[window.upperBound]?[place] ?? 0) - ($0[window.lowerBound]?[place] ?? 0)
            return Double(bytes) * 8 / 1000 / Double(window.count)
          })
        return rate(of: rid, in: window, simulated, isOnly: windows.count == 1)
      }
    }
  }

  private func rate(
    of rid: String, in window: Range<Int>, _ simulated: Double, isOnly: Bool
  ) -> VerificationCheck {
    let last = window.upperBound - 1
    let recorded = call.rate("\(rid)_bytes", Double(window.lowerBound), Double(last))
    let place = isOnly ? "" : ", \(window.lowerBound) to \(last) s"
    guard !recorded.isNaN else {
      return .init(skipped: "encoding \(rid)\(place)", because: "no values in the recording")
    }
    guard recorded >= Self.least else {
      return VerificationCheck(
        "encoding \(rid)\(place)", published: "not sent",
        simulated: simulated < Self.least ? "not sent" : "sent", tolerance: "same",
        holds: simulated < Self.least
      ).of(.rate)
    }
    return CallCheckKind.rate.check(
      "encoding \(rid), \(window.lowerBound) to \(last) s [kbps]", recorded: recorded, simulated: simulated)
  }

  /// Simulates the call up to a time and returns the bytes sent in each encoding.
  private func sentBytes(until second: Int, seed: UInt64) throws -> [Int64] {
    var sink = MemorySink()
    return try MeetingRun.run(setup.load(seconds: second).plan, seed: seed, runID: "case", into: &sink)
      .encodings.map(\.sentBytes)
  }

  // MARK: Switches

  private func switches() throws -> [VerificationCheck] {
    let runs = try CallRuns(setup, start: nil)
    let recorded = call.seconds("h")
    let changes = call.requestChanges
    let ends = changes.dropFirst(2).map(\.from) + [call.duration]
    return zip(changes.dropFirst(), ends).compactMap { change, end in
      let height = Double(CallSetup.heights[change.substream])
      // Requests that the recorded call never satisfied are not compared.
      guard let met = (change.from + 1..<end).first(where: { recorded[$0] == height }) else { return nil }
      return VerificationCheck(
        "time to \(Int(height))p after the request at \(change.from) s [s], sampled each second",
        atMost: Double(met - change.from),
        simulated: runs.mean { run in
          let heights = run.stream("receiver", "sender", "frame_height_px")
          let first = heights.indices.first {
            Double($0) * run.interval >= Double(change.from) && heights[$0] == height
          }
          return first.map { Double($0 + 1) * run.interval - Double(change.from) } ?? .infinity
        }
      ).of(.time)
    }
  }
}
