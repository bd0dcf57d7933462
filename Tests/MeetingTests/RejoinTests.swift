import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// A participant who leaves and returns starts a new call.
@Suite("Rejoining")
struct RejoinTests {
  private func run(leave: Int, back: Int) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: rejoin
        duration: 60s
        policy: janus
        estimator: gcc
        links:
          narrow: {capacity: 1500 kbps, delay: 20 ms, queue: 300 ms}
          open: {capacity: 20 Mbps, delay: 10 ms}
        participants:
          - id: ann
            up: narrow
            down: open
            publish: {camera: {capture: 720p30, ladder: single}}
          - {id: bob, up: open, down: open, view: {request: [{quality: 720p30, participant: ann}]}}
        timeline:
          - {at: \(leave)s, participant: ann, leave: true}
          - {at: \(back)s, participant: ann, join: true}
        """)
    ).tables
  }

  private func rows(_ tables: MemorySink, from: Double, to: Double) -> [Row] {
    tables.stream(viewer: "bob", source: "ann").filter { row in
      let time = row.number("time_s")
      return time > from && time <= to
    }
  }

  @Test func thePictureBeginsSmallAgain() throws {
    let tables = try run(leave: 30, back: 40)
    let before = rows(tables, from: 28, to: 30).compactMap { $0.integerIfPresent("frame_height_px") }
    let after = rows(tables, from: 40, to: 43).compactMap { $0.integerIfPresent("frame_height_px") }
    #expect((before.min() ?? 0) >= 360, "\(before)")
    #expect(!after.isEmpty && (after.max() ?? 999) <= 270, "\(after)")
  }

  @Test func nothingOfTheOldCallArrivesInTheNewOne() throws {
    let tables = try run(leave: 30, back: 50)
    let delays = tables.rows(of: .scalars).filter { $0["metric"] == "frame_delay" && $0["stat"] == "max" }
      .compactMap { $0.numberIfPresent("value") }
    #expect(!delays.isEmpty && delays.allSatisfy { $0 < 2 }, "\(delays)")
    #expect(rows(tables, from: 50, to: 53).allSatisfy { $0.integerIfPresent("freeze_count") == 0 })
  }

  /// `v` watches `ann` until she leaves, and `ben` from then on: nobody asks for her second call, so that her first
  /// one's demand must not be sent again. (mediasoup's client always sends everything.)
  @Test(arguments: ["bluejeans", "vonage", "stream", "jitsi"])
  func nobodyAsksForTheNewCall(policy: String) throws {
    let text = """
      name: demand
      duration: 16s
      policy: \(policy)
      estimator: oracle
      participants:
        - {id: ann, publish: {camera: 720p30, audio: false}}
        - {id: ben, publish: {camera: 720p30, audio: false}}
        - {id: v, view: {stage: ann}}
      timeline:
        - {at: 6.3s, participant: ann, leave: true}
        - {at: 7.1s, participant: v, leave: true}
        - {at: 10.2s, participant: ann, join: true}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .sent)
    func rate(_ seconds: ClosedRange<Double>) -> Double {
      rows.filter { $0["source"] == "ann" && seconds.contains($0.number("time_s")) }
        .reduce(0) { $0 + $1.number("bitrate_bps") }
    }
    #expect(rate(4...6) > 0)
    #expect(rate(12...16) == 0)
  }

  /// A share that the timeline has started ends with the call; one that the scenario begins with begins again.
  @Test(arguments: [(true, "none"), (false, "screen")])
  func aShareBeginsAsItsSourceDoes(isOn: Bool, action: String) throws {
    let text = """
      name: share
      duration: 14s
      policy: jitsi
      estimator: oracle
      participants:
        - {id: ann, publish: {audio: false, screen: {capture: 720p5, on: \(isOn)}}}
        - {id: v, view: {everybody: 640x360}}
      timeline:
        - {at: 2.1s, participant: ann, share: \(action)}
        - {at: 6.3s, participant: ann, leave: true}
        - {at: 8.2s, participant: ann, join: true}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams)
    let last = rows.last { $0["viewer"] == "v" && $0["source"] == "ann/screen" && $0["time_s"] == "14.000" }
    #expect((last?["state"] == "receiving") == isOn, "\(last as Any)")
  }
}
