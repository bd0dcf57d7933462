import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// Parameters of a sender of one scalable stream. libwebrtc splits 1445 kbps at 720p into 142, 418 and 885.
@Suite("Sender parameters of scalable streams")
struct ScalableSendTests {
  private func run(
    _ timeline: [String], policy: String = "janus",
    camera: String = "scalability-mode: L3T3_KEY, maximum: 1445 kbps",
    view: String = "tiles: {a: 1280x720}"
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: send
        duration: 20s
        policy: \(policy)
        estimator: oracle
        participants:
          - id: a
            up: {capacity: 20 Mbps, delay: 10 ms}
            publish: {camera: {capture: 720p30, codec: vp9, \(camera)}, audio: false}
          - {id: v, view: {\(view)}}
        timeline: [\(timeline.map { "{at: \($0)}" }.joined(separator: ", "))]
        """)
    ).tables
  }

  private func a(_ time: String, _ change: String) -> String { "\(time), participant: a, send: {\(change)}" }

  private func rows(_ tables: MemorySink, at second: Int) -> [Row] {
    tables.rows(of: .sent).filter { $0["time_s"] == "\(second).000" }
  }

  /// Returns the layers' targets in a second [kbit/s].
  private func targets(_ tables: MemorySink, at second: Int) -> [Int] {
    rows(tables, at: second).map { Int($0.number("target_bitrate_bps") / 1000) }
  }

  private func lines(_ tables: MemorySink, at second: Int) -> String? {
    tables.stream(viewer: "v", source: "a").first { $0["time_s"] == "\(second).000" }?["frame_height_px"]
  }

  /// Returns the key pictures in a second.
  private func keyPictures(_ tables: MemorySink, at second: Int) -> Int {
    Int(rows(tables, at: second)[0].number("key_frames_encoded"))
  }

  /// 700 kbps fill two layers, and the third starts at 891; the second starts at 299.
  @Test(arguments: ["janus", "livekit", "mediasoup"])
  func aMaximumIsSplitAnew(policy: String) throws {
    let tables = try run(
      [a("5.2s", "maximum: 700 kbps"), a("9.2s", "maximum: 250 kbps"), a("13.2s", "maximum: none")],
      policy: policy)
    #expect(targets(tables, at: 5) == [142, 418, 885])
    #expect(targets(tables, at: 8) == [142, 418, 0])
    #expect(targets(tables, at: 12) == [142, 0, 0])
    #expect(targets(tables, at: 19) == [142, 418, 885])
    #expect([5, 8, 12, 19].map { lines(tables, at: $0) } == ["720", "360", "180", "720"])
    let word = tables.stream(viewer: "v", source: "a").first { $0["time_s"] == "8.000" }?["limitation"]
    #expect(word == "sender")
  }

  /// Layers are those of a capture of that size, L2T3_KEY or L1T3, and begin with a key picture of all of them.
  @Test(arguments: ["maximum-height: 360", "scale-down-by: 2", "capture: 360p30"])
  func aSmallerPictureHasFewerLayers(change: String) throws {
    let tables = try run([a("5.2s", change), a("11.2s", "maximum-height: 180")])
    #expect(rows(tables, at: 10).map { $0["frame_height_px"] } == ["180", "360", ""])
    #expect(targets(tables, at: 10) == [142, 418, 0])
    #expect(keyPictures(tables, at: 6) > 0 && keyPictures(tables, at: 9) == 0)
    #expect(lines(tables, at: 10) == "360")
    let expected = change.hasPrefix("scale") ? "90" : "180"
    #expect(rows(tables, at: 18).map { $0["frame_height_px"] } == [expected, "", ""])
    #expect(lines(tables, at: 18) == expected)
  }

  /// One layer of 142 kbps, at most 100 of them.
  @Test func aMaximumOfASingleLayer() throws {
    let tables = try run([a("5.2s", "maximum-height: 180, maximum: 100 kbps")])
    #expect(targets(tables, at: 10) == [100, 0, 0])
  }

  @Test func theFrameRateIsLimited() throws {
    let tables = try run([a("5.2s", "maximum-fps: 10"), a("11.2s", "maximum-fps: none")])
    #expect(rows(tables, at: 9).map { $0["frames_per_second"] } == ["10.00", "10.00", "10.00"])
    #expect(targets(tables, at: 9) == [142, 418, 885])
    #expect(rows(tables, at: 18).map { $0["frames_per_second"] } == ["30.00", "30.00", "30.00"])
  }

  /// The stream is one encoding, which is inactive without a frame, and begins again with a key picture.
  @Test(arguments: ["janus", "jitsi", "mediasoup"])
  func theStreamGoesOffAndOn(policy: String) throws {
    let tables = try run([a("5.2s", "encodings: []"), a("9.2s", "encodings: [s0, s1, s2]")], policy: policy)
    #expect(rows(tables, at: 8).allSatisfy { $0["active"] == "false" && $0["frame_height_px"].isEmpty })
    let seen = tables.stream(viewer: "v", source: "a").first { $0["time_s"] == "8.000" }
    #expect(seen?["frames_per_second"] == "0.00")
    #expect(rows(tables, at: 18).allSatisfy { $0["active"] == "true" && $0["frames_per_second"] == "30.00" })
    #expect(lines(tables, at: 18) == "720")
  }

  /// Requested heights and the app's maximum hold together: 640x360 would be sent at 300 kbps, of which 250 are one layer.
  @Test func aMaximumHoldsForTheHeightThatReceiversRequest() throws {
    let tables = try run(
      [a("5.2s", "maximum: 250 kbps"), a("11.2s", "maximum: 5 Mbps")], policy: "jitsi",
      camera: "content: talking-head",
      view: "signals: {constraints: {a: 360}}")
    #expect(targets(tables, at: 5) == [106, 193, 0])
    #expect(targets(tables, at: 10) == [142, 0, 0])
    #expect(targets(tables, at: 18) == [106, 193, 0])
  }

  /// A new call has the published parameters.
  @Test func aNewCallForgetsThem() throws {
    let tables = try run([
      a("4.2s", "maximum: 250 kbps, maximum-height: 360"), "8s, participant: a, leave: true",
      "10s, participant: a, join: true",
    ])
    #expect(targets(tables, at: 7) == [142, 0, 0])
    #expect(targets(tables, at: 18) == [142, 418, 885])
  }
}
