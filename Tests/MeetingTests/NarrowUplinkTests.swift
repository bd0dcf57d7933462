import Metrics
import TestSupport
import Testing

/// Publishers with narrow uplinks, and a viewer whose downlink carries everything.
@Suite("Narrow uplinks")
struct NarrowUplinkTests {
  /// Returns a viewer's rows for every publisher, for seconds 8 to 30.
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

  /// The requested encoding alone does not fit: an encoding whose minimum exceeds the uplink is off, and the lowest
  /// runs at whatever is left, so every tile has a picture in nine of ten seconds.
  @Test(arguments: [
    ("vonage", 250), ("vonage", 600), ("stream", 250), ("bluejeans", 250), ("livekit", 250),
    ("gso", 150),
  ])
  func aPictureComesOverAnUplinkThatIsKnown(policy: String, capacity: Int) throws {
    let late = try pictures(policy: policy, uplink: "capacity: \(capacity) kbps", publishers: 3)
    let shown = late.count { $0.number("frames_per_second") > 0 }
    #expect(late.count == 66 && shown > 59, "\(shown) of \(late.count)")
  }

  /// Estimated at about 145 kbit/s, the link does not carry a tenth of the high stream's 2260: the low stream at
  /// 192x108 replaces it, rather than 226 kbit/s of which two thirds would be lost.
  @Test(arguments: ["gcc", "nada"])
  func aLowerEncodingStandsInForOneThatIsTooMuch(estimator: String) throws {
    let late = try pictures(policy: "agora", estimator: estimator, uplink: "capacity: 150 kbps")
    let low = late.count { $0.number("frame_height_px") == 108 && $0.number("frames_per_second") > 0 }
    #expect(late.count == 22 && low > 19, "\(low) of \(late.count)")
  }

  /// Three tenths of the high stream's 800 kbit/s, the low one's 50, and a tenth of both for headers are 319 kbit/s: an
  /// uplink that carries more reduces the high stream's bit rate; on one that carries less, the low stream replaces it.
  @Test(arguments: [(350, 360), (290, 108)])
  func aHighStreamLosesBitRateBeforeItsLowOneStandsIn(capacity: Int, height: Int) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: dual
        duration: 12s
        policy: {name: agora, dual-stream: enable}
        estimator: oracle
        links: {weak: {capacity: \(capacity) kbps, delay: 5 ms}}
        participants:
          - {id: p, up: weak, publish: {camera: {capture: 640x360@15}, audio: false}}
          - {id: v, view: {everybody: 640x360}}
        """)
    ).tables
    let late = tables.rows(of: .streams).filter { $0.number("time_s") > 4 }
    #expect(late.count == 8)
    #expect(late.allSatisfy { $0.integer("frame_height_px") == height && $0.number("frames_per_second") > 4 })
  }

  /// An uplink of 400 kbit/s carries 360p now and then. The downlink loses 3 % and is 20 times as wide as what arrives:
  /// it is not the limitation for layers that have stopped without the server knowing yet.
  @Test(arguments: [1, 9, 18, 24] as [UInt64])
  func aLossyDownlinkIsNotToBlameForWhatIsNotSent(seed: UInt64) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: dips
        duration: 20s
        policy: jitsi
        estimator: gcc
        participants:
          - {id: p, up: {capacity: 400 kbps, delay: 5 ms}, publish: {camera: {capture: 720p30}, audio: false}}
          - {id: v, down: {capacity: 8 Mbps, delay: 60 ms, loss: 3 %}, view: {everybody: 960x540}}
        """), seed: seed
    ).tables
    let rows = tables.rows(of: .streams).filter { $0["viewer"] == "v" && $0.number("time_s") > 3 }
    #expect(rows.contains { $0["limitation"] == "sender-uplink" })
    #expect(!rows.contains { $0["limitation"] == "bandwidth" })
  }

  /// Nobody sends if an estimate below the lowest level, 100 kbit/s, allows no order, and an estimate cannot grow while
  /// nobody sends: the lowest level is ordered all the same, and arrives over a link that carries ten times that.
  @Test func theLowestLevelIsOrderedWhateverIsEstimated() throws {
    let late = try pictures(policy: "gso", estimator: "nada", uplink: "capacity: 1000 kbps, loss: 5 %")
    let shown = late.count { $0.number("frames_per_second") > 0 }
    #expect(late.count == 22 && shown > 19, "\(shown) of \(late.count)")
  }

  /// A screen's key frame takes at least half a second on the uplink, whose queue holds 0.3 s. Sent in one burst, its
  /// end used to be lost every time, and so were the retransmissions.
  @Test(arguments: [100, 200, 320])
  func aScreensKeyFrameComesOverAnUplinkThatIsKnown(capacity: Int) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: screen
        duration: 20s
        policy: bluejeans
        estimator: oracle
        links: {weak: {capacity: \(capacity) kbps, delay: 10 ms}}
        participants:
          - {id: p, up: weak, publish: {screen: 1920x1080@6, audio: false}}
          - {id: v, capabilities: {receive-720p: true}, view: {tiles: {p/screen: 1920x1080}}}
        """)
    ).tables
    let late = tables.stream(viewer: "v", source: "p/screen").filter { $0.number("time_s") > 5 }
    #expect(late.count == 15 && late.allSatisfy { $0.number("frames_per_second") > 0 })
    let dropped = tables.rows(of: .links).filter { $0["link"] == "p/up" }
      .map { $0.integer("packets_dropped") }
    #expect(dropped.allSatisfy { $0 == 0 }, "\(dropped)")
  }

  /// Only 720p is requested, which an encoder produces at no less than 600 kbit/s, when the uplink falls below that.
  /// Within 5 s 180p replaces it: viewers have a picture in nine of ten seconds, where previously two thirds of 720p
  /// were lost and nothing was shown. Once the link is back the estimate grows by 8 % a second: it takes 29 s from 100
  /// kbit/s to the 870 at which 720p starts beside 180p, and 360p in between needs a few more.
  @Test(
    arguments: [("vonage", 200), ("vonage", 400), ("stream", 200), ("agora", 200)],
    UInt64(1)...2)
  func aLowerEncodingStandsInWhenAnUplinkFalls(meeting: (policy: String, capacity: Int), seed: UInt64) throws
  {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: fall
        duration: 95s
        policy: \(meeting.policy)
        estimator: gcc
        participants:
          - {id: p, up: {capacity: 5 Mbps, delay: 20 ms}, publish: {camera: 720p30, audio: false}}
          - {id: v, view: {tiles: [{participant: p, size: 1280x720}]}}
        timeline:
          - {at: 10s, link: p/up, capacity: \(meeting.capacity) kbps}
          - {at: 35s, link: p/up, capacity: 5 Mbps}
        """), seed: seed
    ).tables
    let rows = tables.stream(viewer: "v", source: "p")
    let weak = rows.filter { $0.number("time_s") > 15 && $0.number("time_s") <= 35 }
    let shown = weak.count { $0.number("frames_per_second") > 0 }
    #expect(weak.count == 20 && shown >= 18, "\(shown)")
    #expect(rows.last?["frame_height_px"] == "720")
  }

  /// A 24 fps camera explains missing frames, not missing lines: the uplink carries 180 lines of 720p30, and on an
  /// ample one only frames are missing.
  @Test(arguments: ["bluejeans", "jitsi", "mediasoup", "signal", "vonage"], [24, 30])
  func aSlowCameraIsNoReasonForMissingLines(policy: String, framesPerSecond: Int) throws {
    for (capacity, word) in [
      ("350 kbps", "sender-uplink"), ("20 Mbps", framesPerSecond < 30 ? "sender" : "none"),
    ] {
      let view = policy == "bluejeans" ? "request: [{quality: 720p30, participant: far}]" : "stage: far"
      let text = """
        name: slow
        duration: 20s
        policy: \(policy)
        links: {u: {capacity: \(capacity), delay: 20 ms}}
        participants:
          - {id: far, up: u, publish: {camera: 720p\(framesPerSecond), audio: false}}
          - {id: v, capabilities: {receive-720p: true}, view: {\(view)}}
        """
      let last = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "far").last
      guard last?["requested_fps"] == "30.00" || capacity == "350 kbps" else { continue }
      #expect(last?["limitation"] == word, "\(policy) \(capacity): \(last as Any)")
    }
  }
}
