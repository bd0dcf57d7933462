import Meeting
import Metrics
import TestSupport
import Testing

/// The limit of 17 senders, counted over those who are in the channel and send.
@Suite("Agora's limit, packet by packet")
struct AgoraUserLimitMeetingTests {
  private func meeting(
    _ people: String, _ timeline: String = "", view: String = "everybody: 160x160", estimator: String,
    duration: Int = 16
  ) throws -> MemorySink {
    let text = """
      name: limit
      duration: \(duration)s
      policy: {name: agora, dual-stream: enable}
      estimator: \(estimator)
      participants:
        - {id: me, publish: {camera: {capture: 640x360@15}, audio: false}, view: {\(view)}}
        - {id: u, count: 16, publish: {camera: {capture: 640x360@15}, audio: false}}
        - \(people)
      timeline: [\(timeline)]
      """
    return try Meetings.run(Meetings.scenario(text)).tables
  }

  /// Returns the users that `me` misses because of the limit, at the end of each second.
  private func missed(_ tables: MemorySink) -> [Int] {
    let rows = tables.rows(of: .streams).filter { $0["viewer"] == "me" }
    let last = rows.last.map { Int($0.number("time_s")) } ?? 0
    return (1...last).map { second in
      rows.count { $0["time_s"] == "\(second).000" && $0["limitation"] == "policy" }
    }
  }

  /// 17 users are in the channel at any time, and everybody is shown within a second of joining.
  @Test(arguments: ["oracle", "gcc"])
  func whoIsNotThereTakesNoPlace(estimator: String) throws {
    let tables = try meeting(
      "{id: later, join: 9.73s, publish: {camera: {capture: 640x360@15}, audio: false}}",
      "{at: 8.31s, participant: u-9, leave: true}", estimator: estimator)
    #expect(missed(tables).allSatisfy { $0 == 0 })
    let later = tables.stream(viewer: "me", source: "later").suffix(4)
    #expect(later.map { $0["frame_height_px"] } == ["360", "360", "360", "360"])
  }

  @Test func whoSendsNoVideoTakesNoPlace() throws {
    for people in [
      "{id: voice, count: 3, publish: audio-only}",
      "{id: dark, count: 3, publish: {camera: {capture: 640x360@15, on: false}}}",
    ] {
      #expect(missed(try meeting(people, estimator: "oracle")).allSatisfy { $0 == 0 })
    }
  }

  /// 19 send; a camera goes off at 4.2 s and on at 8.2 s, and a user leaves for good at 12.2 s: of 18, 17 and 18
  /// others, 16 are received, then 16 of 17. A free place is taken as soon as the news arrives.
  @Test(
    arguments: [
      "everybody: 160x160", "grid: agora-squares, screen: 390x844", "everybody: 160x160, per-page: 4",
    ],
    ["oracle", "gcc"])
  func aPlaceThatBecomesFreeIsTakenAtOnce(view: String, estimator: String) throws {
    let timeline = """
      {at: 4.2s, participant: u-3, mute: video}, {at: 8.2s, participant: u-3, unmute: video},
      {at: 12.2s, participant: u-5, leave: true}
      """
    let tables = try meeting(
      "{id: more, count: 2, publish: {camera: {capture: 640x360@15}, audio: false}}", timeline, view: view,
      estimator: estimator)
    let expected = [2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1]
    let found = missed(tables)
    // The user that leaves may be the one that is missed.
    #expect(found.dropFirst() == expected.dropFirst(), "\(found)")
  }

  /// The viewer's own stream counts while it is sent: of 17 others, 16 are received and one is missed; otherwise all 17
  /// are received.
  @Test func theOwnCameraTakesAPlaceWhileItIsOn() throws {
    let timeline = "{at: 4.2s, participant: me, mute: video}, {at: 8.2s, participant: me, unmute: video}"
    let found = missed(
      try meeting(
        "{id: more, publish: {camera: {capture: 640x360@15}, audio: false}}", timeline, estimator: "oracle",
        duration: 12))
    #expect(found == [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1])
  }

  /// A shown user does not give way to a new one.
  @Test func whoIsShownStays() throws {
    let tables = try meeting(
      "{id: late, count: 3, join: 5.5s, publish: {camera: {capture: 640x360@15}, audio: false}}",
      estimator: "oracle")
    for user in 1...16 {
      let rows = tables.stream(viewer: "me", source: "u-\(user)").dropFirst(2)
      #expect(rows.allSatisfy { $0["state"] == "receiving" }, "u-\(user)")
    }
    #expect(missed(tables).suffix(8).allSatisfy { $0 == 3 })
  }
}
