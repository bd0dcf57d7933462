import Metrics
import TestSupport
import Testing

/// Publishers whose uplinks carry little, before a viewer whose downlink carries everything.
@Suite("Narrow uplinks")
struct NarrowUplinkTests {
  /// What a viewer saw of every publisher after 8 of 30 s, second by second.
  private func pictures(
    policy: String, estimator: String = "oracle", uplink: String, publishers: Int = 1
  ) throws -> [Row] {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: uplinks
        duration: 30s
        policy: \(policy)
        estimator: \(estimator)
        links: {weak: {\(uplink), delay: 5 ms}}
        participants:
          - {id: p, count: \(publishers), up: weak, publish: {camera: {capture: 720p30}}}
          - {id: v, capabilities: {receive-720p: true}, view: {everybody: 640x360}}
        """)
    ).tables
    return tables.rows(of: .streams).filter { $0["viewer"] == "v" && $0.number("time_s") > 8 }
  }

  /// What is wanted alone does not fit: an encoding whose minimum is more than the uplink is off, and the lowest runs at
  /// what there is, so that every tile has a picture in nine of ten seconds.
  @Test(arguments: [
    ("vonage", 250), ("vonage", 600), ("stream", 250), ("bluejeans", 250), ("livekit", 250),
    ("gso", 150),
  ])
  func aPictureComesOverAnUplinkThatIsKnown(policy: String, capacity: Int) throws {
    let late = try pictures(policy: policy, uplink: "capacity: \(capacity) kbps", publishers: 3)
    let shown = late.count { $0.number("frames_per_second") > 0 }
    #expect(late.count == 66 && shown > 59, "\(shown) of \(late.count)")
  }

  /// Estimated at about 145 kbit/s, the link carries no tenth of the high stream's 2260: the low one stands in for it, at
  /// its 192x108, instead of 226 kbit/s of which two thirds would be lost.
  @Test(arguments: ["gcc", "nada"])
  func aLowerEncodingStandsInForOneThatIsTooMuch(estimator: String) throws {
    let late = try pictures(policy: "agora", estimator: estimator, uplink: "capacity: 150 kbps")
    let low = late.count { $0.number("frame_height_px") == 108 && $0.number("frames_per_second") > 0 }
    #expect(late.count == 22 && low > 19, "\(low) of \(late.count)")
  }

  /// Nobody sends where an estimate of less than the lowest level, 100 kbit/s, leaves no order, and an estimate cannot
  /// grow while nobody sends: it is ordered all the same, and comes over a link that carries ten times that.
  @Test func theLowestLevelIsOrderedWhateverIsEstimated() throws {
    let late = try pictures(policy: "gso", estimator: "nada", uplink: "capacity: 1000 kbps, loss: 5 %")
    let shown = late.count { $0.number("frames_per_second") > 0 }
    #expect(late.count == 22 && shown > 19, "\(shown) of \(late.count)")
  }
}
