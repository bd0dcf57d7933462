import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Meetings with changing links")
struct LinkChangeMeetingTests {
  private func meeting(_ timeline: String, estimator: String = "oracle") throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: changes
      duration: 30s
      policy: bluejeans
      estimator: \(estimator)
      links:
        home: {capacity: 3 Mbps, delay: 20 ms}
      participants:
        - {id: ann, up: home, down: home, publish: {camera: 720p30}}
        - {id: bob, up: home, down: home, capabilities: {receive-720p: true}, view: {request: [{quality: 180p15, priority: high}]}}
      timeline: [\(timeline)]
      """)
  }

  private func rows(_ tables: MemorySink, of link: String) -> [Row] {
    tables.rows(of: .links).filter { $0["link"] == link }
  }

  @Test func anOutageShowsInTheTablesOfItsLink() throws {
    let run = try Meetings.run(meeting("{at: 10s, link: bob/down, down: 4s}"))
    let rows = rows(run.tables, of: "bob/down")
    #expect(rows.count == 30)
    for (second, row) in rows.enumerated() {
      #expect(row["capacity_bps"] == "3000000")
      let dropped = row.integer("packets_dropped")
      let throughput = row.number("throughput_bps")
      switch second {
      case 10..<14: #expect(dropped > 10, "\(second): \(dropped)")
      // Repairs of everything lost, which the oracle does not pace, overflow the queue.
      case 14: break
      default: #expect(dropped == 0, "\(second): \(dropped)")
      }
      // Packets in flight at 10 s may still arrive.
      if second != 10 { #expect((throughput == 0) == (11..<14 ~= second), "\(second): \(throughput)") }
    }
    let up = self.rows(run.tables, of: "bob/up") + self.rows(run.tables, of: "ann/up")
    #expect(up.allSatisfy { $0["packets_dropped"] == "0" })
    let heights = run.tables.stream(viewer: "bob", source: "ann").map { $0["frame_height_px"] }
    #expect(heights[5] == "180" && heights[29] == "180")
    #expect(heights[11..<14].allSatisfy { $0 != "180" })
  }

  @Test func everyKeyIsARowOfTheEvents() throws {
    let run = try Meetings.run(
      meeting(
        "{at: 5s, link: bob/down, delay: 80 ms, loss: 5 %, down: 1 s}, {at: 4s, link: ann/up, capacity: 2 Mbps}"
      ))
    let events = run.tables.rows(of: .events).filter { !["join", "video-streams"].contains($0["event"]) }
    let found = events.map { row in
      ["time_s", "participant", "event", "detail", "result"].map { row[$0] }.joined(separator: "|")
    }
    #expect(
      found == [
        "4.000||capacity|ann/up 2 Mbps|ok", "5.000||delay|bob/down 80 ms|ok", "5.000||loss|bob/down 5 %|ok",
        "5.000||down|bob/down 1 s|ok",
      ])
  }

  /// The SFU tells the publisher over the publisher's downlink that 720p is wanted.
  @Test func signallingFollowsAChangedDelay() throws {
    func firstHigh(_ timeline: String) throws -> Double {
      let wish = "{at: 10s, participant: bob, request: [{quality: 720p30, priority: high}]}"
      let run = try Meetings.run(meeting(timeline + wish), interval: .milliseconds(100))
      let high = run.tables.stream(viewer: "bob", source: "ann").first { $0["frame_height_px"] == "720" }
      return try #require(high).number("time_s")
    }
    let near = try firstHigh("")
    let far = try firstHigh("{at: 5s, link: ann/down, delay: 2 s}, ")
    #expect(12..<14 ~= near)
    #expect(abs(far - near - 1.98) < 0.35, "\(near) \(far)")
    let back = try firstHigh("{at: 5s, link: ann/down, delay: 2 s}, {at: 6s, link: ann/down, delay: 20 ms}, ")
    #expect(abs(back - near) < 0.35, "\(near) \(back)")
  }

  @Test(arguments: ["gcc", "nada"])
  func booksCloseThroughChanges(estimator: String) throws {
    let changes = """
      {at: 5s, link: bob/down, delay: 80 ms, loss: 5 %, jitter: 10 ms}, {at: 8s, link: ann/up, down: 3 s},
      {at: 12s, link: bob/down, delay: 10 ms, queue: 10 packets, capacity: 1 Mbps},
      {at: 15s, link: bob/down, down: 4s, loss: 0 %}, {at: 20s, link: ann/down, delay: 0 ms, down: 1 s}
      """
    let ledger = MeetingLedger(of: try meeting(changes, estimator: estimator).plan, seed: 3)
    #expect(ledger.ways.count == 4 && !ledger.receptions.isEmpty)
    for way in ledger.ways {
      #expect(way.offered == way.mediaSent + way.controlSent, "\(way)")
      let onTheWay = way.offered - way.delivered - way.dropped - way.lost
      #expect(0...350 ~= onTheWay, "\(way)")
      let controlArrived = way.delivered - way.mediaArrived
      #expect(0...way.controlSent ~= controlArrived, "\(way)")
      let isChanged = !(way.participant == "bob" && way.isUp)
      #expect((way.dropped > 0) == isChanged, "\(way)")
    }
    for track in ledger.receptions {
      let frames = track.framesDecoded + track.framesDropped + track.framesWaiting
      #expect(track.framesReceived == frames && track.framesDecoded > 100, "\(track)")
    }
  }
}
