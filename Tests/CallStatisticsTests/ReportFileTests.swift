import CallStatistics
import Ladder
import Testing

/// `getStats()` reports and tables in the formats that people have.
@Suite("Files of getStats() reports")
struct ReportFileTests {
  private func read(_ text: String) throws(CallRecordError) -> CallRecord {
    try GetStatsFile.read(Array(text.utf8), path: "g", CallPart())
  }

  /// Objects of the report at a second: a pair, and a video of 480 kbps with three of a hundred packets lost.
  private static func objects(_ second: Int, timestamp: String? = nil) -> [(id: String, text: String)] {
    let time = timestamp.map { "\"timestamp\": \($0), " } ?? ""
    return [
      (
        "CP1",
        "{\(time)\"id\": \"CP1\", \"type\": \"candidate-pair\", \"nominated\": true, \"state\": \"succeeded\", "
          + "\"availableOutgoingBitrate\": 2500000, \"currentRoundTripTime\": 0.05}"
      ),
      (
        "OT1",
        "{\(time)\"id\": \"OT1\", \"type\": \"outbound-rtp\", \"kind\": \"video\", \"ssrc\": 7, \"bytesSent\": "
          + "\(60_000 * second), \"packetsSent\": \(100 * second), \"frameHeight\": 360, \"frameWidth\": 640, "
          + "\"framesPerSecond\": 30, \"qualityLimitationDurations\": {\"none\": 1}}"
      ),
      (
        "RI1",
        "{\(time)\"id\": \"RI1\", \"type\": \"remote-inbound-rtp\", \"kind\": \"video\", \"ssrc\": 7, "
          + "\"packetsLost\": \(3 * second)}"
      ),
    ]
  }

  private static func epoch(_ second: Int) -> String { "\(1_700_000_000_000 + 1000 * second)" }

  private static func array(_ second: Int, _ timestamp: String? = nil) -> String {
    "[\(objects(second, timestamp: timestamp ?? epoch(second)).map(\.text).joined(separator: ", "))]"
  }

  private static func map(_ second: Int, timestamp: String?) -> String {
    "{\(objects(second, timestamp: timestamp).map { "\"\($0.id)\": \($0.text)" }.joined(separator: ", "))}"
  }

  /// A report whose objects have their members below `values`.
  private static func nested(_ second: Int) -> String {
    let objects = zip(objects(second), ["candidate-pair", "outbound-rtp", "remote-inbound-rtp"])
    let texts = objects.map { object, type in
      "{\"id\": \"\(object.id)\", \"type\": \"\(type)\", \"timestamp\": \(epoch(second)), "
        + "\"values\": \(object.text)}"
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  private static func all(_ separator: String, _ report: (Int) -> String) -> String {
    (0..<20).map(report).joined(separator: separator)
  }

  static let shapes: [(name: String, text: String)] = [
    ("an array of arrays", "[\(all(", ") { array($0) })]"),
    ("an array of maps by id", "[\(all(", ") { map($0, timestamp: epoch($0)) })]"),
    ("one report a line", all("\n") { array($0) }),
    ("all objects in one array", "[\(all(", ") { String(array($0).dropFirst().dropLast()) })]"),
    (
      "with the time around each report",
      "[\(all(", ") { "{\"timestamp\": \(epoch($0)), \"stats\": \(map($0, timestamp: nil))}" })]"
    ),
    (
      "with times of ISO 8601",
      "[\(all(", ") { "{\"time\": \"2023-11-14T22:13:\(20 + $0)Z\", \"report\": \(map($0, timestamp: nil))}" })]"
    ),
    ("in seconds", "[\(all(", ") { array($0, "\(1_700_000_000 + $0).0") })]"),
    ("in seconds since the call began", "[\(all(", ") { array($0, "\($0)") })]"),
    ("in milliseconds since the page began", "[\(all(", ") { array($0, "\(5_000 + $0 * 1000)") })]"),
    ("by connection", "{\"PC_0\": [\(all(", ") { array($0) })], \"PC_1\": []}"),
    (
      "as entries of a map",
      all("\n") { second in
        "[\(objects(second, timestamp: epoch(second)).map { "[\"\($0.id)\", \($0.text)]" }.joined(separator: ", "))]"
      }
    ),
    ("the newest first", "[\((0..<20).reversed().map { array($0) }.joined(separator: ", "))]"),
    (
      "in no order", "[\((0..<20).map { array($0 * 7 % 20) }.joined(separator: ", "))]"
    ),
    (
      "with offsets from UTC",
      "[\(all(", ") { array($0, "\"2023-11-15T00:13:\(20 + $0).0\($0 % 2 == 0 ? "+0200" : "+02")\"") })]"
    ),
    (
      "with members in an object of their own", "[\(all(", ", nested))]"
    ),
    (
      "as a table of objects",
      "timestamp,type,id,kind,ssrc,bytesSent,packetsSent,packetsLost,frameHeight,frameWidth,framesPerSecond,"
        + "availableOutgoingBitrate,currentRoundTripTime\n"
        + all("\n") {
          "\(epoch($0)),candidate-pair,CP1,,,,,,,,,2500000,0.05\n"
            + "\(epoch($0)),outbound-rtp,OT1,video,7,\(60_000 * $0),\(100 * $0),,360,640,30,,\n"
            + "\(epoch($0)),remote-inbound-rtp,RI1,video,7,,,\(3 * $0),,,,,"
        }
    ),
  ]

  @Test(arguments: shapes)
  func reportsAreReadInEveryShape(name: String, text: String) throws {
    let record = try read(text)
    #expect(record.samples.map(\.time) == (0..<20).map(Double.init))
    let encoding = CallRecord.Encoding(bytes: 540_000, height: 360, width: 640, frameRate: 30)
    #expect(
      record.samples[9]
        == .init(time: 9, estimate: 2500, encodings: [encoding], roundTrip: 50, lost: 27, packets: 900))
    #expect(abs(PathEstimate(record, CapacityCourse(record)).loss - 0.03) < 1e-9)
  }

  /// 100 packets a second with 50,000 bytes of payload: their headers take at most 40 bytes each, and header bytes
  /// beyond that are padding. Without a packet count there is no padding.
  @Test(arguments: [
    (2400, true, 52_400, 0), (4000, true, 54_000, 0), (4001, true, 54_000, 1), (29_000, true, 54_000, 25_000),
    (29_000, false, 79_000, 0),
  ])
  func paddingIsToldFromHeaders(headers: Int, hasPackets: Bool, bytes: Int, padding: Int) throws {
    let text = (0..<20).map { second in
      let packets = hasPackets ? "\"packetsSent\": \(100 * second), " : ""
      return "[{\"timestamp\": \(Self.epoch(second)), \"id\": \"O\", \"type\": \"outbound-rtp\", "
        + "\"kind\": \"video\", \"ssrc\": 7, \(packets)\"bytesSent\": \(50_000 * second), "
        + "\"headerBytesSent\": \(headers * second)}]"
    }.joined(separator: "\n")
    let encoding = try read(text).samples[9].encodings[0]
    #expect(encoding.bytes == Double(bytes * 9) && encoding.padding == Double(padding * 9))
  }

  /// One sample in forty a second back: a clock that was set back, not reports out of order.
  @Test func aClockThatWasSetBackKeepsTheOrder() throws {
    let text = (0..<40).map { Self.array($0, Self.epoch($0 == 20 ? 18 : $0)) }.joined(separator: "\n")
    let record = try read(text)
    // The sample of 20 s counts at 19 s, with the one before it.
    #expect(record.samples.map(\.time) == (0..<40).filter { $0 != 20 }.map(Double.init))
    #expect(record.samples[19].encodings[0].bytes == 1_200_000)
  }

  /// A receiver's dump of the day before cannot be of the same call.
  @Test func aStreamReceivedAtAnotherTimeIsNamed() throws {
    func text(_ shift: Int) -> String {
      (0..<20).map { second in
        let received =
          "[{\"timestamp\": \(Self.epoch(second + shift)), \"id\": \"IT1\", \"type\": \"inbound-rtp\", "
          + "\"kind\": \"video\", \"ssrc\": 7, \"bytesReceived\": \(50_000 * second)}]"
        return "{\"pcid\": 1, \"reports\": \(Self.array(second))}\n{\"pcid\": 2, \"reports\": \(received)}"
      }.joined(separator: "\n")
    }
    #expect(try read(text(0)).notes == [])
    let record = try read(text(-86_400))
    #expect(record.samples[9].encodings[0].bytes == 540_000)
    #expect(record.notes.count == 1 && record.notes[0].contains("with the same SSRC at another time"))
  }

  /// Two connections with objects of the same ids, as when both ends are in one page.
  @Test func connectionsAreKeptApart() throws {
    let text = (0..<20).map { second in
      let sent = Self.array(second)
      let received =
        "[{\"timestamp\": \(Self.epoch(second)), \"id\": \"OT1\", \"type\": \"inbound-rtp\", \"kind\": \"video\", "
        + "\"ssrc\": 7, \"bytesReceived\": \(50_000 * second), \"packetsLost\": 0}]"
      return "{\"pcid\": 1, \"reports\": \(sent)}\n{\"pcid\": 2, \"reports\": \(received)}"
    }.joined(separator: "\n")
    let record = try read(text)
    #expect(record.samples[9].encodings[0].bytes == 450_000 && record.samples[9].lost == 0)
  }

  @Test(arguments: [
    (
      "[{\"type\": \"certificate\", \"timestamp\": 1}]",
      "1:1: error: no object of the file has a 'type' of webrtc-stats, such as 'outbound-rtp'"
    ),
    ("[{\"type\": \"outbound-rtp\", \"id\": \"a\"}]", "1:1: error: the reports have no 'timestamp'"),
    (
      "[{]", "1:3: error: this is no file of getStats() reports: JSON is expected, whole or one report a line"
    ),
    (
      "{\"PeerConnections\": {}}",
      "1:1: error: no object of the file has a 'type' of webrtc-stats, such as 'outbound-rtp'; it looks like a file "
        + "for 'meetsim import webrtc-internals'"
    ),
    (
      "[{\"pcid\": \"1\", \"timestamp\": 1700000000000.0, \"statsHistory\": [{\"reports\": [{\"id\": \"a\", \"type\": "
        + "\"outbound-rtp\"}]}]}]",
      "1:1: error: no connection of a file of getStats() reports sent or received video: 'outbound-rtp' with "
        + "'bytesSent', or 'inbound-rtp' with 'bytesReceived', of kind video is needed"
    ),
  ])
  func otherJSONIsAnErrorWithItsPlace(text: String, message: String) {
    let error = #expect(throws: CallRecordError.self) { try read(text) }
    #expect(error?.description == "g:" + message)
  }

  // MARK: Tables

  private static func table(_ header: String, _ row: (Int) -> String) -> String {
    ([header] + (0..<20).map(row)).joined(separator: "\n") + "\n"
  }

  @Test(arguments: [
    table("timestamp,availableOutgoingBitrate,bytesSent") {
      "\(1_700_000_000_000 + $0 * 1000),900000,\($0 * 9)"
    },
    table("time_s,availableOutgoingBitrate,bytesSent") { "\(1_700_000_000 + $0).0,900000,\($0 * 9)" },
    table("Timestamp,candidate-pair.availableOutgoingBitrate,outbound-rtp.bytesSent") {
      "2023-11-14T22:13:\(20 + $0)Z,900000,\($0 * 9)"
    },
    table("timestamp,available_outgoing_bitrate,bytes_sent") { "\($0 * 1000),900000,\($0 * 9)" },
    table("time,availableOutgoingBitrate_kbps,video_bytes,video/bytesSent,audio/bytesSent") {
      "\($0),900,1,\($0 * 9),5"
    },
  ])
  func timesAndNamesOfColumnsVary(text: String) throws {
    let record = try read(text)
    #expect(record.samples.map(\.time) == (0..<20).map(Double.init))
    #expect(record.samples[5].estimate == 900 && record.samples[5].encodings[0].bytes == 45)
  }

  @Test(arguments: ["null", "None", "NaN", "undefined", ""])
  func noValueHasManyNames(name: String) throws {
    let record = try read(
      Self.table("time_s,availableOutgoingBitrate,bytesSent,roundTripTime") {
        "\($0),900000,\($0 * 9),\($0 < 3 ? name : "0.05")"
      })
    #expect(record.samples.prefix(4).map(\.roundTrip) == [nil, nil, nil, 50])
  }

  /// As from Firefox: 800 kbps of RTP is 827.6 over IP; with a voice of 35, times 1.25.
  @Test func aTableWithoutAnEstimateGivesALowerBound() throws {
    let record = try read(Self.table("time_s,bytesSent") { "\($0),\($0 * 100_000)" })
    #expect(record.notes.count == 1)
    #expect(CapacityCourse(record).steps.map { Int($0.kilobits.rounded()) } == [1078])
  }
}
