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

  @Test func shippedScenariosNeedNone() throws {
    let run = try Program.shell("\"$meetsim\" validate scenarios/*.yaml scenarios/sweeps/*.yaml")
    #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
  }
}
