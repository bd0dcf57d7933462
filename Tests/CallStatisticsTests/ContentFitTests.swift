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

  /// A talking head takes 247 kbps at 180p, 639 at 360p and 1289 at 540p; up to 1.2 times that still counts as a
  /// talking head.
  @Test(arguments: [
    (296.0, "180p30"), (297, "360p30"), (766, "360p30"), (767, "540p30"), (1546, "540p30"), (1547, "720p30"),
  ])
  func withoutSizesACameraIsAsLargeAsItsRate(_ rate: Double, _ format: String) {
    let text = scenario([rate], heights: [nil], estimate: 5000)
    #expect(text.contains("camera: {capture: \(format), ladder: single"), "\(text)")
  }

  /// A path carries 38 bytes more of each 1100, and a voice of 35 kbps.
  @Test(arguments: [(true, 707.4545), (false, 672.4545)])
  func aPathCarriesHeadersAndAVoice(hasVoice: Bool, path: Double) {
    let record = CallRecord(samples: [], hasVoice: hasVoice)
    #expect(abs(record.pathRate(ofMedia: 650) - path) < 0.001)
    #expect(abs(record.mediaRate(onPath: path) - 650) < 0.001)
    #expect(record.mediaRate(onPath: 0) == 0)
  }

  /// 650 kbps take 707.45 with headers and a voice; 720p restarts at 1.2 times its minimum of 600 kbps, which together
  /// needs 1427.45.
  @Test(arguments: [(1427.0, false), (1428, true)])
  func whatTheEstimateCouldNotCarryIsNoLimitOfTheSender(_ estimate: Double, _ isLimit: Bool) {
    let text = scenario(
      [150, 500, 0], heights: [180, 360, 0], estimate: estimate,
      capture: VideoFormat(.p720, framesPerSecond: 30))
    // The app's choice, or three encodings of which the path carried two.
    #expect(text.contains("encodings: [q, h]") == isLimit && text.contains("maximum") == isLimit, "\(text)")
    #expect(text.contains("ladder: webrtc-vp8"), "\(text)")
  }

  /// Two encodings fill a path of about 1000 kbps, whose estimate is cut every six seconds, but for twelve seconds of
  /// nothing.
  @Test func aMuteIsOneEvenIfThePathIsFullOtherwise() throws {
    var bytes = 0.0
    let samples = (0...60).map { second in
      let estimate = 900 + 40 * Double(second % 6)
      if second > 0, !(21...32).contains(second) { bytes += (estimate - 60) * 125 }
      return CallRecord.Sample(
        time: Double(second), estimate: estimate,
        encodings: [.init(bytes: bytes / 4, height: 180), .init(bytes: bytes * 3 / 4, height: 360)])
    }
    let source = CallRecord.Source(
      kind: .camera, capture: VideoFormat(.p720, framesPerSecond: 30), encodings: 0..<2)
    let scenario = ImportedScenario(CallRecord(samples: samples, sources: [source]))
    let text = scenario.text(name: "n", source: "s")
    #expect(
      text.hasSuffix(
        """
          - {at: 0s, participant: sender, speaks: 61s}
          - {at: 20s, participant: sender, mute: video}
          - {at: 32s, participant: sender, unmute: video}

        """), "\(text)")
  }

  /// A stretch of less than 4 s is not split off, but at the start of a source: its 480 kbps are not averaged with
  /// nothing.
  @Test func theFirstSecondsWithoutASourceDoNotLowerItsRate() throws {
    let texts = [0, 3].map { start in
      let samples = (0...30).map { second in
        CallRecord.Sample(
          time: Double(second), estimate: 5000,
          encodings: [.init(bytes: second < start ? nil : Double(second - start) * 60_000, height: 360)])
      }
      let source = CallRecord.Source(
        kind: .camera, capture: VideoFormat(.p360, framesPerSecond: 30), encodings: 0..<1)
      return ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
    }
    let content = try #require(texts[0].firstMatch(of: /content: \d+ kbps/)).output
    #expect(texts[1].contains(content), "\(texts[1])")
    #expect(texts[1].contains("{at: 3s, participant: sender, unmute: video}"), "\(texts[1])")
  }

  /// Ten seconds at 400 kbps, ten at another rate: the sum of squares falls by 5 ln^2 of the ratio, and has to by 0.4,
  /// which a ratio of 1.327 reaches.
  @Test(arguments: [(530.0, false), (532, true)])
  func aStretchIsSplitWhereItsRateChangesEnough(rate: Double, isSplit: Bool) throws {
    let samples = (0...20).map { second in
      let seconds = Double(second)
      return CallRecord.Sample(
        time: seconds, estimate: 5000,
        encodings: [.init(bytes: (min(seconds, 10) * 400 + max(seconds - 10, 0) * rate) * 125, height: 360)])
    }
    let source = CallRecord.Source(
      kind: .camera, capture: VideoFormat(.p360, framesPerSecond: 30), encodings: 0..<1)
    let text = ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
    #expect(text.contains("{at: 10s, participant: sender, send: {maximum: none}}") == isSplit, "\(text)")
  }

  // MARK: Dumps

  private func read(_ dump: MadeDump) throws(CallRecordError) -> CallRecord {
    try InternalsDump.read(Array(dump.text.utf8), path: "d.json")
  }

  /// 480 kbps at 640x360 and 30 fps, of which two headers of 24 bytes a frame take 11.52; a talking head's 639 kbps at
  /// that size correspond to 1754 at 720p.
  @Test func contentIsScaledToTheRateAtTheRecordedSize() throws {
    let text = ImportedScenario(try read(.plain())).text(name: "n", source: "s")
    #expect(text.contains("{camera: {capture: 360p30, ladder: single, content: 1286 kbps}}"), "\(text)")
  }

  /// 640x480 at 8 fps: a talking head takes 639 + (1289 - 639) x 76800 / 288000 = 812.33 kbps at 30 fps, and at 8 fps
  /// that times the square root of 8/30, 419.49. 700 kbps less ten headers a frame, 15.36, is 1.6321 times that: 2863
  /// at 720p30.
  @Test func contentKnowsWidthAndFrameRate() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", bytes: 87_500, height: 480, width: 640, fps: 30)
    dump.addSource(width: 640, height: 480, fps: 8)
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(text.contains("{camera: {capture: 640x480@8, ladder: single, content: 2863 kbps}}"), "\(text)")
  }

  /// 480 kbps at 640x360 and 10 fps, of which six headers a frame take 11.52; a talking head takes 639 kbps times the
  /// square root of a third, 368.93: 2227 at 720p30.
  @Test func withoutACamerasFormatTheFrameRateIsThatSent() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", fps: 10)
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(text.contains("{camera: {capture: 360p10, ladder: single, content: 2227 kbps}}"), "\(text)")
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
    #expect(text.contains("content: 1286 kbps"), "\(text)")
    // 0.98 of 240 kbps.
    #expect(text.contains("participant: sender, send: {maximum: 235 kbps}}"), "\(text)")
  }

  /// 480p is larger than libwebrtc starts with: the size is pinned until an encoder that ramps up would have reached
  /// it.
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

  /// Nothing is sent from 20 to 40 s; afterwards half the frames with half the bytes.
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
          - {at: 0s, participant: sender, send: {degradation: maintain-resolution}}
          - {at: 20s, participant: sender, mute: video}
          - {at: 40s, participant: sender, unmute: video}
          - {at: 40s, participant: sender, send: {maximum: 247 kbps, maximum-fps: 15}}

        """), "\(text)")
  }

  /// The camera starts at 8 s, three seconds after the initial probes, too short for a stretch of its own.
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
          - {at: 8s, participant: sender, send: {degradation: maintain-resolution}}
          - {at: 38s, participant: sender, send: {degradation: maintain-framerate}}

        """), "\(text)")
  }

  // MARK: Sizes

  /// A 720p30 camera that is sent at one size and then at another, at the rates of a talking head.
  private func resized(
    _ first: (height: Int, kilobytes: Int), _ next: (height: Int, kilobytes: Int), at change: Int,
    width: Int? = nil
  ) throws(CallRecordError) -> String {
    var dump = MadeDump()
    dump.addPair { _ in 4_000_000 }
    dump.add(
      "OT01V1", "outbound-rtp",
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in "1" }, "mediaSourceId": { _ in "\"SV1\"" },
        "framesPerSecond": { _ in "30" },
        "frameHeight": { "\($0 <= change ? first.height : next.height)" },
        "frameWidth": {
          "\($0 <= change ? first.height * 16 / 9 : width ?? next.height * 16 / 9)"
        },
        "bytesSent": {
          "\(1000 * (first.kilobytes * min($0, change) + next.kilobytes * max(0, $0 - change)))"
        },
      ])
    dump.addSource(width: 1280, height: 720)
    return ImportedScenario(try read(dump)).text(name: "n", source: "s")
  }

  /// 1000 kbps at 720p and 364 kbps at 360p are the same content, so the smaller picture needs no other limit.
  @Test func aSmallerPictureOfTheSameContentHasOnlyItsSize() throws {
    let text = try resized((720, 125), (360, 46), at: 30)
    #expect(
      text.contains(
        "{at: 30s, participant: sender, send: {maximum-height: 360, degradation: maintain-framerate}}"),
      "\(text)")
    #expect(!text.contains("maximum: "), "\(text)")
  }

  /// An encoder that adapts by itself goes from 180p to 720p in steps: an immediate jump is the app's choice.
  @Test func aPictureThatGrowsAtOnceKeepsItsSize() throws {
    let text = try resized((180, 18), (720, 125), at: 20)
    #expect(text.contains("{at: 0s, participant: sender, send: {maximum-height: 180}}"), "\(text)")
    #expect(
      text.contains(
        "{at: 20s, participant: sender, send: {maximum-height: none, degradation: maintain-resolution}}"),
      "\(text)")
    #expect(
      text.contains("{at: 50s, participant: sender, send: {degradation: maintain-framerate}}"), "\(text)")
  }

  /// Small pictures for less than 8 s are the encoder's ramp-up; for 8 s they are the app's choice.
  @Test(arguments: [(7, false), (8, true)])
  func anEncoderStartsWithinSeconds(_ change: Int, _ isLimit: Bool) throws {
    let text = try resized((180, 18), (720, 125), at: change)
    #expect(text.contains("maximum-height: 180") == isLimit, "\(text)")
  }

  /// libwebrtc starts with 265 kbps: too little for 360p (300), enough for 270p (200).
  @Test(arguments: [(360, true), (270, false)])
  func aPictureThatIsThereAtOnceKeepsItsSize(_ height: Int, _ isKept: Bool) throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", height: height, width: height * 16 / 9)
    dump.addSource(width: height * 16 / 9, height: height)
    let text = ImportedScenario(try read(dump)).text(name: "n", source: "s")
    #expect(text.contains("degradation: maintain-resolution") == isKept, "\(text)")
  }

  /// 1000 kbps at 720p and 464 at 640x480 are the same content, 971 and 977, but 480 lines in the capture's aspect
  /// ratio have more pixels.
  @Test func aPictureOfAnotherShapeHasItsRate() throws {
    let text = try resized((720, 125), (480, 58), at: 30, width: 640)
    #expect(
      text.contains(
        "{at: 30s, participant: sender, send: {maximum: 455 kbps, maximum-height: 480}}"
      ), "\(text)")
  }

  // MARK: Encodings

  /// 180p, 360p and 720p on a path that carries all three: one is sent for 20 s, then two, then three. 720p gives the
  /// content, 1365 kbps; the others, 1024 and 1204 kbps at 720p, give less.
  @Test func encodingsThatAreNotSentAreOff() {
    var bytes = [0.0, 0, 0]
    let samples = (0...60).map { second in
      let on = second < 20 ? 1 : second < 40 ? 2 : 3
      let sample = CallRecord.Sample(
        time: Double(second), estimate: 6000,
        encodings: [180.0, 360, 720].enumerated().map { place, height in
          .init(bytes: bytes[place], height: place < on ? height : nil)
        })
      for (place, rate) in [150.0, 450, 1400].prefix(on).enumerated() { bytes[place] += rate * 125 }
      return sample
    }
    let source = CallRecord.Source(
      kind: .camera, capture: VideoFormat(.p720, framesPerSecond: 30), encodings: 0..<3)
    let text = ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
    #expect(
      text.hasSuffix(
        """
          - {at: 0s, participant: sender, send: {maximum: {q: 147 kbps}, encodings: [q]}}
          - {at: 20s, participant: sender, send: {maximum: {q: 147 kbps, h: 441 kbps}, encodings: [q, h]}}
          - {at: 40s, participant: sender, send: {maximum: {q: 147 kbps, h: 441 kbps, f: 1372 kbps}, encodings: [q, h, f]}}

        """), "\(text)")
  }

  /// 480x270 and 960x540 are not on libwebrtc's ladder; in the last half minute both are sent at half the rate and half
  /// the frame rate.
  @Test func listedEncodingsHaveLimitsOverTime() {
    var bytes = [0.0, 0]
    let samples = (0...60).map { second in
      let share = second < 30 ? 1.0 : 0.5
      let sample = CallRecord.Sample(
        time: Double(second), estimate: 6000,
        encodings: zip(bytes, [270.0, 540]).map {
          .init(bytes: $0, height: $1, frameRate: second <= 30 ? 8 : 4)
        })
      for (place, rate) in [200.0, 700].enumerated() { bytes[place] += rate * share * 125 }
      return sample
    }
    let source = CallRecord.Source(
      kind: .camera, capture: VideoFormat(Resolution(width: 960, height: 540), framesPerSecond: 8),
      encodings: 0..<2)
    let text = ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
    #expect(text.contains("{encoding: 1, size: 960x540, fps: 8, bitrate: 686 kbps}"), "\(text)")
    #expect(
      text.hasSuffix(
        """
          - {at: 30s, participant: sender, send: {maximum: {0: 103 kbps, 1: 360 kbps}, maximum-fps: 4}}

        """), "\(text)")
  }

  /// Two encodings of a 360p capture are padded up to the lower one's 150 kbps plus the higher one's minimum, 150: 83
  /// and 216 kbps are below that and limited, 84 and 216 are not.
  @Test(arguments: [(83.0, 216.0, true), (84, 216, false)])
  func encodingsBelowTheirPaddingAreLimited(_ low: Double, _ high: Double, _ isLimited: Bool) {
    let text = scenario(
      [low, high], heights: [180, 360], estimate: 9000, capture: VideoFormat(.p360, framesPerSecond: 8))
    #expect(text.contains("maximum") == isLimited, "\(text)")
  }

  /// The estimate limits 180p for 5 s, 360p starts at 9 s, and 720p is never sent: it is off from the start.
  @Test func whatIsOffAfterTheStartWasNotOnInIt() {
    var bytes = [0.0, 0, 0]
    let samples = (0...40).map { second in
      let rise = 1 + Double(min(second, 5)) / 5
      let isBegun = second >= 9
      let sample = CallRecord.Sample(
        time: Double(second), estimate: second <= 5 ? 130 * rise : 6000,
        encodings: [
          .init(bytes: bytes[0], height: 180), .init(bytes: bytes[1], height: isBegun ? 360 : nil),
          .init(bytes: 0, height: nil),
        ])
      bytes[0] += 75 * rise * 125
      if isBegun { bytes[1] += 450 * 125 }
      return sample
    }
    let source = CallRecord.Source(
      kind: .camera, capture: VideoFormat(.p720, framesPerSecond: 30), encodings: 0..<3)
    let text = ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
    #expect(
      text.contains(
        "{at: 0s, participant: sender, send: {maximum: {q: 147 kbps, h: 441 kbps}, encodings: [q, h]}}"),
      "\(text)")
  }

  /// Three encodings that send nine tenths of an estimate, which is constant or which they follow.
  @Test(arguments: [false, true])
  func aPathThatWasNeverFullLimitsWhatFollowsItsEstimate(_ follows: Bool) {
    var bytes = [0.0, 0, 0]
    let samples = (0...40).map { second in
      let rise = follows ? 1 + Double(second) / 80 : 1
      let sample = CallRecord.Sample(
        time: Double(second), estimate: 2400 * rise,
        encodings: zip(bytes, [180, 360, 720]).map { .init(bytes: $0, height: $1) })
      for (place, rate) in [150.0, 450, 1400].enumerated() { bytes[place] += rate * rise * 125 }
      return sample
    }
    let source = CallRecord.Source(
      kind: .camera, capture: VideoFormat(.p720, framesPerSecond: 30), encodings: 0..<3)
    let text = ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
    #expect(text.contains("maximum: {q: 147 kbps, h: 441 kbps, f: 1372 kbps}") == !follows, "\(text)")
  }

  // MARK: Codecs

  private func coded(_ type: String, _ mode: String?, change: Bool = false) throws -> String {
    var dump = MadeDump()
    dump.addPair { _ in 4_000_000 }
    dump.add("COT1", "codec", ["mimeType": { _ in "\"video/\(type)\"" }])
    var more = ["codecId": "\"COT1\""]
    if let mode { more["scalabilityMode"] = "\"\(mode)\"" }
    dump.addVideo("1", bytes: 137_500, height: 720, width: 1280, at: 0...(change ? 29 : 59), more: more)
    dump.addSource(width: 1280, height: 720)
    return ImportedScenario(try read(dump)).text(name: "n", source: "s")
  }

  /// 1100 kbps less five headers a frame is 1071.2. Three layers of a talking head take 247, 639 and 1754 kbps; VP9
  /// takes 0.85 and AV1 0.7 of VP8's bits: 1071.2 x 1754 / 2640 / 0.85 = 837.3, and 1071.2 / 0.85 or / 0.7 for one
  /// layer.
  @Test(arguments: [
    ("VP9", "L3T3_KEY", "codec: vp9, scalability-mode: L3T3_KEY, content: 837 kbps"),
    ("VP9", nil, "codec: vp9, scalability-mode: L1T1, content: 1260 kbps"),
    ("AV1", "L1T3", "codec: av1, scalability-mode: L1T3, content: 1530 kbps"),
    ("H264", nil, "codec: h264, ladder: single, content: 1071 kbps"),
    ("VP8", "L1T2", "{capture: 720p30, ladder: single, content: 1071 kbps"),
  ])
  func codecsAreThoseOfTheCall(_ type: String, _ mode: String?, _ camera: String) throws {
    let text = try coded(type, mode)
    #expect(text.contains(camera), "\(text)")
  }

  /// 720p from the first second on, larger than libwebrtc starts with: a stream with one spatial layer keeps the size
  /// for 30 s; streams with several layers are not scaled.
  @Test(arguments: [("L1T3", true), ("L3T3_KEY", false)])
  func aStreamOfOneSpatialLayerKeepsItsResolution(_ mode: String, _ keeps: Bool) throws {
    let text = try coded("VP9", mode)
    for (time, way) in [(0, "maintain-resolution"), (30, "maintain-framerate")] {
      let entry = "{at: \(time)s, participant: sender, send: {degradation: \(way)}}"
      #expect(text.contains(entry) == keeps, "\(text)")
    }
  }
}
