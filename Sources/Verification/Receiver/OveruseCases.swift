import CongestionControl
import Quantity

/// libwebrtc's unit tests of the receive side's delay filter and detector.
enum OveruseCases {
  private static let file = "libwebrtc overuse_detector_unittest.cc"

  /// A run: packets per frame, interval, drift and jitter [ms], and the published number of drifting frames until
  /// overuse is detected.
  private struct Drift {
    var packets: Int
    var interval: Int64
    var drift: Int64
    var jitter: Double
    var frames: Int
  }

  static let all: [VerificationCase] = [
    drift(
      "remb-drift", "delay that grows by 1 ms a frame, without jitter",
      [
        .init(packets: 6, interval: 33, drift: 1, jitter: 0, frames: 7),
        .init(packets: 1, interval: 100, drift: 1, jitter: 0, frames: 7),
      ]),
    drift(
      "remb-drift-slow-frames", "delay that grows each frame, with jitter, at 3 to 10 frames a second",
      [
        .init(packets: 1, interval: 333, drift: 1, jitter: 3, frames: 20),
        .init(packets: 1, interval: 333, drift: 100, jitter: 3, frames: 4),
        .init(packets: 1, interval: 333, drift: 1, jitter: 10, frames: 44),
        .init(packets: 1, interval: 333, drift: 100, jitter: 10, frames: 4),
        .init(packets: 2, interval: 200, drift: 1, jitter: 3, frames: 20),
        .init(packets: 2, interval: 200, drift: 1, jitter: 10, frames: 44),
        .init(packets: 1, interval: 100, drift: 1, jitter: 3, frames: 20),
        .init(packets: 1, interval: 100, drift: 1, jitter: 10, frames: 44),
      ]),
    drift(
      "remb-drift-30-frames", "delay that grows each frame, with jitter, at 30 frames a second",
      [1, 3, 6].flatMap { packets in
        [
          Drift(packets: packets, interval: 33, drift: 1, jitter: 3, frames: 19),
          Drift(packets: packets, interval: 33, drift: 10, jitter: 3, frames: 5),
          Drift(packets: packets, interval: 33, drift: 1, jitter: 10, frames: 44),
          Drift(packets: packets, interval: 33, drift: 10, jitter: 10, frames: 10),
        ]
      }),
    VerificationCase(
      name: "remb-no-overuse", setup: "1000 frames of one packet, even or alternating by ±5 ms", source: file
    ) {
      let runs: [(String, [Int64], [Int64])] = [
        ("each 33 ms", [33], [33]), ("arrivals after 15 and 5 ms", [10], [15, 5]),
        ("send times after 15 and 5 ms", [15, 5], [10]),
      ]
      return VerificationOutcome(
        checks: runs.map { name, sent, received in
          var path = DetectedPath()
          var notNormal = 0
          for index in 0..<1000 {
            path.receive(packets: 1)
            if path.usage != .normal { notNormal += 1 }
            path.advance(
              sent: sent[index % sent.count], received: received[index % received.count], jitter: 0)
          }
          return .init(
            "frames not found normal, \(name)", published: 0, simulated: Double(notNormal), within: 0)
        })
    },
    VerificationCase(
      name: "remb-threshold", setup: "offsets 5 ms apart around the threshold, detector alone", source: file
    ) {
      thresholds([
        (0.21, 10, true), (0.231, 10, true), (0.21, 10, false), (0.147, 150, false), (0.21, 10, true),
      ])
    },
    VerificationCase(
      name: "remb-threshold-spike", setup: "offsets around a spike of twenty times theirs, detector alone",
      source: file
    ) {
      thresholds([(1, 10, nil), (20, 3, true), (1, 10, true)], pauseAfterFirst: 100)
    },
  ]

  private static func drift(_ name: String, _ setup: String, _ runs: [Drift]) -> VerificationCase {
    VerificationCase(name: name, setup: "\(setup); before it 100000 frames without growth", source: file) {
      var checks: [VerificationCheck] = []
      for run in runs {
        var path = DetectedPath()
        var early = 0
        for _ in 0..<100_000 {
          path.receive(packets: run.packets)
          path.advance(sent: run.interval, received: run.interval, jitter: run.jitter)
          if path.usage == .overused { early += 1 }
        }
        var frames = 0
        while path.usage != .overused, frames < 1000 {
          path.receive(packets: run.packets)
          path.advance(sent: run.interval, received: run.interval + run.drift, jitter: run.jitter)
          frames += 1
        }
        let of =
          "\(run.packets) x 1200 B each \(run.interval) ms, +\(run.drift) ms, deviation \(Int(run.jitter)) ms"
        checks.append(
          .init(
            "frames until overuse, \(of)", published: Double(run.frames), simulated: Double(frames), within: 0
          ))
        checks.append(
          .init("frames of overuse without growth, \(of)", published: 0, simulated: Double(early), within: 0))
      }
      return VerificationOutcome(checks: checks)
    }
  }

  /// Checks for overuse in each batch of offsets; `nil` if nothing is published.
  private static func thresholds(
    _ batches: [(offset: Double, count: Int, isOverused: Bool?)], pauseAfterFirst pause: Int64 = 0
  ) -> VerificationOutcome {
    var detector = OveruseDetector()
    var now: Int64 = 0
    var samples = 60
    var checks: [VerificationCheck] = []
    for (index, batch) in batches.enumerated() {
      var isOverused = false
      for _ in 0..<batch.count {
        detector.update(offset: batch.offset, samples: samples, sent: 3000, arrival: now)
        if detector.usage == .overused { isOverused = true }
        samples += 1
        now += 5
      }
      if index == 0 { now += pause }
      guard let published = batch.isOverused else { continue }
      checks.append(
        VerificationCheck(
          "overuse within \(batch.count) offsets of \(batch.offset) ms", published: "\(published)",
          simulated: "\(isOverused)", tolerance: "exact", holds: isOverused == published))
    }
    return VerificationOutcome(checks: checks)
  }
}
