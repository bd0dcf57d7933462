import Network
import Quantity
import TestSupport
import Testing

@Suite("Trace formats")
struct TraceFormatTests {
  private func read(_ text: String) throws -> (format: CapacityTraceFormat, trace: CapacityTrace) {
    let file = try TraceFile(bytes: Array(text.utf8), continuation: .loop)
    return (file.format, file.trace)
  }

  private func steps(_ trace: CapacityTrace) -> [String] {
    guard case .rates(let steps) = trace.content else { return [] }
    return steps.map { "\($0.at.nanoseconds / 1_000_000) ms \($0.rate.bitsPerSecond / 1000)" }
  }

  @Test(
    arguments: [
      ("0.5\t1.5\n1.0\t3\n2.5\t0\n", .pensieve, ["0 ms 1500", "500 ms 3000", "2000 ms 0"], 3_500),
      ("14.4,Mbits/sec\r\n500,Kbits/sec\r\n", .mbpsLines, ["0 ms 14400", "1000 ms 500"], 2_000),
      // 125,000 bytes in the 500 ms ending at 1500 ms is 2 Mbit/s.
      (
        "1 1500 51.0 3.7 125000 500\n2 2500 51.0 3.7 125000 1000\n", .sixColumn,
        ["0 ms 2000", "500 ms 1000"], 1_500
      ),
      (
        "Timestamp,Speed,DL_bitrate\n9:00:00,1,800\n9:00:00,1,900\n9:00:01,1,-\n9:00:02,1,100\n", .gnettrack,
        ["0 ms 900", "1000 ms 900", "2000 ms 100"], 3_000
      ),
      (
        "0 1000\n4000 1000\n5000 2000\n9000 2000\n", .oboe,
        ["0 ms 1000", "5000 ms 2000"], 9_000
      ),
      (
        #"{"uplink": {"trace_pattern": [{"duration": 60, "capacity": 300, "loss": 0.1}, {"duration": 40}, {"capacity": 0, "duration": 10}]}}"#,
        .alphartc, ["0 ms 300", "60 ms 300", "100 ms 0"], 110
      ),
      (
        "Timestamp,DL_bitrate\n2019.12.31_23.59.58,10\n2019.12.31_23.59.59,20\n2020.01.01_00.00.03,30\n",
        .gnettrack, ["0 ms 10", "1000 ms 20", "5000 ms 30"], 6_000
      ),
      (
        #"{"downlink": {"trace_pattern": [{"duration": 9, "capacity": 9}]}, "uplink": {"trace_pattern": [{"duration": 60, "capacity": 300}]}}"#,
        .alphartc, ["0 ms 300"], 60
      ),
      ("t_s,rate_bps\n0,1000000\n2,500000\n", .rateCSV, ["0 ms 1000", "2000 ms 500"], 4_000),
    ] as [(String, CapacityTraceFormat, [String], Int64)])
  func everyFormatIsFoundAndRead(
    text: String, format: CapacityTraceFormat, expected: [String], period: Int64
  ) throws {
    let found = try read(text)
    #expect(found.format == format)
    #expect(steps(found.trace) == expected)
    #expect(found.trace.period == .milliseconds(period))
  }

  @Test(
    arguments: [
      ("0 1\n1 2 3\n", CapacityTraceFormat.pensieve, 2), ("1,Furlongs/sec\n", .mbpsLines, 1),
      ("3 1\n2 1\n", .pensieve, 2), ("a,b\n1,2\n", .gnettrack, 1), ("{}", .alphartc, 1), ("", .oboe, 1),
      ("1 2 3\n", .sixColumn, 1), ("0 0\n1 0\n", .pensieve, 2),
    ])
  func whatIsWrongIsNamedWithItsLine(text: String, format: CapacityTraceFormat, line: Int) {
    #expect(throws: CapacityTraceError.self) {
      try CapacityTrace(bytes: Array(text.utf8), format: format, continuation: .loop)
    }
    do {
      _ = try CapacityTrace(bytes: Array(text.utf8), format: format, continuation: .loop)
    } catch {
      #expect(error.line == line)
      #expect(!error.description.isEmpty)
    }
  }

  @Test func aTraceSurvivesItsWayToMahimahiAndBack() throws {
    let trace = try read("t_s,rate_bps\n0,6016000\n5,1203200\n").trace
    let back = try read(trace.mahimahi).trace
    let before = trace.summary
    let after = back.summary
    #expect(abs(Double(after.mean.bitsPerSecond) / Double(before.mean.bitsPerSecond) - 1) < 0.01)
    #expect(abs(after.duration.seconds - before.duration.seconds) < 0.02)
  }

  /// Rows and length are preserved, however short the last row.
  @Test func ratesSurviveTheirWayToRateCSVAndBack() throws {
    for text in ["0 1000\n4000 1000\n5000 2000\n9000 2000\n", "0.5\t1.5\n1.0\t3\n2.5\t0\n", "7,Mbits/sec\n"] {
      let trace = try read(text).trace
      let back = try read(trace.rateCSV).trace
      #expect(back.period == trace.period)
      #expect(back.summary.seconds == trace.summary.seconds)
    }
    let opportunities = try read("0\n3\n130\n255\n").trace
    let rates = try read(opportunities.rateCSV).trace
    #expect(rates.period == opportunities.period)
    // Four opportunities of 1504 bytes in 255 ms: 48,128 bits / 0.255 s.
    let mean = Double(rates.summary.mean.bitsPerSecond)
    #expect(abs(mean - 188_737) < 10)
  }

  /// Alternating 0 and 10 Mbit/s every half millisecond is 5,000 bits per millisecond, all in its second half: 12,032
  /// bits are reached in the third, 24,064 in the fifth, 36,096 in the eighth; a second carries 415.6 times as many.
  @Test func opportunitiesAreWhereTheIntegralIsFull() throws {
    let rows = (0..<2000).map { "\(Double($0) * 0.0005),\($0 % 2 * 10_000_000)\n" }
    let lines = try read("t_s,rate_bps\n" + rows.joined()).trace.mahimahi.split(separator: "\n")
    #expect(lines.prefix(3) == ["3", "5", "8"] && lines.count == 415)
    // 20 Mbit/s carry 12,032 bits in 602 us.
    #expect(try read("t_s,rate_bps\n0,20000000\n0.0007,0\n").trace.mahimahi == "1\n")
    // 6,016,000 bit/s: one every 2 ms, up to the last.
    #expect(try read("t_s,rate_bps\n0,6016000\n0.005,6016000\n").trace.mahimahi == "2\n4\n6\n8\n10\n")
  }

  /// Two years in two rows: 11 bit/s x 31,536,000 s is 28,831 opportunities, the first after 12,032 / 5 s.
  @Test func aLongTraceTakesNoLongerThanItsRows() throws {
    let trace = try read("t_s,rate_bps\n0,5\n31536000,6\n").trace
    let summary = trace.summary
    #expect(summary.seconds.map(\.rate.bitsPerSecond) == [5, 6])
    #expect(summary.seconds.map(\.count) == [31_536_000, 31_536_000])
    #expect([summary.p5, summary.p50, summary.p95].map(\.bitsPerSecond) == [5, 5, 6])
    #expect(
      summary.least.bitsPerSecond == 5 && summary.greatest.bitsPerSecond == 6 && summary.emptySeconds == 0)
    let lines = trace.mahimahi.split(separator: "\n")
    #expect(lines.count == 28_831 && lines[0] == "2406400")
    // An opportunity at 5 s belongs to the fifth second.
    let sparse = try read("5000\n31536000000\n").trace.summary
    #expect(sparse.seconds.map(\.count) == [4, 1, 31_535_994, 1] && sparse.emptySeconds == 31_535_998)
    #expect(sparse.seconds.map(\.rate.bitsPerSecond) == [0, 12_032, 0, 12_032])
  }

  /// 1.5 s at 2 Mbit/s, 1 s at 4, 0.5 s at 4: the seconds average 2, 3 and 4 Mbit/s.
  @Test func aSecondInWhichTheRateChangesHasItsMean() throws {
    let summary = try read("t_s,rate_bps\n0,2000000\n1.5,4000000\n2.25,4000000\n").trace.summary
    #expect(summary.seconds.map(\.rate.bitsPerSecond) == [2_000_000, 3_000_000, 4_000_000])
    #expect(summary.seconds.map(\.count) == [1, 1, 1] && summary.p50 == .megabits(3))
  }

  @Test func anOutageIsFound() throws {
    let summary = try read("t_s,rate_bps\n0,1000000\n2,0\n5.5,2000000\n8,0\n9,1000000\n").trace.summary
    #expect(summary.longestOutage == .milliseconds(3_500))
    #expect(summary.emptySeconds == 4)
    #expect(summary.least == .zero && summary.greatest == .megabits(2))
  }

  @Test func delayAndLossInAFileAreNoticed() throws {
    func notes(_ text: String) throws -> [String] {
      try TraceFile(bytes: Array(text.utf8), continuation: .loop).notes
    }
    #expect(try notes("t_s,rate_bps,delay_s\n0,1,0.1\n").contains { $0.hasPrefix("delay and loss") })
    #expect(try notes("t_s,rate_bps\n0,1\n") == [])
    let pattern = #"{"trace_pattern": [{"duration": 1, "capacity": 1, "rtt": 5}]}"#
    #expect(try notes(pattern).contains { $0.hasPrefix("delay and loss") })
  }

  /// Lengths and means over time, computed from the files themselves.
  @Test(
    arguments: [
      ("mahimahi/Verizon-LTE-short.down", .mahimahi, 140.0, 5.04),
      ("mahimahi/ATT-LTE-driving-2016.up", .mahimahi, 120, 1.915),
      ("nyu-mets/7Train2.csv", .mbpsLines, 3116, 9.07), ("hsdpa-norway/norway_bus_1", .pensieve, 155, 2.945),
      ("fcc-mba/trace_10037_http---www.google.com-mobile-", .pensieve, 535, 3.16),
    ] as [(String, CapacityTraceFormat, Double, Double)])
  func recordedTracesHaveTheirLengthsAndMeans(
    file: String, format: CapacityTraceFormat, seconds: Double, megabits: Double
  ) throws {
    let path = "\(Repository.root)/../shared/traces/\(file)"
    guard let bytes = Repository.bytes(of: path) else {
      print("skipped: \(file) is not there")
      return
    }
    let read = try TraceFile(bytes: bytes, continuation: .loop)
    #expect(read.format == format && read.doubts == [])
    let summary = read.trace.summary
    #expect(abs(summary.duration.seconds - seconds) < 3)
    #expect(abs(Double(summary.mean.bitsPerSecond) / 1e6 - megabits) < 0.06)
  }
}
