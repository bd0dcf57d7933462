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
