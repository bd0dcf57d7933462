import Media
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// Overhead of a packet around the bytes of a frame: 6 B of VP8 descriptor, 12 B of RTP header, 8 B of extensions, 10 B
/// of SRTP, 8 B of UDP, 20 B of IP: 64 B, of which 26 are within RTP.
@Suite("Cameras that play recorded frames")
struct RecordedCameraMeetingTests {
  /// Three seconds at 20 frames per second in two encodings without temporal layers; every twentieth frame is a key
  /// frame.
  private static let gops = table(["q", "h"], 60) { row in
    row % 20 == 0 ? (true, 0, [5000, 20_000]) : (false, 0, [100, 2000])
  }

  /// Frames that all differ in size.
  private static let counted = table(["q"], 60) { ($0 % 20 == 0, 0, [100 + $0]) }

  /// Two seconds at 20 frames per second with three temporal layers.
  private static let layered = table(["q", "h", "f"], 40) { row in
    let layer = [0, 2, 1, 2][row % 4]
    let size = row == 0 ? 4000 : [600, 300, 200][layer] + row % 7
    return (row == 0, layer, [size, 3 * size, 6 * size])
  }

  private static func table(
    _ encodings: [String], _ count: Int, _ frame: (Int) -> (isKeyFrame: Bool, layer: Int, bytes: [Int])
  ) -> String {
    let header = ["frame", "temporal_id", "keyframe"] + encodings.map { $0 + "_bytes" }
    let rows = (0..<count).map { row in
      let frame = frame(row)
      return ["\(row)", "\(frame.layer)", frame.isKeyFrame ? "1" : "0"] + frame.bytes.map(String.init)
    }
    return ([header] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private func run(_ table: String, _ text: String, interval: SimDuration = .seconds(1)) throws -> (
    tables: MemorySink, sent: [Int64]
  ) {
    let folder = try TemporaryFolder(["frames.csv": table])
    let text = "name: test\n" + (text.contains("estimator:") ? "" : "estimator: oracle\n") + text
    let scenario: LoadedScenario
    do {
      scenario = try ScenarioReader.read(
        bytes: Array(text.utf8), file: "test.yaml", directory: folder.path + "/")
    } catch {
      throw Meetings.Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
    let run = try Meetings.run(scenario, interval: interval)
    return (run.tables, run.result.encodings.map(\.sentBytes))
  }

  private static func camera(_ encodings: String, _ more: String = "") -> String {
    "publish: {audio: false, camera: {frames: {file: frames.csv, fps: 20, encodings: {\(encodings)}\(more)}}}"
  }

  private static let two = camera("q: 320x180, h: 640x360")

  // MARK: The recording

  private func recording(_ keyFrames: Set<Int>, count: Int, bytes: Int32 = 100, start: Int = 0)
    -> RecordedFrames
  {
    let rows = (0..<count).map {
      FrameTable.Row(temporalLayer: 0, groupPosition: 0, isKeyFrame: keyFrames.contains($0))
    }
    return RecordedFrames(
      FrameTable(encodings: ["q"], rows: rows, sizes: Array(repeating: bytes, count: count)), columns: [0],
      start: start)
  }

  /// Sizes of frames [byte], and of their packets on the wire.
  private static let cuts: [(bytes: Int32, sizes: [Int])] = [
    (1, [65]), (1150, [1214]), (1151, [640, 639]), (2400, [864, 864, 864]), (3451, [927, 927, 927, 926]),
  ]

  @Test(arguments: cuts)
  func aFrameIsCutIntoEqualPackets(bytes: Int32, sizes: [Int]) {
    let recording = recording([0], count: 1, bytes: bytes)
    let packets = recording.packets(of: recording.table.frame(0, of: 0))
    #expect((0..<packets.count).map(packets.wireSize(of:)) == sizes)
  }

  @Test func itPlaysInALoopFromTheFirstKeyFrameOn() {
    #expect([0, 1, 4, 5, 9].map { recording([0, 4], count: 10, start: $0).start } == [0, 4, 4, 0, 0])
    let table = recording([0, 4], count: 10).table
    #expect([0, 1, 3, 4, 5, 9].map(table.keyFrame(from:)) == [0, 4, 4, 4, 0, 0])
    #expect([0, 8, 9].map(table.row(after:)) == [1, 9, 0])
  }

  // MARK: What is sent

  /// 100 frames: a loop of 60 and its first 40, with 5 key frames. In q, a key frame takes 5 packets and any other
  /// frame 1; in h, 18 and 2.
  @Test(arguments: ["stream", "agora", "vonage", "janus", "bluejeans"], ["oracle", "gcc"])
  func allEncodingsAreSentThoughNobodyWantsThem(policy: String, estimator: String) throws {
    let text = """
      duration: 5s
      policy: \(policy)
      estimator: \(estimator)
      links: {narrow: {capacity: 64 kbps}}
      participants:
        - {id: ann, up: narrow, \(Self.two)}
      """
    let sent = try run(Self.gops, text).sent
    let small = 5 * (5000 + 5 * 26) + 95 * (100 + 26)
    let large = 5 * (20_000 + 18 * 26) + 95 * (2000 + 2 * 26)
    // Google Congestion Control probes the uplink with padding, which counts for the lowest encoding.
    #expect(estimator == "oracle" ? sent[0] == small : sent[0] >= small)
    #expect(sent[1] == large)
  }

  /// Rows 40 to 59, in the first second.
  @Test func theFirstFrameIsTheFirstKeyFrameFromTheStartOn() throws {
    let text = """
      duration: 1s
      participants:
        - {id: ann, \(Self.camera("q: 320x180", ", start: 21"))}
      """
    let bytes = (40..<60).reduce(0) { $0 + 100 + $1 + 26 }
    #expect(try run(Self.counted, text).sent == [Int64(bytes)])
  }

  /// Muted from 0.5 to 1 s, it continues where it was, at the next key frame; a participant who rejoins starts over.
  @Test func aCameraGoesOnWithAKeyFrameAndARejoinedOneBeginsAnew() throws {
    let text = """
      duration: 3s
      participants:
        - {id: ann, \(Self.camera("q: 320x180"))}
      timeline:
        - {at: 500ms, participant: ann, mute: video}
        - {at: 1s, participant: ann, unmute: video}
        - {at: 1500ms, participant: ann, leave: true}
        - {at: 2s, participant: ann, join: true}
      """
    // Half a second is ten frames: from row 0, then from row 20, and for a second from row 0 again.
    let rows = Array(0..<10) + Array(20..<30) + Array(0..<20)
    #expect(try run(Self.counted, text).sent == [Int64(rows.reduce(0) { $0 + 100 + $1 + 26 })])
  }

  // MARK: Key frames

  /// Returns the number of key frames among 240 frames of q and h; all other frames take one packet in q and two in h.
  private func keyFrames(_ sent: [Int64]) -> [Int64] {
    let frames: Int64 = 240
    return [(sent[0] - frames * 126) / (5130 - 126), (sent[1] - frames * 2052) / (20_468 - 2052)]
  }

  /// Undisturbed, 240 frames include 12 key frames. A request skips 1 to 19 frames, unless it arrives just before a key
  /// frame, and so adds one.
  @Test func atARequestAnEncodingAloneJumpsToItsNextKeyFrame() throws {
    let text = """
      duration: 12s
      policy: stream
      participants:
        - {id: ann, \(Self.two)}
        - {id: small, join: 4500ms, view: {tiles: [{participant: ann, size: 320x180}]}}
      """
    let run = try run(Self.gops, text)
    #expect(keyFrames(run.sent) == [13, 12])
    // The picture is there after a frame plus the paths' delays, not only with the next second's key frame.
    #expect(run.tables.stream(viewer: "small", source: "ann")[4]["frame_height_px"] == "180")
  }

  /// A request takes 500 ms to the publisher and a key frame 500 ms back: meanwhile the SFU repeats the request ten
  /// times, every 100 ms. Those after 0, 300, 600 and 900 ms are answered: the first skips some 30 frames, the others
  /// each skip the 54 that remain after 6.
  @Test func itJumpsAtMostEveryThreeHundredMilliseconds() throws {
    let text = """
      duration: 12s
      policy: {name: stream, key-frame-spacing: 100 ms}
      links: {far: {capacity: 100 Mbps, delay: 500 ms}}
      participants:
        - {id: ann, up: far, down: far, \(Self.two)}
        - {id: small, join: 4s, view: {tiles: [{participant: ann, size: 320x180}]}}
      """
    let table = Self.table(["q", "h"], 240) { row in
      row % 60 == 0 ? (true, 0, [5000, 20_000]) : (false, 0, [100, 2000])
    }
    // 240 frames plus 3 × 54 + 30 skipped ones: rows 0 to 431 of the loop.
    #expect(keyFrames(try run(table, text).sent) == [8, 4])
  }

  // MARK: What is delivered

  /// Returns the bytes on the wire of one loop of an encoding of `layered`, by hand: the frames, and 64 B for each of
  /// their packets.
  private func loopBytes(times factor: Int) -> Int {
    (0..<40).reduce(0) { sum, row in
      let size = factor * (row == 0 ? 4000 : [600, 300, 200][[0, 2, 1, 2][row % 4]] + row % 7)
      return sum + size + 64 * ((size + 1149) / 1150)
    }
  }

  @Test(arguments: ["oracle", "gcc"])
  func viewersGetTheTablesMeanRateOfTheirEncodings(estimator: String) throws {
    let text = """
      duration: 40s
      policy: stream
      estimator: \(estimator)
      participants:
        - {id: ann, \(Self.camera("f: 1280x720, q: 320x180, h: 640x360"))}
        - {id: small, view: {tiles: [{participant: ann, size: 320x180}]}}
        - {id: large, view: {tiles: [{participant: ann, size: 1280x720}]}}
      """
    let tables = try run(Self.layered, text).tables
    for (viewer, factor, height) in [("small", 1, "180"), ("large", 6, "720")] {
      let rows = tables.stream(viewer: viewer, source: "ann")[20..<40]
      // Ten loops of two seconds.
      let bits = rows.reduce(0) { $0 + $1.number("bitrate_bps") }
      let expected = Double(80 * loopBytes(times: factor))
      // A congestion controller's pacer moves packets across the ends.
      #expect(abs(bits - expected) <= (estimator == "oracle" ? 0 : expected * 0.01), "\(viewer)")
      #expect(rows.allSatisfy { $0["frame_height_px"] == height && $0["frames_per_second"] == "20.00" })
      #expect(rows.allSatisfy { $0["freeze_count"] == "0" && $0["limitation"] == "sender" }, "\(viewer)")
    }
  }

  @Test(arguments: [[0], [0, 1], [0, 2, 1, 2]])
  func everyFrameIsDecodedWhateverTheTemporalLayers(pattern: [Int]) throws {
    let table = Self.table(["q"], 40) { ($0 % 20 == 0, pattern[$0 % 20 % pattern.count], [300]) }
    let text = """
      duration: 10s
      policy: stream
      participants:
        - {id: ann, \(Self.camera("q: 320x180"))}
        - {id: viewer, view: {tiles: [{participant: ann, size: 320x180}]}}
      """
    let rows = try run(table, text).tables.stream(viewer: "viewer", source: "ann")[2..<10]
    #expect(rows.allSatisfy { $0["frames_per_second"] == "20.00" && $0["freeze_count"] == "0" })
  }

  /// A quarter of the frames with the base layer, half with the next one.
  @Test(arguments: [(48, 5), (62, 10), (90, 20)])
  func temporalLayersAreLeftOutOnANarrowLink(capacity: Int, frames: Int) throws {
    let text = """
      duration: 20s
      policy: stream
      links: {narrow: {capacity: \(capacity) kbps, queue: 1 s}}
      participants:
        - {id: ann, \(Self.camera("q: 320x180"))}
        - {id: viewer, down: narrow, view: {tiles: [{participant: ann, size: 320x180}]}}
      """
    let table = Self.layered.split(separator: "\n").map {
      $0.split(separator: ",")[0...3].joined(separator: ",")
    }
    let rows = try run(table.joined(separator: "\n"), text).tables.stream(viewer: "viewer", source: "ann")[
      8..<20]
    let shown = rows.reduce(0) { $0 + $1.number("frames_per_second") }
    #expect(abs(shown - Double(12 * frames)) <= 2)
  }

  /// An uplink of 600 kbps, of which the recording takes 66 for its frames and 11 for its packets.
  @Test func aScreenShareHasWhatTheRecordingLeaves() throws {
    let text = """
      duration: 20s
      policy: stream
      links: {home: {capacity: 600 kbps}}
      participants:
        - id: ann
          up: home
          publish:
            audio: false
            screen: {capture: 720p15, ladder: single, content: 5 Mbps}
            camera: {frames: {file: frames.csv, fps: 20, encodings: {q: 320x180}}}
        - {id: viewer, view: {everybody: 1280x720}}
      """
    let table = Self.layered.split(separator: "\n").map {
      $0.split(separator: ",")[0...3].joined(separator: ",")
    }
    let tables = try run(table.joined(separator: "\n"), text).tables
    let rows = tables.stream(viewer: "viewer", source: "ann")[10..<20]
    #expect(rows.allSatisfy { $0["frames_per_second"] == "20.00" })
    let shares = tables.stream(viewer: "viewer", source: "ann/screen")[10..<20].map {
      $0.number("bitrate_bps")
    }
    #expect(shares.allSatisfy { $0 > 450_000 && $0 < 522_000 }, "\(shares)")
  }
}
