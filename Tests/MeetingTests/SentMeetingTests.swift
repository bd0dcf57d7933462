import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// The senders' view of their encodings.
@Suite("Sent encodings")
struct SentMeetingTests {
  private func rows(_ tables: MemorySink, _ layer: String, of source: String = "a") -> [Row] {
    tables.rows(of: .sent).filter { $0["source"] == source && $0["layer"] == layer }
  }

  /// - Parameter others: participants beside `a`, who publishes 720p, and `v`, who watches.
  private func run(
    _ policy: String = "jitsi", estimator: String = "oracle", seconds: Int = 12,
    up: String = "capacity: 20 Mbps",
    camera: String = "{capture: 720p30, ladder: webrtc-vp8}", down: String = "capacity: 20 Mbps",
    view: String = "stage: a", others: String = "", timeline: String = ""
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: sent
        duration: \(seconds)s
        policy: \(policy)
        estimator: \(estimator)
        participants:
          - id: a
            up: {\(up), delay: 10 ms}
            publish: {camera: \(camera), audio: false}
          - {id: v, down: {\(down), delay: 20 ms}, capabilities: {receive-720p: true}, view: {\(view)}}
        \(others)
        timeline: [\(timeline)]
        """)
    ).tables
  }

  /// libwebrtc's targets are 150, 500 and at most 2500 kbit/s; q and h leave 1200 - 150 - 500, less than the 600 from
  /// which f starts.
  @Test func anEncodingThatIsOffIsLimitedByBandwidth() throws {
    let wide = try run()
    let narrow = try run(up: "capacity: 1200 kbps")
    for (tables, isWide) in [(wide, true), (narrow, false)] {
      for (layer, height, target) in [
        ("q", "180", "150000"), ("h", "360", isWide ? "500000" : nil), ("f", "720", nil),
      ] {
        let late = rows(tables, layer).dropFirst(2)
        #expect(late.count == 10)
        let isOff = layer == "f" && !isWide
        #expect(late.allSatisfy { $0["wanted"] == "true" && $0["active"] == "true" })
        #expect(late.allSatisfy { $0["frame_height_px"] == (isOff ? "" : height) })
        #expect(late.allSatisfy { $0["quality_limitation_reason"] == (isOff ? "bandwidth" : "none") })
        if isOff { #expect(late.allSatisfy { $0["target_bitrate_bps"] == "0" && $0["bitrate_bps"] == "0" }) }
        if let target { #expect(late.allSatisfy { $0["target_bitrate_bps"] == target }) }
      }
    }
  }

  /// The viewer's downlink carries h, and the uplink all: nobody wants f, which is neither on nor limited.
  @Test(arguments: ["bluejeans", "vonage", "stream"])
  func whatTheDownlinkWithholdsIsNotWanted(policy: String) throws {
    let tables = try run(policy, up: "capacity: 100 Mbps", down: "capacity: 450 kbps")
    let late = rows(tables, "f").dropFirst(4)
    #expect(late.count == 8)
    #expect(late.allSatisfy { $0["wanted"] == "false" && $0["active"] == "false" }, "\(late)")
  }

  /// A single encoding on 250 kbit/s gives up lines, which it does not on a wide link.
  @Test func aSmallerPictureIsLimitedByBandwidth() throws {
    let camera = "{capture: 720p30, ladder: single}"
    let narrow = try rows(run(seconds: 30, up: "capacity: 250 kbps", camera: camera), "f").suffix(10)
    #expect(narrow.allSatisfy { $0.number("frame_height_px") < 720 })
    #expect(narrow.allSatisfy { $0["quality_limitation_reason"] == "bandwidth" })
    let wide = try rows(run(seconds: 30, up: "capacity: 20 Mbps", camera: camera), "f").suffix(10)
    #expect(wide.allSatisfy { $0["frame_height_px"] == "720" && $0["quality_limitation_reason"] == "none" })
  }

  /// Nobody watches after 4.3 s: jitsi's server no longer requests anything, janus' requests all encodings.
  @Test(arguments: [("jitsi", [false, false, false]), ("janus", [true, true, true])])
  func whatNobodyWatchesIsNotWanted(policy: String, wanted: [Bool]) throws {
    let tables = try run(policy, timeline: "{at: 4.3s, participant: v, leave: true}")
    for (layer, isWanted) in zip(["q", "h", "f"], wanted) {
      let late = rows(tables, layer).dropFirst(6)
      #expect(late.allSatisfy { $0["wanted"] == "\(isWanted)" && $0["active"] == "\(isWanted)" }, "\(layer)")
      #expect(late.allSatisfy { ($0["frames_per_second"] == "30.00") == isWanted }, "\(layer)")
      #expect(late.allSatisfy { $0["quality_limitation_reason"] == "none" }, "\(layer)")
    }
  }

  /// Muted from 3.2 to 7.9 s, gone from 9.5 s on; the viewer joins at 1.5 s.
  @Test func aCameraThatIsOffIsWantedAndNotActive() throws {
    let tables = try run(
      others: "  - {id: late, join: 1.5s, view: {stage: a}}",
      timeline: """
        {at: 3.2s, participant: a, mute: video}, {at: 7.9s, participant: a, unmute: video}, \
        {at: 9.5s, participant: a, leave: true}
        """)
    let q = rows(tables, "q")
    #expect(q.map { $0["time_s"] } == (1...10).map { "\($0).000" })
    #expect(q.map { $0["active"] } == (1...10).map { "\(![4, 5, 6, 7, 10].contains($0))" })
    #expect(q[4...6].allSatisfy { $0["frames_per_second"] == "0.00" && $0["frame_width_px"].isEmpty })
    // The first frame after an interruption is a key frame.
    #expect(q[7].number("key_frames_encoded") >= 1 && q[5]["key_frames_encoded"] == "0")
  }

  /// An uplink that loses a twentieth: its NACKs are the sender's; those of a viewer behind a lossy downlink are the
  /// server's. Every retransmission answers a NACK, and a NACK requests at least one packet.
  @Test(arguments: ["gcc", "oracle"])
  func repairsOfAnUplink(estimator: String) throws {
    let up = try run(estimator: estimator, seconds: 20, up: "capacity: 20 Mbps, loss: 5 %")
    let down = try run(estimator: estimator, seconds: 20, down: "capacity: 20 Mbps, loss: 5 %")
    func sum(_ rows: [Row], _ column: String) -> Double { rows.reduce(0) { $0 + $1.number(column) } }
    for layer in ["q", "h", "f"] {
      let lossy = rows(up, layer)
      #expect(sum(lossy, "nack_count") > 10)
      let ratio = sum(lossy, "retransmitted_packets_sent") / sum(lossy, "nack_count")
      #expect(ratio > 0.8 && ratio < 2, "\(layer): \(ratio)")
      #expect(sum(rows(down, layer), "nack_count") == 0)
      #expect(sum(rows(down, layer), "retransmitted_packets_sent") == 0)
    }
    #expect(sum(down.stream(viewer: "v", source: "a"), "nack_count") > 10)
    #expect(sum(up.stream(viewer: "v", source: "a"), "pli_count") >= 0)
  }

  /// The server repeats an unanswered key frame request every 500 ms (`bluejeans`).
  @Test func requestsForKeyFrames() throws {
    let tables = try run(
      "bluejeans", up: "capacity: 20 Mbps, loss: 100 %",
      view: "request: [{quality: 180p30, priority: high, participant: a}]")
    #expect(
      tables.rows(of: .sent).filter { $0.number("pli_count") > 0 }.suffix(9).map { $0["pli_count"] }
        == Array(repeating: "2", count: 9))
    #expect(tables.rows(of: .sent).suffix(20).contains { $0.number("key_frames_encoded") > 0 })
  }

  /// A screen share's frame on an uplink that carries it in 10 s counts as it leaves the pacer: bits arrive at 400
  /// kbit/s, less headers outside RTP, and no interval has more than the link could carry.
  @Test func bitsCountWhenTheyLeaveThePacer() throws {
    let tables = try run(
      estimator: "gcc", seconds: 20, up: "capacity: 400 kbps",
      camera: "{capture: 720p30, ladder: single, degradation: maintain-resolution}")
    let link = tables.rows(of: .links).filter { $0["link"] == "a/up" }.map { $0.number("throughput_bps") }
    let sent = rows(tables, "f").map { $0.number("bitrate_bps") }
    let total = (sent.reduce(0, +), link.reduce(0, +))
    // In addition to new media, the link carries padding, probes, retransmissions, reports and 38 B around each RTP
    // packet.
    #expect(total.0 < total.1 && total.0 > 0.6 * total.1, "\(total)")
    #expect(sent.dropFirst(3).allSatisfy { $0 < 480_000 }, "\(sent)")
  }

  /// A screen share has rows while it lasts.
  @Test func aScreenShareHasRowsWhileItLasts() throws {
    let tables = try run(
      others: "  - {id: s, publish: {screen: {capture: 1080p5, on: false}, audio: false}}",
      timeline: "{at: 3.5s, participant: s, share: screen}, {at: 6.5s, participant: s, share: none}")
    let times = Set(tables.rows(of: .sent).filter { $0["source"] == "s/screen" }.map { $0["time_s"] })
    #expect(times == ["4.000", "5.000", "6.000", "7.000"])
  }

  /// In every system: a row for each second and encoding of 25 cameras, with a late joiner; a lone encoding is called f.
  @Test(arguments: RandomMeeting.allPolicies)
  func galleriesOfTwentyFive(policy: String) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: gallery
        duration: 5.5s
        policy: \(policy)
        estimator: oracle
        participants:
          - {id: a, count: 24, publish: {camera: 360p15, audio: false}}
          - {id: z, publish: {camera: {capture: 360p15, ladder: single}}, join: 2.3s}
          - {id: v, down: {capacity: 3 Mbps, delay: 20 ms}, view: {everybody: 320x180}}
        """)
    ).tables
    let rows = tables.rows(of: .sent)
    let layers = Set(rows.filter { $0["source"] == "a-1" }.map { $0["layer"] })
    let own = rows.filter { $0["source"] == "a-7" }
    #expect(own.count == 6 * layers.count)
    #expect(
      rows.filter { $0["source"] == "z" }.map { "\($0["time_s"]) \($0["layer"])" }
        == ["3.000 f", "4.000 f", "5.000 f", "5.500 f"])
    // Every frame that a viewer decodes was sent.
    for source in ["a-1", "a-24", "z"] {
      let sent = rows.filter { $0["source"] == source }.reduce(0) { $0 + $1.number("frames_per_second") }
      let seen = tables.stream(viewer: "v", source: source).reduce(0) { $0 + $1.number("frames_per_second") }
      #expect(sent >= seen - 1, "\(source): \(sent), \(seen)")
    }
  }
}
