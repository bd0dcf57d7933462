import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

/// A publisher at 720p and a viewer who requests it, on a separate downlink.
private func oneToOne(_ capacity: String, _ further: String = "", caps: String = "{receive-720p: true}")
  -> String
{
  """
  name: test
  duration: 12s
  policy: bluejeans
  links: {line: {capacity: \(capacity), delay: 10 ms}}
  participants:
    - {id: far, publish: {camera: 720p30, audio: false}}
    - id: near
      down: line
      capabilities: \(caps)
      view: {request: [{quality: 720p30, priority: high}]}
  \(further)
  """
}

/// Returns the picture shown in the last five intervals: the height of the last one and their mean frame rate, rounded,
/// since a single interval of a second may have one frame more or less.
private func last(_ rows: [Row]) -> String {
  guard let height = rows.last?.integerIfPresent("frame_height_px") else { return "nothing" }
  let rates = rows.suffix(5).map { $0.number("frames_per_second") }
  return "\(height)p\(Int((rates.reduce(0, +) / Double(rates.count)).rounded()))"
}

@Suite("A BlueJeans meeting, packet by packet")
struct BlueJeansMeetingTests {
  @Test(arguments: [
    ("3 Mbps", "720p30"), ("1320 kbps", "720p15"), ("660 kbps", "360p15"), ("330 kbps", "180p30"),
  ])
  func theLinkDecidesWhatASingleStreamDelivers(capacity: String, picture: String) throws {
    let run = try Meetings.run(Meetings.scenario(oneToOne(capacity)))
    #expect(last(run.tables.stream(viewer: "near", source: "far")) == picture)
  }

  @Test func aClosed720pGateCapsThePictureAt360p() throws {
    let run = try Meetings.run(
      Meetings.scenario(oneToOne("10 Mbps", caps: "{}")))
    let rows = run.tables.stream(viewer: "near", source: "far")
    #expect(last(rows) == "360p30")
    #expect(rows.last?["limitation"] == "request-cap")
  }

  @Test(
    arguments: [
      ("5 Mbps", "{receive-720p: true, receive-cap: 1000 kbps}", "720p15", "request-cap"),
      ("1320 kbps", "{receive-720p: true}", "720p15", "bandwidth"),
      ("1320 kbps", "{receive-720p: true, receive-cap: 1000 kbps}", "720p15", "request-cap"),
      ("1320 kbps", "{receive-720p: true, receive-cap: 1700 kbps}", "720p15", "bandwidth"),
    ])
  func aCapBelowTheLinkIsNamedAsTheLimit(capacity: String, caps: String, picture: String, limit: String)
    throws
  {
    let run = try Meetings.run(Meetings.scenario(oneToOne(capacity, caps: caps)))
    let rows = run.tables.stream(viewer: "near", source: "far")
    #expect(last(rows) == picture)
    #expect(rows.last?["limitation"] == limit)
  }

  @Test(arguments: [("180p", "180p30"), ("720p15", "720p15")])
  func aSenderWithout360pGivesWhatThePolicySays(rule: String, picture: String) throws {
    let text = """
      name: test
      duration: 8s
      policy: {name: bluejeans, missing-360p: \(rule)}
      participants:
        - {id: far, publish: {camera: {capture: 720p30, ladder: bluejeans-thumbnails}}}
        - {id: near, capabilities: {receive-720p: true}, view: {request: [{quality: 360p30, priority: high}]}}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "near", source: "far")
    #expect(last(rows) == picture)
    #expect(rows.last?["limitation"] == "layer-missing")
  }

  @Test func aStreamStepsDownWithItsLinkAndBackUp() throws {
    let run = try Meetings.run(Meetings.shipped("weak-downlink-recovers"))
    let rows = run.tables.stream(viewer: "near", source: "far")
    #expect(rows[18]["frame_height_px"] == "720")
    #expect(rows[35]["frame_height_px"] == "360")
    #expect(rows[35]["limitation"] == "bandwidth")
    #expect(rows[55]["frame_height_px"] == "720")
  }

  @Test func aNewStreamIsAbsentThenSmallThenLarge() throws {
    let run = try Meetings.run(Meetings.scenario(oneToOne("10 Mbps")), interval: .milliseconds(100))
    var heights: [String] = []
    for row in run.tables.stream(viewer: "near", source: "far") {
      let height = row["frame_height_px"]
      if heights.last != height { heights.append(height) }
    }
    #expect(heights == ["", "180", "720"])
  }

  @Test func anAmpleLinkCarriesTheTeacherAndAllStudentsAsRequested() throws {
    let run = try Meetings.run(Meetings.shipped("remote-education"))
    let rows = run.tables.rows(of: .streams).filter {
      $0["viewer"] == "inspector" && $0["time_s"] == "60.000"
    }
    #expect(rows.count == 25)
    let teacher = try #require(rows.first { $0["source"] == "teacher" })
    #expect(teacher["frame_height_px"] == "720" && teacher["frames_per_second"] == "30.00")
    let rates = rows.filter { $0["source"] != "teacher" }.map { $0.number("frames_per_second") }
    #expect(rates.filter { $0 > 6 }.count == 24)
  }

  @Test(arguments: [
    (39, "720p15", 1, 9), (59, "360p15", 0, 5), (79, "180p30", 0, 0), (99, "720p30", 24, 0),
  ])
  func aNarrowLinkEndsAsTheAllocationSays(second: Int, teacher: String, at7: Int, at3: Int) throws {
    let run = try Meetings.run(Meetings.shipped("remote-education-narrow"))
    let before = run.tables.stream(viewer: "inspector", source: "teacher").prefix(second)
    #expect(last(Array(before)) == teacher)
    let rows = run.tables.rows(of: .streams).filter {
      $0["viewer"] == "inspector" && $0["time_s"] == "\(second).000"
    }
    let rates = rows.filter { $0["source"] != "teacher" }.map { $0.number("frames_per_second") }
    #expect(rates.filter { $0 > 6 }.count == at7)
    #expect(rates.filter { $0 > 2.5 && $0 < 5 }.count == at3)
  }

  @Test func aLessonWithoutAModeratorSendsNoRequest() throws {
    let text = """
      name: test
      duration: 4s
      participants:
        - {id: teacher, publish: {camera: 720p30}}
        - id: student
          view: {request: [{quality: 720p30, priority: high, participant: "@moderator"}, \
      {quality: 90p7, priority: medium, count: 3}]}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    #expect(run.tables.rows(of: .decisions).isEmpty)
    #expect(run.result.tiles.isEmpty)
  }

  @Test func aSpeakerChangeMovesEverybodyDownOneSlot() throws {
    // person-1 speaks from 1 s, person-4 from 11 s, person-7 from 21 s.
    let run = try Meetings.run(
      Meetings.shipped("active-speaker", overrides: ["policy={name: bluejeans, ramp-time: 0s}"]))
    func asked(_ person: Int, at second: Int) -> String? {
      run.tables.stream(viewer: "viewer", source: "person-\(person)").first {
        $0["time_s"] == "\(second).000"
      }.map { "\($0["requested_height_px"])@\($0["requested_fps"])" }
    }
    #expect(asked(1, at: 9) == "720@30.00")
    #expect(asked(4, at: 19) == "720@30.00" && asked(1, at: 19) == "360@30.00")
    #expect(asked(7, at: 29) == "720@30.00" && asked(4, at: 29) == "360@30.00")
    #expect(asked(1, at: 29) == "360@15.00")
  }

  @Test func mutingVideoRemovesTheStreamAndRefillsItsSlot() throws {
    let text = """
      name: test
      duration: 12s
      participants:
        - {id: ann, publish: {camera: 360p30}}
        - {id: bob, publish: {camera: 360p30}}
        - {id: viewer, view: {request: [{quality: 360p30, priority: high}]}}
      timeline:
        - {at: 1s, participant: bob, speaks: 1s}
        - {at: 3s, participant: ann, speaks: 1s}
        - {at: 6s, participant: ann, mute: video}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    let ann = run.tables.stream(viewer: "viewer", source: "ann")
    let bob = run.tables.stream(viewer: "viewer", source: "bob")
    #expect(ann[4]["state"] == "receiving" && bob[4]["state"] == "hidden")
    #expect(ann[10]["bitrate_bps"] == "0" && bob[10]["state"] == "receiving")
  }

  @Test func badRequestsFailByNameAndTheOldOneStays() throws {
    let calls = oneToOne(
      "10 Mbps",
      """
      timeline:
        - {at: 5s, participant: near, request: [{quality: 90p15, priority: low, count: 26}]}
        - {at: 6s, participant: near, request: [{quality: 90p15, priority: low}, {quality: 90p15, participant: far}]}
        - {at: 7s, participant: near, request: [{quality: 90p15, participant: ghost, priority: low}]}
        - {at: 8s, participant: near, request: []}
        - {at: 9s, participant: near, layout: people}
        - {at: 10s, participant: near, request: [{quality: 90p15, priority: low}]}
      """)
    let run = try Meetings.run(Meetings.scenario(calls))
    let results = run.tables.rows(of: .events).filter { $0["event"] == "request" }.map { $0["result"] }
    #expect(
      results == [
        "streamLimitExceeded", "invalidStreamPriorityCombination", "noParticipantsWithIds",
        "emptyConfiguration", "notUsingCustomLayouts",
      ])
    #expect(last(run.tables.stream(viewer: "near", source: "far")) == "720p30")
  }

  @Test func aMeetingWithoutCustomLayoutsFallsBackToABuiltInOne() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        oneToOne(
          "10 Mbps",
          "timeline: [{at: 2s, participant: near, request: [{quality: 90p15, priority: low}]}]",
          caps: "{custom-layout: false, receive-720p: true}")))
    #expect(run.tables.rows(of: .events).contains { $0["result"] == "notUsingCustomLayouts" })
    #expect(last(run.tables.stream(viewer: "near", source: "far")) == "720p30")
  }

  @Test func aStreamIsShownInOneViewAtATime() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        oneToOne(
          "10 Mbps",
          """
          timeline:
            - {at: 4s, participant: near, attach: {participant: far, view: a}}
            - {at: 5s, participant: near, attach: {participant: far, view: b}}
            - {at: 6s, participant: near, detach: far}
            - {at: 7s, participant: near, detach: far}
          """)))
    let results = run.tables.rows(of: .events).filter { ["attach", "detach"].contains($0["event"]) }
    #expect(results.map { $0["result"] } == ["ok", "ok", "ok", "notAttached"])
  }

  @Test func aTeachersUplinkLimitsTheWholeClass() throws {
    let run = try Meetings.run(Meetings.shipped("uplink-limited-teacher"))
    let rows = run.tables.stream(viewer: "student-3", source: "teacher")
    #expect(rows[15]["frame_height_px"] == "360" && rows[15]["limitation"] == "sender-uplink")
    #expect(rows[35]["frame_height_px"] == "720" && rows[35]["limitation"] == "none")
  }

  @Test func framesPushedWhileMutedOrOfABadShapeAreRefusedByName() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        oneToOne(
          "10 Mbps",
          """
          timeline:
            - {at: 2s, participant: far, source: custom}
            - {at: 3s, participant: far, push-frames: {fps: 24, size: 1000x1000, for: 1s}}
            - {at: 4s, participant: far, push-frames: {fps: 24, size: 3840x2160, for: 1s}}
            - {at: 5s, participant: far, mute: video}
            - {at: 6s, participant: far, push-frames: {fps: 24, size: 1280x720, for: 1s}}
          """)))
    let pushes = run.tables.rows(of: .events).filter { $0["event"] == "push-frames" }.map { $0["result"] }
    #expect(pushes == ["unsupportedAspectRatio", "maxFrameSizeExceeded", "VideoMuted"])
  }

  @Test func whoeverLeavesMakesRoomForTheNextSpeakerAndAudioOnlyTakesNoSlot() throws {
    let text = """
      name: test
      duration: 12s
      participants:
        - {id: ann, publish: {camera: 360p30}}
        - {id: bob, publish: {camera: 360p30}}
        - {id: caller, publish: audio-only}
        - {id: viewer, view: {request: [{quality: 360p30, priority: high}]}}
      timeline:
        - {at: 1s, participant: bob, speaks: 1s}
        - {at: 3s, participant: ann, speaks: 1s}
        - {at: 5s, participant: caller, speaks: 1s}
        - {at: 7s, participant: ann, leave: true}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    let ann = run.tables.stream(viewer: "viewer", source: "ann")
    #expect(ann.last { $0.number("time_s") <= 7 }?["state"] == "receiving")
    #expect(run.tables.stream(viewer: "viewer", source: "bob").last?["state"] == "receiving")
    #expect(run.tables.stream(viewer: "viewer", source: "caller").isEmpty)
  }

  @Test func aScreenShareHasATileOfItsOwnBeforeTheCameras() throws {
    let text = """
      name: test
      duration: 10s
      policy: {name: bluejeans, receive-cap: none}
      participants:
        - id: teacher
          publish: {camera: 360p30, screen: {capture: 1280x720@5, on: false}}
        - {id: student, view: {request: [{quality: 360p30, priority: high}]}}
      timeline:
        - {at: 3s, participant: teacher, share: screen}
        - {at: 7s, participant: teacher, share: none}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    let rows = run.tables.stream(viewer: "student", source: "teacher/screen")
    #expect(rows.contains { $0["kind"] == "screen" && $0["frame_height_px"] == "720" })
    #expect(
      rows.allSatisfy { $0.number("time_s") > 3 && $0.number("time_s") < 9 })
    #expect(last(run.tables.stream(viewer: "student", source: "teacher")) == "360p30")
  }
}
