import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Forward error correction in meetings")
struct ProtectionMeetingTests {
  private func tables(
    _ fec: String, loss: String = "10 %", delay: String = "20 ms", seed: Int = 1
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: protected
        seed: \(seed)
        duration: 40s
        policy: janus
        estimator: gcc
        links:
          up: {capacity: 3 Mbps, delay: \(delay), loss: \(loss)}
          back: {capacity: 100 Mbps, delay: \(delay)}
          open: {capacity: 100 Mbps, delay: 200 us}
        participants:
          - {id: a, up: up, down: back, publish: {camera: {capture: 720p30, ladder: single, content: rich\(fec)}}}
          - {id: b, up: open, down: open, view: {request: [{quality: 720p30, participant: a}]}}
        """)
    ).tables
  }

  /// Sums a column over the second half of the meeting.
  private func sum(_ tables: MemorySink, _ table: ResultTable, _ column: String) -> Double {
    tables.rows(of: table).filter { $0.number("time_s") > 20 }.reduce(0) {
      $0 + $1.number(column, ifEmpty: 0)
    }
  }

  /// With a loss of 10 % and a round trip of 40 ms, half of what is sent protects the rest, so frames are seldom late.
  /// The viewer receives protection packets that are among the video's, but not those of a separate stream.
  @Test(arguments: [("ulpfec", 1.6...2), ("flexfec", 0.95...1.05)])
  func halfOfALossyStreamProtects(fec: String, received: ClosedRange<Double>) throws {
    let protected = try tables(", fec: \(fec)")
    let bare = try tables("")
    let share =
      sum(protected, .sent, "target_bitrate_bps") / sum(protected, .participants, "up_estimate_bps")
    #expect((0.35...0.55).contains(share), "\(share)")
    #expect(sum(bare, .sent, "target_bitrate_bps") / sum(bare, .participants, "up_estimate_bps") > 0.7)
    let arrived = sum(protected, .streams, "bitrate_bps") / sum(protected, .sent, "bitrate_bps")
    #expect(received.contains(arrived), "\(arrived)")
    #expect(
      sum(protected, .sent, "retransmitted_packets_sent") < sum(bare, .sent, "retransmitted_packets_sent"))
    #expect(sum(protected, .streams, "freeze_count") <= sum(bare, .streams, "freeze_count"))
  }

  /// Below a round trip of 20 ms, or without loss, a stream is sent as without protection. Losses of single packets make
  /// two runs differ by a few percent: the mean of five seeds does by less.
  @Test(arguments: [("0 %", "20 ms"), ("0.5 %", "2 ms")])
  func aPathThatNeedsNoneHasNone(loss: String, delay: String) throws {
    func target(_ fec: String) throws -> Double {
      try (1...5).reduce(0) {
        try $0 + sum(tables(", fec: \(fec)", loss: loss, delay: delay, seed: $1), .sent, "target_bitrate_bps")
      }
    }
    let share = try target("ulpfec") / target("none")
    #expect(abs(share - 1) < (loss == "0 %" ? 1e-9 : 0.05), "\(share)")
  }
}
