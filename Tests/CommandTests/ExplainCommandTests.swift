import TestSupport
import Testing

/// `meetsim explain` on the command line.
@Suite("Explain")
struct ExplainCommandTests {
  /// A 720p camera on a downlink that carries only its 360p: the oracle sees 1 Mbps, of which 1000 / 1.1 is left for
  /// video after headers, and 1280 kbps are requested.
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

  /// 500 kbps less 10 % of headers leave 454,545 bit/s; 360p15 takes 384,000, and 360p30 needs 640,000.
  @Test func theBudgetIsFollowedFromTheLinkToTheTile() throws {
    let run = try explain("--viewer bob --source ann --at 13s --repetitions 0")
    #expect(run.code == 0, "\(run.error)")
    #expect(
      run.output.hasPrefix("bob sees ann at 13.000 s: shown 360p15, given 360p15, asked 720p30: bandwidth\n"),
      "\(run.output)")
    #expect(run.output.contains(" 500.000 kbps  capacity of bob/down\n"))
    #expect(run.output.contains("-384.000 kbps    1. ann 360p15\n"))
    #expect(run.output.contains("kbps more for video the rule gives 360p30."))
  }

  /// The rule lacks 185.455 kbps, which are 204 with headers. Of 1.2 times 185.455 and the values half-way to what does
  /// not help, 223 kbps are the least that does, and within a third of 190.
  @Test func aChangeOfTheScenarioIsTried() throws {
    let run = try explain("--worst 1 --repetitions 2")
    #expect(
      run.output.replacing("\n", with: " ").contains(
        "With 223 kbps more on bob/down the tile has more in 4 of 4 repetitions, not reliably with 190 kbps more on "
          + "bob/down; no other tile loses by it."))
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
      ("--viewer bob --at 5s", "--at needs --viewer and --source"),
      ("--viewer bob --source ann --at 5s --worst 1", "--worst chooses tiles and moments itself"),
      ("--viewer bob --source ann --at 1ms", "'bob' does not subscribe to 'ann'"),
      ("--viewer bob --source ann --at 5", "--at: "),
      ("--worst 0", "--worst '0' is out of range: from 1 to 100"),
      ("--run x", "--run is for the directory of a sweep"),
    ])
  func whatIsWrongIsSaid(arguments: String, message: String) throws {
    for quiet in ["", " --quiet"] {
      let run = try explain(arguments + quiet)
      #expect(run.code == 2 && run.error.contains(message), "\(run.error)")
    }
  }

  /// At the other point, 1 Mbps, 720p15 takes 768 of the 909 kbps left after headers.
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
        "$meetsim" explain $TMPOUT/sweep --run $id --worst 1 --repetitions 0 | head -n 1
        "$meetsim" explain $TMPOUT/sweep --run x --viewer bob --source ann --at 13s
        """)
    #expect(run.output.contains("1000.000 kbps  capacity of bob/down\n"), "\(run.error)")
    #expect(run.output.contains("-768.000 kbps    1. ann 720p15\n"))
    #expect(run.code == 2 && run.error.contains("there is no run 'x'"))
  }

  /// Results that the manifest's scenario does not reproduce are not explained.
  @Test func aRunOfAnotherBuildIsRefused() throws {
    let run = try Program.shell(
      setup + """
        sed -i 's/500 kbps/700 kbps/' $TMPOUT/result/manifest.json
        "$meetsim" explain $TMPOUT/result --viewer bob --source ann --at 13s
        """)
    #expect(run.code == 2 && run.error.contains("decides otherwise"), "\(run.error)")
    let late = try explain("--viewer bob --source ann --at 14001ms")
    #expect(
      late.code == 2
        && late.error.contains("--at '14001ms' is after the end of the meeting, which lasts 14 s"),
      "\(late.code) \(late.error)")
    let none = try Program.shell("mkdir $TMPOUT/empty; \"$meetsim\" explain $TMPOUT/empty --worst 1")
    #expect(none.code == 2 && none.error.contains("not a result directory"))
  }

  /// A source with one encoding, scaled down for an uplink of 400 kbps: the decision is 720p30 all the same. The word
  /// is that of the tile's row, and the remedy is more uplink.
  @Test func theWordIsThatOfTheTilesRow() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/u.yaml <<END
      name: u
      duration: 25s
      policy: janus
      participants:
        - {id: ann, up: {capacity: 400 kbps, delay: 20 ms}, publish: {camera: {capture: 720p30, ladder: single}, audio: false}}
        - {id: bob, view: {stage: ann}}
      END
      "$meetsim" run $TMPOUT/u.yaml -o $TMPOUT/u --quiet
      grep '20.000,bob,ann' $TMPOUT/u/streams.csv | cut -d, -f19
      "$meetsim" explain $TMPOUT/u --viewer bob --source ann --at 20s
      """)
    #expect(run.code == 0, "\(run.error)")
    #expect(run.output.hasPrefix("sender-uplink\nbob sees ann at 20.000 s: shown "))
    #expect(run.output.contains(", given 720p30, asked 720p30: sender-uplink\n"))
    #expect(run.output.contains("kbps more on ann/up the tile has more in "), "\(run.output)")
  }

  /// The directory holds its scenario, even one that came from standard input.
  @Test func aRunOfRepetitionsIsExplained() throws {
    let run = try Program.shell(
      setup + """
        "$meetsim" run - --repetitions 2 -o $TMPOUT/ten --quiet < $TMPOUT/a.yaml > /dev/null
        id=$(tail -1 $TMPOUT/ten/runs.csv | cut -d, -f1)
        "$meetsim" explain $TMPOUT/ten --run $id --viewer bob --source ann --at 13s --repetitions 0
        """)
    #expect(run.code == 0, "\(run.error)")
    #expect(run.output.contains("-384.000 kbps    1. ann 360p15\n"))
  }

  @Test func aTraceThatHasChangedIsNamed() throws {
    let run = try Program.shell(
      """
      printf 't_s,rate_bps\n0,500000\n20,500000\n' > $TMPOUT/t.csv
      cat > $TMPOUT/t.yaml <<END
      name: t
      duration: 5s
      links: {home: {trace: t.csv, format: rate-csv, delay: 10 ms}}
      participants: [{id: ann, publish: {camera: 720p30}}, {id: bob, down: home, view: {stage: ann}}]
      END
      "$meetsim" run $TMPOUT/t.yaml -o $TMPOUT/t --quiet
      "$meetsim" explain $TMPOUT/t --viewer bob --source ann --at 4s --repetitions 0 > $TMPOUT/first
      sed -i 's/20,500000/20,600000/' $TMPOUT/t.csv
      "$meetsim" explain $TMPOUT/t --viewer bob --source ann --at 4s --repetitions 0
      """)
    #expect(run.code == 2 && run.error.contains("t.csv: error: it has changed since"), "\(run.error)")
  }

  /// The sentence for people is not part of the machine-readable output.
  @Test func nothingToExplainIsAnEmptyList() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/n.yaml <<END
      name: n
      duration: 2s
      participants: [{id: ann, publish: {audio: true}}, {id: bob, publish: {audio: true}}]
      END
      "$meetsim" run $TMPOUT/n.yaml -o $TMPOUT/n --quiet
      "$meetsim" explain $TMPOUT/n --worst 1 --format json
      """)
    #expect(run.code == 0 && run.output.filter { !$0.isWhitespace } == "[]", "\(run.output)")
    #expect(run.error.contains("every visible tile had what was asked of it"))
  }

  @Test func aRunWithoutDecisionsIsToldWhatItLacks() throws {
    let run = try Program.shell(
      setup + """
        "$meetsim" run $TMPOUT/a.yaml -o $TMPOUT/few --quiet --tables streams
        "$meetsim" explain $TMPOUT/few --worst 1
        """)
    #expect(run.code == 2 && run.error.contains("it has no decisions.csv"), "\(run.error)")
  }

  /// The link came back 1 ms ago: the capacity is the moment's, 3 Mbps, while the decision keeps that of its own time.
  @Test func theCapacityIsThatOfTheMoment() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/c.yaml <<END
      name: c
      duration: 30s
      policy: stream
      estimator: oracle
      links: {thin: {capacity: [{at: 0s, to: 3 Mbps}, {at: 10s, to: 60 kbps}, {at: 20s, to: 3 Mbps}], delay: 20 ms}}
      participants:
        - {id: a, publish: {camera: 720p30}}
        - {id: v, down: thin, view: {stage: a}}
      END
      "$meetsim" run $TMPOUT/c.yaml -o $TMPOUT/c --quiet
      "$meetsim" explain $TMPOUT/c --viewer v --source a --at 20001ms --repetitions 0
      "$meetsim" explain $TMPOUT/c --viewer v --source a --at 20s --repetitions 0 | sed -n '/state at/,/estimate/p' > $TMPOUT/d
      grep -q '^ *60.000 kbps  capacity of v/down' $TMPOUT/d
      """)
    // Until 20 s the link has 60 kbps, as the row of that second says.
    #expect(run.code == 0, "\(run.error)")
    #expect(run.output.contains("3000.000 kbps  capacity of v/down\n"), "\(run.output)")
    let parts = run.output.split(separator: "decided at ")
    #expect(parts.count == 2 && parts[0].contains("state at 20.001 s:\n"), "\(run.output)")
    #expect(parts[1].contains("60.000 kbps  capacity of v/down\n60.000 kbps  estimate\n"), "\(run.output)")
  }

  /// Lowest layers that cannot be paused are sent beyond the budget, after the screen share that waits for them; the
  /// setting that makes them pausable is tried.
  @Test func whatIsSentBeyondTheBudgetIsCounted() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/p.yaml <<END
      name: p
      duration: 26s
      policy: livekit
      estimator: gcc
      links: {thin: {capacity: 3 Mbps, delay: 20 ms}}
      participants:
        - {id: h, publish: {screen: {capture: 1080p15, ladder: single}}}
        - {id: p, count: 24, publish: {camera: 720p30}}
        - {id: v, down: thin, view: {stage: h, everybody: 160x90}}
      END
      "$meetsim" run $TMPOUT/p.yaml -o $TMPOUT/p --quiet
      "$meetsim" explain $TMPOUT/p --viewer v --source h/screen --at 25s --repetitions 1
      """)
    #expect(run.code == 0, "\(run.error)")
    #expect(run.output.contains(" 24 more after it\n"), "\(run.output)")
    #expect(run.output.contains(" given beyond the budget\n"), "\(run.output)")
    #expect(
      run.output.contains("With 'allow-pause: true' the tile has more in 2 of 2 repetitions"), "\(run.output)"
    )
  }

  /// 1.8 Mbps are 10 % less than the 2 Mbps that Jitsi's bridge acts on.
  @Test func anEstimateThatTheServerDoesNotActOnIsNamed() throws {
    let text = try Program.explained(
      """
      name: drift
      duration: 10s
      policy: jitsi
      estimator: oracle
      links: {line: {capacity: 2 Mbps, delay: 10 ms}}
      participants:
        - {id: a, publish: {audio: false, camera: 720p30}}
        - {id: v, down: line, view: {stage: a}}
      timeline: [{at: 5s, link: v/down, capacity: 1800 kbps}]
      """, "--viewer v --source a --at 8s --repetitions 0")
    #expect(
      text.contains("The server acts on 2000.000 kbps: the change to 1800.000 kbps is not above 15.0 %."),
      "\(text)")
    #expect(text.contains("+200.000 kbps    not acted on: the change is not above 15.0 %"), "\(text)")
  }

  /// Three times 720p go into 900 kbps, and nothing of it is decoded. Janus relays what the tiles are large enough for, and
  /// three times 180p fit; Agora's audience falls back once the senders have a low stream. The other tiles, dark as well,
  /// lose nothing by it.
  @Test(arguments: [
    ("janus", "everybody in a tile of 180p", ", not reliably with everybody in a tile of 360p"),
    ("agora", "'dual-stream: enable'", ""),
  ])
  func whoeverOverloadsALinkIsAskedForLess(policy: String, change: String, smaller: String) throws {
    let text = try Program.explained(
      """
      name: relayed
      duration: 12s
      policy: \(policy)
      links: {line: {capacity: 900 kbps, delay: 20 ms}}
      participants:
        - {id: p, count: 3, publish: {audio: false, camera: 720p30}}
        - {id: v, down: line, view: {everybody: 720p}}
      """, "--viewer v --source p-1 --at 10s --repetitions 2")
    #expect(text.hasPrefix("v sees p-1 at 10.000 s: shown nothing, given 720p30, asked 720p30"), "\(text)")
    #expect(
      text.contains(
        "With \(change) the tile has more in 4 of 4 repetitions\(smaller); no other tile loses by it."),
      "\(text)")
  }

  /// The stage is a tile of its own size: 360p of it fits into 900 kbps beside 180p of the other.
  @Test func theStageIsResizedByItself() throws {
    let text = try Program.explained(
      """
      name: staged
      duration: 12s
      policy: janus
      links: {line: {capacity: 900 kbps, delay: 20 ms}}
      participants:
        - {id: p, count: 2, publish: {audio: false, camera: 720p30}}
        - {id: v, down: line, view: {stage: p-1, everybody: 180p}}
      """, "--viewer v --source p-1 --at 10s --repetitions 2")
    #expect(text.contains("With p-1 in a tile of 360p the tile has more in 4 of 4 repetitions"), "\(text)")
  }

  /// p-1 was 40 kbps short of 90p15 with 13.727 left; 1036.455 are left by now.
  @Test func aBudgetThatHasGrownSinceTheDecisionIsNamed() throws {
    let text = try Program.explained(
      """
      name: relaxed
      duration: 4s
      policy: bluejeans
      links: {line: {capacity: 1500 kbps, delay: 30 ms}}
      participants:
        - {id: p, count: 8, publish: {audio: false, camera: 720p30}}
        - {id: v, join: 2300 ms, down: line, view: {everybody: 180p}}
      """, "--viewer v --source p-1 --at 3s --repetitions 0")
    #expect(
      text.contains(
        "The budget is 1022.728 kbps more than when it was decided: by now the rule would give "), "\(text)")
  }

  /// A share that takes more than the whole budget leaves all of it over, then as now.
  @Test func whatWasLeftOverThenIsNoGrowth() throws {
    let text = try Program.explained(
      """
      name: whole
      duration: 12s
      policy: {name: jitsi, oversend: false}
      estimator: oracle
      links: {line: {capacity: 1500 kbps, delay: 10 ms}}
      participants:
        - {id: p, publish: {audio: false, screen: {capture: 1080p15}}}
        - {id: v, down: line, view: {stage: p}}
      """, "--viewer v --source p/screen --at 10s --repetitions 0")
    #expect(text.contains("kbps more for video the rule gives 1080p15."), "\(text)")
    #expect(text.contains(" 1363.636 kbps  left over") && !text.contains("The budget is"), "\(text)")
  }
}
