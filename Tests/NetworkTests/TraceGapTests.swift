import Network
import Quantity
import Testing

/// Times without rows in measured traces, and the parts in between.
@Suite("Gaps in traces")
struct TraceGapTests {
  /// Seconds of the rows: ten rows, an hour without any, twenty rows.
  private static let seconds = Array(0...9) + Array(3610...3629)

  private static func rows(_ row: (Int) -> String) -> String { seconds.map(row).joined(separator: "\n") }

  private static func iperf() -> String {
    let intervals = seconds.map {
      "{\"sum\": {\"start\": \($0), \"end\": \($0 + 1), \"bits_per_second\": 2e6}}"
    }
    return "{\"intervals\": [\n\(intervals.joined(separator: ",\n"))]}"
  }

  @Test(arguments: [
    (rows { "\($0) 2.5" }, CapacityTraceFormat.pensieve, ", after line 10"),
    ("time_s,throughput_mbps\n" + rows { "\($0),2.5" }, .columns, ", after line 11"),
    (
      "Timestamp,DL_bitrate\n" + rows { "2019.12.14_\(10 + $0 / 3600).\($0 / 60 % 60).\($0 % 60),900" },
      .gnettrack,
      ", after line 11"
    ),
    (rows { "1480000000 \($0 * 1000) 51.0 3.7 250000 1000" }, .sixColumn, ", after line 10"),
    (
      rows { "\($0 * 1000).5 \(1200 + $0 % 7)\n\($0 * 1000 + 1000).5 \(1200 + $0 % 7)" }, .oboe,
      ", after line 19"
    ),
    (iperf(), .iperf3, ", after line 11"),
    (
      "{\"timestamps\": [\(seconds.map { "\($0)" }.joined(separator: ", "))], "
        + "\"bandwidths\": [\(seconds.map { _ in "2" }.joined(separator: ", "))]}", .genet, ", after line 1"
    ),
    ("t_s,rate_bps\n" + rows { "\($0),2500000" }, .rateCSV, ""),
  ])
  func aGapIsSaidWithTheLongerPart(_ text: String, _ format: CapacityTraceFormat, _ place: String) throws {
    let stated = try TraceFile(bytes: Array(text.utf8), format: format, continuation: .hold)
    #expect(stated.doubts == [], "what is stated is not questioned")
    let file = try TraceFile(bytes: Array(text.utf8), continuation: .hold)
    #expect(file.format == format)
    #expect(
      file.doubts.last
        == "it has no rows between 10 and 3610 s\(place): the rate before lasts; 'trace convert --from 3610s' writes the "
        + "longest part without a gap")
  }

  /// A second's row lasts for a second: another 30 s after it are not yet a gap.
  @Test(arguments: [(40, false), (41, true)])
  func moreThanHalfAMinuteIsAGap(_ next: Int, _ isGap: Bool) throws {
    let text = (Array(0...9) + [next, next + 1]).map { "\($0) 2.5\n" }.joined()
    let doubts = try TraceFile(bytes: Array(text.utf8), continuation: .hold).doubts
    #expect(
      doubts
        == (isGap
          ? [
            "it has no rows between 10 and 41 s, after line 10: the rate before lasts; 'trace convert --until 10s' writes "
              + "the longest part without a gap"
          ] : []))
  }

  @Test func theLongestOfSeveralIsNamedAndThePartBetweenThemOffered() throws {
    let times = Array(0...4) + Array(100...119) + Array(400...404)
    let text = times.map { "\($0) 2.5\n" }.joined()
    #expect(
      try TraceFile(bytes: Array(text.utf8), continuation: .hold).doubts
        == [
          "it has no rows between 120 and 400 s, after line 25, the longest of 2 gaps: the rate before lasts; 'trace "
            + "convert --from 100s --until 120s' writes the longest part without a gap"
        ])
  }

  /// A file that lists only changes, and a pattern with durations, are not missing any rows.
  @Test(arguments: [
    "time_s,rate_mbps\n0,2\n100,3\n130,2\n400,1\n420,2\n1000,3\n",
    "{\"uplink\": {\"trace_pattern\": [{\"duration\": 1000, \"capacity\": 900}, {\"duration\": 1000, \"capacity\": 800}, "
      + "{\"duration\": 1000, \"capacity\": 900}, {\"duration\": 900000, \"capacity\": 700}, "
      + "{\"duration\": 1000, \"capacity\": 900}]}}",
  ])
  func whatListsChangesHasNoGap(_ text: String) throws {
    #expect(try TraceFile(bytes: Array(text.utf8), continuation: .hold).doubts == [])
  }

  // MARK: Parts

  @Test func aPartBeginsWithTheRateInEffect() throws {
    let text = "t_s,rate_bps\n0,1000000\n10,2000000\n20,3000000\n30,4000000\n"
    let trace = try CapacityTrace(bytes: Array(text.utf8), format: .rateCSV, continuation: .hold)
    let part = try #require(trace.part(from: .zero + .seconds(15), until: .zero + .seconds(30)))
    #expect(
      part.content
        == .rates([
          CapacityStep(at: .zero, rate: .kilobits(2000)),
          CapacityStep(at: .zero + .seconds(5), rate: .kilobits(3000)),
        ]))
    #expect(part.period == .seconds(15))
    #expect(trace.part(from: .zero + .seconds(40), until: .zero + .seconds(50)) == nil)
    #expect(trace.part(from: .zero + .seconds(35), until: .zero + .seconds(90))?.period == .seconds(5))
  }

  @Test func aPartOfOpportunitiesHasItsOwn() throws {
    let trace = try CapacityTrace(
      bytes: Array("10\n20\n30\n40\n50\n".utf8), format: .mahimahi, continuation: .hold)
    let part = try #require(trace.part(from: .zero + .milliseconds(20), until: .zero + .milliseconds(45)))
    #expect(part.content == .opportunities([0, 10_000_000, 20_000_000]))
    #expect(part.period == .milliseconds(20))
  }
}
