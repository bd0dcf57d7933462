import CallStatistics
import Ladder
import Testing

/// Content and limits of imported cameras.
@Suite("Cameras of imported calls")
struct ContentFitTests {
  /// A call of 30 s with encodings of constant rates [kbps].
  private func scenario(
    _ rates: [Double], heights: [Double?], estimate: Double, capture: VideoFormat? = nil
  ) -> String {
    let samples = (0...30).map { second in
      CallRecord.Sample(
        time: Double(second), estimate: estimate,
        encodings: zip(rates, heights).map { rate, height in
          CallRecord.Encoding(bytes: Double(second) * rate * 125, height: height)
        })
    }
    let source = CallRecord.Source(kind: .camera, capture: capture, encodings: 0..<rates.count)
    return ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
  }

  /// A talking head takes 247 kbps at 180p, 639 at 360p and 1289 at 540p; up to 1.2 times that is one of that size.
  @Test(arguments: [
    (296.0, "180p30"), (297, "360p30"), (766, "360p30"), (767, "540p30"), (1546, "540p30"), (1547, "720p30"),
  ])
  func withoutSizesACameraIsAsLargeAsItsRate(_ rate: Double, _ format: String) {
    let text = scenario([rate], heights: [nil], estimate: 5000)
    #expect(text.contains("camera: {capture: \(format), ladder: single"), "\(text)")
  }

  /// 650 kbps take 707.45 with headers and a voice; 720p begins again with 1.2 times its minimum of 600 kbps, beside them
  /// from 1427.45 on.
  @Test(arguments: [(1427.0, false), (1428, true)])
  func whatTheEstimateCouldNotCarryIsNoLimitOfTheSender(_ estimate: Double, _ isLimit: Bool) {
    let text = scenario(
      [150, 500, 0], heights: [180, 360, 0], estimate: estimate,
      capture: VideoFormat(.p720, framesPerSecond: 30))
    // Two encodings of an app, or three of which the path carried two.
    #expect(text.contains("layers: ") == isLimit, "\(text)")
    #expect(text.contains("ladder: webrtc-vp8") == !isLimit && !text.contains("maximum"), "\(text)")
  }

  // MARK: Dumps

  private func read(_ dump: MadeDump) throws(CallRecordError) -> CallRecord {
    try InternalsDump.read(Array(dump.text.utf8), path: "d.json")
  }

  /// 480 kbps at 640x360 and 30 fps: 639 kbps of a talking head there are 1754 at 720p.
  @Test func contentIsScaledToTheRateAtTheRecordedSize() throws {
    let text = ImportedScenario(try read(.plain())).text(name: "n", source: "s")
    #expect(text.contains("{camera: {capture: 360p30, ladder: single, content: 1318 kbps}}"), "\(text)")
  }

  /// 640x480 at 8 fps: a talking head takes 639 + (1289 - 639) x 76800 / 288000 = 812.33 kbps at 30 fps, and at 8 as many
  /// times the root of 8/30, 419.5; 700 kbps are 1.6687 times that, 2927 at 720p30.
  @Test func contentKnowsWidthAndFrameRate() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", bytes: 87_500, height: 480, width: 640, fps: 30)
    dump.addSource(width: 640, height: 480, fps: 8)
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(text.contains("{camera: {capture: 640x480@8, ladder: single, content: 2927 kbps}}"), "\(text)")
  }

  /// 480 kbps at 640x360 and 10 fps: 639 kbps of a talking head times the root of a third, 368.9; 2282 at 720p30.
  @Test func withoutACamerasFormatTheFrameRateIsThatSent() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", fps: 10)
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(text.contains("{camera: {capture: 360p10, ladder: single, content: 2282 kbps}}"), "\(text)")
  }

  /// The sender's app allows 480 kbps for 30 s, and 240 after.
  @Test func aStretchWithLessHasALimit() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.add(
      "OT01V1", "outbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "frameHeight": { _ in "360" },
        "frameWidth": { _ in "640" },
        "bytesSent": { "\(60_000 * min($0, 30) + 30_000 * max(0, $0 - 30))" },
      ])
    dump.addSource()
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(text.contains("content: 1318 kbps"), "\(text)")
    // 0.98 of 240 kbps.
    #expect(text.contains("participant: sender, send: {maximum: 235 kbps}}"), "\(text)")
  }

  /// 480p is more than libwebrtc starts with: the encoder keeps it until one that starts by itself would have reached it.
  @Test func aPictureThatBeginsLargeKeepsItsSize() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", bytes: 87_500, height: 480, width: 640)
    dump.addSource(width: 640, height: 480)
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(
      text.hasSuffix(
        """
        timeline:
          - {at: 0s, participant: sender, send: {degradation: maintain-resolution}}
          - {at: 30s, participant: sender, send: {degradation: maintain-framerate}}

        """), "\(text)")
  }

  /// Nothing is sent from 20 to 40 s, and half of the frames with half of the bytes after.
  @Test func whatIsNotSentIsMutedAndASlowPictureSlow() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.add(
      "OT01V1", "outbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "frameHeight": { _ in "360" },
        "frameWidth": { _ in "640" },
        "framesPerSecond": { $0 > 20 && $0 <= 40 ? "0" : $0 <= 20 ? "30" : "15" },
        "bytesSent": { "\(60_000 * min($0, 20) + 30_000 * max(0, $0 - 40))" },
      ])
    dump.addSource()
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(
      text.hasSuffix(
        """
        timeline:
          - {at: 20s, participant: sender, mute: video}
          - {at: 40s, participant: sender, unmute: video}
          - {at: 40s, participant: sender, send: {maximum: 235 kbps, maximum-fps: 15}}

        """), "\(text)")
  }

  /// The camera begins at 8 s, three after the initial probes, which is too short for a stretch by itself.
  @Test func aSourceBeginsWhenItsCounterDoes() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", at: 8...59)
    dump.addSource()
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(
      text.hasSuffix(
        """
        timeline:
          - {at: 0s, participant: sender, mute: video}
          - {at: 8s, participant: sender, unmute: video}
          - {at: 8s, participant: sender, send: {maximum: 470 kbps}}

        """), "\(text)")
  }
}
