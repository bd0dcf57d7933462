import Scenario
import TestSupport
import Testing

/// Input that is valid but probably not meant.
@Suite("Advice on scenarios")
struct AdviceTests {
  private func warnings(_ participants: String, timeline: String = "[]", policy: String = "bluejeans") throws
    -> [String]
  {
    try Meetings.scenario(
      """
      name: t
      duration: 9s
      policy: \(policy)
      participants:
        - {id: ann, role: moderator, publish: {camera: 720p30}}
      \(participants)
        - {id: zoe, view: {everybody: 90p}}
      timeline: \(timeline)
      """
    ).warnings.map(\.description)
  }

  private let large = "view: {request: [{quality: 90p7, priority: low}, {quality: 720p30, priority: high}]}"
  private let advice =
    "requests more than 360p behind a closed 720p gate, which limits it to 360p: add "
    + "'capabilities: {receive-720p: true}', or open the gate in the timeline"

  @Test func aRequestAbove360pBehindAClosedGate() throws {
    #expect(try warnings("  - {id: bob, \(large)}") == ["test.yaml:6:31: warning: 'bob' \(advice)"])
    #expect(try warnings("  - {id: bob, capabilities: {receive-720p: true}, \(large)}").isEmpty)
    #expect(try warnings("  - {id: bob, \(large)}", policy: "janus").isEmpty)
    #expect(
      try warnings("  - {id: bob, capabilities: {receive-720p: false}, \(large)}", policy: "janus").count == 1
    )
    #expect(try warnings("  - {id: bob, view: {request: [{quality: 360p30, priority: low}]}}").isEmpty)
    #expect(try warnings("  - {id: bob, view: {everybody: 1280x720}}").count == 1)
    #expect(try warnings("  - {id: bob, view: {everybody: 640x360}}").isEmpty)
    // 360p in portrait orientation is 640 px high; the shorter side counts.
    #expect(try warnings("  - {id: bob, view: {everybody: 360x640}}").isEmpty)
    #expect(try warnings("  - {id: bob, view: {everybody: 720x1280}}").count == 1)
  }

  @Test func speechOfSomebodyWithoutAudio() throws {
    let speech = "[{at: 2s, participant: bob, speaks: 2s}]"
    let silent = try warnings("  - {id: bob, publish: {camera: 180p15, audio: false}}", timeline: speech)
    #expect(
      silent == [
        "test.yaml:6:5: warning: 'bob' publishes no audio: 'speaks' has no effect; remove it, or publish audio"
      ])
    #expect(try warnings("  - {id: bob, publish: {camera: 180p15}}", timeline: speech).isEmpty)
  }

  /// In Vonage's terms the gate is a preferred resolution, which has no effect on a single encoding.
  @Test func aGateThatKeepsNothingAway() throws {
    let bob = "  - {id: bob, capabilities: {receive-720p: false}, view: {everybody: 1280x720}}"
    let single = "{name: vonage, scalable-video: off}"
    #expect(try warnings(bob, policy: single).isEmpty)
    let several = try warnings(bob, policy: "{name: vonage, scalable-video: on}")
    #expect(several == ["test.yaml:6:70: warning: 'bob' \(advice)"])
    let closing = "[{at: 2s, participant: bob, receive-720p: false}]"
    let call = try warnings(bob, timeline: closing, policy: single)
    #expect(
      call == [
        "test.yaml:8:53: warning: receive-720p: policy 'vonage' has no 720p gate, only 'bluejeans' has: cameras of one "
          + "encoding come as they are"
      ])
  }

  @Test func theTimelineMayOpenTheGateAndMayAsk() throws {
    #expect(
      try warnings("  - {id: bob, \(large)}", timeline: "[{at: 8s, participant: bob, receive-720p: true}]")
        .isEmpty)
    // Of two viewers with the same view, only the second's gate is closed.
    #expect(
      try warnings(
        "  - {id: b, count: 2, \(large)}", timeline: "[{at: 8s, participant: b-1, receive-720p: true}]")
        == ["test.yaml:6:39: warning: 'b-2' \(advice)"])
    #expect(
      try warnings(
        "  - {id: bob, view: {everybody: 90p}}",
        timeline: "[{at: 8s, participant: bob, request: [{quality: 720p15, priority: low}]}]")
        == ["test.yaml:8:48: warning: 'bob' \(advice)"])
  }

  @Test func somethingMayHappenAtTheVeryEnd() throws {
    #expect(try warnings("", timeline: "[{at: 9s, participant: ann, mute: video}]").isEmpty)
    #expect(throws: Meetings.Failure.self) {
      try warnings("", timeline: "[{at: 9.001s, participant: ann, mute: video}]")
    }
  }

  /// With more than two tiles, jitsi-meet requests 360 lines for each by default.
  @Test(
    arguments: [
      ("jitsi", "1280x720", 3, true), ("jitsi", "1280x720", 2, false), ("jitsi", "640x480", 3, false),
      ("{name: jitsi, full-resolution-participants: 3}", "1280x720", 3, false),
      ("livekit", "1280x720", 3, false),
    ])
  func aClientThatAsksForLessThanItsTilesShow(
    policy: String, tile: String, tiles: Int, isReduced: Bool
  ) throws {
    let text = """
      name: t
      duration: 9s
      policy: \(policy)
      participants:
        - {id: ann, count: \(tiles), publish: {camera: 720p30}}
        - {id: bob, view: {everybody: \(tile)}}
      """
    let source = try ScenarioSource(bytes: Array(text.utf8), file: "t", directory: "")
    let scenario = try source.load(settings: [], for: .validation)
    let note =
      "t:6:5: note: 'bob': 3 pictures are limited to 360 lines by 'full-resolution-participants' of policy 'jitsi'"
    #expect(scenario.notes.map(\.description) == (isReduced ? [note] : []) && scenario.warnings.isEmpty)
  }

  @Test func moreThan25Cameras() throws {
    #expect(try warnings("  - {id: p, count: 24, publish: {camera: 90p15}}").isEmpty)
    let one = try warnings("  - {id: p, count: 25, publish: {camera: 90p15}}")
    #expect(
      one == [
        "test.yaml:6:5: warning: 'p-25' is publisher number 26 of 26: clients are designed for at most 25 videos at "
          + "a time, so not everybody is seen at once; omit 'publish' for those who only watch"
      ])
    #expect(try warnings("  - {id: p, count: 99, publish: {camera: 90p15}}").count == 1)
  }

  @Test func aDecoderLimitOfSomebodyWhoWatchesNothing() throws {
    let decode = "capabilities: {decode: {streams: 2}}"
    #expect(
      try warnings("  - {id: p, count: 3, \(decode)}")
        == ["test.yaml:6:5: warning: 'p-1' has no view: 'decode' has no effect; add a view, or remove it"])
    #expect(try warnings("  - {id: p, count: 3, \(decode), view: {everybody: 90p}}").isEmpty)
  }

  @Test func aModeratorWhoAsksForTheModerator() throws {
    let own = "{request: [{quality: 90p7, priority: low, participant: \"@moderator\"}]}"
    #expect(try warnings("  - {id: bob, role: moderator, view: \(own)}").isEmpty)
    let text = "name: t\nduration: 9s\nparticipants: [{id: ann, role: moderator, view: \(own)}]"
    #expect(
      try Meetings.scenario(text).warnings.map(\.message) == [
        "request: '@moderator' means the moderator who is there first, who is 'ann' itself: the request fails with "
          + "'noParticipantsWithIds', and nothing of it is shown; name another participant"
      ])
  }

  @Test(
    arguments: [
      ("bluejeans", "the request fails with 'noParticipantsWithIds', and nothing of it is shown"),
      ("janus", "the entry stays empty"),
    ])
  func aRequestOfSomebodyWithoutACamera(policy: String, effect: String) throws {
    #expect(
      try warnings(
        "  - {id: bob, view: {request: [{quality: 90p7, priority: low, participant: zoe}]}}", policy: policy)
        == ["test.yaml:6:31: warning: request: 'zoe' has no camera: \(effect); name another participant"])
  }

  /// In a view it is an error (`quality-of-another-rate.yaml`); a call in the timeline fails as in the SDK.
  @Test func aCallForAQualityThatTheSDKLacks() throws {
    let call = "[{at: 8s, participant: bob, request: [{quality: 360p25, priority: low}]}]"
    let viewer = "  - {id: bob, view: {everybody: 90p}}"
    #expect(
      try warnings(viewer, timeline: call) == [
        "test.yaml:8:59: warning: quality: policy 'bluejeans' has no '360p25', only 90p3, 90p7, 90p15, 180p7, 180p15, "
          + "180p30, 360p7, 360p15, 360p30, 720p7, 720p15 and 720p30: the call fails with 'invalidStreamQuality'"
      ])
    #expect(try warnings(viewer, timeline: call.replacing("360p25", with: "r360p_15fps")).isEmpty)
    #expect(try warnings(viewer, timeline: call, policy: "janus").isEmpty)
  }

  @Test(
    arguments: [
      (
        "request: [{quality: 360p30, participant: ann}]", "stream",
        ["request: policy 'stream' has no stream requests"]
      ),
      ("request: [{quality: 360p30, participant: ann}]", "janus", []),
      ("layout: people", "agora", ["layout: policy 'agora' has no built-in layouts, only 'bluejeans' has"]),
      (
        "everybody: 640x360, default-stream: low", "vonage",
        ["default-stream: policy 'vonage' has no dual streams"]
      ),
      ("grid: agora-squares, follow-screen: false", "agora", []),
      ("grid: stream-pages", "stream", []),
      (
        "grid: agora-squares", "stream",
        [
          "grid: policy 'stream' has no grid 'agora-squares', only 'agora' has: its places and sizes of tiles count"
        ]
      ),
      ("grid: stream-grid", "agora", ["grid: policy 'agora' has no grid 'stream-grid', only 'stream' has"]),
      ("grid: stream-grid", "jitsi", ["grid: policy 'jitsi' has no grid 'stream-grid', only 'stream' has"]),
    ])
  func aViewInAnotherSystemsWords(view: String, policy: String, advice: [String]) throws {
    let given = try warnings("  - {id: bob, view: {\(view)}}", policy: policy)
    #expect(given.count == advice.count)
    for (text, start) in zip(given, advice) { #expect(text.contains(start)) }
  }

  @Test(
    arguments: [
      ("layout: people", "stream", "layout: policy 'stream' has no built-in layouts, only 'bluejeans' has"),
      (
        "request: [{quality: 360p30, participant: ann}]", "vonage",
        "request: policy 'vonage' has no stream requests"
      ),
      ("receive-720p: true", "agora", "receive-720p: policy 'agora' has no 720p gate, only 'bluejeans' has"),
      ("layout: people", "bluejeans", nil), ("receive-720p: true", "bluejeans", nil),
    ])
  func anActionInAnotherSystemsWords(action: String, policy: String, advice: String?) throws {
    let given = try warnings(
      "  - {id: bob, view: {everybody: 320x180}}", timeline: "[{at: 2s, participant: bob, \(action)}]",
      policy: policy)
    #expect(given.count == (advice == nil ? 0 : 1), "\(given)")
    if let advice { #expect(given.first?.contains(advice) ?? false, "\(given)") }
  }

  @Test func aStreamTypeWithoutDualStreams() {
    #expect {
      try warnings(
        "  - {id: bob, view: {everybody: 320x180}}",
        timeline: "[{at: 2s, participant: bob, stream-type: {participant: ann, type: low}}]", policy: "stream"
      )
    } throws: { "\($0)".contains("stream-type: policy 'stream' has no dual streams, only 'agora' has") }
  }
}
