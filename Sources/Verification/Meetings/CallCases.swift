import Meeting
import Metrics
import Scenario

/// Recorded calls of a real browser on shaped links, and the same set-ups here, over ten seeds.
enum CallCases {
  private static let seeds: [UInt64] = Array(1...10)
  private static let rungs: [Double] = [180, 270, 360, 540, 720]
  private static let source = "recorded call, Chromium 156"

  static func all(in folder: String) -> [VerificationCase] {
    [
      constant(500, folder), constant(1200, folder), constant(4000, folder), steps(folder),
      uplink(450, folder), uplink(1300, folder), uplink(2600, folder), switching(folder),
    ]
  }

  // MARK: One encoding

  private static func constant(_ kilobits: Int, _ folder: String) -> VerificationCase {
    compare(
      "call-p2p-\(kilobits)", "p2p-const-\(kilobits)", "one to one, \(kilobits) kbps", folder,
      PackageResources.call_p2p_yaml, overrides: ["links.shaped.capacity=\(kilobits) kbps"]
    ) { call, runs in
      rates([(30, 44)], call, runs) + sawtooth(Double(kilobits), 15, 44, call, runs)
        + [height(40, 44, call, runs)] + climbs(call, runs)
    }
  }

  private static func steps(_ folder: String) -> VerificationCase {
    compare(
      "call-p2p-rfc8867-51", "p2p-rfc8867-51", "one to one; 1, 2.5, 0.6, 1 Mbps from 0, 40, 60, 80 s", folder,
      PackageResources.call_rfc8867_51_yaml
    ) { call, runs in
      var checks = rates([(25, 39), (55, 60), (70, 79), (90, 99)], call, runs)
      checks += [
        height(30, 39, call, runs), height(55, 59, call, runs), height(72, 79, call, runs),
        height(90, 99, call, runs),
      ]
      let rise = 0.9 * call.rate("recv_bytes", 55, 60)
      let recorded = (41...59).first { call.rate("recv_bytes", Double($0 - 1), Double($0)) >= rise }
      let simulated = runs.map { run in
        let settled = 0.9 * run.mean(run.stream("receiver", "sender", "bitrate_bps"), 55, 60)
        return Double(
          (41...59).first {
            run.mean(run.stream("receiver", "sender", "bitrate_bps"), Double($0 - 1), Double($0)) >= settled
          }
            ?? 60) - 40
      }
      checks.append(
        .init(
          "time from the rise to 90 % of the new rate [s]", published: Double(recorded ?? 60) - 40,
          simulated: mean(simulated), withinShare: 0.4))
      let rates = call.seconds("fps", 61, 70)
      checks.append(
        .init(
          "frame rate in the ten seconds after the drop [fps]", published: mean(rates),
          simulated: mean(runs.map { $0.mean($0.stream("receiver", "sender", "frames_per_second"), 60, 70) }),
          withinShare: 0.25))
      let counts = call.seconds("freeze", 60, 70)
      let freezes = (counts.last ?? .nan) - (counts.first ?? .nan)
      checks.append(
        .init(
          "freezes in the ten seconds after the drop", published: freezes,
          simulated: mean(
            runs.map { $0.window($0.stream("receiver", "sender", "freeze_count"), 60, 70).reduce(0, +) }),
          within: 2))
      return checks
    }
  }

  private static func rates(
    _ windows: [(Double, Double)], _ call: RecordedCall, _ runs: [MeetingSeries]
  ) -> [VerificationCheck] {
    windows.map { from, to in
      .init(
        "received video, \(Int(from)) to \(Int(to)) s [kbps]", published: call.rate("recv_bytes", from, to),
        simulated: mean(
          runs.map { $0.mean($0.stream("receiver", "sender", "bitrate_bps"), from, to) * rtpShare / 1000 }),
        withinShare: 0.15)
    }
  }

  /// The recordings count RTP packets, the tables IP packets: about 1100 of 1138 bytes.
  private static let rtpShare = 1100.0 / 1138

  private static func sawtooth(
    _ capacity: Double, _ from: Int, _ to: Int, _ call: RecordedCall, _ runs: [MeetingSeries]
  ) -> [VerificationCheck] {
    guard let recorded = Sawtooth(call.seconds("bwe_kbps", from, to)) else {
      return []
    }
    let simulated = runs.compactMap { run in
      Sawtooth(
        (from..<to).map {
          // The recordings have the estimate at a moment of each second, no mean.
          run.mean(run.participant("sender", "up_estimate_bps"), Double($0), Double($0) + run.interval) / 1000
        })
    }
    return [
      .init(
        "estimate's peak relative to capacity [%]", published: recorded.peak / capacity * 100,
        simulated: mean(simulated.map(\.peak)) / capacity * 100, withinShare: 0.25),
      .init(
        "estimate's trough relative to capacity [%]", published: recorded.trough / capacity * 100,
        simulated: mean(simulated.map(\.trough)) / capacity * 100, withinShare: 0.25),
      .init(
        "length of the sawtooth [s]", published: recorded.length, simulated: mean(simulated.map(\.length)),
        withinShare: 0.25),
    ]
  }

  /// The height that most seconds of a window have, over all seeds: the recording's rung or its neighbour.
  private static func height(
    _ from: Int, _ to: Int, _ call: RecordedCall, _ runs: [MeetingSeries]
  ) -> VerificationCheck {
    let recorded = mode(call.seconds("h", from, to))
    let simulated = mode(
      runs.flatMap { $0.window($0.stream("receiver", "sender", "frame_height_px"), Double(from), Double(to)) }
    )
    let distance = abs((rungs.firstIndex(of: recorded) ?? 9) - (rungs.firstIndex(of: simulated) ?? -9))
    return .init(
      "height, \(from) to \(to) s", published: "\(Int(recorded))", simulated: "\(Int(simulated))",
      tolerance: "same or next", holds: distance <= 1)
  }

  /// When each height first came, for those that the recording reached by climbing.
  private static func climbs(_ call: RecordedCall, _ runs: [MeetingSeries]) -> [VerificationCheck] {
    let heights = call.seconds("h")
    let start = heights.compactMap { $0 }.first ?? 0
    return rungs.filter { $0 > start }.compactMap { rung in
      guard let recorded = heights.firstIndex(where: { ($0 ?? 0) >= rung }) else { return nil }
      let simulated = runs.map { run in
        run.stream("receiver", "sender", "frame_height_px").firstIndex { ($0 ?? 0) >= rung }
          .map { Double($0 + 1) * run.interval } ?? .infinity
      }
      return .init(
        "time to \(Int(rung)) lines [s]", published: Double(recorded), simulated: mean(simulated),
        withinShare: 0.4)
    }
  }

  // MARK: Simulcast

  private static func uplink(_ kilobits: Int, _ folder: String) -> VerificationCase {
    VerificationCase(
      name: "call-sim-up-\(kilobits)",
      setup: "three VP8 encodings, Janus, uplink \(kilobits) kbps; ten seeds",
      source: "\(source), sim-up-\(kilobits).csv"
    ) {
      guard let call = RecordedCall(path: "\(folder)/sim-up-\(kilobits).csv") else { return missing(folder) }
      do {
        let totals = try seeds.map { try encodingRates(kilobits, seed: $0, from: 10, to: 40) }
        return VerificationOutcome(
          checks: ["l", "m", "h"].enumerated().map { place, rid in
            let recorded = call.rate("\(rid)_bytes", 10, 39)
            let simulated = mean(totals.map { $0[place] })
            guard recorded >= 20 else {
              return .init(
                "encoding \(rid)", published: "not sent", simulated: simulated < 20 ? "not sent" : "sent",
                tolerance: "same", holds: simulated < 20)
            }
            return .init(
              "encoding \(rid), 10 to 39 s [kbps]", published: recorded, simulated: simulated,
              withinShare: 0.2)
          })
      } catch {
        return failure(error)
      }
    }
  }

  /// What was sent of each encoding between two times, from two runs of different length [kbps].
  private static func encodingRates(
    _ kilobits: Int, seed: UInt64, from: Int, to: Int
  ) throws -> [Double] {
    let totals = try [from, to].map { seconds in
      let loaded = try ScenarioReader.read(
        bytes: PackageResources.call_simulcast_yaml, file: "case", directory: "",
        overrides: [
          "links.shaped.capacity=\(kilobits) kbps", "duration=\(seconds)s",
        ])
      var sink = MemorySink()
      return try MeetingRun.run(loaded.plan, seed: seed, runID: "case", into: &sink).encodings.map(
        \.sentBytes)
    }
    return zip(totals[0], totals[1]).map { Double($1 - $0) * 8 / 1000 / Double(to - from) }
  }

  private static func switching(_ folder: String) -> VerificationCase {
    compare(
      "call-sim-switch", "sim-switch", "three VP8 encodings, Janus; the viewer asks for h, l, h, m, l, h",
      folder,
      PackageResources.call_switch_yaml
    ) { call, runs in
      [(10, 180.0), (20, 720), (30, 360), (40, 180), (50, 720)].map { at, height in
        let recorded = call.seconds("h").indices.first { $0 > at && call.seconds("h")[$0] == height } ?? 99
        let simulated = runs.map { run in
          let heights = run.stream("receiver", "sender", "frame_height_px")
          let first = heights.indices.first {
            Double($0) * run.interval >= Double(at) && heights[$0] == height
          }
          return first.map { Double($0 + 1) * run.interval - Double(at) } ?? .infinity
        }
        return .init(
          "time to \(Int(height)) lines after the wish at \(at) s [s], sampled each second",
          atMost: Double(recorded - at), simulated: mean(simulated))
      }
    }
  }

  // MARK: What they share

  private static func compare(
    _ name: String, _ file: String, _ setup: String, _ folder: String, _ bytes: [UInt8],
    overrides: [String] = [],
    checks: @escaping @Sendable (RecordedCall, [MeetingSeries]) -> [VerificationCheck]
  ) -> VerificationCase {
    VerificationCase(name: name, setup: "\(setup); ten seeds", source: "\(source), \(file).csv") {
      guard let call = RecordedCall(path: "\(folder)/\(file).csv") else { return missing(folder) }
      do {
        let runs = try seeds.map { try MeetingSeries(scenario: bytes, seed: $0, overrides: overrides) }
        return VerificationOutcome(checks: checks(call, runs))
      } catch {
        return failure(error)
      }
    }
  }

  private static func missing(_ folder: String) -> VerificationOutcome {
    VerificationOutcome(checks: [.init(skipped: "call", because: "no recording in \(folder)")])
  }

  private static func failure(_ error: any Error) -> VerificationOutcome {
    VerificationOutcome(checks: [
      .init("run", published: "runs", simulated: "\(error)", tolerance: "-", holds: false)
    ])
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }

  private static func mode(_ values: [Double]) -> Double {
    rungs.max { a, b in values.count { $0 == a } < values.count { $0 == b } } ?? 0
  }
}
