import CallStatistics
import Ladder
import Media
import Quantity
import Statistics
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Camera content, recovered from what the encoder did.
@Suite("Contents of recorded cameras")
struct CameraFitTests {
  private static let capture = VideoFormat(.p720, framesPerSecond: 30)

  /// A call whose encoder has a target [kbps], first recorded at the end of the first second.
  private func record(
    _ content: ContentComplexity, target: Int64, seconds: Int = 30
  ) -> CallRecord {
    var encoding = AdaptiveEncoding(single: Self.capture, content: content, adjustsRate: false)
    var sizes = RandomStream(seed: 99, name: "recorded")
    var bytes = 0.0
    var samples = [
      CallRecord.Sample(time: 0, estimate: 6000, encodings: [.init(bytes: 0, height: nil)])
    ]
    for second in 0..<seconds {
      for frame in 0..<30 {
        // The first allocation comes after some frames.
        encoding.setTarget(.kilobits(second == 0 && frame < 6 ? min(300, target) : target))
        let now = SimTime(nanoseconds: Int64(second * 30 + frame) * 1_000_000_000 / 30)
        bytes += Double(encoding.encode(at: now, sizes: &sizes)?.frame.bytes ?? 0)
      }
      samples.append(
        CallRecord.Sample(
          time: Double(second + 1), estimate: 6000,
          encodings: [
            .init(
              bytes: bytes * 1100 / 1076, height: Double(encoding.format.resolution.height),
              frameRate: 30, target: Double(target))
          ]))
    }
    return CallRecord(samples: samples)
  }

  private func text(_ record: CallRecord) throws(CallRecordError) -> String {
    try CameraFit(record, capture: Self.capture, path: "/calls/a.csv", name: "a.csv").text
  }

  private func kilobits(_ text: String) -> Double? {
    text.split(separator: "content: ").dropFirst().first?.split(separator: " ").first.flatMap { Double($0) }
  }

  /// Below the target, the rate tells the content; at the target, the frame sizes over time do, less exactly.
  @Test(arguments: [(1500, 2500, 0.06), (5087, 1000, 0.15)] as [(Int64, Int64, Double)])
  func theContentIsFoundAgain(content: Int64, target: Int64, tolerance: Double) throws {
    let text = try text(record(ContentComplexity(ceiling: .kilobits(content)), target: target))
    let found = try #require(kilobits(text), "\(text)")
    #expect(abs(found / Double(content) - 1) <= tolerance, "\(text)")
    #expect(text.contains("limited by\n") && text.contains("  content\n") == (content < target), "\(text)")
  }

  /// Of the rates that fit about as well, in steps of a twelfth of an octave from 200 kbps on, the one in the middle is
  /// taken.
  @Test func theMiddleOfTheRatesThatFitIsTaken() throws {
    let text = try text(record(ContentComplexity(ceiling: .kilobits(5087)), target: 1000))
    let range = try #require(text.firstMatch(of: /(\d+) to (\d+) kbps/), "\(text)")
    let steps = [range.1, range.2].compactMap { Double($0) }.map { (log2($0 / 200) * 12).rounded() }
    let middle = ((steps[0] + steps[1]) / 2).rounded(.down)
    #expect(kilobits(text) == (200 * exp2(middle / 12)).rounded(), "\(text)")
  }

  /// Small pictures that cost a lot relative to large ones.
  @Test func detailThatMakesSmallPicturesDearIsRich() throws {
    let text = try text(record(.rich, target: 2500, seconds: 45))
    #expect(
      text.hasPrefix("publish: {camera: {capture: 720p30, ladder: single, content: rich}}\n"), "\(text)")
  }

  /// At 180 lines and 600 kbps all contents of 70 Mbps and more look alike; at 180 lines and 150 kbps all rich ones do,
  /// up to those of which not every frame can be sent.
  @Test func whatACallDoesNotTellIsSaid() throws {
    let full = try text(record(ContentComplexity(ceiling: .megabits(80)), target: 600))
    #expect(full.contains("\n# - an upper limit: ") && !full.contains("lower limit"), "\(full)")
    let small = try text(record(ContentComplexity(ceiling: .megabits(20)), target: 150))
    #expect(small.contains("\n# - how the bits grow with the size of the picture\n"), "\(small)")
    #expect(!small.contains("an upper limit") && !small.contains("lower limit"), "\(small)")
  }

  /// 960 kbps at 720p is the content, which `import` assumes as well, less the 24 bytes around each of a frame's four
  /// packets: 23 kbps at 30 fps.
  @Test func withoutTargetsTheRatesTell() throws {
    let samples = (0...30).map { second in
      CallRecord.Sample(
        time: Double(second), estimate: 5000,
        encodings: [.init(bytes: Double(second) * 120_000, height: 720, width: 1280, frameRate: 30)])
    }
    let text = try text(CallRecord(samples: samples))
    #expect(
      text == """
        publish: {camera: {capture: 720p30, ladder: single, content: 937 kbps}}

        # Fitted to a.csv: what was sent where the path did not limit it.
        #
        # from   to  target  height    rate  model    rate  off  limited by
        #  [s]  [s]  [kbps]    [px]  [kbps]   [px]  [kbps]  [%]
        #    0   30       -     720     960      -     960    0  sender
        #
        # Not identifiable:
        # - more than what was sent: without targets (targetBitrate, target_kbps) and heights nothing tells whether
        #   the content limited it
        # - key frames and the spread of frame sizes, which are the model's

        """, "\(text)")
  }

  /// A dump's targets, in bit/s, are read too.
  @Test func targetsAreThoseOfTheEncoding() throws {
    var dump = MadeDump()
    dump.addPair()
    dump.addVideo("1", more: ["targetBitrate": "2345000"])
    dump.addSource()
    let record = try InternalsDump.read(Array(dump.text.utf8), path: "d.json")
    #expect(record.samples[10].encodings.map(\.target) == [2345])
  }

  /// On a path that is full throughout, whose estimate is cut and climbs again, rates do not tell the content, but the
  /// sizes of the pictures do: without targets the estimate, less 35 kbps of voice and the headers, stands for them. The
  /// pictures of 9 Mbps are those of `rich` as well.
  @Test(arguments: [(9000, nil), (45_000, 0.3)] as [(Int64, Double?)])
  func onAFullPathThePicturesTellTheContent(content: Int64, tolerance: Double?) throws {
    var record = record(ContentComplexity(ceiling: .kilobits(content)), target: 700, seconds: 60)
    for second in record.samples.indices {
      let saw = Double(second % 10) * 18 - 90
      record.samples[second].estimate = (700 * 1100 / 1076) * 1138 / 1100 + 35 + saw
      record.samples[second].encodings[0].target = nil
      record.samples[second].roundTrip = second % 10 == 9 ? 200 : 20
    }
    record.sources[0].capture = Self.capture
    let scenario = ImportedScenario(record)
    #expect(scenario.course.steps.map(\.cuts).reduce(0, +) > 0)
    let text = scenario.text(name: "a", source: "a")
    #expect(text.contains("# The path was full: with this content"), "\(text)")
    if let tolerance {
      let found = try #require(kilobits(text), "\(text)")
      #expect(abs(log(found / Double(content))) <= tolerance, "\(text)")
    } else {
      #expect(text.contains("content: rich}"), "\(text)")
    }
    // Without the camera's format, a small picture may be all there is.
    record.sources[0].capture = nil
    #expect(!ImportedScenario(record).text(name: "a", source: "a").contains("# The path was full: with"))
  }

  /// A target of 1076 kbps fills packets of 1076 bytes, with headers of 24: 1100 kbps, beyond which are repairs.
  @Test(arguments: [(1099.0, 1099.0), (1101, 1100), (5, 20)])
  func aRateBeyondTheTargetIsOfRepairs(rate: Double, media: Double) {
    let interval = TargetedEncoder.Interval(from: 0, length: 1, target: 1076, height: nil, rate: nil)
    #expect(abs(interval.media(rate) - media) < 1e-9)
  }

  @Test func aCallWithoutACameraIsRefused() {
    var screen = record(.talkingHead, target: 100)
    screen.sources[0].kind = .screen
    #expect(
      throws: CallRecordError(path: "/calls/a.csv", text: "the call has no camera, only a screen share")
    ) {
      try text(screen)
    }
    var silent = record(.talkingHead, target: 100)
    for place in silent.samples.indices { silent.samples[place].encodings[0].bytes = 0 }
    #expect(
      throws: CallRecordError(
        path: "/calls/a.csv", text: "the call has no video: its camera never sent a byte")
    ) {
      try text(silent)
    }
  }
}
