import TestSupport
import Testing
import Verification

/// Recordings of scalable streams, with a table of their layers.
@Suite("Recorded layers")
struct LayerCourseTests {
  private static let layers = """
    t,way,spatial,temporal,bytes,packets,frames,structures
    0,up,0,0,1028,1,1,1
    0,up,0,1,2056,2,1,0
    0,down,0,0,9000,9,1,1
    1,up,0,0,528,1,1,0
    1,up,1,0,3056,2,1,0
    1,up,4,0,3056,2,1,0

    """

  /// Uplink traffic counts, without the 28 bytes of UDP and IP around each packet.
  @Test func theLayersOnTheWayUpAreRead() throws {
    let folder = try TemporaryFolder(["a-layers.csv": Self.layers])
    let course = try LayerCourse(path: folder.path + "/a-layers.csv")
    let (first, both) = (MeasureWindow(from: 0, to: 1), MeasureWindow(from: 0, to: 2))
    #expect(course.bits(of: 0, in: first) == 24_000)
    #expect(course.bits(of: 0, in: both) == 28_000)
    #expect(course.bits(of: 1, in: both) == 24_000)
    #expect(course.bits(of: 2, in: both) == 0)
    #expect(!course.isEmpty)
  }

  @Test func stepsHaveTheirWindows() {
    #expect(MeasureWindow.layered(of: "vp9-up-step", end: 109).map(\.text) == ["0-35", "40-70", "75-109"])
    #expect(MeasureWindow.layered(of: "vp9-up-700", end: 69).map(\.text) == ["0-20", "20-69"])
  }

  /// Key frames and layers are compared if there is a table of layers beside the recording; an empty one has no layers.
  @Test func whatIsComparedFollowsTheTables() throws {
    let table =
      "t,bytes,lost,frames,keyframes,h,freeze_s\n"
      + (1...30).map { "\($0),\($0 * 1000),0,\($0 * 30),\($0 / 10),360,0\n" }.joined()
    let folder = try TemporaryFolder([
      "a.csv": table, "a.yaml": "", "a-layers.csv": Self.layers,
      "b.csv": table, "b.yaml": "", "c.csv": table, "c.yaml": "",
      "c-layers.csv": "t,way,spatial,temporal,bytes,packets,frames,structures\n",
    ])
    let setups = try SFUFolder(folder.path).setups
    #expect(setups.map(\.name) == ["a", "b", "c"])
    #expect(
      setups.map { $0.recording.measures.last } == [.layer2, .frozen, .keyFrames])
    let window = MeasureWindow(from: 0, to: 30)
    let measures = try #require(WindowMeasures(setups[0].recording.course, in: window))
    // Three in thirty seconds; 28,000 bits over that time.
    #expect(measures.keyFrames == 6)
    #expect(measures[.layer0] == 28.0 / 30)
  }

  /// The table of a simulated run states what was sent in each layer: 142, 318 and 540 kbps for a stream of 1000 kbps,
  /// within a tenth.
  @Test func aSimulatedRunTellsItsSendersLayers() throws {
    let table =
      "t,bytes,lost,frames,keyframes,h,freeze_s\n"
      + (1...30).map { "\($0),\($0 * 1000),0,\($0 * 30),1,720,0\n" }.joined()
    let scenario = """
      name: a
      duration: 31s
      policy: livekit
      estimator: oracle
      links: {open: {capacity: 100 Mbps, delay: 1 ms}}
      participants:
        - {id: p, up: open, down: open, publish: {audio: false, camera: {capture: 720p30, codec: vp9, scalability-mode: L3T3_KEY, maximum: 1000 kbps, content: rich}}}
        - {id: viewer, up: open, down: open, view: {signals: {tracks: {p: {}}}}}

      """
    let folder = try TemporaryFolder(["a.csv": table, "a.yaml": scenario, "a-layers.csv": Self.layers])
    let setup = try #require(SFUFolder(folder.path).setups.first)
    let lines = try SFUVerification.run(setup).table.split(separator: "\n")
    #expect(lines[0].hasSuffix(",freeze_s,s0_bytes,s1_bytes,s2_bytes"))
    func sent(_ line: Int) -> [Double] {
      lines[line].split(separator: ",").suffix(3).compactMap { Double($0) }
    }
    let rates = zip(sent(10), sent(30)).map { 8e-3 * ($1 - $0) / 20 }
    for (rate, expected) in zip(rates, [142.0, 318, 540]) {
      #expect(abs(rate - expected) < 0.1 * expected, "\(rates)")
    }
  }

  @Test func freezesOfScalableStreamsAreHeldMoreClosely() {
    #expect(Measure.frozen.bound.holds(recorded: 1, other: 3.5))
    #expect(!Measure.frozen.layeredBound.holds(recorded: 1, other: 3.5))
    #expect(Measure.frozen.layeredBound.holds(recorded: 1, other: 3))
    #expect(Measure.kbps.layeredBound == Measure.kbps.bound)
  }
}
