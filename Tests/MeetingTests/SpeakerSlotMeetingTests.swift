import Meeting
import Metrics
import TestSupport
import Testing

/// Occupants of the slots of a stream request.
@Suite("Slots of recent speakers")
struct SpeakerSlotMeetingTests {
  /// Three slots of different sizes in a meeting with five cameras, some of which may be off, and one that may join
  /// later.
  private func slots(
    policy: String = "bluejeans", order: String = "", off: [String] = [], _ timeline: String,
    estimator: String = "oracle", duration: Int = 20
  ) throws -> [Int: [String]] {
    let people = ["a", "b", "c", "d", "e"].map { id in
      "  - {id: \(id), publish: {camera: {capture: 360p30\(off.contains(id) ? ", on: false" : "")}}}\n"
    }.joined()
    let text = """
      name: slots
      duration: \(duration)s
      policy: \(policy)
      estimator: \(estimator)
      \(order)
      participants:
      \(people)  - {id: late, join: 9.31s, publish: {camera: 360p30}}
        - id: v
          view:
            request:
              - {quality: 360p30, priority: high}
              - {quality: 180p15, priority: medium}
              - {quality: 90p15, priority: low}
      timeline: [\(timeline)]
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    var found: [Int: [String]] = [:]
    for row in tables.rows(of: .streams) where row["viewer"] == "v" {
      guard let height = row.integerIfPresent("requested_height_px") else { continue }
      found[Int(row.number("time_s")), default: []].append("\(1000 - height)\(row["source"])")
    }
    return found.mapValues { $0.sorted().map { String($0.dropFirst(3)) } }
  }

  /// The last speakers before the meeting occupy its slots until somebody speaks.
  @Test(arguments: ["bluejeans", "vonage", "livekit", "mediasoup"], ["oracle", "gcc"])
  func speechOrderCountsBeforeAnybodyHasSpoken(policy: String, estimator: String) throws {
    let slots = try slots(
      policy: policy, order: "speech-order: [e, c, a]", "{at: 12.4s, participant: d, speaks: 2s}",
      estimator: estimator)
    #expect(slots[6] == ["e", "c", "a"] && slots[12] == ["e", "c", "a"])
    #expect(slots[16] == ["d", "e", "c"])
  }

  /// Nobody gives way to a camera that is turned on, or to a late joiner.
  @Test func whoSitsStaysWhileNobodySpeaks() throws {
    let slots = try slots(
      off: ["a", "b"], "{at: 6.2s, participant: a, unmute: video}, {at: 7.7s, participant: b, unmute: video}")
    for second in 2...20 { #expect(slots[second] == ["c", "d", "e"], "\(second) s") }
  }

  /// A free slot goes to the next in line; a participant who turns the camera back on finds the slot taken, and stays
  /// out until speaking.
  @Test func aFreeSlotIsTakenAndKept() throws {
    let slots = try slots(
      """
      {at: 4.2s, participant: b, mute: video}, {at: 8.2s, participant: b, unmute: video},
      {at: 12.2s, participant: b, speaks: 1s}, {at: 16.2s, participant: a, leave: true}
      """)
    #expect(slots[3] == ["a", "b", "c"])
    #expect(slots[7] == ["a", "c", "d"] && slots[11] == ["a", "c", "d"])
    #expect(slots[15] == ["b", "a", "c"])
    #expect(slots[19] == ["b", "c", "d"] || slots[19] == ["b", "c", "e"], "\(slots[19] ?? [])")
  }

  /// A speaker takes the first slot and moves the others down; one who spoke with the camera off takes none when it is
  /// turned on.
  @Test func speakersComeFirst() throws {
    let slots = try slots(
      off: ["e"],
      """
      {at: 3.3s, participant: d, speaks: 1s}, {at: 6.4s, participant: a, speaks: 1s},
      {at: 9.5s, participant: e, speaks: 1s}, {at: 12.2s, participant: e, unmute: video},
      {at: 15.1s, participant: e, speaks: 1s}
      """)
    #expect(slots[6] == ["d", "a", "b"])
    #expect(slots[9] == ["a", "d", "b"])
    #expect(slots[14] == ["a", "d", "b"])
    #expect(slots[19] == ["e", "a", "d"])
  }

  /// `a` speaks from 3 to 16 s and `b` in between, from 6 to 8 s: the first slot goes back to `a`, who still speaks.
  @Test(arguments: ["bluejeans", "vonage", "livekit"])
  func theFirstSlotReturnsToWhoStillSpeaks(policy: String) throws {
    let slots = try slots(
      policy: policy,
      "{at: 3.3s, participant: a, speaks: 13s}, {at: 6.4s, participant: b, speaks: 1600ms}")
    #expect(slots[5]?.first == "a" && slots[7] == ["b", "a", "c"])
    #expect(slots[10] == ["a", "b", "c"] && slots[19] == ["a", "b", "c"])
  }

  /// Nobody hears a muted microphone, which moves no slot until it is on during the speech.
  @Test func aMutedMicrophoneMovesNobody() throws {
    let slots = try slots(
      """
      {at: 1.2s, participant: d, mute: audio}, {at: 4.3s, participant: d, speaks: 9s},
      {at: 9.4s, participant: d, unmute: audio}
      """)
    #expect(slots[8] == ["a", "b", "c"] && slots[12] == ["d", "a", "b"])
  }

  /// `d` has spoken until 15.4 s with the camera off: within 10 s of that, and not of the beginning, `d` is a recent
  /// speaker, who takes the stage when the camera comes on.
  @Test(arguments: [(24.9, "d"), (25.7, "a")])
  func theWindowBeginsWithTheEndOfTheSpeech(on: Double, stage: String) throws {
    let text = """
      name: window
      duration: 29s
      policy: {name: bluejeans, recent-speaker-window: 10s}
      estimator: oracle
      participants:
        - {id: a, publish: {camera: 360p30}}
        - {id: d, publish: {camera: {capture: 360p30, on: false}}}
        - {id: v, view: {layout: speaker}}
      timeline:
        - {at: 3.4s, participant: d, speaks: 12s}
        - {at: \(on)s, participant: d, unmute: video}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams)
    let last = rows.filter { $0["viewer"] == "v" && $0["time_s"] == "29.000" && $0["state"] == "receiving" }
    #expect(last.map { $0["source"] } == [stage], "\(last)")
  }

  /// `e`, who is named until 10.2 s and speaks from 3.3 to 4.3 s, then goes before all who spoke less recently, but behind
  /// `d`, if `d` speaks from 5.4 s on.
  @Test(arguments: [(false, ["e", "a", "b"]), (true, ["d", "e", "a"])])
  func aSpeakerWhoIsNoLongerNamedKeepsTheOrder(another: Bool, expected: [String]) throws {
    let speech = another ? ", {at: 5.4s, participant: d, speaks: 1s}" : ""
    let slots = """
      {quality: 360p30, priority: high}, {quality: 180p15, priority: medium}, {quality: 90p15, priority: low}
      """
    let text = """
      name: named
      duration: 16s
      policy: bluejeans
      estimator: oracle
      participants:
      \(["a", "b", "c", "d", "e"].map { "  - {id: \($0), publish: {camera: 360p30}}" }.joined(separator: "\n"))
        - id: v
          view:
            request:
              [{quality: 90p15, priority: high, participant: e}, {quality: 90p15, priority: medium},
               {quality: 90p15, priority: medium}]
      timeline:
        [{at: 3.3s, participant: e, speaks: 1s}\(speech), {at: 10.2s, participant: v, request: [\(slots)]}]
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    for second in [12, 16] {
      let rows = tables.rows(of: .streams).filter { $0["viewer"] == "v" && $0["time_s"] == "\(second).000" }
      let asked = rows.compactMap { row in
        row.integerIfPresent("requested_height_px").map { (height: $0, source: row["source"]) }
      }
      #expect(asked.sorted { $0.height > $1.height }.map(\.source) == expected, "\(second) s")
    }
  }
}
