import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Apps in the background, packet by packet")
struct BackgroundMeetingTests {
  /// The phone's app is in the background from 6 s to 14 s.
  private func meeting(
    policy: String = "stream", observer: String, background: String, _ further: String = ""
  ) -> String {
    let rule = observer.isEmpty ? "" : ", background: \(observer)"
    return """
      name: test
      duration: 20s
      policy: \(policy)
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, publish: {camera: 720p30, screen: {capture: 1280x720@5, on: false}}}
        - id: phone
          publish: {camera: 360p30}
          view: {everybody: 360p\(rule)}
      timeline:
        - {at: 6s, participant: phone, background: \(background)}
      \(further)
        - {at: 14s, participant: phone, foreground: true}
      """
  }

  /// Indicates whether each source's bytes arrive at the phone, well within an interval's second.
  private func flows(_ run: MemorySink, _ source: String, at second: Int) -> Bool {
    let rows = run.stream(viewer: "phone", source: source).first { $0["time_s"] == "\(second).000" }
    return rows.map { $0.integer("bitrate_bps") > 10_000 } ?? false
  }

  @Test(
    arguments: [
      // Observer, window with ann or none: whether ann's and bob's video flows.
      ("", "{picture-in-picture: ann}", true, false), ("", "none", false, false),
      ("automatic", "{picture-in-picture: ann}", true, false), ("automatic", "none", false, false),
      ("kept", "{picture-in-picture: ann}", false, false), ("kept", "none", false, false),
      ("removed", "{picture-in-picture: ann}", true, false), ("removed", "none", true, true),
    ])
  func theObserverDecidesWhichVideoGoesOn(observer: String, background: String, ann: Bool, bob: Bool) throws {
    for policy in ["stream", "bluejeans", "agora"] {
      let run = try Meetings.run(
        Meetings.scenario(meeting(policy: policy, observer: observer, background: background))
      ).tables
      #expect(flows(run, "ann", at: 12) == ann && flows(run, "bob", at: 12) == bob, "\(policy)")
      #expect(flows(run, "ann", at: 5) && flows(run, "bob", at: 19) && flows(run, "ann", at: 19))
    }
  }

  @Test func aWindowWithoutVideoIsNamedInTheResult() throws {
    let run = try Meetings.run(
      Meetings.scenario(meeting(observer: "kept", background: "{picture-in-picture: ann}"))
    ).tables
    let result = run.rows(of: .events).first { $0["event"] == "background" }?["result"]
    #expect(result == "ok: the resign observer stops the window's video")
  }

  @Test func theWindowsSizeIsWhatIsAskedFor() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(observer: "", background: "{picture-in-picture: ann, size: 320x180}"))
    ).tables
    let rows = run.stream(viewer: "phone", source: "ann")
    #expect(rows[11]["requested_height_px"] == "180" && rows[11]["frame_height_px"] == "180")
    #expect(rows[19]["frame_height_px"] == "360")
  }

  @Test func anAutomaticWindowShowsAScreenElseTheSpeaker() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          observer: "", background: "{picture-in-picture: \"@automatic\"}",
          """
            - {at: 8s, participant: bob, speaks: 1s}
            - {at: 10s, participant: bob, share: screen}
          """))
    ).tables
    #expect(flows(run, "ann", at: 8) && !flows(run, "bob", at: 8))
    #expect(!flows(run, "ann", at: 10) && flows(run, "bob", at: 10))
    #expect(!flows(run, "bob", at: 13) && flows(run, "bob/screen", at: 13))
  }

  @Test func theCameraOfSomebodyWithoutAViewPausesToo() throws {
    let text = """
      name: test
      duration: 10s
      participants:
        - {id: ann, publish: {camera: 360p30}}
        - {id: viewer, view: {everybody: 360p}}
      timeline: [{at: 4s, participant: ann, background: none}]
      """
    let run = try Meetings.run(Meetings.scenario(text)).tables
    let rows = run.stream(viewer: "viewer", source: "ann")
    #expect(rows[3]["state"] == "receiving" && rows[8]["state"] == "muted")
  }
}
