import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Picture in picture, packet by packet")
struct PictureInPictureMeetingTests {
  private func meeting(
    policy: String = "stream", camera: String = "{capture: 1280x720@30, ladder: webrtc-vp8}",
    window: String = "{participant: ann}", capabilities: String = "{}", background: String = "true"
  ) -> String {
    """
    name: test
    duration: 16s
    policy: \(policy)
    participants:
      - {id: ann, publish: {camera: \(camera)}}
      - {id: bob, publish: {camera: \(camera)}}
      - id: phone
        capabilities: \(capabilities)
        publish: {camera: 360p30}
        view: {everybody: 720p, background: automatic, picture-in-picture: \(window)}
    timeline:
      - {at: 6s, participant: phone, background: \(background)}
      - {at: 12s, participant: phone, foreground: true}
    """
  }

  private func sizes(_ run: MemorySink, _ source: String, at seconds: [Int]) -> [String] {
    let rows = run.stream(viewer: "phone", source: source)
    return seconds.map { second in
      let row = rows[second - 1]
      return row["bitrate_bps"] == "0" ? "" : "\(row["frame_width_px"])x\(row["frame_height_px"])"
    }
  }

  private func result(_ run: MemorySink) -> String? {
    run.rows(of: .events).first { $0["event"] == "background" }?["result"]
  }

  /// The window of 640x480 admits 640x360 of a 720p camera; 639 columns admit only the lowest encoding, as does a
  /// window too small for any.
  @Test(
    arguments: ["stream", "bluejeans", "janus", "vonage", "mediasoup", "signal", "gso", "best"],
    [("640x480", "640x360"), ("639x480", "320x180"), ("640x359", "320x180"), ("200x100", "320x180")])
  func theWindowCapsTheSizeInEverySystem(policy: String, window: (String, String)) throws {
    // BlueJeans' own cap is below two pictures of 720p at 2500 kbit/s.
    let system = policy == "bluejeans" ? "{name: bluejeans, receive-cap: 9 Mbps, send-cap: 9 Mbps}" : policy
    let tables = try Meetings.tables(
      meeting(
        policy: system, window: "{participant: ann, size: \(window.0)}", capabilities: "{receive-720p: true}")
    )
    #expect(sizes(tables, "ann", at: [5, 11, 15]) == ["1280x720", window.1, "1280x720"])
    #expect(sizes(tables, "bob", at: [5, 11, 15]) == ["1280x720", "", "1280x720"])
  }

  @Test func aWindowTooSmallForAgorasHighStreamTakesTheLowOne() throws {
    for (window, size) in [("640x480", "192x108"), ("1280x720", "1280x720")] {
      let tables = try Meetings.tables(
        meeting(policy: "agora", camera: "720p30", window: "{participant: ann, size: \(window)}"))
      #expect(sizes(tables, "ann", at: [5, 11, 15]) == ["1280x720", size, "1280x720"])
    }
  }

  /// jitsi-meet requests 180 lines whatever the window's size: no more is sent.
  @Test func aWindowOfJitsisAsksFor180Lines() throws {
    let run = try Meetings.tables(meeting(policy: "jitsi", window: "{participant: ann, size: 640x480}"))
    let rows = run.stream(viewer: "phone", source: "ann").filter { (8...12).contains($0.number("time_s")) }
    for row in rows { #expect(row["frame_height_px"] == "180" && row["limitation"] == "request-cap") }
    let sent = run.rows(of: .participants).filter {
      $0["participant"] == "ann" && (8...12).contains($0.number("time_s"))
    }
    // 180p takes 150 kbps.
    for row in sent { #expect(row.number("up_bitrate_bps") < 350_000) }
    #expect(rows.count == 5 && sent.count == 5)
  }

  /// The shortfall of jitsi-meet's window is due to its own request, even after the higher encodings have not been sent
  /// for 10 s.
  @Test(arguments: ["720p30", "{capture: 480x640@24}", "{capture: 640x360@30}", "{capture: 720x1280@30}"])
  func whatAWindowOfJitsisLacksIsItsOwnRequests(camera: String) throws {
    let run = try Meetings.tables(
      """
      name: test
      duration: 20s
      policy: jitsi
      participants:
        - {id: ann, publish: {camera: \(camera)}}
        - id: phone
          view: {tiles: {ann: 300x200}, background: removed, picture-in-picture: {participant: ann}}
      timeline: [{at: 5.3s, participant: phone, background: true}]
      """)
    let words = run.stream(viewer: "phone", source: "ann")[6...].map { $0["limitation"] }
    #expect(words == Array(repeating: "request-cap", count: 14), "\(words)")
  }

  @Test func anUprightPictureHasTheWindowsSidesSwapped() throws {
    let camera = "{capture: 720x1280@30, ladder: webrtc-vp8}"
    for (window, size) in [("640x480", "360x640"), ("480x640", "360x640"), ("639x480", "180x320")] {
      let tables = try Meetings.tables(
        meeting(policy: "janus", camera: camera, window: "{participant: ann, size: \(window)}"))
      #expect(sizes(tables, "ann", at: [11]) == [size], "\(window)")
    }
  }

  @Test func theDefaultWindowHas640x480AndSaysWhatItLacks() throws {
    let tables = try Meetings.tables(meeting(policy: "vonage"))
    let row = tables.stream(viewer: "phone", source: "ann")[10]
    #expect(row["tile_width_px"] == "640" && row["tile_height_px"] == "480")
    #expect(row["frame_height_px"] == "360" && row["limitation"] == "layer-missing")
  }

  @Test(
    arguments: [
      ("{}", "true", "640x360", "ok"), ("{picture-in-picture: true, ios: 15}", "true", "640x360", "ok"),
      ("{picture-in-picture: false}", "true", "", "ok: picture-in-picture is off in Settings"),
      ("{ios: 14}", "true", "", "ok: picture-in-picture needs iOS 15"),
      ("{ios: 14}", "{picture-in-picture: ann}", "", "ok: picture-in-picture needs iOS 15"),
      ("{}", "none", "", "ok"),
      ("{}", "{picture-in-picture: phone}", "", "ok: the window's participant sends no video"),
    ])
  func theDeviceMustAllowWindows(
    capabilities: String, background: String, size: String, outcome: String
  ) throws {
    let tables = try Meetings.tables(meeting(capabilities: capabilities, background: background))
    #expect(sizes(tables, "ann", at: [11, 15]) == [size, "1280x720"])
    #expect(result(tables) == outcome)
  }

  @Test func aWindowThatDoesNotStartFromInlineHasToBeAskedFor() throws {
    let window = "{participant: ann, size: 320x240, start-from-inline: false}"
    let inline = try Meetings.tables(meeting(window: window))
    #expect(sizes(inline, "ann", at: [11]) == [""])
    #expect(result(inline) == "ok: the window does not start from inline")
    // The view's size applies to a window that the app starts itself.
    let asked = try Meetings.tables(meeting(window: window, background: "{picture-in-picture: bob}"))
    #expect(sizes(asked, "bob", at: [11]) == ["320x180"] && result(asked) == "ok")
  }

  @Test func individualObserversOverrideTheViews() throws {
    let text = meeting().replacing(
      "background: automatic,",
      with: "background: removed, observers: [{participant: ann, observer: kept}],")
    let tables = try Meetings.tables(text)
    #expect(sizes(tables, "ann", at: [11]) == [""] && sizes(tables, "bob", at: [11]) == [""])
    let without = try Meetings.tables(text.replacing("background: true", with: "background: none"))
    #expect(sizes(without, "ann", at: [11]) == [""] && sizes(without, "bob", at: [11]) == ["1280x720"])
  }

  /// A window of 640x480 is rotated like an upright picture: a height of 640 is requested, and 360x640 is the largest
  /// of 720x1280's encodings that fits.
  @Test(arguments: ["vonage", "stream", "bluejeans", "mediasoup", "signal", "janus", "gso", "best"])
  func theWindowIsTurnedLikeThePicture(policy: String) throws {
    let text = """
      name: upright
      duration: 12s
      policy: \(policy)
      participants:
        - {id: b, publish: {camera: {capture: 720x1280@30}}}
        - {id: c, publish: {camera: 720p30}}
        - {id: v, view: {tiles: [{participant: b, size: 300x200}], picture-in-picture: {participant: b}, background: removed}}
      timeline: [{at: 5s, participant: v, background: true}]
      """
    let last = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "b").last
    #expect(last?["tile_width_px"] == "640" && last?["tile_height_px"] == "480")
    #expect(last?["requested_height_px"] == "640", "\(policy)")
    #expect(last?["frame_width_px"] == "360" && last?["frame_height_px"] == "640", "\(policy)")
    #expect(last?["limitation"] == "none", "\(policy)")
  }
}
