import Network
import Quantity
import Testing

/// Tables of times and rates: which columns are read, and what their values mean.
@Suite("Tables of traces")
struct TraceTableTests {
  private func read(_ text: String) throws -> TraceFile {
    try TraceFile(bytes: Array(text.utf8), continuation: .hold)
  }

  private func failure(_ text: String) -> String? {
    do {
      _ = try TraceFile(bytes: Array(text.utf8), continuation: .hold)
      return nil
    } catch {
      return "\(error.line): \(error)"
    }
  }

  private func steps(_ file: TraceFile) -> [String] {
    guard case .rates(let steps) = file.trace.content else { return [] }
    return steps.map { "\($0.at.seconds) \($0.rate.bitsPerSecond)" }
  }

  // MARK: Amounts

  /// 125 kB more each second are 1 Mbit/s, whatever the counter shows.
  @Test func aCounterOfBytesGivesTheRateOfItsGrowth() throws {
    let rows = (0..<60).map { "\(1_700_000_000 + $0),\(5_000_000 + 125_000 * $0)\n" }
    let file = try read("timestamp,rx_bytes\n" + rows.joined())
    #expect(file.trace.period == .seconds(59) && file.trace.summary.mean == .kilobits(1000))
    #expect(file.doubts == [])
    #expect(
      file.notes == ["columns read: times from 'timestamp' [s], rates from the counter 'rx_bytes' [B]"])
  }

  /// 80 kB in each of twenty rows, but the eleventh has counted 40 kB since it started again.
  @Test func aCounterThatFallsStartsAgainAtZero() throws {
    let rows = (0..<20).map { "\($0),\($0 < 10 ? 80_000 * $0 : 80_000 * ($0 - 10) + 40_000)\n" }
    let file = try read("time_s,rx_bytes\n" + rows.joined())
    #expect(steps(file)[8...10] == ["8.0 640000", "9.0 320000", "10.0 640000"])
    #expect(file.doubts == ["its counter falls once, and is taken to restart there"])
    #expect(try read("time_s,rx_bytes\n0,1e4\n1,2e4\n2,3e4\n").doubts.count == 1)
  }

  /// 12.5 kB in each tenth of a second, and 5 Mbit in each five seconds, are 1 Mbit/s.
  @Test func amountsFromARowsTimeOnLastUntilTheNextRow() throws {
    let tenths = (0..<30).map { "\(Double($0) / 10),12500\n" }
    let file = try read("\"Interval start\",\"All Bytes\"\n" + tenths.joined())
    #expect(file.trace.period == .seconds(3) && file.trace.summary.mean == .kilobits(1000))
    let fives = try read("time_s,received_kbits\n0,5000\n5,5000\n10,5000\n")
    #expect(fives.trace.period == .seconds(15) && fives.trace.summary.mean == .kilobits(1000))
    #expect(fives.doubts == ["it is read as amounts: 'columns: {unit: kbps}' reads it as rates"])
    #expect(fives.notes[0].hasSuffix("rates from the amounts until the next row, 'received_kbits' [kbit]"))
  }

  /// 250 kB in two seconds, a missing value, and 62.5 kB in one.
  @Test func amountsBesideTimesOfDayCameSinceTheRowBefore() throws {
    let file = try read("time,bytes\n10:00:00,9\n10:00:02,250000\n10:00:03,-\n10:00:04,62500\n")
    #expect(steps(file) == ["0.0 1000000", "3.0 500000"] && file.trace.period == .seconds(4))
  }

  @Test func aRateIsPreferredToAmounts() throws {
    #expect(
      failure("timestamp,rx_bytes,throughput\n1700000000,5,1000\n1700000001,6,1000\n")?.contains(
        "rates from 'throughput' [kbps]") == true)
    let file = try read("time_s,total_bytes,throughput_mbps\n0,0,1\n1,125000,2\n")
    #expect(file.trace.summary.mean == .kilobits(1500))
    #expect(failure("time_s,rx_bytes,tx_bytes\n0,1,1\n1,1,1\n")?.contains("read in 2 ways") == true)
    #expect(failure("time_s,buffer_bytes\n0,1\n1,1\n")?.contains("no column 'rate'") == true)
  }

  @Test(
    arguments: [
      ("throughput_mbit_s", 3_000_000), ("throughput_mbits", 3_000_000), ("bytes_per_second", 24),
      ("rate MBytes/s", 24_000_000), ("Mbit/s", 3_000_000), ("byte_rate", 24), ("bandwidthKbps", 3000),
      ("rx_mbit_sec", 3_000_000), ("DL (kb/s)", 3000),
    ] as [(String, Int64)])
  func aUnitPerSecondIsOneOfRate(name: String, rate: Int64) throws {
    #expect(try read("time_s,\(name)\n0,3\n1,3\n2,3\n").trace.summary.mean.bitsPerSecond == rate)
  }

  /// A column is no rate because its name ends in `bit`.
  @Test func aWordThatEndsInAUnitIsNone() throws {
    let file = try read("time,orbit,throughput_kbps\n0,3,1000\n1,3,2000\n")
    #expect(file.trace.summary.mean == .kilobits(1500))
    #expect(
      failure("time,orbit,throughput\n0,3,1000\n1,3,2000\n")?.contains("from 'throughput' [kbps]") == true)
  }

  // MARK: Times

  @Test(
    arguments: [
      "timestamp,throughput_mbps,rebuffer_time_s\n1700000000,5,0\n1700000001,6,0.5\n1700000002,7,0.5\n",
      "timestamp,ping_time_ms,throughput_mbps\n1700000000,20,5\n1700000001,21,6\n1700000002,24,7\n",
      "video_time_s,elapsed_ms,throughput_mbps\n0,0,5\n0.5,1000,6\n0.7,2000,7\n",
      "stall_time_s,throughput_mbps\n0,5\n7,6\n7,7\n",
    ])
  func theTimeOfSomethingElseIsNotTheRows(text: String) throws {
    let file = try read(text)
    #expect(file.trace.period == .seconds(3) && file.trace.summary.mean == .kilobits(6000))
  }

  @Test(
    arguments: [
      ("2024-01-01 11:59:59 PM", "2024-01-02 12:00:00 AM", 1),
      ("2024-01-01 12:59:59 PM", "2024-01-01 01:00:00 PM", 1),
      ("2024-01-01 11:59:59.5 a.m.", "2024-01-01 12:00:00 p.m.", 0.5), ("11:59:58 AM", "12:00:00 PM", 2),
      ("12:59:59 AM", "1:00:00 AM", 1), ("2023-10-29T02:59:59+02:00", "2023-10-29T02:00:00+01:00", 1),
      ("2019-12-14T10:16:30+0000", "2019-12-14T05:16:31-05", 1),
      ("14.12.2019 10:16:30", "14.12.2019 10:16:35", 5),
      ("31.01.2020 23:59:59", "01.02.2020 00:00:00", 1), ("20200229235959", "20200301000001", 2),
      ("20200316143919.25", "20200316143919.75", 0.5),
    ] as [(String, String, Double)])
  func datesAreReadWithWhatFollowsThem(first: String, second: String, step: Double) throws {
    let file = try read("time,rate_mbps\n\(first),1\n\(second),2\n")
    #expect(file.trace.period.seconds == 2 * step && file.trace.summary.mean == .kilobits(1500))
  }

  /// Six rows over two midnights, 8 h apart.
  @Test func timesOfDayPassAnyNumberOfMidnights() throws {
    let text = "time,rate_mbps\n23:59:58,1\n23:59:59,2\n00:00:00,3\n00:00:02,4\n"
    #expect(steps(try read(text)) == ["0.0 1000000", "1.0 2000000", "2.0 3000000", "4.0 4000000"])
    let shifts = ["16:00:00", "00:00:00", "08:00:00", "16:00:00", "00:00:00", "08:00:00"]
    let file = try read("time,rate_mbps\n" + shifts.map { "\($0),1\n" }.joined())
    #expect(file.trace.period == SimDuration.seconds(6 * 8 * 3600))
    #expect(failure("time,rate_mbps\n10:00:01,1\n10:00:00,1\n")?.hasPrefix("3: time 10:00:00 comes") == true)
    // A date in a column of its own tells the days apart.
    let days = try read("date,time,rate_mbps\n2024-01-01,23:59:59,1\n2024-01-03,23:59:59,1\n")
    #expect(days.trace.period == SimDuration.seconds(4 * 86_400))
  }

  // MARK: Rows without a rate

  /// 5 Mbit/s for five seconds and 1 for one: 26/6.
  @Test func aRateLastsOverRowsWithoutOne() throws {
    let file = try read("rate_mbps\n5\n5\n-\n-\n-\n1\n")
    #expect(file.trace.period == .seconds(6) && file.trace.summary.mean.bitsPerSecond == 4_333_333)
    let trailing = try read("time_s,rate_mbps\n0,5\n1,5\n2,-\n3,-\n4,-\n5,-\n")
    #expect(trailing.trace.period == .seconds(6) && trailing.trace.summary.mean == .kilobits(5000))
    #expect(trailing.notes.contains("4 rows without a rate are left out: the rate before them lasts"))
    let leading = try read("time_s,rate_mbps\n0,-\n1,-\n2,5\n3,1\ntotal,\n")
    #expect(leading.trace.period == .seconds(2) && leading.trace.summary.mean == .kilobits(3000))
    #expect(leading.notes.contains("2 rows before the first rate are left out"))
  }

  // MARK: Logs of tools

  /// Lines of `iperf -y C`: the last one is about all ten seconds.
  @Test func theTotalOfIperfTwoIsNoSample() throws {
    func line(_ stamp: Int, _ interval: String, _ rate: Int) -> String {
      "\(stamp),10.0.0.1,5001,10.0.0.2,40000,3,\(interval),1,\(rate)\n"
    }
    let text =
      line(20_200_316_143_959, "0.0-1.0", 1_000_000) + line(20_200_316_144_000, "1.0-2.0", 3_000_000)
      + line(20_200_316_144_001, "2.0-3.0", 2_000_000) + line(20_200_316_144_001, "0.0-3.0", 9_000_000)
    let columns = TraceColumns(time: "1", rate: "9", unit: .bps)
    let file = try TraceFile(bytes: Array(text.utf8), columns: columns, continuation: .hold)
    #expect(steps(file) == ["0.0 1000000", "1.0 3000000", "2.0 2000000"] && file.trace.period == .seconds(3))
    #expect(file.notes.contains("the total in line 4 is left out"))
  }

  @Test(arguments: [
    "14.12.2019 10:16:30,1\n14.12.2019 10:16:31,2\n14.12.2019 10:16:35,3\n",
    "1576318590,1\n1576318591,2\n1576318595,3\n", "1576318590000,1\n1576318591000,2\n1576318595000,3\n",
    "23:59:59,1\n00:00:00,2\n00:00:04,3\n",
  ])
  func gnettracksTimesMayBeOfAnyKind(rows: String) throws {
    let file = try read("Timestamp,DL_bitrate\n" + rows)
    #expect(file.format == .gnettrack)
    #expect(steps(file) == ["0.0 1000", "1.0 2000", "5.0 3000"])
  }

  @Test func gnettracksOtherTimesAreRefused() {
    #expect(failure("Timestamp,DL_bitrate\nnoon,1\n")?.hasPrefix("2: 'noon' is not a time") == true)
    #expect(
      failure("Timestamp,DL_bitrate\n7,1\n")
        == "2: '7' is no date, time of day or time since 1970: 'format: columns' reads other times")
  }

  /// A sender of 50 Mbit/s of which 80 % are lost shows no lower bound of the capacity.
  @Test func ratesOfferedOverUDPAreQuestioned() throws {
    func report(_ name: String, lost: Double, sends: Bool) -> String {
      "{\"start\": {\"test_start\": {\"protocol\": \"\(name)\"}}, \"intervals\": [{\"sum\": {\"start\": 0, \"end\": 1, "
        + "\"bits_per_second\": 5e7, \"sender\": \(sends)}}], \"end\": {\"sum\": {\"lost_percent\": \(lost)}}}"
    }
    let doubts = try read(report("UDP", lost: 80, sends: true)).doubts
    #expect(doubts.count == 1 && doubts.first?.contains("of which 80.0 % were lost") == true)
    #expect(try read(report("UDP", lost: 0, sends: true)).doubts == [])
    #expect(try read(report("UDP", lost: 80, sends: false)).doubts == [])
    #expect(try read(report("TCP", lost: 80, sends: true)).doubts == [])
    let events =
      "{\"event\":\"start\",\"data\":{\"test_start\":{\"protocol\":\"UDP\"}}}\n"
      + "{\"event\":\"interval\",\"data\":{\"sum\":{\"start\":0,\"end\":1,\"bits_per_second\":2e6,\"sender\":true}}}\n"
      + "{\"event\":\"end\",\"data\":{\"sum\":{\"lost_percent\":12.34}}}\n"
    #expect(try read(events).doubts.first?.contains("of which 12.3 % were lost") == true)
  }

  // MARK: tc

  /// Without a rate the device has no limit, which no trace can state.
  @Test func aTimeWithoutARateIsRefusedWithItsLine() throws {
    let set = "tc qdisc add dev eth0 root netem rate 4mbit\nsleep 10\n"
    let again = "sleep 10\ntc qdisc add dev eth0 root netem rate 1mbit\nsleep 10\n"
    let message = "no rate is in force from here to line 5, 10 to 20 s: set one, or make two traces of it"
    #expect(failure(set + "tc qdisc del dev eth0 root\n" + again) == "3: " + message)
    #expect(failure(set + "tc qdisc replace dev eth0 root fq_codel\n" + again) == "3: " + message)
    // A removal is followed by a rate at once, or by the end.
    let once = try read(
      set + "tc qdisc del dev eth0 root; tc qdisc add dev eth0 root netem rate 1mbit\nsleep 10\n")
    #expect(steps(once) == ["0.0 4000000", "10.0 1000000"] && once.trace.period == .seconds(20))
    #expect(try read(set + "tc qdisc del dev eth0 root\nsleep 10\n").trace.period == .seconds(10))
  }

  /// A tbf takes the place of the tree; the same kind without a rate keeps its own.
  @Test func anotherKindOfQueueEndsTheRatesOfTheOneBefore() throws {
    let tree =
      "tc qdisc add dev eth0 root handle 1: htb\ntc class add dev eth0 parent 1: classid 1:1 htb rate 1mbit\nsleep 1\n"
    let file = try read(tree + "tc qdisc replace dev eth0 root tbf rate 3mbit burst 5kb\nsleep 1\n")
    #expect(steps(file) == ["0.0 1000000", "1.0 3000000"])
    let netem = "tc qdisc add dev eth0 root netem rate 2mbit\nsleep 1\n"
    let kept = try read(netem + "tc qdisc replace dev eth0 root netem delay 9ms\nsleep 1\n")
    #expect(steps(kept) == ["0.0 2000000"] && kept.trace.period == .seconds(2))
  }
}
