import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("BlueJeans' built-in layouts, packet by packet")
struct BuiltInLayoutMeetingTests {
  private func meeting(_ layout: String, _ timeline: String) -> String {
    """
    name: test
    duration: 16s
    participants:
      - {id: person, count: 12, publish: {camera: 720p30, audio: true}}
      - {id: viewer, capabilities: {receive-720p: true}, view: {layout: \(layout)}}
    timeline:
    \(timeline)
    """
  }

  /// Returns the sources whose allocation changed between two seconds.
  private func changed(_ run: MemorySink, from: Double, to: Double) -> Set<String> {
    Set(
      run.rows(of: .decisions).filter {
        let time = $0.number("time_s")
        return time >= from && time < to && $0["given"] != $0["previous"]
      }.compactMap { $0["source"] })
  }

  @Test func inAGalleryANewSpeakerTakesOneSeatAndNobodyElseMoves() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          "gallery-9",
          """
            - {at: 4s, participant: person-3, speaks: 1s}
            - {at: 6s, participant: person-11, speaks: 1s}
            - {at: 10s, participant: person-1, mute: video}
          """))
    ).tables
    // person-3 is visible: nothing happens. person-11 takes the seat of the last in the order, person-9.
    #expect(changed(run, from: 4, to: 6).isEmpty)
    #expect(changed(run, from: 6, to: 10) == ["person-9", "person-11"])
    #expect(run.stream(viewer: "viewer", source: "person-11")[8]["state"] == "receiving")
    #expect(run.stream(viewer: "viewer", source: "person-9")[8]["state"] == "hidden")
    // The seat of person-1 goes to the first participant without one.
    #expect(changed(run, from: 10, to: 16) == ["person-1", "person-9"])
  }

  @Test func inThePeopleLayoutTheSpeakerAndTheStageChangePlaces() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          "people",
          """
            - {at: 5s, participant: person-6, speaks: 1s}
            - {at: 10s, participant: person-8, speaks: 1s}
          """)), interval: .milliseconds(100)
    ).tables
    #expect(changed(run, from: 5, to: 10) == ["person-1", "person-6"])
    // person-8 had no seat: person-6 takes a thumbnail's, whose last participant drops out.
    #expect(changed(run, from: 10, to: 16) == ["person-8", "person-6", "person-5"])
    let asked = { (person: Int, row: Int) in
      run.stream(viewer: "viewer", source: "person-\(person)")[row]["requested_height_px"]
    }
    #expect(asked(6, 60) == "720" && asked(1, 60) == "90" && asked(2, 60) == "90")
    #expect(asked(8, 150) == "720" && asked(6, 150) == "90")
  }

  @Test func aSpeakerComesOnTheMainStageWithAPictureOfMoreThan90Lines() throws {
    let run = try Meetings.run(
      Meetings.scenario(meeting("people", "  - {at: 5s, participant: person-6, speaks: 1s}")),
      interval: .milliseconds(100)
    ).tables
    let stages = run.rows(of: .events).filter { $0["event"] == "main-stage" }
    #expect(stages.map { $0["detail"] } == ["person-1", "person-6"])
    let time = try #require(stages.last.flatMap { $0.numberIfPresent("time_s") })
    // The viewer learns of the turn after 10 ms and sends its request 300 ms later; from then on its client checks
    // every 200 ms.
    #expect(time >= 5.5 && time <= 6.1)
    #expect(abs(((time - 5.31) / 0.2).rounded() * 0.2 - (time - 5.31)) < 0.001)
    let rows = run.stream(viewer: "viewer", source: "person-6")
    for row in rows {
      let now = row.number("time_s")
      #expect(row["tile_height_px"] == (now < time ? "90" : "720") || now < 0.5, "\(now)")
      // Only thumbnails before that.
      if now < 5.3 { #expect(row.integer("frame_height_px", ifEmpty: 0) <= 90) }
    }
  }

  @Test func aPinnedPersonTakesTheStageAtOnceAndStays() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          "people",
          """
            - {at: 5s, participant: viewer, pin: person-9}
            - {at: 8s, participant: person-2, speaks: 1s}
          """))
    ).tables
    let stages = run.rows(of: .events).filter { $0["event"] == "main-stage" }
    #expect(stages.map { "\($0["time_s"]) \($0["detail"])" }.last == "5.300 person-9")
    #expect(run.stream(viewer: "viewer", source: "person-9").last?["requested_height_px"] == "720")
  }

  /// A built-in layout replaces any view of the app's own, which returns with the custom layout.
  @Test(arguments: ["{everybody: 320x180}", "{grid: agora-squares}", "{tiles: {b: 320x180, c: 320x180}}"])
  func aLayoutTakesThePlaceOfAnyView(view: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 16s
        policy: {name: bluejeans, receive-cap: none}
        participants:
          - {id: a, publish: {camera: 720p30, audio: false}}
          - {id: b, publish: {camera: 720p30, audio: false}}
          - {id: c, publish: {camera: 720p30, audio: false}}
          - {id: v, view: \(view)}
        timeline:
          - {at: 5s, participant: v, layout: people}
          - {at: 10s, participant: v, layout: custom}
        """)
    ).tables
    func heights(_ second: Int) -> [String] {
      ["a", "b", "c"].map { source in
        let row = run.stream(viewer: "v", source: source).first { $0["time_s"] == "\(second).000" }
        return row?["bitrate_bps"] == "0" ? "" : row?["requested_height_px"] ?? ""
      }
    }
    // One large picture, behind the closed gate, and two thumbnails.
    #expect(heights(9).sorted() == ["360", "90", "90"])
    #expect(heights(4) == heights(16) && heights(4) != heights(9))
  }

  /// Nine have cameras and two of them are on: a gallery of two requests 720p.
  @Test func galleriesAreSizedByVideos() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 9s
        policy: bluejeans
        estimator: oracle
        participants:
          - {id: on, count: 2, publish: {camera: 720p30, audio: false}}
          - {id: off, count: 7, publish: {camera: {capture: 720p30, on: false}, audio: false}}
          - {id: v, capabilities: {receive-720p: true}, view: {layout: gallery-9}}
        """)
    ).tables
    for source in ["on-1", "on-2"] {
      let last = run.stream(viewer: "v", source: source).last
      #expect(last?["frame_height_px"] == "720" && last?["requested_height_px"] == "720", "\(last as Any)")
    }
  }
}
