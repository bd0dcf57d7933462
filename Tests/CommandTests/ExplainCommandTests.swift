import TestSupport
import Testing

/// `meetsim explain` on the command line.
@Suite("Explain")
struct ExplainCommandTests {
  /// A camera at 720p on a downlink that carries 360p of it: the oracle sees 1 Mbps, of which 1000 / 1.1 are left for
  /// video beside headers, and 1280 kbps are asked.
  private let setup = """
    cat > $TMPOUT/a.yaml <<END
    name: a
    duration: 14s
    policy: bluejeans
    estimator: oracle
    participants:
      - {id: ann, publish: {camera: 720p30, audio: false}}
      - id: bob
        down: {capacity: 500 kbps, delay: 10 ms}
        capabilities: {receive-720p: true}
        view: {request: [{quality: 720p30, priority: high, participant: ann}]}
    END
    "$meetsim" run $TMPOUT/a.yaml -o $TMPOUT/result --quiet

    """

  private func explain(_ arguments: String) throws -> (code: Int32, output: String, error: String) {
    let run = try Program.shell(setup + "\"$meetsim\" explain $TMPOUT/result \(arguments)")
    return (run.code, run.output, run.error)
  }

  /// 500 kbps and 10 % of headers leave 454 545; 360p15 takes 384 000, and 360p30 needs 640 000.
  @Test func theBudgetIsFollowedFromTheLinkToTheTile() throws {
    let run = try explain("--viewer bob --source ann --at 13s --repetitions 0")
    #expect(run.code == 0, "\(run.error)")
    #expect(run.output.hasPrefix("bob sees ann at 13.000 s: given 360p15, asked 720p30: bandwidth\n"))
    #expect(run.output.contains(" 500.000 kbps  capacity of bob/down\n"))
    #expect(run.output.contains("-384.000 kbps    1. ann 360p15\n"))
    #expect(run.output.contains("kbps more for video the rule gives 360p30."))
  }

  @Test func aChangeOfTheScenarioIsTried() throws {
    let run = try explain("--worst 1 --repetitions 2")
    #expect(
      run.output.contains(
        "kbps more on bob/down the tile has more in 2 of 2 repetitions; no other tile loses by it."))
  }

  @Test func theJSONHasTheSameSteps() throws {
    let run = try explain("--viewer bob --source ann --at 13s --repetitions 0 --format json")
    #expect(run.output.contains("\"limitation\": \"bandwidth\""))
    #expect(run.output.contains("\"rate_bps\": -384000"))
  }

  @Test(
    arguments: [
      ("--viewer kim --source ann --at 5s", "--viewer: there is no participant 'kim'"),
      ("--viewer bob --source kim --at 5s", "--source: there is no source 'kim'"),
      ("--viewer bob --source ann", "--source needs --viewer and --at"),
      ("--viewer bob --source ann --at 1ms", "'bob' does not subscribe to 'ann'"),
      ("--viewer bob --source ann --at 5", "--at: "),
      ("--worst 0", "--worst '0' is out of range: from 1 to 100"),
      ("--run x", "a sweep keeps no interval tables"),
    ])
  func whatIsWrongIsSaid(arguments: String, message: String) throws {
    let run = try explain(arguments)
    #expect(run.code == 2 && run.error.contains(message), "\(run.error)")
  }

  /// At the other point, 1 Mbps, 720p15 takes 768 of the 909 kbps that headers leave.
  @Test func aRunOfASweepIsPlannedAgain() throws {
    let run = try Program.shell(
      setup + """
        cat > $TMPOUT/s.yaml <<END
        name: s
        scenario: a.yaml
        variables: {capacity: {path: participants.1.down.capacity, values: [500 kbps, 1 Mbps]}}
        END
        "$meetsim" sweep $TMPOUT/s.yaml -o $TMPOUT/sweep --quiet
        id=$(grep ',p2,' $TMPOUT/sweep/runs.csv | cut -d, -f1)
        "$meetsim" explain $TMPOUT/sweep --run $id --viewer bob --source ann --at 13s --repetitions 0
        "$meetsim" explain $TMPOUT/sweep --run x --viewer bob --source ann --at 13s
        """)
    #expect(run.output.contains("1000.000 kbps  capacity of bob/down\n"), "\(run.error)")
    #expect(run.output.contains("-768.000 kbps    1. ann 720p15\n"))
    #expect(run.code == 2 && run.error.contains("there is no run 'x'"))
  }

  /// Other results than the scenario in the manifest gives are not explained.
  @Test func aRunOfAnotherBuildIsRefused() throws {
    let run = try Program.shell(
      setup + """
        sed -i 's/,r2.1,/,r1.2,/g' $TMPOUT/result/decisions.csv
        "$meetsim" explain $TMPOUT/result --viewer bob --source ann --at 13s
        """)
    #expect(run.code == 2 && run.error.contains("decides otherwise"))
    let none = try Program.shell("mkdir $TMPOUT/empty; \"$meetsim\" explain $TMPOUT/empty --worst 1")
    #expect(none.code == 2 && none.error.contains("not a result directory"))
  }
}
