import CallStatistics
import Ladder
import Testing

/// Dumps of rtcstats, whose reports omit unchanged values.
@Suite("Dumps of rtcstats")
struct RTCStatsDumpTests {
  private func read(_ lines: [String]) throws(CallRecordError) -> CallRecord {
    try RTCStatsDump.read(Array(lines.joined(separator: "\n").utf8), path: "r")
  }

  private static let start = 1_700_000_000_000

  /// As stored by rtcstats-server: absolute times, each object's 0 where it equals the report's. The first report is
  /// complete; the estimate changes at the sixth.
  private static let server: [String] =
    ["[\"connectionInfo\",null,{\"userAgent\":\"x\"},\(start)]", "[\"create\",\"PC_0\",{},\(start)]"]
    + (0..<20).map { second in
      let estimate = second == 0 ? 2_500_000 : second == 5 ? 2_000_000 : nil
      let pair =
        "\"CP1\":{\"timestamp\":0" + (second == 0 ? ",\"type\":\"candidate-pair\",\"nominated\":true" : "")
        + (estimate.map { ",\"availableOutgoingBitrate\":\($0)" } ?? "") + "}"
      let video =
        "\"OT1\":{\"timestamp\":0,"
        + (second == 0 ? "\"type\":\"outbound-rtp\",\"kind\":\"video\",\"ssrc\":7,\"frameHeight\":360," : "")
        + "\"bytesSent\":\(60_000 * second)}"
      let time = start + 1000 * second
      return "[\"getstats\",\"PC_0\",{\(pair),\(video),\"timestamp\":\(time)},\(time + 3)]"
    }

  /// As since rtcstats 4: numbers for names, times relative to the previous event, and no unchanged objects.
  private static let numbered: [String] =
    ["RTCStatsDump", "{\"fileFormat\":3,\"startTime\":\(start - 500)}", "[39,null,{},0]"]
    + (0..<20).map { second in
      let estimate = second == 0 ? 2_500_000 : second == 5 ? 2_000_000 : nil
      let pair =
        estimate.map { "\"0\":{" + (second == 0 ? "\"type\":6,\"150\":true," : "") + "\"153\":\($0)}," } ?? ""
      let video =
        "\"1\":{" + (second == 0 ? "\"type\":2,\"11\":\"video\",\"10\":7,\"24\":360," : "")
        + "\"80\":\(60_000 * second)}"
      return "[\"g\",\"0-0\",{\(pair)\(video),\"t\":\(start + 1000 * second)},\(second == 0 ? 503 : 1000)]"
    }

  @Test(arguments: [server, numbered])
  func changesAreAddedUp(lines: [String]) throws {
    let record = try read(lines)
    #expect(record.samples.map(\.time) == (0..<20).map(Double.init))
    #expect(record.samples.map(\.estimate) == (0..<20).map { $0 < 5 ? 2500 : 2000 })
    #expect(record.samples.map { $0.encodings[0].bytes } == (0..<20).map { Double($0) * 60_000 })
    #expect(record.samples.map { $0.encodings[0].height } == (0..<20).map { _ in 360 })
  }

  /// Reports without a time of their own have their event's.
  @Test func eventsHaveTimesRelativeToTheOneBefore() throws {
    let lines = Self.numbered.map { $0.replacing(#/,"t":\d+/#, with: "") }
    #expect(try read(lines).samples.map(\.time) == (0..<20).map(Double.init))
  }

  /// Jitsi's clients report every ten seconds.
  @Test func reportsTenSecondsApartAreEnough() throws {
    let record = try read(
      Self.server.filter { line in
        !line.contains("getstats") || line.hasSuffix("0003]") && line.contains("\"timestamp\":17000000")
      }
        + (1..<5).map { ten in
          "[\"getstats\",\"PC_0\",{\"OT1\":{\"timestamp\":0,\"bytesSent\":\(600_000 * ten)},\"CP1\":{\"timestamp\":0},"
            + "\"timestamp\":\(Self.start + 20_000 + ten * 10_003)},0]"
        })
    #expect(record.samples.last?.time == 60.012)
  }

  @Test(arguments: [
    (
      ["RTCStatsDump", "{}"],
      "r:1:1: error: this is no dump of rtcstats: events are expected, one a line, as "
    ),
    (["[\"create\",null,{},1]", "{]", "x"], "r:2:2: error: this is no dump of rtcstats"),
  ])
  func anythingElseIsAnError(lines: [String], message: String) {
    let error = #expect(throws: CallRecordError.self) { try read(lines) }
    #expect(error?.description.hasPrefix(message) == true, "\(error as Any)")
  }

  /// Each command names the one that reads the file.
  @Test func otherFilesAreNamed() {
    let dump = Array(Self.server.joined(separator: "\n").utf8)
    let asReports = #expect(throws: CallRecordError.self) { try GetStatsFile.read(dump, path: "r") }
    #expect(asReports?.text.hasSuffix("; it looks like a file for 'meetsim import rtcstats'") == true)
    for table in ["t,bwe_kbps,recv_bytes\n0,1,2\n", "time_s;bytesSent\n0;1\n"] {
      let asDump = #expect(throws: CallRecordError.self) {
        try RTCStatsDump.read(Array(table.utf8), path: "r")
      }
      #expect(asDump?.text.contains("; it looks like a file for 'meetsim import getstats'") == true)
    }
  }

  /// A dump that is still being written ends in the middle of a line.
  @Test func aLastLineThatWasCutOffIsLeftOut() throws {
    #expect(try read(Self.server + ["[\"getstats\",\"PC_0\",{\"OT1"]).samples.count == 20)
  }
}
