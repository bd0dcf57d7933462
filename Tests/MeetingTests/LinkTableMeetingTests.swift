import Meeting
import Metrics
import TestSupport
import Testing

/// The tables of links and participants for a link with a known queue.
///
/// 2 Mbps of 1500-byte packets arrive, one every 6 ms, at a link of 1 Mbps that takes 12 ms for each. Its queue of 10
/// is full after some 20 packets: a packet that is admitted waits for 9 others and for the rest of one more, 108 to 120
/// ms, or one transmission less if the packet in transmission counts.
@Suite("Links in the tables")
struct LinkTableMeetingTests {
  private func tables() throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 6s
        participants:
          - {id: ann, publish: {camera: 360p30, audio: false}}
          - {id: bob, down: {capacity: 1 Mbps, delay: 10 ms, queue: 10 packets}}
        cross-traffic:
          - {name: flood, link: bob/down, kind: constant, rate: 2 Mbps}
        """)
    ).tables
  }

  private func numbers(_ rows: [Row], _ column: String) -> [Double] {
    rows.compactMap { $0.numberIfPresent(column) }
  }

  @Test func aFullQueueDelaysByItsLength() throws {
    let tables = try tables()
    let link = tables.rows(of: .links).filter { $0["link"] == "bob/down" }.dropFirst(2)
    let bob = tables.rows(of: .participants).filter { $0["participant"] == "bob" }.dropFirst(2)
    #expect(link.count == 4 && bob.count == 4)
    for delay in numbers(Array(link), "queue_delay_mean_s") + numbers(Array(bob), "down_queue_delay_s") {
      #expect(delay > 0.095 && delay < 0.121, "\(delay)")
    }
    for longest in numbers(Array(link), "queue_delay_max_s") {
      #expect(longest > 0.101 && longest < 0.121, "\(longest)")
    }
  }

  /// 83 or 84 packets of 12,000 bits a second; the rest of the 167 that arrive are dropped.
  @Test func aFullLinkDeliversItsCapacity() throws {
    let link = try tables().rows(of: .links).filter { $0["link"] == "bob/down" }.dropFirst(2)
    #expect(numbers(Array(link), "throughput_bps").allSatisfy { $0 == 996_000 || $0 == 1_008_000 })
    // The rest are a few messages of the server's.
    for row in link {
      let (all, cross) = (row.number("throughput_bps"), row.number("cross_traffic_bps"))
      #expect(cross <= all && cross > all - 12_000, "\(cross) of \(all)")
    }
    let others = try tables().rows(of: .links).filter { $0["link"] != "bob/down" }
    #expect(others.allSatisfy { $0["cross_traffic_bps"] == "0" })
    #expect(numbers(Array(link), "utilization_frac").allSatisfy { abs($0 - 1) < 0.01 })
    #expect(numbers(Array(link), "packets_dropped").allSatisfy { abs($0 - 83.5) < 2 })
  }
}
