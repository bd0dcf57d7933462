import Meeting
import Metrics
import TestSupport
import Testing

/// A downlink falls far below the rate of its streams, and the viewer is switched to lower ones.
@Suite("Repairs and key frames after a switch down")
struct SwitchRepairTests {
  /// Four high streams of 800 kbps on 6 Mbps, which falls at 20 s; the fallback of all four to low is decided after 2 s
  /// and takes effect half a second later; one could be high again from 1,050 kbps on.
  private func run(kilobits: Int) throws -> MemorySink {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 32s
        policy: {name: agora, dual-stream: enable}
        participants:
          - {id: u, count: 4, publish: {camera: 640x360@15}}
          - {id: v, down: {capacity: 6 Mbps, delay: 20 ms, queue: 300 ms}, view: {everybody: 320x180}}
        timeline: [{at: 20s, link: v/down, capacity: \(kilobits) kbps}]
        """)
    ).tables
    let fallback = run.rows(of: .events).filter { $0["event"] == "fallback" }
    #expect(fallback.map { $0.number("time_s") } == Array(repeating: 22.02, count: 4))
    return run
  }

  /// Repairs of the high streams would take more than the low ones, 4 x 50 kbps plus headers, for seconds.
  @Test func whatIsMissingOfTheStreamBeforeIsNotSentAgain() throws {
    let rows = try run(kilobits: 900).rows(of: .links).filter { $0["link"] == "v/down" }
    for row in rows where row.number("time_s") > 24 { #expect(row.number("throughput_bps") < 350_000) }
  }

  /// The key frames with which the low streams start may be lost too, as may the requested ones; a viewer that sees
  /// nothing sends requests only every three seconds.
  @Test(arguments: [900, 400]) func everyTileIsBackTwoSecondsAfterTheSwitch(kilobits: Int) throws {
    let run = try run(kilobits: kilobits)
    for source in 1...4 {
      let rows = run.stream(viewer: "v", source: "u-\(source)").filter { $0.number("time_s") > 25 }
      #expect(rows.count == 7)
      for row in rows { #expect(row["frame_height_px"] == "108" && row.number("frames_per_second") >= 4) }
    }
  }
}
