import TestSupport
import Testing

/// Advice goes to standard error, changes no exit code, and is silent when it is unwanted.
@Suite("Advice from commands")
struct AdviceCommandTests {
  private let file = """
    cat > $TMPOUT/a.yaml <<END
    name: a
    duration: 1s
    participants:
      - {id: ann, publish: {camera: 720p30}}
      - {id: bob, view: {everybody: 720p}}
    END

    """

  @Test func validateAndRunGiveIt() throws {
    for command in ["validate", "run"] {
      let run = try Program.shell(file + "\"$meetsim\" \(command) $TMPOUT/a.yaml")
      #expect(run.code == 0)
      #expect(run.error.contains("/a.yaml:5:33: warning: 'bob' requests more than 360p"), "\(run.error)")
      #expect(try Program.shell(file + "\"$meetsim\" \(command) -q $TMPOUT/a.yaml").error.isEmpty)
    }
  }

  /// Settings are read as by `run`, with the same messages; a sweep has settings of its own.
  @Test func validateTakesSettings() throws {
    let closed = "/a.yaml:5:33: warning: 'bob' requests more than 360p"
    for (set, code, text) in [
      ("policy=jitsi", 0, ""), ("participants.bob.view.everybody=360p", 0, ""), ("seed=7", 0, closed),
      ("participants.bob.view='{everybody: 180p, pin: [ann]}'", 0, "warning: pin: policy 'bluejeans'"),
      ("policy=nobody", 2, "error: policy: there is no 'nobody'"),
      ("seed", 2, "error: this is not PATH=VALUE"),
    ] {
      let (validated, ran) = (
        try Program.shell(file + "\"$meetsim\" validate $TMPOUT/a.yaml --set \(set)"),
        try Program.shell(file + "\"$meetsim\" run $TMPOUT/a.yaml --set \(set)")
      )
      #expect(validated.code == code && ran.code == code)
      #expect(text.isEmpty ? validated.error.isEmpty : validated.error.contains(text), "\(validated.error)")
      #expect(text.isEmpty ? ran.error.isEmpty : ran.error.contains(text), "\(ran.error)")
    }
    let sweep =
      file + "printf 'name: s\nscenario: a.yaml\nvariables: {seed: [1, 2]}\n' > $TMPOUT/s.yaml; "
      + "\"$meetsim\" validate $TMPOUT/s.yaml --set seed=1"
    let refused = try Program.shell(sweep)
    let text = "/s.yaml:1:1: error: --set overrides values of scenarios"
    #expect(refused.code == 2 && refused.error.contains(text))
  }

  /// Nobody watches. An unreadable expectation does not change that; a timeline might add a viewer.
  @Test(arguments: [("expect: [{metrc: mos}]", true), ("timeline: [{at: 1x}]", false), ("view: 1", false)])
  func validateGivesItBesideErrorsThatLeaveItTrue(line: String, isGiven: Bool) throws {
    let file = """
      cat > $TMPOUT/a.yaml <<END
      name: a
      duration: 1s
      participants: [{id: ann, publish: {camera: 720p30}}, {id: bob}]
      \(line)
      END
      "$meetsim" validate $TMPOUT/a.yaml
      """
    let run = try Program.shell(file)
    #expect(run.code == 2 && run.error.contains("/a.yaml:4:") && run.error.contains(": error: "))
    #expect(run.error.contains("/a.yaml:3:16: warning: nobody watches") == isGiven, "\(run.error)")
    #expect(!(try Program.shell(file + " -q").error.contains("warning")))
  }

  @Test func aSweepGivesEachPieceOnce() throws {
    let sweep =
      file + """
        printf 'name: s\nscenario: a.yaml\nvariables: {policy: [bluejeans, janus], seed: [1, 2]}\n' > $TMPOUT/s.yaml

        """
    for command in ["validate", "sweep --dry-run", "sweep -o $TMPOUT/a"] {
      let run = try Program.shell(sweep + "\"$meetsim\" \(command) $TMPOUT/s.yaml")
      let count = run.error.split(separator: "\n").count {
        $0.contains("/a.yaml:5:33: warning: 'bob' requests")
      }
      #expect(run.code == 0 && count == 1, "\(run.error)")
      #expect(
        !(try Program.shell(sweep + "\"$meetsim\" \(command) -q $TMPOUT/s.yaml").error.contains("warning")))
    }
  }

  @Test func shippedScenariosNeedNone() throws {
    let run = try Program.shell("\"$meetsim\" validate scenarios/*.yaml scenarios/sweeps/*.yaml")
    // A sweep over policies may set parameters that only one of them knows.
    let rest = run.error.split(separator: "\n").filter {
      !$0.hasPrefix("scenarios/sweeps/") || !$0.contains(": policy '")
    }
    #expect(run.code == 0 && rest.isEmpty, "\(run.error)")
  }
}
