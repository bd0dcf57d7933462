import TestSupport
import Testing

/// Advice goes to standard error, changes no exit code, and is silent where nobody wants to hear it.
@Suite("Advice of the commands")
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
    // A sweep over policies may set what only one of them knows.
    let rest = run.error.split(separator: "\n").filter {
      !$0.hasPrefix("scenarios/sweeps/") || !$0.contains(": policy '")
    }
    #expect(run.code == 0 && rest.isEmpty, "\(run.error)")
  }
}
