import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// Defaults that limit a picture: the rule names where the limit comes from, and `validate` reports it.
@Suite("Defaults that limit pictures")
struct LimitingDefaultTests {
  /// A meeting whose viewer `v` sees `a` with fewer lines or frames than the camera or the screen share has.
  struct Meeting: Sendable, CustomTestStringConvertible {
    let policy: String
    /// What `a` publishes.
    var source = "camera: 720p30"
    let view: String
    var timeline = ""
    var track = "a"
    let rule: String
    /// End of the note that `validate` prints.
    let note: String
    var testDescription: String { rule }

    var text: String {
      """
      name: limits
      duration: 7s
      policy: \(policy)
      links: {fast: {capacity: 60 Mbps, delay: 5 ms}}
      participants:
        - {id: a, up: fast, down: fast, publish: {\(source), audio: false}}
        - {id: b, count: 3, up: fast, down: fast, publish: {camera: 1080p30, audio: false}}
        - {id: v, up: fast, down: fast, view: {\(view)}}
      timeline: [\(timeline)]
      """
    }
  }

  private static let meetings = [
    Meeting(
      policy: "jitsi", view: "tiles: {a: 1280x720, b-1: 320x180, b-2: 320x180}", rule: "full-resolution",
      note: "'v': 1 picture is limited to 360 lines by 'full-resolution-participants' of policy 'jitsi'"),
    Meeting(
      policy: "jitsi", view: "signals: {constraints: {b-1: 360, b-2: 360, b-3: 360}}", rule: "default-height",
      note: "'v': 1 picture is limited to 180 lines by 'default-height' of policy 'jitsi'"),
    Meeting(
      policy: "jitsi", view: "stage: a",
      timeline: "{at: 2.5s, participant: v, background: {picture-in-picture: a}}",
      rule: "picture-in-picture-height",
      note: "'v': 1 picture is limited to 180 lines by 'picture-in-picture-height' of policy 'jitsi'"),
    Meeting(
      policy: "livekit", view: "screen: 400x800@3, tiles: {a: 390x220}", rule: "PixelDensity",
      note: "'v': 1 picture is limited to 360 lines by 'pixel-density' of policy 'livekit'"),
    Meeting(
      policy: "livekit", source: "camera: 90p15, screen: 1080p30", view: "stage: a", track: "a/screen",
      rule: "SenderLadder",
      note: "'a': policy 'livekit' sends 1080p15 at most of a screen of 1080p30, by its ladder"),
    Meeting(
      policy: "{name: stream, client: ios}", view: "screen: 400x800@3, tiles: {a: 320x180}",
      rule: "ReportedSize",
      note: "'v': 1 picture is limited to 180 lines by 'reported-size' of policy 'stream'"),
    Meeting(
      policy: "signal",
      view:
        "signals: {requested-heights: {b-1: 1080, b-2: 1080, b-3: 1080, a: 720}, active-speaker-height: 1080}",
      rule: "DefaultMaxRate",
      note: "'v': 4 pictures are limited to 540 lines by 'default-max-rate' of policy 'signal'"),
    Meeting(
      policy: "bluejeans", view: "layout: speaker", rule: "ReceiveGate",
      note: "'v': 1 picture is limited to 360 lines by 'receive-720p' of its 'capabilities'"),
    Meeting(
      policy: "bluejeans",
      source: "camera: {layers: [{encoding: 0, size: 320x180, fps: 15, bitrate: 150 kbps}, "
        + "{encoding: 1, size: 1280x720, fps: 30, bitrate: 1500 kbps}]}",
      view: "request: [{quality: 360p30, priority: high, participant: a}]", rule: "Missing360p",
      note: "'v': 1 picture is limited to 180 lines by 'missing-360p' of policy 'bluejeans'"),
  ]

  @Test(arguments: meetings)
  func theRuleNamesWhoseLimitItIs(meeting: Meeting) throws {
    let last = try Meetings.run(Meetings.scenario(meeting.text)).tables.rows(of: .decisions).last {
      $0["viewer"] == "v" && $0["source"] == meeting.track
    }
    #expect(last?["rule"] == meeting.rule, "\(last as Any)")
  }

  @Test(arguments: meetings)
  func validateTellsOfIt(meeting: Meeting) throws {
    let source = try ScenarioSource(bytes: Array(meeting.text.utf8), file: "t", directory: "")
    let notes = try source.load(settings: [], for: .validation).notes.map(\.message)
    #expect(notes.contains(meeting.note), "\(notes)")
  }

  /// If the tile is as small as the limit, or the limit omits nothing, no limit is named.
  @Test(
    arguments: [
      ("jitsi", "tiles: {a: 1280x720, b-1: 320x180}"),
      ("jitsi", "tiles: {a: 640x360, b-1: 320x180, b-2: 320x180}"),
      ("livekit", "screen: 400x800@1, tiles: {a: 390x220}"),
      ("{name: stream, client: ios}", "tiles: {a: 320x180}"),
      ("signal", "tiles: {a: 1280x720}"),
    ])
  func nothingIsSaidWithoutALimit(policy: String, view: String) throws {
    let text = Meeting(policy: policy, view: view, rule: "", note: "").text
      .replacing("camera: 1080p30", with: "camera: 720p30")
    let source = try ScenarioSource(bytes: Array(text.utf8), file: "t", directory: "")
    #expect(try source.load(settings: [], for: .validation).notes.map(\.message) == [])
  }

  /// Jitsi's bridge forwards 50 videos, Agora's channel 17, BlueJeans' client 25: those left out are not seen because
  /// of the policy, which `validate` names.
  @Test(
    arguments: [
      ("{name: jitsi, maximum-sources: 2}", 2, ", by its 'maximum-sources'"),
      ("{name: agora, user-limit: 3}", 3, ", by its 'user-limit'"),
    ])
  func aLimitOnStreamsIsNamed(policy: String, limit: Int, end: String) throws {
    let text = Meeting(policy: policy, view: "everybody: 320x180", rule: "", note: "").text
    let source = try ScenarioSource(bytes: Array(text.utf8), file: "t", directory: "")
    let warnings = try source.load(settings: [], for: .validation).warnings.map(\.message)
    #expect(warnings.count { $0.hasSuffix("of those on the screen" + end) } == 1, "\(warnings)")
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams)
      .filter { $0["viewer"] == "v" && $0["time_s"] == "6.000" }
    #expect(
      rows.count { $0["limitation"] == "policy" } == rows.count - limit
        && !rows.contains { $0["limitation"] == "layer-missing" })
  }
}
