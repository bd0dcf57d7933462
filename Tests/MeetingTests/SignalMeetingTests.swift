import Metrics
import Quantity
import TestSupport
import Testing

/// Signal's SFU, packet by packet.
@Suite("Signal's SFU in a meeting")
struct SignalMeetingTests {
  private func meeting(_ view: String, down: String, timeline: String, publishers: [String] = ["a", "b"])
    -> String
  {
    let others = publishers.map {
      "  - {id: \($0), publish: {camera: 720p30}, up: {capacity: 10 Mbps}, down: {capacity: 10 Mbps}}"
    }.joined(separator: "\n")
    return """
      name: signal
      duration: 20s
      policy: signal
      participants:
      \(others)
        - {id: v, up: {capacity: 10 Mbps}, down: {capacity: \(down)}, view: \(view)}
      timeline:
      \(timeline)
      """
  }

  /// Returns the layers that the viewer is given of a source, with the times of the changes [s].
  private func given(_ source: String, _ text: String) throws -> [(time: Double, layer: String)] {
    var last = ""
    return try Meetings.run(Meetings.scenario(text)).tables.rows(of: .decisions).compactMap { row in
      guard row["viewer"] == "v", row["source"] == source, row["given"] != last else { return nil }
      last = row["given"]
      return (row.number("time_s"), last)
    }
  }

  /// 300 kbps carry one tile of two: the last speaker's, from the next of the decisions that are a second apart.
  @Test func theLastSpeakerOfEqualTilesIsServed() throws {
    let text = meeting(
      "{tiles: {a: 320x180, b: 320x180}}", down: "300 kbps",
      timeline: "  - {at: 10s, participant: b, speaks: 3s}")
    let (a, b) = (try given("a", text), try given("b", text))
    #expect(b.last.map { $0.layer == "q.2" && (10.0...11.2).contains($0.time) } == true, "\(b)")
    #expect(a.last.map { $0.layer == "" && (10.0...11.2).contains($0.time) } == true, "\(a)")
  }

  /// A camera that comes back is given as soon as it arrives, with all its frames.
  @Test func aNewEncodingIsServedAtOnceAndWhole() throws {
    let text = meeting(
      "{signals: {requested-heights: {a: 180, b: 360}}}", down: "20 Mbps",
      timeline: """
          - {at: 10s, participant: a, mute: video}
          - {at: 15.03s, participant: a, unmute: video}
        """)
    let back = try given("a", text).first { $0.time > 15 && $0.layer != "" }
    #expect(back.map { $0.layer == "q.2" && $0.time < 15.4 } == true, "\(String(describing: back))")
  }
}
