import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

/// Returns the rows of `events.csv` for an event, as `TIME DETAIL RESULT`.
private func events(_ run: MemorySink, _ name: String, of person: String = "viewer") -> [String] {
  run.rows(of: .events).filter { $0["event"] == name && $0["participant"] == person }.map {
    "\($0["time_s"]) \($0["detail"]) \($0["result"])"
  }
}

/// Returns the updates of the viewer's list of streams, and their times.
private func updates(_ run: MemorySink) -> (details: [String], times: [Double]) {
  let rows = run.rows(of: .events).filter { $0["event"] == "video-streams" && $0["participant"] == "viewer" }
  return (rows.map { $0["detail"] }, rows.map { $0.number("time_s") })
}

private func height(_ run: MemorySink, _ source: String, at second: Int) -> String? {
  run.stream(viewer: "viewer", source: source).first { $0["time_s"] == "\(second).000" }?["frame_height_px"]
}

@Suite("BlueJeans' 720p gate and ramp-up, packet by packet")
struct BlueJeansGateMeetingTests {
  private func run(
    _ view: String, _ timeline: [String] = [], capabilities: String = "{}", policy: String = "bluejeans",
    duration: Int = 12
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: \(duration)s
        policy: \(policy)
        participants:
          - {id: ann, publish: {camera: 720p30, audio: false}}
          - {id: bob, publish: {camera: 720p30}}
          - {id: viewer, capabilities: \(capabilities), view: \(view)}
        timeline: [\(timeline.joined(separator: ", "))]
        """)
    ).tables
  }

  private let ann = "{request: [{quality: 720p30, priority: high, participant: ann}]}"

  @Test func theGateIsClosedAndOpensAndClosesDuringTheMeeting() throws {
    let run = try run(
      ann,
      [
        "{at: 5s, participant: viewer, receive-720p: true}",
        "{at: 9s, participant: viewer, receive-720p: false}",
      ])
    #expect(height(run, "ann", at: 5) == "360" && height(run, "ann", at: 8) == "720")
    #expect(height(run, "ann", at: 12) == "360")
    let rows = run.stream(viewer: "viewer", source: "ann")
    #expect(rows[4]["limitation"] == "request-cap" && rows[4]["requested_height_px"] == "720")
    #expect(rows[7]["limitation"] == "none" && rows[11]["limitation"] == "request-cap")
    #expect(events(run, "receive-720p") == ["5.000 on ok", "9.000 off ok"])
  }

  @Test func everyViewIsBehindTheGateButScreenShares() throws {
    for view in [
      "{layout: speaker}", "{everybody: 1280x720}", "{tiles: [{participant: ann, size: 1280x720}]}",
    ] {
      #expect(height(try run(view), "ann", at: 12) == "360", "\(view)")
      #expect(height(try run(view, capabilities: "{receive-720p: true}"), "ann", at: 12) == "720", "\(view)")
    }
    // The window requests 640x480.
    let window = try run(
      ann, ["{at: 5s, participant: viewer, background: {picture-in-picture: ann, size: 1280x720}}"])
    #expect(height(window, "ann", at: 12) == "360")
    // No other system has a gate.
    for policy in ["stream", "janus"] {
      #expect(height(try run("{everybody: 1280x720}", policy: policy), "ann", at: 12) == "720", "\(policy)")
    }
  }

  @Test func aNewStreamIsAbsentThenSmallThenLarge() throws {
    let run = try run(ann, capabilities: "{receive-720p: true}")
    let (details, times) = updates(run)
    #expect(details == ["ann absent", "ann absent -> 180p", "ann 180p -> 720p"])
    // The client sends its request after 300 ms, and the server raises the layer two seconds later.
    try #require(times.count == 3)
    #expect(times[0] < times[1] && (0.3...0.6).contains(times[1]) && (2.3...2.6).contains(times[2]))
  }

  private let small = "{request: [{quality: 180p15, priority: high, participant: ann}]}"
  private func wants(_ quality: String, _ person: String) -> String {
    "{at: 5s, participant: viewer, request: [{quality: \(quality), priority: high, participant: \(person)}]}"
  }

  @Test func aChangedRequestGoesFrom180pTo720p() throws {
    let (details, times) = updates(
      try run(small, [wants("720p30", "ann")], capabilities: "{receive-720p: true}"))
    #expect(details == ["ann absent", "ann absent -> 180p", "ann 180p -> 720p"])
    #expect(times.count == 3 && (7.3...7.6).contains(times[2]))
  }

  @Test func aThumbnailPasses180pOnItsWayTo720p() throws {
    let thumbnail = "{request: [{quality: 90p15, priority: high, participant: ann}]}"
    let (details, times) = updates(
      try run(thumbnail, [wants("720p30", "ann")], capabilities: "{receive-720p: true}"))
    #expect(details == ["ann absent", "ann absent -> 90p", "ann 90p -> 180p", "ann 180p -> 720p"])
    #expect(times.count == 4 && (5.3...5.6).contains(times[2]) && (7.3...7.6).contains(times[3]))
  }

  @Test func aChangedRequestForSomebodyElseGoesThroughAbsent180pAnd720p() throws {
    let (details, times) = updates(
      try run(small, [wants("720p30", "bob")], capabilities: "{receive-720p: true}"))
    #expect(
      details == [
        "ann absent", "ann absent -> 180p", "bob absent", "ann 180p -> absent", "bob absent -> 180p",
        "bob 180p -> 720p",
      ])
    try #require(times.count == 6)
    #expect(
      (5.3...5.6).contains(times[2]) && (5.3...5.6).contains(times[4]) && (7.3...7.6).contains(times[5]))
  }

  /// Only the app's requests ramp up: a speaker's slot reaches its size at once.
  @Test func aSpeakerIsSeenAtOnce() throws {
    let slots = "{request: [{quality: 720p30, priority: high}, {quality: 180p15, priority: low}]}"
    let (details, times) = updates(
      try run(
        slots, ["{at: 6s, participant: bob, speaks: 2s}"], capabilities: "{receive-720p: true}"))
    #expect(
      details.sorted() == [
        "ann 180p -> 720p", "ann 720p -> 180p", "ann absent", "ann absent -> 180p", "bob 180p -> 720p",
        "bob absent", "bob absent -> 180p",
      ])
    let grown = zip(details, times).first { $0.0 == "bob 180p -> 720p" }
    #expect((6.3...6.6).contains(grown?.1 ?? 0))
  }

  @Test func itEndsAt360pWhereTheBudgetStops() throws {
    let (details, _) = updates(
      try run(
        small, [wants("720p30", "ann")], capabilities: "{receive-720p: true}",
        policy: "{name: bluejeans, receive-cap: 928 kbps}"))
    #expect(details == ["ann absent", "ann absent -> 180p", "ann 180p -> 360p"])
  }

  @Test func aStreamLeavesTheListWhenItsVideoIsMuted() throws {
    let (details, _) = updates(
      try run(
        small, ["{at: 4s, participant: ann, mute: video}", "{at: 8s, participant: ann, unmute: video}"]))
    #expect(details == ["ann absent", "ann absent -> 180p", "ann 180p -> absent", "ann absent -> 180p"])
  }
}

@Suite("BlueJeans' layouts and requests over a meeting's course")
struct BlueJeansCourseMeetingTests {
  private func run(
    _ viewer: String, _ timeline: [String], people: [String] = ["ann", "bob"], duration: Int = 12,
    policy: String = "bluejeans"
  ) throws -> MemorySink {
    let cameras = people.map { "  - {id: \($0), publish: {camera: 360p30}}" }
    return try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: \(duration)s
        policy: \(policy)
        participants:
        \(cameras.joined(separator: "\n"))
          - {id: teacher, role: moderator, publish: {camera: 360p30, audio: false}}
          - {id: caller, publish: audio-only}
          - {id: viewer, \(viewer)}
        timeline: [\(timeline.joined(separator: ", "))]
        """)
    ).tables
  }

  private func states(_ run: MemorySink, at second: Int) -> [String: String] {
    let rows = run.rows(of: .streams).filter { $0["viewer"] == "viewer" && $0["time_s"] == "\(second).000" }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["source"], $0["state"]) })
  }

  @Test func onlyACustomLayoutAndTheGateAreSetBeforeJoining() throws {
    let run = try run(
      "join: 4s, view: {layout: people}",
      [
        "{at: 1s, participant: viewer, layout: gallery-9}", "{at: 2s, participant: viewer, layout: custom}",
        "{at: 2s, participant: viewer, receive-720p: true}",
        "{at: 3s, participant: viewer, request: [{quality: 90p15, priority: low}]}",
        "{at: 6s, participant: viewer, request: [{quality: 90p15, priority: low, participant: bob}]}",
        "{at: 9s, participant: viewer, layout: gallery-9}",
      ])
    #expect(
      events(run, "layout") == ["1.000 gallery-9 notInMeeting", "2.000 custom ok", "9.000 gallery-9 ok"])
    #expect(events(run, "receive-720p") == ["2.000 on ok"])
    #expect(events(run, "request") == ["3.000 1 entries notInMeeting", "6.000 1 entries ok"])
    // The people layout was replaced before it started, and nothing is received before the request.
    #expect(events(run, "main-stage").isEmpty)
    #expect(Set(states(run, at: 6).values) == ["hidden"])
    #expect(states(run, at: 9) == ["ann": "hidden", "bob": "receiving", "teacher": "hidden"])
    #expect(Set(states(run, at: 12).values) == ["receiving"])
  }

  @Test func whereCustomLayoutsAreNotAllowedTheCallSaysSoAndTheFallbackIsNoted() throws {
    let run = try run(
      "capabilities: {custom-layout: false}, view: {request: [{quality: 90p15, priority: low}]}",
      [
        "{at: 4s, participant: viewer, layout: custom}",
        "{at: 5s, participant: viewer, request: [{quality: 90p15, priority: low}]}",
        "{at: 6s, participant: viewer, layout: gallery-9}", "{at: 7s, participant: viewer, layout: custom}",
      ])
    #expect(
      events(run, "layout") == [
        "0.000 custom -> people not-allowed", "4.000 custom not-allowed", "6.000 gallery-9 ok",
        "7.000 custom not-allowed",
      ])
    #expect(events(run, "request") == ["5.000 1 entries notUsingCustomLayouts"])
    // The people layout, then the gallery, show all three.
    for second in [5, 12] { #expect(Set(states(run, at: second).values) == ["receiving"]) }
    // A built-in layout falls back to nothing.
    let builtIn = try self.run("capabilities: {custom-layout: false}, view: {layout: people}", [])
    #expect(events(builtIn, "layout").isEmpty)
  }

  @Test func whenTheModeratorLeavesWhatWasRequestedStaysInForce() throws {
    let lesson =
      "[{quality: 360p30, priority: high, participant: \"@moderator\"}, {quality: 90p15, priority: low}]"
    let run = try run(
      "view: {request: \(lesson)}",
      [
        "{at: 1s, participant: bob, speaks: 1s}", "{at: 4s, participant: teacher, leave: true}",
        "{at: 6s, participant: viewer, request: [{quality: 180p15, priority: high, participant: \"@moderator\"}, "
          + "{quality: 180p15, priority: low, count: 2}]}", "{at: 9s, participant: teacher, join: true}",
      ])
    #expect(states(run, at: 3) == ["ann": "hidden", "bob": "receiving", "teacher": "receiving"])
    #expect(states(run, at: 6) == ["ann": "hidden", "bob": "receiving"])
    // The new one needs a moderator too: it is not sent until there is one.
    #expect(events(run, "request") == ["6.000 3 entries ok: not sent without a moderator"])
    #expect(states(run, at: 8) == ["ann": "hidden", "bob": "receiving"])
    #expect(height(run, "bob", at: 8) == "90")
    #expect(Set(states(run, at: 12).values) == ["receiving"])
    #expect(height(run, "bob", at: 12) == "180" && height(run, "teacher", at: 12) == "180")
  }

  @Test func failuresNameTheIdsOrTheEntry() throws {
    func request(_ at: Int, _ entries: String) -> String {
      "{at: \(at)s, participant: viewer, request: [\(entries)]}"
    }
    let run = try run(
      "view: {request: [{quality: 90p15, priority: low}]}",
      [
        request(1, "{quality: 90p15, participant: teacher}, {quality: 180p15, participant: \"@moderator\"}"),
        request(2, "{quality: 90p15, participant: viewer}"),
        request(3, "{quality: 90p15, participant: ghost}, {quality: 90p15, participant: caller}"),
        request(4, "{quality: 90p15, priority: low}, {quality: 90p15, participant: ann}"),
        request(5, "{quality: 90p15, participant: ann}, {quality: 91p15, participant: bob}"),
        request(5, "{quality: 360p25, participant: ann}, {quality: 90p15, participant: bob}"),
        request(6, "{quality: 90p15, participant: ann}, {quality: 90p15}"),
        request(
          7,
          "{quality: 90p15, participant: bob}, {quality: 90p7, participant: bob}, "
            + "{quality: 90p3, participant: bob}"), request(8, "{quality: 90p15, priority: low, count: 26}"),
      ])
    #expect(
      events(run, "request") == [
        "1.000 2 entries: teacher duplicateParticipantIds", "2.000 1 entries: viewer noParticipantsWithIds",
        "3.000 2 entries: ghost caller noParticipantsWithIds",
        "4.000 2 entries: entry 2 has no priority invalidStreamPriorityCombination",
        "5.000 2 entries: entry 2 invalidStreamQuality", "5.000 2 entries: entry 1 invalidStreamQuality",
        "6.000 2 entries: entry 2 missingPriorityOrParticipant",
        "7.000 3 entries: bob duplicateParticipantIds", "8.000 26 entries streamLimitExceeded",
      ])
  }

  @Test(arguments: ["request: [{quality: 180p15, participant: ann}]", "layout: people, pin: [ann]"])
  func whoeverIsAskedForByNameAndMutedIsReportedSo(view: String) throws {
    let run = try run("view: {\(view)}", ["{at: 4s, participant: ann, mute: video}"])
    let rows = run.stream(viewer: "viewer", source: "ann")
    #expect(rows[3]["state"] == "receiving")
    #expect(rows[11]["state"] == "muted" && rows[11]["limitation"] == "muted")
  }

  /// 1 / 1.21 of 847 kbps is 700. Above 180p30 (272 kbps), ann's next layer is 720p15, 496 kbps more of the remaining
  /// 428; bob's would be 360p15, 112 more. If ann has no larger layer, or no video, ann restricts nobody.
  @Test(
    arguments: [
      ("720p30", "[]", ["180", "180"], "request-cap"), ("180p30", "[]", ["180", "360"], "request-cap"),
      ("720p30", "[{at: 6s, participant: ann, mute: video}]", ["", "360"], "request-cap"),
    ] as [(String, String, [String], String)])
  func aLowerPriorityIsNotShownLargerThanAHigherOneThatOnlyTheCapDenies(
    camera: String, timeline: String, heights: [String], limitation: String
  ) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 12s
        policy: {name: bluejeans, receive-cap: 847 kbps, ramp-time: 0s}
        participants:
          - {id: ann, publish: {camera: {capture: \(camera), ladder: bluejeans-thumbnails}}}
          - {id: bob, publish: {camera: {capture: 720p30, ladder: bluejeans-classic}}}
          - id: viewer
            capabilities: {receive-720p: true}
            view:
              request:
                - {quality: 720p30, priority: high, participant: ann}
                - {quality: 720p30, priority: medium, participant: bob}
        timeline: \(timeline)
        """)
    ).tables
    #expect(["ann", "bob"].map { height(run, $0, at: 12) } == heights)
    #expect(run.stream(viewer: "viewer", source: "bob").last?["limitation"] == limitation)
  }

  @Test func aCameraThatIsOffAtFirstIsMuted() throws {
    let text = """
      name: test
      duration: 8s
      participants:
        - {id: ann, publish: {camera: {capture: 360p30, "on": false}, audio: false}}
        - {id: viewer, view: {request: [{quality: 180p15, priority: low, participant: ann}]}}
      timeline: [{at: 4s, participant: ann, unmute: video}]
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "viewer", source: "ann")
    #expect(
      rows.map { $0["state"] } == Array(repeating: "muted", count: 4)
        + Array(repeating: "receiving", count: 4))
  }

  @Test func aSlotGoesToTheNextRecentSpeaker() throws {
    let run = try run(
      "view: {request: [{quality: 90p15, priority: low}]}",
      [
        "{at: 1s, participant: cid, speaks: 1s}", "{at: 2s, participant: bob, speaks: 1s}",
        "{at: 3s, participant: ann, speaks: 1s}", "{at: 6s, participant: ann, mute: video}",
        "{at: 9s, participant: bob, leave: true}", "{at: 12s, participant: caller, speaks: 1s}",
        "{at: 15s, participant: ann, unmute: video}",
      ], people: ["dan", "ann", "bob", "cid"], duration: 18)
    // A participant who only turns the camera back on takes nobody's slot.
    for (second, seen) in [(5, "ann"), (8, "bob"), (11, "cid"), (14, "cid"), (18, "cid")] {
      let shown = states(run, at: second).filter { $0.value == "receiving" }.map(\.key)
      #expect(shown == [seen], "at \(second) s")
    }
  }
}
