import Metrics
import ResultReading
import TestSupport
import Testing

private let header = "run_id,scope,viewer,source,metric,stat,unit,direction,value\n"
private let runs = """
  run_id,run_index,point_id,repetition,seed,status,error,p_loss,p_policy
  ra,0,k1,0,1,ok,,0.0,"a, b"
  rb,1,k1,1,1,ok,,0.0,"a, b"
  rc,2,k2,0,1,failed,it trapped,0.1,jitsi

  """

@Suite("Reading result directories")
struct ResultsTests {
  @Test func oneRunIsReadAsARowOfValues() throws {
    let folder = try TemporaryFolder([
      "scalars.csv": header
        + "ra,tile,ann,bob,mos,mean,1,bigger,4.25\nra,meeting,,,simulated_time,total,s,neither,\n"
    ])
    let results = try Results.read(folder.path + "/")
    #expect(results.kind == .run && results.runs.count == 1 && results.runs[0].isFinished)
    #expect(
      results.scalars.keys[0]
        == ScalarKey(
          scope: "tile", viewer: "ann", source: "bob", metric: "mos", stat: "mean", unit: "1",
          direction: .bigger)
    )
    #expect(results.scalars.values[0] == [4.25])
    #expect(results.scalars.keys[1].direction == .neither && results.scalars.values[1][0].isNaN)
  }

  @Test func aSweepIsReadByKeyAndRun() throws {
    let folder = try TemporaryFolder([
      "runs.csv": runs,
      "scalars.csv": header
        + "rb,tile,ann,bob,mos,mean,1,bigger,2.0\nra,tile,ann,bob,mos,mean,1,bigger,1.5\n"
        + "rb,tile,\"a\"\"x\",bob,mos,mean,1,bigger,3.0\n",
    ])
    let results = try Results.read(folder.path)
    #expect(results.kind == .sweep && results.runs.map(\.runID) == ["ra", "rb", "rc"])
    #expect(results.runs[1].repetition == 1 && results.runs[1].pointID == "k1")
    #expect(results.runs[0].variables.map(\.name) == ["loss", "policy"])
    #expect(results.runs[0].variables.map(\.value) == ["0.0", "a, b"])
    #expect(!results.runs[2].isFinished && results.runs[2].error == "it trapped")
    #expect(results.scalars.keys.map(\.viewer) == ["ann", "a\"x"])
    #expect(results.scalars.values[0][0] == 1.5 && results.scalars.values[0][1] == 2)
    #expect(results.scalars.values[0][2].isNaN && results.scalars.values[1][1] == 3)
  }

  /// Of eve's two tiles one is dark in the second run: her freezes there are unknown, ann's are not.
  @Test func aDarkTileHidesItsViewersFreezes() throws {
    var rows = ""
    for (run, rate) in [("ra", "20.0"), ("rb", "0.4")] {
      rows +=
        "\(run),tile,eve,bob,pixels_of_screen,mean,1,bigger,0.009\n"
        + "\(run),tile,eve,bob,frames_per_second,mean,Hz,bigger,\(rate)\n"
        + "\(run),tile,eve,bob,freezes_duration,total,s,smaller,0.0\n"
        + "\(run),participant,eve,,freezes_duration,max,s,smaller,2.0\n"
        + "\(run),participant,eve,,mos,mean,1,bigger,1.0\n"
        + "\(run),participant,ann,,freezes_duration,max,s,smaller,3.0\n"
    }
    let folder = try TemporaryFolder(["runs.csv": runs, "scalars.csv": header + rows])
    let table = try Results.read(folder.path).scalars
    func values(_ viewer: String, _ metric: String) -> [Double] {
      table.keys.firstIndex { $0.scope == "participant" && $0.viewer == viewer && $0.metric == metric }
        .map { Array(table.values[$0].prefix(2)) } ?? []
    }
    #expect(values("eve", "freezes_duration")[0] == 2 && values("eve", "freezes_duration")[1].isNaN)
    #expect(values("ann", "freezes_duration") == [3, 3] && values("eve", "mos") == [1, 1])
  }

  /// Of 80 s bob was on eve's screen for 60, with hardly a frame: frozen for 30 s it stood still, below it was dark.
  @Test func aPictureThatStandsStillIsNotDark() throws {
    var rows = ""
    for (run, frozen) in [("ra", "30.0"), ("rb", "29.9")] {
      rows +=
        "\(run),tile,eve,bob,pixels_of_screen,mean,1,bigger,0.009\n"
        + "\(run),tile,eve,bob,frames_per_second,mean,Hz,bigger,0.4\n"
        + "\(run),tile,eve,bob,freeze_count,total,1,smaller,1.0\n"
        + "\(run),tile,eve,bob,freezes_duration,total,s,smaller,\(frozen)\n"
        + "\(run),tile,eve,bob,time_off_screen,total,s,neither,20.0\n"
        + "\(run),meeting,,,simulated_time,total,s,neither,80.0\n"
    }
    let folder = try TemporaryFolder(["runs.csv": runs, "scalars.csv": header + rows])
    let table = try Results.read(folder.path).scalars
    for (metric, value) in [("freeze_count", 1.0), ("freezes_duration", 30)] {
      let key = try #require(table.keys.firstIndex { $0.metric == metric })
      #expect(table.values[key][0] == value && table.values[key][1].isNaN, "\(metric)")
    }
  }

  /// A tile of eve's is dark, and another one is frozen for half of the 80 s, or for less.
  @Test func aViewerWithALongFreezeIsNotSparedByADarkTile() throws {
    var rows = ""
    for (run, frozen) in [("ra", "40.0"), ("rb", "39.9")] {
      rows +=
        "\(run),tile,eve,bob,pixels_of_screen,mean,1,bigger,0.000\n"
        + "\(run),tile,eve,bob,frames_per_second,mean,Hz,bigger,0.0\n"
        + "\(run),tile,eve,bob,freezes_duration,total,s,smaller,0.0\n"
        + "\(run),tile,eve,bob,time_off_screen,total,s,neither,0.0\n"
        + "\(run),participant,eve,,freezes_duration,max,s,smaller,\(frozen)\n"
        + "\(run),meeting,,,simulated_time,total,s,neither,80.0\n"
    }
    let folder = try TemporaryFolder(["runs.csv": runs, "scalars.csv": header + rows])
    let table = try Results.read(folder.path).scalars
    let key = try #require(table.keys.firstIndex { $0.scope == "participant" })
    #expect(table.values[key][0] == 40 && table.values[key][1].isNaN)
  }

  @Test func aFileIsNoResultDirectory() throws {
    let folder = try TemporaryFolder(["a.yaml": "name: a", "b.txt": ""])
    for (name, hint) in [("a.yaml", ": run it first"), ("b.txt", "")] {
      let error = #expect(throws: ResultReadingError.self) { try Results.read("\(folder.path)/\(name)") }
      #expect(error?.text == "this is a file, not a result directory\(hint)")
    }
  }

  @Test(arguments: [
    (
      "r,tile,a,b,mos,mean,1,better,1.0\n",
      "2:1: error: direction: 'better' is not bigger, smaller or neither"
    ),
    ("r,tile,a,b,mos,mean,1,bigger,nan\n", "2:1: error: value: 'nan' is not a number"),
    ("r,tile,a,b,mos,mean,1,bigger\n", "2:1: error: 8 fields where the header has 9"),
    (
      "r,tile,a,b,mos,mean,1,bigger,1.0\nr,tile,a,b,mos,mean,1,bigger,2.0\n",
      "3:1: error: duplicate mos for run 'r'"
    ),
    (
      "r,tile,a,b,mos,mean,1,bigger,1.0\ns,tile,a,b,mos,mean,1,bigger,2.0\n",
      "3:1: error: unexpected second run 's' in the results of a single run"
    ),
    ("r,\"tile\n", "2:1: error: field 2 has no closing quote"),
  ])
  func aBrokenTableIsNamedWithItsLine(rows: String, message: String) throws {
    let folder = try TemporaryFolder(["scalars.csv": header + rows])
    let error = #expect(throws: ResultReadingError.self) { try Results.read(folder.path) }
    #expect(error?.description == "\(folder.path)/scalars.csv:\(message)")
  }

  @Test func runsThatDoNotFitTheirTablesAreFound() throws {
    let stranger = try TemporaryFolder([
      "runs.csv": runs, "scalars.csv": header + "rx,tile,a,b,mos,mean,1,bigger,1.0\n",
    ])
    #expect(throws: ResultReadingError.self) { try Results.read(stranger.path) }
    let twice = try TemporaryFolder(["runs.csv": runs + "ra,3,k2,1,1,ok,,0.1,jitsi\n", "scalars.csv": header])
    let error = #expect(throws: ResultReadingError.self) { try Results.read(twice.path) }
    #expect(error?.text == "duplicate run 'ra'")
    let old = try TemporaryFolder(["runs.csv": "run_id,point\nra,1\n", "scalars.csv": header])
    #expect(throws: ResultReadingError.self) { try Results.read(old.path) }
  }

  @Test func whatIsNoResultDirectoryIsSaid() throws {
    #expect(throws: ResultReadingError.self) { try Results.read("/nowhere/at/all") }
    let empty = try TemporaryFolder([:])
    let error = #expect(throws: ResultReadingError.self) { try Results.read(empty.path) }
    #expect(error?.text == "not a result directory: it has no scalars.csv")
  }
}
