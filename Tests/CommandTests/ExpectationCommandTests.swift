import Files
import TestSupport
import Testing

/// `expect:` from scenario to verdict.
@Suite("Expectations of runs and sweeps")
struct ExpectationCommandTests {
  @Test func theExampleOfTheDocumentationPrintsWhatIsShown() throws {
    let run = try Program.shell(
      "\"$meetsim\" run docs/examples/expectations.yaml -o $TMPOUT/r --quiet && \"$meetsim\" check $TMPOUT/r")
    #expect(run.code == 0 && run.error == "", "\(run.error)")
    let page = try Program.text(Repository.root + "/docs/ci.md")
    #expect(page.contains("```\n\(run.output)```\n"), "\(run.output)")
    #expect(run.output.hasSuffix("10 of 10 expectations hold\n"))
  }

  /// The example's expectations, apart from tighter bounds, on a run and on a sweep of the same meeting.
  @Test func measuredValuesAreInTheScalarsOfRunsAndOfSweeps() throws {
    let sweep =
      "printf 'name: s\\nscenario: '$PWD'/docs/examples/expectations.yaml\\nset: {duration: 16s, expect: [], timeline: []}\\n"
      + "metrics: [mos]\\nvariables: {delay: {path: links.home.delay, values: [20 ms]}}\\n"
      + "expect: [{viewer: \"student-*\", source: teacher, metric: frame_height, stat: min, from: 5s, to: 15s, "
      + "is: \">= 721\"}]\\n' > $TMPOUT/s.yaml"
    let run = try Program.shell(
      "\(sweep); \"$meetsim\" sweep $TMPOUT/s.yaml -o $TMPOUT/s -j 1 --quiet; \"$meetsim\" check $TMPOUT/s > $TMPOUT/c; "
        + "echo $?; grep -h frame_height_px $TMPOUT/s/scalars.csv | cut -d, -f2-; cut -d, -f5 $TMPOUT/s/scalars.csv "
        + "| sort -u")
    let name = "teacher,frame_height_px,min from 5 s to 15 s,px,bigger,720.000000"
    #expect(
      run.output
        == "1\ntile,student-1,\(name)\ntile,student-2,\(name)\nframe_height_px\nmetric\nmos\n",
      "\(run.output)")
    #expect(run.error.contains("student-1, the worst of 2, 2 of which fail"), "\(run.error)")
  }

  /// Twenty hours do not finish within two seconds: nothing is reported for that point.
  @Test func aPointWithoutAFinishedRunIsNotUndecided() throws {
    let run = try Program.shell(
      "printf 'name: s\nscenario: '$PWD'/scenarios/one-to-one.yaml\nset: {timeline: [], expect: []}\ntimeout: 2 s\n"
        + "variables: {duration: [2s, 20h]}\nexpect: [{viewer: patient, source: doctor, metric: freezes_duration, "
        + "is: \"<= 2\"}]\n' > $TMPOUT/s.yaml; \"$meetsim\" sweep $TMPOUT/s.yaml -o $TMPOUT/s --quiet; "
        + "\"$meetsim\" check $TMPOUT/s")
    #expect(run.code == 3)
    #expect(run.output.contains("✓ holds, – no run finished\nholds at 2 s\n"), "\(run.output)")
  }

  @Test func aRunChecksWhatItMeasuredWithoutADirectory() throws {
    let run = try Program.shell(
      "\"$meetsim\" run docs/examples/expectations.yaml --set duration=9s --set timeline='[]' --check --quiet --set "
        + "expect='[{link: teacher/up, metric: capacity, stat: max, is: \"> 1\"}, "
        + "{viewer: student-1, source: teacher, metric: frame_height, is: \">= 9000\", after: 1s, within: 2s}]'"
    )
    #expect(run.code == 1)
    #expect(
      run.error.contains(
        "expectation failed: frame_height_px (recovery to >= 9000.0 from 1 s) of teacher at student-1: expected <= 2 s, "
          + "measured nothing; it did not recover"), "\(run.error)")
  }
}
