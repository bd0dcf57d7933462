import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Key frames on request")
struct KeyFrameMeetingTests {
  /// Returns the key frames that each viewer decodes, with or without one viewer changing its layer at 10, 20 and 30 s.
  private func keyFrames(_ scope: String?, changes: Bool) throws -> [String: Int] {
    let timeline = [(10, 360), (20, 180), (30, 360)].map {
      "{at: \($0)s, participant: eve, request: [{quality: \($1)p30, priority: high, participant: ann}]}"
    }
    let text = """
      name: key-frames
      duration: 40s
      policy: bluejeans
      \(scope.map { "key-frames: \($0)" } ?? "")
      links: {fast: {capacity: 20 Mbps, delay: 10 ms}}
      participants:
        - {id: ann, up: fast, publish: {camera: 720p30}}
        - {id: bob, down: fast, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high, participant: ann}]}}
        - {id: low, down: fast, view: {request: [{quality: 180p30, priority: high, participant: ann}]}}
        - {id: mid, down: fast, view: {request: [{quality: 360p30, priority: high, participant: ann}]}}
        - {id: eve, down: fast, view: {request: [{quality: 180p30, priority: high, participant: ann}]}}
      timeline: [\(changes ? timeline.joined(separator: ", ") : "")]
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .scalars).filter {
      $0["metric"] == "key_frames_decoded"
    }
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0["viewer"], Int($0.number("value"))) })
  }

  /// Returns the number of key frames added by the three changes.
  private func added(_ scope: String?) throws -> [String: Int] {
    try keyFrames(scope, changes: true).merging(keyFrames(scope, changes: false)) { $0 - $1 }
  }

  /// The SFU's requests bring nothing: it repeats them every 500 ms, 54 bytes each, and no sooner because another
  /// viewer joins who wants the same.
  @Test(
    "A missing key frame is requested again",
    arguments: [("", 864), (", key-frame-spacing: 250 ms", 1728)])
  func repeatedRequests(parameter: String, bitsPerSecond: Int) throws {
    let text = """
      name: key-frames
      duration: 8s
      policy: {name: bluejeans\(parameter)}
      participants:
        - id: ann
          up: {capacity: 20 Mbps, loss: 100 %}
          down: {capacity: 20 Mbps, delay: 10 ms}
          publish: {camera: 720p30, audio: false}
        - {id: bob, view: {request: [{quality: 180p30, priority: high}]}}
        - {id: eve, join: 4.1s, view: {request: [{quality: 180p30, priority: high}]}}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .links)
      .filter { $0["link"] == "ann/down" }
    #expect(rows.count == 8)
    #expect(rows[2...].allSatisfy { $0["throughput_bps"] == "\(bitsPerSecond)" })
  }

  @Test("A request brings key frames of all layers, by default too", arguments: ["all-layers", nil])
  func allLayers(scope: String?) throws {
    // On eve's two switches up, the lower layer's key frame is still forwarded before the higher layer's arrives.
    #expect(try added(scope) == ["bob": 3, "low": 3, "mid": 3, "eve": 5])
  }

  @Test("With requests for single layers, the others get none")
  func perLayer() throws {
    #expect(try added("per-layer") == ["bob": 0, "low": 1, "mid": 2, "eve": 3])
  }

  /// Frames are lost from 5.1 to 5.4 s, and from 5 to 11 s all requests: the viewer asks for a key frame 3 s after its
  /// last frame, in the ninth second, and waits for it until its requests arrive again.
  @Test func unansweredRequestIsAWait() throws {
    let scenario = try Meetings.scenario(
      """
      name: unanswered
      duration: 13s
      policy: janus
      links:
        open: {capacity: 1000 Mbps, delay: 1 ms}
        far: {capacity: 1000 Mbps, delay: 20 ms}
        back: {capacity: 1000 Mbps, delay: 20 ms}
      participants:
        - {id: p, up: open, down: open, publish: {audio: false, camera: 180p15}}
        - {id: v, up: back, down: far, view: {tiles: {p: 320x180}}}
      timeline: [{at: 5 s, link: v/up, down: 6 s}, {at: 5100 ms, link: v/down, down: 300 ms}]
      """)
    let rows = try Meetings.run(scenario).tables.rows(of: .streams).filter { $0["viewer"] == "v" }
    #expect(
      rows.suffix(8).map { $0["state"] } == Array(repeating: "receiving", count: 3)
        + Array(repeating: "waiting-for-keyframe", count: 3) + ["receiving", "receiving"])
    #expect(rows.suffix(8).map { $0["pli_count"] } == ["0", "0", "0", "1", "0", "0", "1", "0"])
    #expect(
      rows.filter { $0["state"] == "waiting-for-keyframe" }.allSatisfy { $0["limitation"] == "switching" })
  }
}
