import Files
import TestSupport
import Testing
import Verification

#if canImport(Glibc)
  import Glibc
#endif

/// Folders of recordings, and comparisons between them.
@Suite("Recorded meetings")
struct RecordedMeetingTests {
  private func folder(_ files: [String: String]) throws -> (SFUFolder, TemporaryFolder) {
    let temporary = try TemporaryFolder(files)
    return (try SFUFolder(temporary.path), temporary)
  }

  private static let steady = MadeRecording.table(
    MadeRecording.steady("p-1", seconds: 30, bytes: 50_000, frames: 30, height: 360))

  @Test func aRecordingHasItsScenarioItsRepetitionsAndItsServer() throws {
    let (read, temporary) = try folder([
      "remb-n1-800.csv": Self.steady, "remb-n1-800.yaml": "", "remb-n1-800b.csv": Self.steady,
      "remb-n1-800b.yaml": "", "remb-n1-800c.csv": Self.steady,
      "remb-n1-800-server.csv": "t,event,to\n0.9,allocator,deficient\n2,probe,\n2,probe,\n",
      // Its own name ends in b.
      "lab.csv": Self.steady, "lab.yaml": "", "frames.csv": "frame\n1\n", "lonely.yaml": "",
      "room.csv": "t,wanted\n0.2,\n", "room.yaml": "",
    ])
    #expect(read.setups.map(\.name) == ["lab", "remb-n1-800"])
    #expect(read.setups[1].repetitions.map(\.name) == ["remb-n1-800b", "remb-n1-800c"])
    #expect(read.setups[1].server?.text == "1 allocator, 2 probe")
    #expect(read.setups[0].server == nil && read.setups[0].repetitions.isEmpty)
    #expect(read.setups[1].scenario == temporary.path + "/remb-n1-800.yaml")
    #expect(read.defects.isEmpty)
    #expect(
      read.notes == [
        "\(temporary.path)/lonely.yaml: warning: there is no lonely.csv beside it: not compared",
        "\(temporary.path)/room.csv: warning: it holds timings, which are not compared",
      ])
    let comparisons = read.setups[1].repetitionComparisons
    #expect(
      comparisons.map { "\($0.recorded) \($0.other)" } == [
        "remb-n1-800.csv remb-n1-800b.csv", "remb-n1-800.csv remb-n1-800c.csv",
        "remb-n1-800b.csv remb-n1-800c.csv",
      ])
    #expect(SFUTotals(of: comparisons).text == "39 of 39")
  }

  @Test func aFolderWithoutRecordingsIsAnError() throws {
    let temporary = try TemporaryFolder(["a.yaml": "", "b.csv": "t\n"])
    #expect(throws: RecordingError.self) { try SFUFolder(temporary.path) }
    #expect(throws: RecordingError.self) { try SFUFolder(temporary.path + "/nowhere") }
  }

  private static func rows(_ rows: String...) -> String {
    (["t,publisher,bytes,lost,frames,h,freeze_s"] + rows).joined(separator: "\n") + "\n"
  }

  private static let broken: [(text: String, message: String)] = [
    ("", ":1:1: error: the file is empty"),
    ("publisher,bytes\n", ":1:1: error: there is no column 't'"),
    ("t,bytes,lost,frames,freeze_s\n", ":1:1: error: there is no column 'h'"),
    (rows(), ":1:1: error: a recording needs at least one row"),
    (rows("0,a,0,0,0,0,0", "1,a,0,0"), ":3:1: error: 4 fields where the header has 7"),
    (rows("0,a,0,0,many,0,0"), ":2:1: error: frames: 'many' is not a number"),
    (rows("0,a,1e16,0,0,0,0"), ":2:1: error: bytes is not between -1e15 and 1e15"),
    (rows("0,,1,0,0,0,0"), ":2:1: error: publisher has no value"),
    (rows(",a,1,0,0,0,0"), ":2:1: error: t has no value"),
    (rows("-1,a,1,0,0,0,0"), ":2:1: error: t: -1.0 is not between 0 and 7200 s"),
    (rows("2,a,1,0,0,0,0", "1,b,1,0,0,0,0"), ":3:1: error: t: 1.0 s after 2.0 s"),
    (rows("1,a,1,0,0,0,0", "1,a,1,0,0,0,0"), ":3:1: error: a second row at 1.0 s of 'a'"),
  ]

  @Test(arguments: broken)
  func aFileThatIsNoRecordingIsNamedWithItsLine(text: String, message: String) throws {
    let (read, temporary) = try folder(["a.csv": text, "a.yaml": "", "b.csv": Self.steady, "b.yaml": ""])
    #expect(read.defects == [temporary.path + "/a.csv" + message])
    #expect(read.setups.map(\.name) == ["b"])
  }

  @Test func aServersTableIsReadToo() throws {
    let (read, temporary) = try folder([
      "a.csv": Self.steady, "a.yaml": "", "a-server.csv": "t,event\n1,probe\n0.5,probe\nsoon,probe\n",
    ])
    #expect(read.defects == [temporary.path + "/a-server.csv:4:1: error: t: 'soon' is not a number"])
  }

  @Test func aBrokenRepetitionLeavesTheFirst() throws {
    let (read, temporary) = try folder([
      "a.csv": Self.steady, "a.yaml": "", "ab.csv": "t\n", "ac.csv": Self.steady,
    ])
    #expect(read.defects == [temporary.path + "/ab.csv:1:1: error: there is no column 'bytes'"])
    #expect(read.setups.map(\.name) == ["a"])
    #expect(read.setups[0].repetitions.map(\.name) == ["ac"])
  }

  @Test func whatABrowserHadNotReportedIsZero() throws {
    let text = Self.rows("0,a,,,None,0,", "1,a,1000,2,10,180,0.25")
    let temporary = try TemporaryFolder(["a.csv": text])
    let recording = try #require(
      try SFURecordingReader.read(path: temporary.path + "/a.csv", name: "a"))
    #expect(recording.course.rows.map(\.bits) == [0, 8000])
    #expect(recording.course.rows.map(\.frozen) == [0, 0.25])
    #expect(recording.times == [0, 1] && recording.publishers == ["a"])
  }

  @Test func aRoomHasNoPublishersAndTheUsualWindows() throws {
    let rows = (0..<60).map { "\($0),1500,\($0 * 1000),0,\($0 * 20),360,0\n" }.joined()
    let (read, temporary) = try folder([
      "room-down.csv": "t,down_kbps,bytes,lost,frames,h,freeze_s\n" + rows, "room-down.yaml": "",
    ])
    defer { withExtendedLifetime(temporary) {} }
    let recording = read.setups[0].recording
    #expect(recording.isRoom && recording.tileCount == 1)
    // Not the windows of a narrowing link, whatever the recording's name says.
    #expect(recording.windows(with: recording.course).map(\.text) == ["0-20", "20-59"])
  }

  // MARK: Comparison

  @Test func aComparisonIsShownAsLines() throws {
    let one = MadeRecording.steady("p-1", seconds: 30, bytes: 50_000, frames: 30, height: 360)
    let other = MadeRecording.steady(
      "p-1", seconds: 30, bytes: 50_000, frames: 20, height: 180, lost: 1, from: 10)
    let (read, temporary) = try folder([
      "a.csv": MadeRecording.table(one), "ab.csv": MadeRecording.table(other), "a.yaml": "",
    ])
    defer { withExtendedLifetime(temporary) {} }
    let comparison = try #require(read.setups[0].repetitionComparisons.first)
    #expect(
      comparison.lines() == [
        "a.csv ab.csv 0-20 s  kbps 400.00/200.00 !  picture 1.00/0.50 !  height 360.00/90.00 !  "
          + "fps 30.00/10.00 !  lost 0.00/0.50  frozen 0.00/0.00",
        "a.csv ab.csv 20-30 s  kbps 400.00/400.00  picture 1.00/1.00  height 360.00/180.00 !  "
          + "fps 30.00/20.00 !  lost 0.00/1.00  frozen 0.00/0.00",
        "    all tiles shown after 0/10 s !",
      ])
    #expect(comparison.held == 6 && comparison.checks.count == 13)
    #expect(SFUTotals(of: [comparison]).text(of: .height) == "0 of 2")
    #expect(SFUTotals(of: [comparison]).text(of: .lost) == "2 of 2")
  }

  @Test func aSimulationIsTheMeanOfItsRuns() throws {
    func table(_ bytes: Int, from start: Int = 0) -> String {
      MadeRecording.table(
        MadeRecording.steady("p-1", seconds: 30, bytes: bytes, frames: 30, height: 360, from: start))
    }
    let (read, temporary) = try folder([
      "a.csv": table(50_000), "a.yaml": "", "ab.csv": table(40_000), "ac.csv": table(80_000, from: 3),
    ])
    defer { withExtendedLifetime(temporary) {} }
    let setup = read.setups[0]
    let comparison = CourseComparison(setup.recording, simulated: setup.repetitions.map(\.course))
    #expect(comparison.other == "simulated")
    // 320 and 640 kbps; 0.5 and 3.5 s.
    let rate = try #require(comparison.settled(.kbps))
    #expect(rate.recorded == 400 && rate.other == 480 && !rate.holds)
    let shown = try #require(comparison.settled(.allShown))
    #expect(shown.recorded == 0.5 && shown.other == 2 && shown.holds)
    #expect(comparison.lines(shownDecimals: 1).last == "    all tiles shown after 0.5/2.0 s")
  }

  @Test func repetitionsOfTheRealServerAgreeAsComparePySays() throws {
    let path = Repository.root + "/../shared/calls-sfu"
    let script = path + "/compare.py"
    guard Directory.exists(script) else {
      print("skipped: no recordings in \(path)")
      return
    }
    let temporary = try TemporaryFolder()
    try #require(system("python3 '\(script)' > '\(temporary.path)/out'") == 0)
    let expected = String(
      decoding: try FileReader.bytes(of: temporary.path + "/out", limit: .max), as: UTF8.self)
    let folder = try SFUFolder(path)
    let comparisons = folder.setups.flatMap(\.repetitionComparisons)
    let total = "\(SFUTotals(of: comparisons).text) checks between repetitions of the real thing"
    let lines = comparisons.flatMap { $0.lines() } + [total]
    let expectedLines = expected.split(separator: "\n").map(String.init)
    #expect(lines.count == expectedLines.count)
    for (line, own) in zip(expectedLines, lines) { #expect(line == own) }
    #expect(total.hasPrefix("130 of 169 "))
    #expect(folder.defects.isEmpty)
  }

  // MARK: Differences

  @Test func pairsDifferInTheEstimatorOrTheSize() {
    let names = [
      "remb-n1-300", "remb-n4-1200", "remb-n4hd-1200", "remb-n4-out", "send-n1-300", "send-n4-1200",
      "send-n8-train", "remb-nx-1", "remb-nxhd-1",
    ]
    #expect(
      Difference.pairs(of: names).map { "\($0.first) \($0.second)" } == [
        "remb-n1-300 send-n1-300", "remb-n4-1200 send-n4-1200", "remb-n4-1200 remb-n4hd-1200",
      ])
  }

  @Test func aDifferenceBeyondThatOfRepetitionsHasItsSign() throws {
    func steady(_ bytes: Int, height: Int) -> String {
      MadeRecording.table(
        MadeRecording.steady("p-1", seconds: 30, bytes: bytes, frames: 30, height: height))
    }
    let (read, temporary) = try folder([
      "remb-n1-1.csv": steady(50_000, height: 360), "remb-n1-1b.csv": steady(55_000, height: 360),
      "remb-n1-1.yaml": "", "send-n1-1.csv": steady(60_000, height: 180), "send-n1-1.yaml": "",
    ])
    defer { withExtendedLifetime(temporary) {} }
    let repetitions = read.setups.flatMap(\.repetitionComparisons)
    // Each simulation resembles the other's recording.
    let courses = read.setups.map(\.recording.course)
    func simulated(_ first: TileCourse, _ second: TileCourse) -> [Difference] {
      Difference.all(
        of: [
          ("remb-n1-1", CourseComparison(read.setups[0].recording, simulated: [first])),
          ("send-n1-1", CourseComparison(read.setups[1].recording, simulated: [second])),
        ], repetitions: repetitions)
    }
    let same = simulated(courses[0], courses[1])
    #expect(same.map(\.measure) == [.kbps, .height, .fps, .allShown])
    // 80 kbps more where repetitions differ by 40; 180 px less where they don't differ.
    #expect(same.map(\.recorded) == [80, -180, 0, 0])
    #expect(same.map(\.noise) == [40, 0, 0, 0])
    #expect(same.map(\.verdict) == [.pass, .pass, .undecided, .undecided])
    #expect(simulated(courses[1], courses[0]).map(\.verdict) == [.fail, .fail, .undecided, .undecided])
    #expect(simulated(courses[0], courses[0]).map(\.verdict) == [.fail, .fail, .undecided, .undecided])
    #expect(
      Difference.all(
        of: [("remb-n1-1", CourseComparison(read.setups[0].recording, simulated: [courses[0]]))],
        repetitions: []
      ).isEmpty)
  }
}
