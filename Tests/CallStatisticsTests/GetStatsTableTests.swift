import CallStatistics
import Testing

@Suite("Tables of getStats()")
struct GetStatsTableTests {
  private func read(_ text: String) throws(CallRecordError) -> CallRecord {
    try GetStatsTable.read(Array(text.utf8), path: "c.csv")
  }

  private static func rows(_ header: String, _ row: (Int) -> String) -> String {
    ([header] + (0..<12).map(row)).joined(separator: "\n") + "\n"
  }

  @Test func columnsHaveTheNamesOfWebrtcStatsOrShortOnes() throws {
    let short = try read(
      Self.rows("t,bwe_kbps,recv_bytes,rtt_ms,lost,h") { "\($0),1500,\($0 * 1000),20,0,360" })
    let long = try read(
      Self.rows("time_s,availableOutgoingBitrate,bytesReceived,roundTripTime,packetsLost,frameHeight") {
        "\($0),1500000,\($0 * 1000),0.02,0,360"
      })
    #expect(short.samples == long.samples)
    #expect(short.samples[2].encodings == [.init(bytes: 2000, height: 360)])
    #expect(short.samples[2].roundTrip == 20)
  }

  /// Written as by spreadsheets in locales with a decimal comma.
  @Test(arguments: [";", "\t"])
  func fieldsMayBeSeparatedBySemicolonsOrTabs(separator: String) throws {
    let plain = try read(Self.rows("t,bwe_kbps,recv_bytes,rtt_ms") { "\($0),1500.5,\($0 * 1000),20.25" })
    let other = try read(
      Self.rows(["t", "bwe_kbps", "recv_bytes", "rtt_ms"].joined(separator: separator)) {
        ["\($0)", "1500,5", "\($0 * 1000)", "20,25"].joined(separator: separator)
      })
    #expect(other.samples == plain.samples)
  }

  /// Received bytes are better evidence than sent ones.
  @Test func receivedBytesComeBeforeSentOnes() throws {
    let record = try read(Self.rows("t,bwe_kbps,sent_bytes,recv_bytes") { "\($0),900,\($0 * 9),\($0 * 8)" })
    #expect(record.samples[1].encodings == [.init(bytes: 8, height: nil)])
    #expect(
      try read(Self.rows("t,bwe_kbps,sent_bytes") { "\($0),900,\($0 * 9)" }).samples[1].encodings[0].bytes
        == 9)
  }

  /// More is never received of a stream than was sent of it: 40 kB a second are another's, 1.02 times of it still the same.
  @Test func moreReceivedThanSentIsAnotherStream() throws {
    let header = "t,bwe_kbps,bytesSent,headerBytesSent,packetsSent,bytesReceived"
    func read(_ received: Int) throws -> CallRecord {
      try self.read(Self.rows(header) { "\($0),900,\($0 * 9000),\($0 * 1000),\($0 * 9),\($0 * received)" })
    }
    let other = try read(40_000)
    #expect(other.samples[2].encodings[0].bytes == 20_000 && other.samples[2].packets == 18)
    #expect(other.notes.contains { $0.hasPrefix("more bytes were received than sent") })
    // Without the headers, of which only those sent are known here, 9000 bytes a second were sent.
    let same = try read(9180)
    #expect(
      same.samples[2].encodings[0].bytes == 18_360 && same.samples[2].packets == nil && same.notes == [])
    #expect(try read(9181).samples[2].encodings[0].bytes == 20_000)
  }

  /// 60 kB a second, counted from zero again in the sixth.
  @Test func aCounterThatRestartsGoesOn() throws {
    let record = try read(
      Self.rows("t,bwe_kbps,sent_bytes,lost,packets_sent") {
        "\($0),900,\($0 % 6 * 60_000),\($0 % 6 * 30),\($0 % 6 * 50)"
      })
    let bytes = record.samples.compactMap { $0.encodings[0].bytes }
    #expect(bytes[4...7] == [240_000, 300_000, 300_000, 360_000])
    #expect(record.samples[7].lost == 180 && record.samples[7].packets == 300)
  }

  /// Times in whole seconds, of samples 0.95 s apart, are the same now and then: the first of them counts.
  @Test func ofEqualTimesTheFirstCounts() throws {
    let rows = (0..<24).map { "\($0 * 95 / 100),1500,\($0)\n" }.joined()
    let record = try read("t,bwe_kbps,recv_bytes\n" + rows)
    #expect(record.samples.map(\.time) == (0..<22).map(Double.init))
    #expect(record.samples[1].encodings[0].bytes == 2 && record.samples[19].encodings[0].bytes == 20)
  }

  @Test func aTableOfThreeEncodingsHasRequests() throws {
    let record = try read(
      Self.rows("t,bwe_kbps,l_bytes,m_bytes,h_bytes,substream,recv_bytes") {
        "\($0),3000,\($0),\($0 * 2),\($0 * 3),\($0 < 6 ? 0 : 2),5"
      })
    #expect(record.sources.map(\.encodings) == [0..<3])
    #expect(record.samples[4].encodings.map(\.bytes) == [4, 8, 12])
    #expect(record.requests.map(\.at) == [0, 6] && record.requests.map(\.scale) == [1, 4])
    let text = ImportedScenario(record).text(name: "n", source: "s")
    #expect(text.contains("ladder: webrtc-vp8") && text.contains("quality: 720p30"))
    #expect(
      text.contains(
        "{at: 6s, participant: receiver, request: [{quality: 180p30, priority: high, participant: sender}]}"))
  }

  /// A column with the capacity that the link was shaped to is ignored.
  @Test func capacitiesInTheTableChangeNothing() throws {
    let header = "t,bwe_kbps,recv_bytes"
    let plain = try read(Self.rows(header) { "\($0),1500,\($0 * 1000)" })
    let told = try read(
      Self.rows(header + ",capacity_kbps,up_kbps,down_kbps") { "\($0),1500,\($0 * 1000),77,78,79" })
    #expect(
      ImportedScenario(plain).text(name: "n", source: "s")
        == ImportedScenario(told).text(name: "n", source: "s"))
  }

  /// Rates over a tenth of a second would be those of single frames.
  @Test func ofSamplesCloseTogetherOnlyTheFirstCounts() throws {
    let rows = (0..<120).map { "\(Double($0) / 10),1500,\($0)" }
    let record = try read("t,bwe_kbps,recv_bytes\n" + rows.joined(separator: "\n"))
    #expect(record.samples.prefix(3).map(\.time) == [0, 0.8, 1.6])
  }

  /// A decimal comma is read in tables of samples and of objects alike, and a time may have one.
  @Test func decimalCommasAreReadInAllTables() throws {
    let samples = Self.rows("t;bwe_kbps;recv_bytes;rtt_ms;fps") {
      "\($0),25; 1500,5 ;\($0 * 1000),0;12,5;29,97"
    }
    let record = try read(samples)
    #expect(record.samples[1].time == 1.25 && record.samples[1].estimate == 1500.5)
    #expect(record.samples[1].roundTrip == 12.5 && record.samples[1].encodings[0].frameRate == 29.97)
    let objects = Self.rows(
      "timestamp;type;id;kind;bytesSent;availableOutgoingBitrate;roundTripTime;framesPerSecond"
    ) {
      "2026-01-31 10:00:\($0 + 10),250;outbound-rtp;o;video;\($0 * 1000),0;;;29,97\n"
        + "2026-01-31 10:00:\($0 + 10),250;candidate-pair;p;;;1500500,0;0,0125;"
    }
    let told = try read(objects)
    #expect(told.samples[1].time == 1 && told.samples[1].estimate == 1500.5)
    #expect(told.samples[1].encodings[0].frameRate == 29.97)
  }

  private static let good = rows("t,bwe_kbps,recv_bytes") { "\($0),1500,\($0 * 1000)" }

  @Test(arguments: [
    ("", "1:1: error: the file is empty"),
    ("bwe_kbps,recv_bytes\n", "1:1: error: there is no column 't' or 'time_s'"),
    (
      "t,bwe_kbps\n",
      "1:1: error: there is no column 'bytesReceived', 'recv_bytes', 'bytesSent' or 'sent_bytes'"
    ),
    ("t,bwe_kbps,recv_bytes\n1,2\n", "2:1: error: 2 fields where the header has 3"),
    ("t,bwe_kbps,recv_bytes\n0,fast,2\n", "2:1: error: bwe_kbps: 'fast' is not a number"),
    ("t,bwe_kbps,recv_bytes\n0,-1,2\n", "2:1: error: bwe_kbps: '-1' is out of range: from 0 to 10000000"),
    ("t,bwe_kbps,recv_bytes\n,1,2\n", "2:1: error: t has no value"),
    (good + "10.5,1500,3\n", "14:1: error: time 10.5 s after 11.0 s: sort the rows by time"),
    (
      rows("t,bwe_kbps,recv_bytes") { "\($0),1500,\($0 % 2 == 0 ? 60_000 : 50_000)" },
      "1:1: error: the bytes fall 6 times: counters since the call began are needed, not the bytes of each sample"
    ),
    (
      good + "31,1500,3\n",
      "1:1: error: no samples between 11 and 31 s of the call: import the longest part without a gap by '--to 11s'"
    ),
    ("t,bwe_kbps,recv_bytes\n0,1,2\n3,1,2\n", "1:1: error: a call must last at least 10 s: this one has 3 s"),
    (
      rows("t,bwe_kbps,audio.bytesSent,data.bytesSent") { "\($0),9,9,9" },
      "1:1: error: 'audio.bytesSent' and 'data.bytesSent' are all 'bytesSent': keep the one of the video"
    ),
    (rows("t,bwe_kbps,l_bytes,substream") { "\($0),9,9,3" }, "2:1: error: substream must be 0, 1 or 2"),
  ])
  func aTableThatCannotBeUsedIsNamedWithItsLine(text: String, message: String) {
    let error = #expect(throws: CallRecordError.self) { try read(text) }
    #expect(error?.description == "c.csv:" + message)
  }
}
