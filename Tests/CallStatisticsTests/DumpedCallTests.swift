import CallStatistics
import Ladder
import TestSupport
import Testing

/// Handmade calls in dumps of every kind.
@Suite("Calls in dumps")
struct DumpedCallTests {
  private func read(_ dump: MadeDump, _ part: CallPart = CallPart()) throws(CallRecordError) -> CallRecord {
    try InternalsDump.read(Array(dump.text.utf8), path: "d.json", part)
  }

  private func loss(_ dump: MadeDump) throws -> Double {
    let record = try read(dump)
    return PathEstimate(record, CapacityCourse(record)).loss
  }

  // MARK: The path

  /// Estimates on a path of 2000 kbps that is full every fifth second, and on one of 500 kbps: cut at 2160 to 1700, and
  /// at 540 to 425.
  private static func saw(_ second: Int, _ capacity: Int) -> Int {
    [850, 918, 991, 1070, 1080][second % 5] * capacity
  }

  private static func pairs(change: Bool) -> MadeDump {
    var dump = MadeDump()
    let nominated: [String: (Int) -> String] = [
      "nominated": { _ in "true" }, "state": { _ in "\"succeeded\"" },
      "currentRoundTripTime": { _ in "0.04" },
    ]
    let estimate = { (second: Int) in saw(second, second < 40 ? 2000 : 500) }
    dump.add("CPaaaa_bbbb", "candidate-pair", nominated)
    dump.add(
      "CPaaaa_bbbb", "candidate-pair", at: 0...(change ? 39 : 59),
      ["availableOutgoingBitrate": { "\(estimate($0))" }])
    if change {
      dump.add(
        "CPaaaa_cccc", "candidate-pair", at: 40...59,
        nominated.merging(["availableOutgoingBitrate": { "\(estimate($0))" }]) { $1 })
    }
    dump.add(
      "OT01V1", "outbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "1" },
        "bytesSent": { "\(200_000 * min($0, 39) + 50_000 * max(0, $0 - 39))" },
      ])
    return dump
  }

  /// The old pair stays listed without an estimate, and its estimates then have fewer samples than times.
  @Test func theEstimateIsThatOfTheNominatedPairAtEachMoment() throws {
    let changed = try read(Self.pairs(change: true))
    #expect(
      changed.samples.map(\.estimate) == (0..<60).map { Double(Self.saw($0, $0 < 40 ? 2000 : 500)) / 1000 })
    let steps = CapacityCourse(changed).steps
    // On a single path the fall itself is a reading.
    let control = CapacityCourse(try read(Self.pairs(change: false))).steps
    #expect(steps.map(\.from) == control.map(\.from))
    #expect(zip(steps, control).allSatisfy { abs($0.kilobits / $1.kilobits - 1) < 0.02 })
    #expect(steps.map(\.from) == [0, 39])
    #expect(abs(steps[0].kilobits / 2000 - 1) < 0.08 && abs(steps[1].kilobits / 500 - 1) < 0.08)
  }

  /// Two pairs have an estimate at once; the transport says which one carries the call.
  @Test func theTransportTellsThePair() throws {
    var dump = MadeDump()
    dump.addPair("CPa", trip: 0.1) { _ in 900_000 }
    dump.addPair("CPb", trip: 0.2) { _ in 700_000 }
    dump.add("T01", "transport", ["selectedCandidatePairId": { $0 < 30 ? "\"CPa\"" : "\"CPb\"" }])
    dump.addVideo("1")
    let record = try read(dump)
    #expect(record.samples[29].estimate == 900 && record.samples[30].estimate == 700)
  }

  /// The call moves to another pair at 30 s, whose estimate is lower from its first sample on: the old pair's capacity
  /// does not apply to it, although no cut shows a fall.
  @Test func anotherPairIsAnotherPath() throws {
    var dump = MadeDump()
    dump.addPair("CPa", at: 0...29) { _ in 2_000_000 }
    dump.addPair("CPb", at: 30...59) { _ in 900_000 }
    dump.addVideo("1")
    let record = try read(dump)
    #expect(record.samples.indices.filter { record.samples[$0].isOnNewPath } == [30])
    let steps = CapacityCourse(record).steps
    #expect(steps.map(\.from) == [0, 29] && steps.map(\.cuts) == [0, 0])
    #expect(steps.map { Int($0.kilobits.rounded()) } == [2000, 900])
    // On a single path the estimate may fall for any reason, and 2000 kbps had been possible before.
    var one = MadeDump()
    one.addPair { $0 < 30 ? 2_000_000 : 900_000 }
    one.addVideo("1")
    #expect(CapacityCourse(try read(one)).steps.count == 1)
  }

  /// The report ends at 20 s; its last values do not apply to the end of the call.
  @Test func seriesHaveTheirOwnTimes() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.add(
      "OT01V1", "outbound-rtp",
      ["kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "bytesSent": { "\($0 * 1000 + 1)" }])
    dump.add("OT01V1", "outbound-rtp", at: 10...19, ["frameHeight": { "\($0 * 10)" }])
    let heights = try read(dump).samples.map { $0.encodings[0].height }
    #expect(heights[9] == nil && heights[10] == 100 && heights[19] == 190 && heights[30] == nil)
  }

  // MARK: Sources

  @Test func aSlowLargeSourceBesideACameraIsAScreen() throws {
    var dump = MadeDump()
    dump.addPair { _ in 4_000_000 }
    dump.addVideo("1", source: "SV1", bytes: 75_000)
    dump.addVideo("2", source: "SV2", bytes: 100_000, height: 1080, width: 1920, fps: 5)
    dump.addSource("SV1")
    dump.addSource("SV2", width: 1920, height: 1080, fps: 5)
    let record = try read(dump)
    #expect(record.sources.map(\.kind) == [.camera, .screen])
    #expect(record.sources.map { $0.capture?.description } == ["360p30", "1080p5"])
    #expect(record.notes.count == 1 && record.notes[0].hasPrefix("SV2 (1080p5) is taken for a screen share"))
    // 600 kbps at 640x360 and 30 fps, less three headers a frame; a talking head takes 639 there and 1754 at 720p30.
    // 800 kbps at 1080p5, less 19 headers a frame; a talking head takes 2700 times the square root of a sixth.
    let text = ImportedScenario(record).text(name: "n", source: "s")
    #expect(text.contains("      camera: {capture: 360p30, ladder: single, content: 1600 kbps}"), "\(text)")
    #expect(text.contains("      screen: {capture: 1080p5, ladder: single, content: 1244 kbps}"), "\(text)")
    #expect(text.contains("{participant: sender/screen, size: 1920x1080}"))
  }

  private static func twoCameras() -> MadeDump {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", source: "SV1")
    dump.addVideo("2", source: "SV2", height: 720, width: 1280)
    dump.addSource("SV1")
    dump.addSource("SV2", width: 1280, height: 720)
    return dump
  }

  /// Of two cameras, the one that sent less takes the place of the screen share.
  @Test func twoCamerasAreSourcesOfTheirOwn() throws {
    var dump = Self.twoCameras()
    dump.addVideo("3", source: "SV2", bytes: 1000, height: 180, width: 320, more: ["rid": "\"q\""])
    let record = try read(dump)
    #expect(record.sources.map(\.kind) == [.camera, .screen])
    #expect(record.sources.map { $0.capture?.description } == ["720p30", "360p30"])
    #expect(
      record.notes.count == 1 && record.notes[0].hasPrefix("SV1 (360p30) is a second camera, and is written"))
    // 480 kbps at 640x360 and 30 fps; a talking head takes 639 there and 1754 at 720p30.
    let text = ImportedScenario(record).text(name: "n", source: "s")
    #expect(
      text.contains(
        "      screen: {capture: 360p30, ladder: single, degradation: maintain-framerate, content: 1286 kbps}"
      ),
      "\(text)")
  }

  @Test func threeMediaSourcesAreRefusedUnlessTheyAreChosen() throws {
    var dump = Self.twoCameras()
    dump.addVideo("3", source: "SV3")
    dump.addSource("SV3")
    let error = #expect(throws: CallRecordError.self) { try read(dump) }
    #expect(
      error?.text
        == "3 media sources sent video, and a participant here has one camera and one screen share: SV1 (360p30), SV2 "
        + "(720p30), SV3 (360p30); choose by '--camera ID', '--screen ID' or both, what is not chosen is left out"
    )
    let record = try read(Self.twoCameras(), CallPart(camera: "SV2"))
    #expect(record.sources.map { $0.capture?.description } == ["720p30"])
    #expect(record.notes == ["left out: SV1 (360p30)"])
    let both = try read(Self.twoCameras(), CallPart(camera: "2", screen: "1"))
    #expect(both.sources.map(\.kind) == [.camera, .screen])
    let wrong = #expect(throws: CallRecordError.self) {
      try read(Self.twoCameras(), CallPart(camera: "SV3"))
    }
    #expect(wrong?.text == "--camera: no media source is 'SV3': it is one of SV1 (360p30), SV2 (720p30)")
  }

  @Test func aStreamThatSaysSoIsAScreen() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", more: ["contentType": "\"screenshare\""])
    dump.addSource(width: 1280, height: 720, fps: 30)
    let record = try read(dump)
    #expect(record.sources.map(\.kind) == [.screen])
    #expect(
      ImportedScenario(record).text(name: "n", source: "s").contains(
        "view: {tiles: [{participant: sender/screen,"))
  }

  @Test func streamsThatNothingTellsApartAreRefusedUnlessChosen() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", source: nil)
    dump.addVideo("2", source: nil, height: 720)
    let error = #expect(throws: CallRecordError.self) { try read(dump) }
    #expect(
      error?.text.hasPrefix(
        "2 video streams were sent, SSRC 1 (360p) and SSRC 2 (720p), and none has a media source, ")
        == true)
    let record = try read(dump, CallPart(camera: "1,2"))
    #expect(record.sources.map(\.encodings) == [0..<2])
    #expect(try read(dump, CallPart(camera: "2")).sources.map(\.encodings) == [0..<1])
  }

  /// A renegotiation changes the SSRC: the second stream continues where the first ended.
  @Test func streamsOfOneSourceThatFollowEachOtherAreOneEncoding() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", at: 0...29)
    dump.add(
      "OT01V2", "outbound-rtp", at: 30...59,
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "2" }, "bytesSent": { "\(60_000 * ($0 - 29))" },
        "mediaSourceId": { _ in "\"SV1\"" },
      ])
    let record = try read(dump)
    #expect(record.sources.map(\.encodings) == [0..<1])
    #expect(record.samples.map { $0.encodings[0].bytes } == (1...60).map { Double($0) * 60_000 })
  }

  /// The counter restarts after 30 s, with the same SSRC.
  @Test func aCounterThatBeginsAgainGoesOn() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.add(
      "OT01V1", "outbound-rtp",
      ["kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "bytesSent": { "\(60_000 * ($0 % 30 + 1))" }])
    #expect(try read(dump).samples.map { $0.encodings[0].bytes } == (1...60).map { Double($0) * 60_000 })
  }

  // MARK: Losses

  /// Nine of a hundred packets of each of three encodings.
  @Test func lossesAreTheSumOfAllReports() throws {
    var dump = MadeDump()
    dump.addPair { _ in 4_000_000 }
    for (ssrc, height) in [("1", 180), ("2", 360), ("3", 720)] {
      dump.addVideo(
        ssrc, packets: 100, height: height, width: height * 16 / 9, lost: 9, more: ["rid": "\"\(height)\""])
    }
    #expect(abs(try loss(dump) - 0.09) < 1e-9)
  }

  /// 100 packets a second of each of three encodings, three of them lost, all from the highest.
  @Test func aLossOfOneEncodingIsOneOfAll() throws {
    var dump = MadeDump()
    dump.addPair { _ in 4_000_000 }
    for (ssrc, height) in [("1", 180), ("2", 360), ("3", 720)] {
      dump.addVideo(ssrc, packets: 100, height: height, width: height * 16 / 9, lost: ssrc == "3" ? 3 : 0)
    }
    #expect(abs(try loss(dump) - 0.01) < 1e-9)
  }

  /// The video that this connection receives from its peer loses packets; what it sent does not.
  @Test(arguments: ["1", "\"1\""])
  func anSSRCMatchesItselfAsNumberOrText(ssrc: String) throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo(ssrc == "1" ? "1" : "\"1\"", source: "SV1")
    var other = MadeDump()
    other.name = "8-1"
    for name in [ssrc, "\"2\""] {
      let isOurs = name == ssrc
      other.add(
        "IT01V\(isOurs)", "inbound-rtp",
        [
          "kind": { _ in "\"video\"" }, "ssrc": { _ in name },
          "bytesReceived": { "\((isOurs ? 1000 : 50_000) * $0)" },
          "packetsLost": { "\((isOurs ? 0 : 20) * $0)" }, "packetsReceived": { "\(100 * $0)" },
        ])
    }
    let record = try InternalsDump.read(Array(MadeDump.text([dump, other]).utf8), path: "d.json")
    #expect(record.samples[9].encodings[0].bytes == 9000)
    #expect(record.samples[9].lost == 0)
  }

  @Test func aStreamWithoutAnSSRCMatchesNoOther() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.add(
      "OT01V", "outbound-rtp", ["kind": { _ in "\"video\"" }, "bytesSent": { "\(60_000 * ($0 + 1))" }])
    var other = MadeDump()
    other.name = "8-1"
    other.add(
      "IT01V", "inbound-rtp",
      ["kind": { _ in "\"video\"" }, "bytesReceived": { "\($0)" }, "packetsLost": { "\(20 * $0)" }])
    let record = try InternalsDump.read(Array(MadeDump.text([dump, other]).utf8), path: "d.json")
    #expect(record.samples[9].encodings[0].bytes == 600_000)
    #expect(record.samples[9].lost == nil)
  }

  // MARK: Older versions

  private static let older = "1318 kbps"

  @Test(arguments: [(false, true), (false, false), (true, false)])
  func olderDumpsAreReadAsNewOnes(timestamps: Bool, types: Bool) throws {
    let record = try read(.plain(timestamps: timestamps, types: types))
    let new = try read(.plain())
    #expect(record.samples == new.samples && record.sources == new.sources)
    #expect(record.notes.isEmpty == (timestamps && types))
  }

  @Test func googStatisticsAreRead() throws {
    var dump = MadeDump()
    dump.hasTimestamps = false
    dump.hasTypes = false
    dump.add("bweforvideo", "", ["googAvailableSendBandwidth": { _ in "\"2500000\"" }])
    dump.add(
      "ssrc_7_send", "",
      [
        "mediaType": { _ in "\"video\"" }, "bytesSent": { "\"\(60_000 * ($0 + 1))\"" },
        "googRtt": { _ in "\"40\"" },
        "packetsSent": { "\"\(100 * ($0 + 1))\"" }, "packetsLost": { "\"\($0)\"" },
        "googFrameHeightSent": { _ in "\"360\"" }, "googFrameWidthSent": { _ in "\"640\"" },
        "googFrameWidthInput": { _ in "\"640\"" }, "googFrameHeightInput": { _ in "\"360\"" },
        "googFrameRateInput": { _ in "\"30\"" }, "googTrackId": { _ in "\"abc\"" },
      ])
    let record = try read(dump)
    #expect(record.samples[9].estimate == 2500 && record.samples[9].roundTrip == 40)
    #expect(record.samples[9].encodings == [.init(bytes: 600_000, height: 360, width: 640)])
    #expect(record.sources.map { $0.capture?.description } == ["360p30"])
    #expect(abs(PathEstimate(record, CapacityCourse(record)).loss - 0.01) < 1e-9)
    #expect(record.notes == ["goog statistics, of Chromium before 117"])
  }

  // MARK: Gaps and parts

  @Test func aGapIsNamedWithThePartToImport() throws {
    var dump = MadeDump()
    dump.hasTimestamps = false
    for (id, seconds) in [("a", 0...19), ("b", 50...79)] {
      dump.add(
        "CP\(id)_x", "candidate-pair", at: seconds,
        ["availableOutgoingBitrate": { _ in "2500000" }, "timestamp": { "\(MadeDump.origin + 1000 * $0)" }])
      dump.add(
        "OT01V\(id)", "outbound-rtp", at: seconds,
        [
          "kind": { _ in "\"video\"" }, "ssrc": { _ in "\"\(id)\"" }, "bytesSent": { "\($0 * 1000 + 1)" },
          "mediaSourceId": { _ in "\"SV1\"" }, "timestamp": { "\(MadeDump.origin + 1000 * $0)" },
        ])
    }
    let error = #expect(throws: CallRecordError.self) { try read(dump) }
    #expect(
      error?.text
        == "no samples between 19 and 50 s of the call: import the longest part without a gap by '--from 50s'"
    )
    let record = try read(dump, CallPart(from: 50))
    #expect(record.samples.map(\.time) == (0..<30).map(Double.init))
    #expect(try read(dump, CallPart(to: 19)).samples.count == 20)
    let short = #expect(throws: CallRecordError.self) { try read(dump, CallPart(from: 75)) }
    #expect(short?.text == "a call must last at least 10 s: this part of it has less")
  }

  // MARK: Receivers, and both ends

  @Test func aDumpThatOnlyReceivesIsADownlink() throws {
    var dump = MadeDump()
    dump.add(
      "IT01V1", "inbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "trackIdentifier": { _ in "\"a\"" },
        "bytesReceived": { "\(60_000 * ($0 + 1))" }, "packetsReceived": { "\(98 * ($0 + 1))" },
        "packetsLost": { "\(2 * ($0 + 1))" }, "frameHeight": { _ in "360" }, "frameWidth": { _ in "640" },
      ])
    dump.add(
      "IT01V2", "inbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "2" }, "trackIdentifier": { _ in "\"b\"" },
        "bytesReceived": { "\(40_000 * ($0 + 1))" }, "packetsReceived": { "\(100 * ($0 + 1))" },
      ])
    let record = try read(dump)
    #expect(record.isReceived && record.sources.count == 2)
    // 800 kbps of RTP over IP, 827.6, times 1.25.
    #expect(CapacityCourse(record).steps.map { Int($0.kilobits.rounded()) } == [1035])
    #expect(abs(PathEstimate(record, CapacityCourse(record)).loss - 0.01) < 1e-9)
    let text = ImportedScenario(record).text(name: "n", source: "s")
    #expect(text.contains("  - id: receiver\n    up: back\n    down: path\n"))
    #expect(text.contains("  - id: remote-2\n    up: ample\n    down: ample\n"))
    #expect(text.contains("uplinks of those who sent are unknown"))
    #expect(
      text.contains(
        "- {at: 0s, to: 1035 kbps}  # assumed, never full: 1.25 times what arrived; at least 828 kbps, which arrived"
      ))
  }

  /// The receiver's browser has a connection of the same name; its counters are those of arrivals and losses.
  @Test func dumpsOfBothEndsAreReadTogether() throws {
    var sender = MadeDump()
    sender.addPair()
    sender.addVideo("1", packets: 100)
    var receiver = MadeDump()
    receiver.add(
      "IT01V1", "inbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "bytesReceived": { "\(54_000 * ($0 + 1))" },
        "packetsReceived": { "\(90 * ($0 + 1))" }, "packetsLost": { "\(10 * ($0 + 1))" },
      ])
    let folder = try TemporaryFolder(["a.json": sender.text, "b.json": receiver.text])
    let record = try InternalsDump.read(paths: [folder.path + "/a.json", folder.path + "/b.json"])
    #expect(record.samples[9].encodings[0].bytes == 540_000 && !record.isReceived)
    #expect(abs(PathEstimate(record, CapacityCourse(record)).loss - 0.1) < 1e-9)
    #expect(record.notes.isEmpty)
  }

  @Test func dumpsOfTwoCallsSaySo() throws {
    var receiver = MadeDump()
    receiver.add(
      "IT01V2", "inbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "2" }, "bytesReceived": { "\(54_000 * ($0 + 1))" },
        "packetsReceived": { "\(90 * ($0 + 1))" },
      ])
    let folder = try TemporaryFolder(["a.json": MadeDump.plain().text, "b.json": receiver.text])
    let record = try InternalsDump.read(paths: [folder.path + "/a.json", folder.path + "/b.json"])
    #expect(record.notes.count == 1 && record.notes[0].hasPrefix("no video stream (SSRC) that one dump sent"))
  }

  @Test func withoutAnEstimateTheCapacityIsALowerBound() throws {
    var dump = MadeDump()
    dump.addVideo("1")
    let record = try read(dump)
    #expect(record.notes.count == 1 && record.notes[0].hasPrefix("no 'availableOutgoingBitrate'"))
    // 480 kbps over IP, 496.6, times 1.25.
    #expect(CapacityCourse(record).steps.map { Int($0.kilobits.rounded()) } == [621])
  }
}
