import Meeting
import Metrics
import TestSupport
import Testing

/// Ends know each other only through the network.
@Suite("Signalling")
struct SignallingTests {
  private func decisions(_ tables: MemorySink) -> [String] {
    tables.rows(of: .decisions).map { "\($0["time_s"]) \($0["reason"])" }
  }

  private func meeting(_ link: String, _ timeline: String) -> String {
    """
    name: signalling
    duration: 12s
    policy: {name: janus, reaction-delay: 0 ms}
    estimator: oracle
    links:
      far: \(link)
      near: {capacity: 100 Mbps, delay: 10 ms}
    participants:
      - {id: ann, up: far, down: far, publish: {camera: {capture: 720p30, ladder: single}, audio: false}}
      - {id: bob, up: near, down: near, view: {request: [{quality: 720p30, priority: high, participant: ann}]}}
    timeline: \(timeline)
    """
  }

  /// 200 ms to the SFU and 10 ms onward: bob's client learns of ann 210 ms after the start, and of her mute 210 ms
  /// after it.
  @Test func aMuteTakesBothPathsDelays() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting("{capacity: 100 Mbps, delay: 200 ms}", "[{at: 5s, participant: ann, mute: video}]")))
    #expect(decisions(run.tables).first == "0.220 none")
    #expect(decisions(run.tables).last == "5.220 muted")
  }

  /// The uplink is down from 4 to 7 s: the mute of second 5 waits for its return.
  @Test func anOutageHoldsMessagesUp() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          "{capacity: 100 Mbps, delay: 200 ms}",
          "[{at: 4s, link: ann/up, down: 3s}, {at: 5s, participant: ann, mute: video}]")))
    #expect(decisions(run.tables).last == "7.220 muted")
  }

  /// Until the message of a muted publisher arrives, its last picture counts as frozen; afterwards it is intentional.
  @Test func freezesEndWithTheMessage() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting("{capacity: 100 Mbps, delay: 200 ms}", "[{at: 5s, participant: ann, mute: video}]")))
    let frozen = run.tables.stream(viewer: "bob", source: "ann").map { $0["freeze_count"] }
    #expect(frozen.allSatisfy { $0 == "0" })
    let states = run.tables.stream(viewer: "bob", source: "ann").map { $0["state"] }
    #expect(states.suffix(6).allSatisfy { $0 == "muted" })
  }
}
