import TestSupport
import Testing

/// The contract with scripts and CI systems: the meaning of each exit code, as a user of the program sees it.
@Suite("Exit codes", .serialized)
struct ExitCodeTests {
  /// Writes `$TMPOUT/gate.yaml`, a sweep over one narrow and one wide downlink that expects 720p.
  private func gate(
    expect: String = "{viewer: patient, source: doctor, metric: frame_height, stat: p50, is: '>= 1'}",
    further: String = ""
  ) -> String {
    """
    cp scenarios/one-to-one.yaml $TMPOUT/one.yaml; cat > $TMPOUT/gate.yaml <<END
    name: gate
    scenario: one.yaml
    set: {duration: 8s, timeline: [], estimator: oracle}
    variables: {capacity: {path: links.home.capacity, values: [300 kbps, 3 Mbps]}}
    repetitions: 2
    expect:
      - \(expect)
    \(further)
    END

    """
  }

  private let sweep = "\"$meetsim\" sweep $TMPOUT/gate.yaml -q -o $TMPOUT/res"

  @Test func everythingInOrderIs0() throws {
    let run = try Program.shell(
      gate() + sweep
        + "; echo $?; for f in '' --strict --quiet; do \"$meetsim\" check $TMPOUT/res $f; echo $?; done; "
        + "\"$meetsim\" compare $TMPOUT/res $TMPOUT/res/../out; \"$meetsim\" schema | tail -1")
    #expect(run.output.hasPrefix("0\ngate\n"))
    #expect(run.output.contains("2 of 2 expectations hold\n0\n"))
    #expect(run.output.hasSuffix("\n0\n0\n}\n"))
  }

  @Test func anExpectationIsAboutThePointsThatItChooses() throws {
    func expect(_ condition: String) -> String {
      "{viewer: patient, source: doctor, metric: frame_height, stat: p50, is: '>= 720', where: \(condition)}"
    }
    let wide = try Program.shell(
      gate(expect: expect("capacity >= 1 Mbps")) + sweep + "; \"$meetsim\" check $TMPOUT/res; echo $?")
    #expect(wide.output.hasSuffix("1 of 1 expectations hold\n0\n"), "\(wide.error)")
    let others = try Program.shell(
      gate(expect: expect("capacity >= 1 Mbps")) + sweep
        + " --filter 'capacity < 1 Mbps'; \"$meetsim\" check $TMPOUT/res; echo $?")
    #expect(others.output.hasSuffix("0 of 0 expectations hold\n0\n"))
    #expect(others.error.contains("gate.yaml:7:5: warning: no expectation applies to any of the points in "))
    let none = try Program.shell(gate(expect: expect("capacity >= 9 Mbps")) + sweep)
    #expect(
      none.code == 2 && none.error.contains("gate.yaml:7:5: error: where: no point of the sweep satisfies"))
  }

  @Test func nothingToCheckIsSaid() throws {
    let run = try Program.shell(
      gate() + "sed -i '/expect:/,$d' $TMPOUT/gate.yaml; \(sweep); \"$meetsim\" check $TMPOUT/res; echo $?")
    #expect(run.output.hasSuffix("no expectations\n0\n"))
    #expect(run.error.contains("gate.yaml:1:1: warning: no 'expect:': nothing is checked"))
  }

  @Test func aFailedExpectationIs1() throws {
    let expect = "{viewer: patient, source: doctor, metric: frame_height, stat: p50, is: '>= 720'}"
    let sweep = try Program.shell(
      gate(expect: expect) + sweep + " && \"$meetsim\" check $TMPOUT/res; echo $?")
    #expect(sweep.output.hasSuffix("1 of 2 expectations hold, 1 failed\n1\n"))
    #expect(
      sweep.error.contains(
        "gate.yaml:7:5: error: expectation failed: frame_height (p50) of doctor at patient with capacity 300 kbps: "
      ))
    let run = try Program.shell(
      "\"$meetsim\" run scenarios/one-to-one.yaml -q --set estimator=oracle --set duration=2s --set timeline=[] "
        + "--set links.home.capacity='300 kbps' -o $TMPOUT/r; \"$meetsim\" check -q $TMPOUT/r; echo $?")
    #expect(run.output == "1\n")
    #expect(run.error.contains("one-to-one.yaml:22:5: error: expectation failed"))
  }

  @Test func anInconclusiveExpectationIs0AndWithStrict1() throws {
    // The mean of differing runs lies within its interval: no number of runs shows which side it is on.
    let run = try Program.shell(
      gate(expect: "{viewer: patient, source: doctor, metric: bitrate, is: '>= 0'}")
        .replacing("300 kbps, 3 Mbps", with: "3 Mbps").replacing(
          "estimator", with: "links.home.loss: 5 %, estimator")
        + sweep
        + "; mean=$(awk -F, '$3 == \"patient\" && $5 == \"bitrate\" {s += $9; n++} END {printf \"%.1f\", s / n}' "
        + "$TMPOUT/res/scalars.csv); sed -i \"s/>= 0/>= $mean/\" $TMPOUT/gate.yaml; " + sweep
        + " --force; for f in '' --strict; do \"$meetsim\" check $TMPOUT/res -q $f; echo $?; done")
    #expect(run.output == "0\n1\n", "\(run.error)")
  }

  @Test func badUsageAndInvalidFilesAre2() throws {
    let commands = [
      "fly", "run", "run scenarios/nowhere.yaml", "run scenarios/one-to-one.yaml --interval soon", "check",
      "check scenarios", "check $TMPOUT/nowhere", "check --junit", "compare $TMPOUT",
      "compare scenarios results",
      "validate", "validate Tests/ScenarioTests/Broken/unknown-key.yaml", "schema letters", "list nothing",
      "sweep Tests/ScenarioTests/Broken/unknown-key.yaml -o $TMPOUT/x", "sweep scenarios/sweeps/smoke.yaml",
      "trace info README.md", "verify --only nothing",
    ]
    let run = try Program.shell(
      commands.map { "\"$meetsim\" \($0) >/dev/null; echo $? '\($0)'" }.joined(separator: "; "))
    let ends = run.output.split(separator: "\n")
    #expect(ends.count == commands.count)
    for end in ends { #expect(end.hasPrefix("2 ")) }
  }

  @Test func aBrokenRecordingIs2AndNamedWhereItIsAskedFor() throws {
    let run = try Program.shell(
      "cd $TMPOUT && printf 't,h\\n1,2\\n' > p2p-mine.csv; \"$meetsim\" verify --calls . ; echo $?; "
        + "\"$meetsim\" verify --calls . --only call-p2p-mine; echo $?; "
        + "\"$meetsim\" verify --calls . --only growth >/dev/null; echo $?")
    #expect(run.output == "2\n2\n0\n")
    let line = "./p2p-mine.csv:1:1: error: there is no column 'capacity_kbps' or 'up_kbps'\n"
    #expect(run.error == line + line)
  }

  @Test func aBrokenTableOrManifestIs2AndNamed() throws {
    let run = try Program.shell(
      gate() + sweep + "; cp -r $TMPOUT/res $TMPOUT/b; echo '{' > $TMPOUT/res/manifest.json; "
        + "\"$meetsim\" check $TMPOUT/res; echo $?; echo 'r,tile' >> $TMPOUT/b/scalars.csv; "
        + "\"$meetsim\" check $TMPOUT/b; echo $?")
    #expect(run.output == "2\n2\n")
    #expect(run.error.contains("manifest.json:1:1: error: this is not a manifest of this version of meetsim"))
    #expect(run.error.contains("scalars.csv:"))
  }

  @Test func runsWithoutAResultAre3AndNoFailedExpectation() throws {
    let run = try Program.shell(
      gate(further: "timeout: 100 ms").replacing("duration: 8s", with: "duration: 5h") + sweep
        + "; echo $?; \"$meetsim\" check $TMPOUT/res --junit $TMPOUT/j.xml; echo $?; "
        + "grep -c '<error type=\"timeout\"' $TMPOUT/j.xml; grep -c '<failure' $TMPOUT/j.xml; "
        + "rm $TMPOUT/res/scalars.csv; \"$meetsim\" check -q $TMPOUT/res; echo $?")
    #expect(run.output.hasPrefix("3\n"))
    #expect(run.output.hasSuffix("2 inconclusive; 4 runs without a result\n3\n4\n0\n3\n"))
    #expect(run.error.contains("the sweep was interrupted"))
  }

  @Test func aFileThatCannotBeWrittenIs3() throws {
    let run = try Program.shell(
      gate() + sweep + "; \"$meetsim\" check -q $TMPOUT/res --junit $TMPOUT/nowhere/j.xml; echo $?")
    #expect(run.output == "3\n")
    #expect(run.error.contains("nowhere/j.xml"))
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func aSignalEndsASweepAndKeepsWhatIsFinished(signal: String, code: Int) throws {
    // Thousands of short runs: when the signal arrives some are finished, but not all.
    let run = try Program.shell(
      gate().replacing("repetitions: 2", with: "repetitions: 2000") + sweep
        + " & pid=$!; for i in $(seq 100); do sleep 0.1; [ -n \"$(ls $TMPOUT/res/runs 2>/dev/null | head -1)\" ] && break; "
        + "done; kill -\(signal) $pid; wait $pid; echo $?; awk -F, '$6 == \"ok\"' $TMPOUT/res/runs.csv | wc -l; "
        + "awk -F, '$6 == \"missing\"' $TMPOUT/res/runs.csv | wc -l; \"$meetsim\" check -q $TMPOUT/res; echo $?"
    )
    let lines = run.output.split(separator: "\n").compactMap { Int($0) }
    #expect(lines.count == 4)
    #expect(lines.first == code && lines.last == 3)
    #expect(lines.dropFirst().prefix(2).reduce(0, +) == 4000)
    #expect(lines.dropFirst().prefix(2).allSatisfy { $0 > 0 })
  }

  /// A crash of the program is reported in one line with the scenario and its seed, unless the runtime's page is
  /// requested.
  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"), arguments: ["ILL", "TRAP", "SEGV"])
  func aRunThatTrapsLeavesOneLineAndIs3(signal: String) throws {
    let run = try Program.shell(
      "unset SWIFT_BACKTRACE; printf 'name: endless\\nduration: 24h\\nseed: 7\\nparticipants:\\n  - {id: a, publish: "
        + "{camera: 720p30}}\\n  - {id: b, view: {tiles: {a: 320x180}}}\\n' > $TMPOUT/endless.yaml; cd $TMPOUT; "
        + "\"$meetsim\" run endless.yaml & pid=$!; sleep 1; kill -\(signal) $pid; wait $pid; echo $?")
    #expect(run.output == "3\n")
    let lines = run.error.split(separator: "\n").filter { !$0.contains("warning") }
    #expect(lines.count == 1, "\(run.error)")
    #expect(lines.first?.hasPrefix("error: endless.yaml: meetsim ") == true, "\(run.error)")
    #expect(lines.first?.contains("crashed while simulating 'endless' with seed 7; please report it") == true)
  }
}
