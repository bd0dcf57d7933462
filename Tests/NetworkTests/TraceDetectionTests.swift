import Network
import Quantity
import Testing

/// The format inferred from a whole file, and the questions asked if several are possible.
@Suite("Detection of trace formats")
struct TraceDetectionTests {
  private func read(_ text: String, _ columns: TraceColumns = TraceColumns()) throws -> TraceFile {
    try TraceFile(bytes: Array(text.utf8), columns: columns, continuation: .hold)
  }

  private func failure(_ text: String, _ columns: TraceColumns = TraceColumns()) -> String? {
    do {
      _ = try TraceFile(bytes: Array(text.utf8), columns: columns, continuation: .hold)
      return nil
    } catch {
      return "\(error.line): \(error)"
    }
  }

  /// Chunks of 459 and 391 units with equal ends: read as seconds they would be minutes at Gbps.
  @Test func pairsOfEqualRatesWithLongStepsAreMilliseconds() throws {
    let file = try read("15.0 2500.5\n474.0 2500.5\n514.0 1300.0\n905.0 1300.0\n")
    #expect(file.format == .oboe && file.trace.period == .milliseconds(890))
    // 499 ms of 2500.5 and 391 ms of 1300 kbps.
    #expect(file.trace.summary.mean.bitsPerSecond == (499 * 2_500_500 + 391 * 1_300_000) / 890)
    #expect(file.doubts == ["it lasts 0.89 s: are its times in another unit?"])
    #expect(file.rows.map(\.line) == [1, 3])
    #expect(file.rows[1].text == "514.0 1300.0" && file.rows[1].meaning == "from 0.499 s 1300 kbps")
  }

  /// The same pairs with steps of seconds are a file in seconds.
  @Test func equalPairsWithStepsOfSecondsAreSeconds() throws {
    let file = try read("0 12\n1 12\n2 30\n3 30\n")
    #expect(file.format == .pensieve && file.trace.period == .seconds(4))
  }

  @Test func wholeSecondsWithLargeRatesAreNotMilliseconds() throws {
    let file = try read("0 104.0\n1 96.5\n2 120.0\n3 88.0\n")
    #expect(file.format == .pensieve && file.trace.period == .seconds(4))
    #expect(file.trace.summary.mean.bitsPerSecond == 102_125_000)
    #expect(file.doubts.count == 1 && file.doubts[0].contains("are they kbps?"))
    let confirmed = try TraceFile(
      bytes: Array("0 104.0\n1 96.5\n".utf8), format: .pensieve, continuation: .hold)
    #expect(confirmed.doubts == [])
  }

  @Test func wholeRatesThatFitTwoUnitsAreAsked() throws {
    let text = "0 1500\n1 2500\n2 1800\n"
    #expect(
      failure(text)
        == "1: the file can be read in 2 ways: state 'format: pensieve' for times in s and rates in Mbps "
        + "(3 s, mean 1933333 kbps); or 'columns: {unit: kbps, time-unit: s}' for times in s and rates in kbps "
        + "(3 s, mean 1933 kbps)")
    let file = try read(text, TraceColumns(unit: .kbps))
    #expect(file.trace.summary.mean.bitsPerSecond == 1_933_333)
  }

  /// A single row beyond 10 Gbps does not change the unit of the rest.
  @Test func oneOutlierIsQuestionedAndChangesNoUnit() throws {
    let file = try read("0 50.5\n1 20000\n2 40.5\n3 30\n")
    #expect(file.format == .pensieve && file.doubts.count == 1)
  }

  /// Median rates of 99.9, 100.5 and 1000.5: Mbps without doubt, Mbps with doubt, and a question.
  @Test func theSizeOfRatesDecidesWhatIsAsked() throws {
    #expect(try read("0 99.9\n1 99.9\n2 99.9\n").doubts == [])
    #expect(try read("0 100.5\n1 100.5\n2 100.5\n").doubts.count == 1)
    #expect(
      failure("0 1000.5\n1 1000.5\n2 1000.5\n")?.contains("'columns: {unit: kbps, time-unit: s}'") == true)
    #expect(failure("0 100\n1 100\n2 100\n")?.contains("'columns: {unit: kbps, time-unit: s}'") == true)
  }

  /// Steps of 200 are minutes or fractions of a second; steps of 1000 are seconds in milliseconds.
  @Test func theUnitOfTimeFollowsFromTheSteps() throws {
    let steps = (0..<20).map { "\($0 * 200) \(3.5 + Double($0))" }.joined(separator: "\n")
    #expect(failure(steps)?.contains("'columns: {unit: Mbps, time-unit: ms}'") == true)
    let seconds = (0..<20).map { "\($0 * 1000) \(3.5 + Double($0))" }.joined(separator: "\n")
    #expect(try read(seconds).trace.period == .seconds(20))
    let epoch = (0..<3).map { "\(1_700_000_000_500 + $0 * 500) 4.5" }.joined(separator: "\n")
    #expect(try read(epoch).trace.period == .milliseconds(1500))
  }

  @Test func oneNumberPerLineIsMahimahiOnlyIfItNeverDecreases() throws {
    #expect(try read("1\n4\n4\n9\n").format == .mahimahi)
    #expect(
      failure("3\n5\n4\n")
        == "1: the file does not say how it is to be read: state 'columns: {unit: Mbps}' for one row per second, "
        + "rates from '1' [Mbps] (3 s, mean 4000 kbps)")
    #expect(try read("3\n5\n4\n", TraceColumns(unit: .megabits)).trace.period == .seconds(3))
  }

  @Test func ratesBeyondTenGigabitsAreQuestioned() throws {
    let file = try read("t_s,rate_bps\n0,10000000001\n5,1000000\n")
    #expect(file.doubts == ["its greatest rate is 10000000 kbps: are its rates in another unit?"])
    #expect(try read("t_s,rate_bps\n0,10000000000\n5,1000000\n").doubts == [])
    #expect(try read("t_s,rate_bps\n0,9000\n5,9000\n").doubts.count == 1)
  }

  // MARK: Tables

  @Test(
    arguments: [
      ("timestamp,throughput_mbps\n0,1.5\n1,2.5\n2,0.5\n", 3.0, 1_500_000),
      ("time_ms;bandwidth [kbit/s];rtt_ms\n0;1500;20\n500;2500;20\n", 1, 2_000_000),
      ("Time\tDL Throughput (Mbps)\n10:00:59.5\t4\n10:01:00.5\t2\n", 2, 3_000_000),
      ("ts,bytes_per_second\n1700000000000,125000\n1700000002000,250000\n", 4, 1_500_000),
      (
        "date,Speed MB/s\n2024-02-28 23:59:59,1\n2024-02-29 00:00:00,-\n2024-02-29 00:00:01,2\n", 3,
        10_666_666
      ),
      ("loss_rate,elapsedSeconds,goodputKbps\n0.1,5,100\n0.2,6,300\n", 2, 200_000),
      ("2024-01-01T23:59:58Z,throughput_bps\n", 0, 0),
    ] as [(String, Double, Int64)])
  func columnsAndUnitsAreFoundByName(text: String, seconds: Double, mean: Int64) throws {
    guard seconds > 0 else {
      #expect(failure(text) != nil)
      return
    }
    let file = try read(text)
    #expect(file.format == .columns && file.doubts == [])
    #expect(file.trace.period.seconds == seconds)
    #expect(file.trace.summary.mean.bitsPerSecond == mean)
  }

  @Test func ofSeveralColumnsOneIsStated() throws {
    let text = "time_s,dl_mbps,ul_mbps\n0,10,2\n1,20,3\n"
    let failure = failure(text)
    #expect(failure?.hasPrefix("1: the file can be read in 2 ways: state 'columns: {rate: dl_mbps") == true)
    #expect(
      failure?.contains("(2 s, mean 15000 kbps); or ") == true && failure?.contains("mean 2500 kbps") == true)
    #expect(try read(text, TraceColumns(rate: "ul_mbps")).trace.summary.mean.bitsPerSecond == 2_500_000)
    #expect(try read(text, TraceColumns(rate: "3")).trace.summary.mean.bitsPerSecond == 2_500_000)
    #expect(
      self.failure(text, TraceColumns(rate: "up"))
        == "1: there is no column 'up': the file has 'time_s', 'dl_mbps', 'ul_mbps', of which 'time', 'rate' and "
        + "'unit' state what to read")
  }

  @Test func aUnitThatNobodyStatesIsAsked() {
    let text = "time,bandwidth\n0,10\n1,20\n"
    #expect(failure(text)?.contains("'columns: {unit: Mbps, time-unit: s}'") == true)
    #expect(failure("a,b\n0,1\n")?.hasPrefix("1: there is no column 'rate': the file has 'a', 'b'") == true)
    #expect(
      failure("time,mbps\n0,1\nlater,2\n")
        == "3: 'later' is not a time: write seconds, milliseconds or a date such as '2026-01-31 10:16:30'")
  }

  // MARK: JSON

  @Test(
    arguments: [
      (
        #"[{"duration_ms": 1500, "bandwidth_kbps": 1300, "latency_ms": 40}, {"duration_ms": 500, "bandwidth_kbps": 700}]"#,
        .playerJSON, 2.0, 1_150_000
      ),
      (#"[{"speed": 500, "duration": 30}, {"speed": 200, "duration": 10}]"#, .playerJSON, 40, 425_000),
      (
        #"{"timestamps": [0, 1, 4], "bandwidths": [2.0, 1.0, 9.0], "delays": [20], "loss": 0}"#, .genet, 4,
        1_250_000
      ),
      (#"{"timestamps": [0, 30], "bandwidths": [0.6]}"#, .genet, 30, 600_000),
      (
        #"{"start": {}, "intervals": [{"sum": {"start": 0, "end": 1, "bits_per_second": 9e6, "omitted": true}}, {"sum": {"start": 1, "end": 2, "bits_per_second": 2e6, "omitted": false}}, {"sum": {"start": 2, "end": 5, "bits_per_second": 4e6}}]}"#,
        .iperf3, 4, 3_500_000
      ),
      (
        #"{"event":"start","data":{"version":"iperf 3.18"}}"# + "\n"
          + #"{"event":"interval","data":{"sum":{"start":0,"end":1,"bits_per_second":2e6,"omitted":false}}}"#
          + "\n"
          + #"{"event":"interval","data":{"sum":{"start":1,"end":4,"bits_per_second":4e6,"omitted":false}}}"#
          + "\n" + #"{"event":"end","data":{}}"# + "\n",
        .iperf3, 4, 3_500_000
      ),
      (
        #"{"uplink": {"trace_pattern": [{"duration": 1000, "capacity": 500}]}, "downlink": {}}"#, .alphartc,
        1, 500_000
      ),
      (
        #"{"uplink": {}, "downlink": {"trace_pattern": [{"duration": 1000, "capacity": 500}]}}"#,
        .alphartcDownlink, 1, 500_000
      ),
    ] as [(String, CapacityTraceFormat, Double, Int64)])
  func jsonIsReadByItsKeys(text: String, format: CapacityTraceFormat, seconds: Double, mean: Int64) throws {
    let file = try read(text)
    #expect(file.format == format)
    #expect(file.trace.period.seconds == seconds)
    #expect(file.trace.summary.mean.bitsPerSecond == mean)
  }

  @Test func theOtherDirectionIsNamedAndCanBeChosen() throws {
    let text =
      #"{"uplink": {"trace_pattern": [{"duration": 1000, "capacity": 500}]}, "downlink": {"trace_pattern": [{"duration": 2000, "capacity": 5000}]}}"#
    #expect(
      try read(text).doubts == [
        "the uplink's pattern; 'format: alphartc-downlink' reads the downlink's, of 1 entries"
      ])
    let other = try TraceFile(bytes: Array(text.utf8), format: .alphartcDownlink, continuation: .hold)
    #expect(other.trace.period == .seconds(2) && other.trace.summary.mean == .kilobits(5000))
    #expect(other.doubts == [] && other.notes.count == 1)
    let table = "Timestamp,DL_bitrate,UL_bitrate\n10:00:00,800,90\n10:00:01,900,80\n"
    #expect(try read(table).doubts.count == 1 && read(table).notes == [])
    #expect(
      try read(table, TraceColumns(rate: "UL_bitrate", unit: .kbps)).trace.summary.mean == .kilobits(85))
  }

  @Test func whatIsWrongInJSONHasItsPlace() {
    func place(_ text: String) -> String? {
      do {
        _ = try TraceFile(bytes: Array(text.utf8), continuation: .hold)
        return nil
      } catch {
        return "\(error.line):\(error.column): \(error)"
      }
    }
    #expect(
      place("[\n {\"duration_ms\": 1,\n  \"bandwidth_kbps\": 1}\n")?.hasPrefix(
        "4:1: this is not JSON: ',' or ']'") == true)
    #expect(
      place("[{\"duration_ms\": 1, \"bandwidth_kbps\": 1},\n {\"duration_ms\": -1, \"bandwidth_kbps\": 1}]")?
        .hasPrefix("2:18: '-1.0' is negative") == true)
    #expect(place(#"{"a": 1}"#)?.hasPrefix("1:1: unknown trace format: specify one of rate-csv") == true)
    #expect(place(#"{"error": "unable to connect"}"#) == "1:11: iperf3 reports 'unable to connect'")
    #expect(
      place("{\"event\":\"start\",\"data\":{}}\n{\"event\":\"error\",\"data\":\"refused\"}")
        == "2:25: iperf3 reports 'refused'")
    #expect(
      place("{\"event\":\"start\",\"data\":{}}\n{\"event\":\"inter")?.hasPrefix("2:10: this is not JSON")
        == true)
    #expect(place(String(repeating: "[", count: 100_000))?.contains("nested too deeply") == true)
  }

  // MARK: tc

  @Test func aScriptSetsTheSmallestRateInForce() throws {
    let script = """
      #!/bin/bash
      tc qdisc del dev eth0 root 2> /dev/null
      sudo tc qdisc add dev eth0 root handle 1: htb default 10   # 10 Mbit/s in all
      tc class add dev eth0 parent 1: classid 1:10 htb rate 1mbit ceil 10mbit
      sleep 10
      /sbin/tc qdisc add dev eth0 parent 1:10 handle 10: netem delay 20ms rate 2500kbit
      sleep 0.5m; tc qdisc change dev eth0 parent 1:10 netem rate 100kbps
      sleep 20
      tc qdisc del dev eth0 root
      """
    let file = try read(script)
    #expect(file.format == .tcScript && file.trace.period == .seconds(60))
    // In tc, kbps is 1000 bytes per second.
    guard case .rates(let steps) = file.trace.content else { return }
    #expect(steps.map { $0.at.seconds } == [0, 10, 40])
    #expect(steps.map { $0.rate } == [.kilobits(10_000), .kilobits(2_500), .kilobits(800)])
    #expect(
      file.notes == ["delay and loss in the file are ignored: set them with the link's 'delay' and 'loss'"])
  }

  @Test func variablesWithoutCommandsHaveTheirValues() throws {
    let script = """
      IF=eth0
      RATE="3"
      tc qdisc add dev $IF root handle 1: tbf rate ${RATE}mbit burst 16k
      sleep 5
      RATE=1
      tc qdisc change dev "$IF" root tbf rate ${RATE}mbit burst 16k
      sleep 15
      """
    let file = try read(script)
    #expect(file.trace.period == .seconds(20) && file.trace.summary.mean == .kilobits(1500))
    let nested = (0..<30).map { "A\($0 + 1)=$A\($0)$A\($0)" }
    let bomb =
      (["A0=aaaaaaaa"] + nested).joined(separator: "\n") + "\ntc qdisc add dev $A30 root tbf rate 1mbit\n"
    #expect(failure(bomb)?.contains("the command is too long") == true)
  }

  @Test func whatAScriptLeavesOpenIsRefused() {
    #expect(
      failure("tc qdisc add dev lo root netem rate ${RATE}mbit\n")?.hasPrefix(
        "1: '${RATE}mbit' is no rate of tc") == true)
    #expect(
      failure("tc qdisc add dev lo root netem rate 1mbit\nfor i in 1 2; do\nsleep 1\n")?.hasPrefix(
        "2: 'for' cannot be read") == true)
    #expect(
      failure("tc qdisc add dev lo root netem rate 1mbit\nsleep $1\n")?.hasPrefix("2: 'sleep $1' is no time")
        == true)
    let two = "tc qdisc add dev a root tbf rate 1mbit\ntc qdisc add dev b root tbf rate 2mbit\nsleep 5\n"
    #expect(failure(two)?.contains("'columns: {rate: b}' for the device b (5 s, mean 2000 kbps)") == true)
    let file = try? TraceFile(
      bytes: Array(two.utf8), format: .tcScript, columns: TraceColumns(rate: "b"), continuation: .hold)
    #expect(file?.trace.summary.mean == .kilobits(2000))
  }

  /// Two containers each have a device of the same name.
  @Test func devicesOfContainersAreToldApart() throws {
    let one = "docker exec relay tc qdisc add dev eth0 root netem rate 4mbit\nsleep 5\n"
    let file = try TraceFile(
      bytes: Array(one.utf8), format: .tcScript, columns: TraceColumns(rate: "eth0"), continuation: .hold)
    #expect(file.trace.summary.mean == .kilobits(4000))
    let two = one + "docker exec -it node sudo tc qdisc add dev eth0 root netem rate 1mbit\nsleep 5\n"
    #expect(
      failure(two)?.contains("'columns: {rate: node:eth0}' for the device node:eth0 (5 s, mean 1000 kbps)")
        == true)
    let stated = try TraceFile(
      bytes: Array(two.utf8), format: .tcScript, columns: TraceColumns(rate: "relay:eth0"),
      continuation: .hold)
    #expect(stated.trace.summary.mean == .kilobits(4000) && stated.trace.period == .seconds(10))
  }

  @Test func aLogHasTheRatesThatWereSetOrTheBytesSent() throws {
    func log(_ parts: [(String, String, Int)]) -> String {
      parts.map { time, rate, sent in
        "\(time)\nqdisc tbf 1: dev eth0 root refcnt 2\(rate)\n Sent \(sent) bytes 9 pkt (dropped 0, overlimits 0 requeues 0)\n backlog 0b 0p requeues 0\n"
      }.joined()
    }
    let set = log([
      ("1700000000.5", " rate 1Mbit burst 5Kb", 0), ("1700000010.5", " rate 500Kbit", 9),
      ("1700000020.5", " rate 500Kbit", 9),
    ])
    let file = try read(set)
    #expect(file.format == .tcLog && file.trace.period == .seconds(20))
    #expect(file.trace.summary.mean == .kilobits(750))
    let sent = try read(
      log([
        ("10:00:00", "", 1000), ("10:00:02", "", 251_000), ("10:00:03", "", 251_000),
        ("10:00:04", "", 125_000),
      ]))
    #expect(sent.trace.period == .seconds(4))
    guard case .rates(let steps) = sent.trace.content else { return }
    #expect(steps.map(\.rate) == [.megabits(1), .zero, .megabits(1)])
    #expect(
      failure("qdisc tbf 1: dev eth0 root rate 1Mbit\n")?.hasPrefix("1: no time before this output") == true)
  }

  // MARK: Tables without hints

  /// A column that always rises may be times under any name; without one, each row is taken as a second, and that is
  /// reported.
  @Test func aTableWithoutANamedTimeIsAsked() throws {
    let text = "Zeit;Mbit/s\n0;1.5\n5;2.5\n10;0.5\n"
    #expect(
      failure(text)
        == "1: the file does not say how it is to be read: state 'columns: {time: Zeit, time-unit: s}' for times from "
        + "'Zeit' [s], rates from 'Mbit/s' [Mbps] (15 s, mean 1500 kbps)")
    #expect(try read(text, TraceColumns(time: "Zeit", timeUnit: .seconds)).trace.period == .seconds(15))
    let file = try read("rsrp,throughput_mbps\n-90,1.5\n-80,2.5\n-95,0.5\n")
    #expect(file.trace.period == .seconds(3))
    #expect(
      file.doubts
        == ["it has no column of times: one row per second is assumed, which 'format: columns' confirms"])
    let stated = try TraceFile(
      bytes: Array("rsrp,throughput_mbps\n-90,1.5\n-80,2.5\n".utf8), format: .columns, continuation: .hold)
    #expect(stated.doubts == [])
  }

  /// If rows name their interface there is no header, and the first row counts.
  @Test func aColumnOfTextsMakesNoHeader() throws {
    let text = "1700000000;eth0;250000\n1700000001;eth0;500000\n1700000002;eth0;750000\n"
    let file = try read(text, TraceColumns(time: "1", rate: "3", unit: .bytes))
    #expect(file.trace.period == .seconds(3) && file.trace.summary.mean.bitsPerSecond == 4_000_000)
  }

  @Test func theTextOfIperfIsRefusedWithWhatIsRead() {
    #expect(
      failure("iperf 3.10.1\nLinux\n[  5]   0.00-1.00   sec  1.2 MBytes  10.1 Mbits/sec\n")
        == "1: iperf3's text for people is not read: '--json' writes what is")
    #expect(
      failure(
        "[ ID] Interval           Transfer     Bitrate\n[  5]   0.00-1.00   sec  21.8 MBytes   182 Mbits/sec\n"
      )
        == "1: iperf3's text for people is not read: '--json' writes what is")
    #expect(
      failure(
        "-----------\nServer listening on 5201 (test #1)\n-----------\n[ ID] Interval  Transfer  Bitrate\n")
        == "1: iperf3's text for people is not read: '--json' writes what is")
  }

  /// Two interfaces at each time: 8 and 2000, then 8 and 1000 kbps. The last of each time counts, a mean of 1500.
  @Test func otherRatesAtTheSameTimeAreQuestioned() throws {
    let text = "time_s iface rate_kbps\n0 lo 8\n0 eth0 2000\n1 lo 8\n1 eth0 1000\n"
    let file = try TraceFile(bytes: Array(text.utf8), continuation: .hold)
    #expect(file.trace.summary.mean.bitsPerSecond == 1_500_000)
    #expect(
      file.doubts == [
        "of rows with the same time the last counts: 2 with another rate, such as line 2, are left out, which 'format: "
          + "columns' confirms: are they other interfaces or streams?"
      ])
    let alike = try TraceFile(
      bytes: Array("time_s,rate_kbps\n0,800\n0,800\n1,800\n2,800\n".utf8), continuation: .hold)
    #expect(alike.doubts == [])
  }

  @Test func rowsOutOfOrderAreNamedAsTheyAre() {
    #expect(
      failure("time,throughput_mbps\n2023-04-18 10:43:02,1\n2023-04-18 10:43:01,2\n")
        == "3: time 2023-04-18 10:43:01 comes after 2023-04-18 10:43:02: sort the rows by time")
  }

  @Test func numbersMayHaveADecimalComma() throws {
    let file = try read("time_s;rate_mbps\r\n0;1,5\r\n1;2,5\r\n")
    #expect(file.trace.summary.mean.bitsPerSecond == 2_000_000)
  }

  /// Steps of 487.5 would be minutes; with four-digit rates, milliseconds and kbps are among the suggestions.
  @Test func longStepsWithFractionsMayBeMilliseconds() throws {
    let text = (0..<50).map { "\(13.25 + 487.5 * Double($0)) \(1000.5 + Double($0))\n" }.joined()
    let asked = try #require(failure(text))
    let wanted = "'columns: {unit: kbps, time-unit: ms}' for times in ms and rates in kbps (24.375 s,"
    #expect(asked.contains(wanted), "\(asked)")
    #expect(asked.contains("can be read in 4 ways"), "\(asked)")
  }
}
