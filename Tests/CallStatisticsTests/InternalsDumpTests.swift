import CallStatistics
import Ladder
import TestSupport
import Testing

@Suite("Dumps of webrtc-internals")
struct InternalsDumpTests {
  /// Dumps of Chromium 156: two connections in one page over a shaped loopback link that carries both directions, with
  /// a canvas as the camera. Reduced to the statistics that are read.
  private static let folder = Repository.root + "/Tests/CallStatisticsTests/Dumps/"
  private static let dump = folder + "two-connections.json"

  @Test func aDumpOfChromiumIsRead() throws {
    let record = try InternalsDump.read(path: Self.dump)
    #expect(record.samples.count == 59)
    #expect(record.hasVoice)
    #expect(record.sources.map { $0.capture?.description } == ["360p30"])
    // The receiver is the other connection: its counters are read, not the sender's.
    let last = try #require(record.samples.last)
    #expect(last.estimate.map { Int($0.rounded()) } == 313)
    #expect(last.lost == 22)
    #expect(last.encodings.map(\.height) == [180])
  }

  /// The link was changed at 29 s.
  @Test(
    arguments: [
      ("two-connections", [(0, 900.0), (29, 400)]), ("constant-1000", [(0, 1000)]),
      ("rise-600-1500", [(0, 600), (29, 1500)]),
    ] as [(String, [(from: Int, kilobits: Double)])])
  func capacitiesAreThoseOfTheShapedLink(name: String, truth: [(from: Int, kilobits: Double)]) throws {
    let steps = CapacityCourse(try InternalsDump.read(path: "\(Self.folder)\(name).json")).steps
    try #require(steps.count == truth.count)
    for (step, link) in zip(steps, truth) {
      #expect(abs(step.kilobits / link.kilobits - 1) < 0.08)
      #expect(abs(step.from - link.from) <= 3)
    }
  }

  private func read(_ text: String) throws -> CallRecord {
    try InternalsDump.read(Array(text.utf8), path: "d.json")
  }

  /// A series as Chromium writes it: an array in a string.
  private static func series(_ key: String, _ type: String, _ values: [String]) -> String {
    "\"\(key)\": {\"statsType\": \"\(type)\", \"values\": \"[\(values.joined(separator: ","))]\"}"
  }

  /// One connection that sent for 12 s at 1 Mbps; the estimate came with the third sample.
  private static func alone(estimates: [String]? = (2..<12).map { _ in "2000000" }) -> String {
    let times = (0..<12).map { "\(1_790_000_000_000 + $0 * 1000)" }
    let kinds = times.map { _ in "\\\"video\\\"" }
    var parts = [
      series("CP-1-timestamp", "candidate-pair", times),
      series("OT-1-timestamp", "outbound-rtp", times), series("OT-1-kind", "outbound-rtp", kinds),
      series("OT-1-ssrc", "outbound-rtp", times.map { _ in "7" }),
      series("OT-1-bytesSent", "outbound-rtp", times.indices.map { "\($0 * 120_000)" }),
      series("OT-1-headerBytesSent", "outbound-rtp", times.indices.map { "\($0 * 5_000)" }),
      series("OT-1-frameHeight", "outbound-rtp", times.map { _ in "360" }),
      series("RI-1-timestamp", "remote-inbound-rtp", times),
      series("RI-1-kind", "remote-inbound-rtp", kinds),
      series("RI-1-roundTripTime", "remote-inbound-rtp", times.map { _ in "0.05" }),
      series("RI-1-packetsLost", "remote-inbound-rtp", times.indices.map { "\($0)" }),
    ]
    if let estimates { parts.append(series("CP-1-availableOutgoingBitrate", "candidate-pair", estimates)) }
    return "{\"PeerConnections\": {\"1-1\": {\"stats\": {\(parts.joined(separator: ", "))}}}}"
  }

  /// Without the receiver's connection, the sender's counters and reports suffice; series that started late end with
  /// the others.
  @Test func aSenderAloneIsEnough() throws {
    let record = try read(Self.alone())
    #expect(record.samples.map(\.time) == (0..<12).map(Double.init))
    #expect(record.samples[0].estimate == nil && record.samples[2].estimate == 2000)
    #expect(record.samples[3].encodings == [.init(bytes: 375_000, height: 360)])
    #expect(record.samples[3].roundTrip == 50 && record.samples[3].lost == 3)
    #expect(!record.hasVoice && record.sources.map(\.capture) == [nil])
  }

  @Test(arguments: [
    (
      "\u{1f}",
      "this is no dump of chrome://webrtc-internals: a JSON object with 'PeerConnections' is expected, and here it is "
        + "no JSON"
    ),
    ("[1]", "this is no dump of chrome://webrtc-internals: a JSON object with 'PeerConnections' is expected"),
    (
      "{\"PeerConnections\": {}}",
      "no connection of a dump of chrome://webrtc-internals sent or received video: it has no statistics of any"
    ),
    (
      "[{\"type\": \"outbound-rtp\"}]",
      "this is no dump of chrome://webrtc-internals: a JSON object with 'PeerConnections' is expected; it looks like a "
        + "file for 'meetsim import getstats'"
    ),
  ])
  func anythingElseIsAnError(text: String, message: String) {
    let error = #expect(throws: CallRecordError.self) { try read(text) }
    #expect(error?.description == "d.json:1:1: error: " + message)
  }

  /// The position is that of the first byte that is invalid there.
  @Test(arguments: [
    ("{\"PeerConnections\": {\n \"a\": x}}", "2:7"), ("{\"PeerConnections\": {}", "1:23"),
    ("{\"PeerConnections\": {}}\n\n,", "3:1"), ("{\"a\": [1, -2.5e3, true, null, \"\u{e9}\\\"\"],}", "1:38"),
    ("[1, 2}", "1:6"), ("{\"a\" 1}", "1:6"), ("{\"a\": \"\n\"}", "1:8"), ("{\"a\": 01x}", "1:7"), ("", "1:1"),
    ("\n\u{0}", "2:1"),
  ])
  func whatIsNoJSONIsPlaced(text: String, place: String) {
    let error = #expect(throws: CallRecordError.self) { try read(text) }
    #expect(
      error?.description.hasPrefix("d.json:\(place): error: this is no dump") == true, "\(error as Any)")
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try read("\u{feff}" + Self.alone()).samples.count == 12)
  }
}
