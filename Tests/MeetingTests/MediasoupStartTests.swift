import Metrics
import Quantity
import TestSupport
import Testing

/// A mediasoup viewer's start and downlink: consumers one after the other, no pacing, no padding.
@Suite("A viewer of mediasoup")
struct MediasoupStartTests {
  private func meeting(
    _ capacity: String, publishers: Int = 4, seconds: Int = 12, policy: String = "mediasoup"
  )
    -> String
  {
    let others = (1...publishers).map {
      "  - {id: p\($0), up: lan, down: lan, publish: {camera: 720p30, audio: false}}"
    }.joined(separator: "\n")
    return """
      name: start
      duration: \(seconds)s
      policy: \(policy)
      links:
        lan: {capacity: 100 Mbps, delay: 1 ms}
        link: {capacity: \(capacity), delay: 1 ms, queue: 300 ms}
      participants:
      \(others)
        - {id: v, join: 4.137s, up: lan, down: link, view: {everybody: 320x180}}
      """
  }

  /// Returns the first decisions that grant each source a layer, in order [s].
  private func starts(_ tables: MemorySink) -> [Double] {
    var times: [String: Double] = [:]
    for row in tables.rows(of: .decisions) where row["viewer"] == "v" && row["given"] != "" {
      times[row["source"]] = min(times[row["source"]] ?? .infinity, row.number("time_s"))
    }
    return times.values.sorted()
  }

  /// After 100 ms for the transports and two one-way trips: 40 ms for each consumer, and two round trips of 2 ms.
  @Test func consumersComeOneAfterTheOther() throws {
    let starts = starts(try Meetings.run(Meetings.scenario(meeting("100 Mbps"))).tables)
    #expect(starts.count == 4)
    // The first waits for the connection.
    for (earlier, later) in zip(starts.dropFirst(), starts.dropFirst(2)) {
      #expect(abs(later - earlier - 0.044) < 0.002, "\(starts)")
    }
    #expect(starts.first.map { abs($0 - 4.29) < 0.005 } == true, "\(starts)")
  }

  /// Behind a queue that the first streams fill, each consumer waits for two trips through the queue.
  @Test func aFullQueueDelaysTheLaterConsumers() throws {
    let starts = starts(try Meetings.run(Meetings.scenario(meeting("700 kbps", publishers: 6))).tables)
    #expect(starts.count == 6)
    let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
    #expect(gaps.contains { $0 > 0.2 }, "\(starts)")
  }

  /// Voices have no transport-wide numbers on the downlink: their arrivals leave no gaps among those of the video.
  @Test func voicesOutsideTheFeedbackAreNoLosses() throws {
    let text = meeting("20 Mbps", publishers: 3, seconds: 24)
      .replacing(", audio: false", with: "").replacing("policy:", with: "speech: talk-spurts\npolicy:")
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .participants)
      .filter { $0["participant"] == "v" && $0.number("time_s") > 12 }
    #expect(rows.allSatisfy { $0.number("down_loss_frac") == 0 })
    #expect(rows.allSatisfy { $0.number("down_estimate_bps") > 2_000_000 })
  }

  /// 20 Mbps available, and 300 kbps: in no second does anything but probes fill the link beside the video.
  @Test(arguments: ["20 Mbps", "300 kbps"])
  func nothingIsPadded(capacity: String) throws {
    let run = try Meetings.run(Meetings.scenario(meeting(capacity, publishers: 1, seconds: 40)))
    var video: [Double: Double] = [:]
    for row in run.tables.stream(viewer: "v", source: "p1") {
      video[row.number("time_s"), default: 0] += row.number("bitrate_bps", ifEmpty: 0)
    }
    let idle = run.tables.rows(of: .participants).filter { row in
      guard row["participant"] == "v", row.number("time_s") > 8 else { return false }
      return row.number("down_bitrate_bps", ifEmpty: 0) < 1.15 * (video[row.number("time_s")] ?? 0) + 30_000
    }
    // Probes are sent every five seconds at most.
    #expect(idle.count >= 24, "\(idle.count) of 32 seconds")
  }
}
