import Metrics
import TestSupport
import Testing

/// The largest and smallest quantities that a scenario can state, alone and combined.
@Suite("Extreme quantities")
struct ExtremeQuantityTests {
  private func run(
    _ policy: String, _ estimator: String, _ link: String, camera: String = "720p30", duration: String = "4s"
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: extreme
        duration: \(duration)
        policy: \(policy)
        estimator: \(estimator)
        links: {l: {\(link)}}
        participants:
          - {id: ann, up: l, down: l, publish: {camera: \(camera)}}
          - {id: bob, up: l, down: l, view: {everybody: 640x360}}
        """)
    ).tables
  }

  /// Unlimited queues at 1 bit/s hold each packet of 1,500 bytes for 12,000 s: with 768 of them, picoseconds exceed 64
  /// bits.
  @Test(arguments: ["oracle", "gcc", "nada", "remb"])
  func theSlowestLinkWithTheLongestQueue(estimator: String) throws {
    for policy in ["bluejeans", "mediasoup", "vonage"] {
      let tables = try run(
        policy, estimator, "capacity: 1 bps, delay: 60 s, queue: 1000 GB", duration: "70s")
      for row in tables.rows(of: .links) {
        #expect(row.number("utilization_frac") >= 0 && row.number("utilization_frac") <= 1, "\(row)")
      }
    }
  }

  /// Every packet of a frame of 65,535 moves the pacer's next departure forward.
  @Test(arguments: ["oracle", "gcc"])
  func theGreatestBitRateOfALayer(estimator: String) throws {
    let camera = "{layers: [{size: 1280x720, fps: 30, bitrate: 1000 Gbps}]}"
    for policy in ["bluejeans", "best"] {
      let tables = try run(policy, estimator, "capacity: 20 Mbps, delay: 10 ms", camera: camera)
      #expect(!tables.rows(of: .participants).isEmpty, "\(policy)")
    }
  }

  @Test(arguments: ["oracle", "gcc", "nada", "remb"])
  func theFastestLink(estimator: String) throws {
    for policy in ["bluejeans", "mediasoup", "jitsi", "gso", "best", "vonage"] {
      let tables = try run(policy, estimator, "capacity: 1000 Gbps, delay: 0 ms, queue: 60 s")
      #expect(tables.stream(viewer: "bob", source: "ann").last?["state"] == "receiving", "\(policy)")
    }
  }
}
