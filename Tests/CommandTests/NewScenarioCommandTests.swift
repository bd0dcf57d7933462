import Testing

/// Commands that write scenarios for people to edit.
@Suite("New scenarios")
struct NewScenarioCommandTests {
  private static let templates = ["pair", "classroom", "gallery", "webinar", "screen-share"]

  @Test func templatesAreListed() throws {
    let run = try Program.shell("\"$meetsim\" init")
    #expect(run.code == 0)
    #expect(
      run.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) } == Self.templates)
  }

  @Test(arguments: templates)
  func everyTemplateIsValidWithoutWarningsAndRuns(template: String) throws {
    let run = try Program.shell(
      "cd $TMPOUT && \"$meetsim\" init \(template) && grep -c '#' \(template).yaml && "
        + "\"$meetsim\" validate \(template).yaml && \"$meetsim\" run \(template).yaml -q --set duration=2s "
        + "--set timeline='[]' --set expect='[]' -o r && ls r/streams.csv")
    #expect(run.code == 0 && run.error == "", "\(run.error)")
    #expect(run.output.contains("\(template).yaml: ok") && run.output.hasSuffix("r/streams.csv\n"))
  }

  @Test func aMissingFolderIsMade() throws {
    let run = try Program.shell(
      "cd $TMPOUT; \"$meetsim\" init pair -o new/deep/p.yaml; ls new/deep; touch f; \"$meetsim\" init pair -o f/p.yaml"
    )
    #expect(run.code == 2 && run.output.hasSuffix("\np.yaml\n"), "\(run.output) \(run.error)")
  }

  @Test func aFileIsReplacedOnlyByForce() throws {
    let run = try Program.shell(
      "cd $TMPOUT; echo mine > pair.yaml; \"$meetsim\" init pair; echo $?; cat pair.yaml; "
        + "\"$meetsim\" init pair --force; echo $?; head -c 12 pair.yaml; "
        + "\"$meetsim\" init gallery -o /dev/stdout | tail -1")
    #expect(
      run.output
        == "2\nmine\npair.yaml: written; run it with 'meetsim run pair.yaml -o out'\n0\n# Two people"
        + "  - {at: 30s, link: rider/down, capacity: 600 kbps}\n", "\(run.output)")
    #expect(
      run.error
        == "error: cannot write to 'pair.yaml': it exists; use --force to replace it, or -o for another name\n"
    )
  }

  @Test func aTemplateThatDoesNotExistIsAnErrorThatListsThem() throws {
    let run = try Program.shell("\"$meetsim\" init nothing")
    #expect(run.code == 2)
    #expect(run.error.contains("'pair', 'classroom', 'gallery', 'webinar' or 'screen-share'"))
    #expect(try Program.shell("\"$meetsim\" init -o x.yaml").code == 2)
  }

  @Test func aDumpBecomesAScenarioThatRuns() throws {
    let run = try Program.shell(
      "\"$meetsim\" import webrtc-internals Tests/CallStatisticsTests/Dumps/two-connections.json -o $TMPOUT/c.yaml && "
        + "\"$meetsim\" validate $TMPOUT/c.yaml && \"$meetsim\" run $TMPOUT/c.yaml | grep receiver"
    )
    #expect(run.code == 0 && run.error == "", "\(run.error)")
    #expect(run.output.contains("/c.yaml: 59 s, 2 capacities from 405 kbps to 880 kbps, "))
  }

  @Test func aTableThatIsNoneEndsWith2() throws {
    let run = try Program.shell(
      "\"$meetsim\" import getstats README.md -o $TMPOUT/c.yaml; echo $?; ls $TMPOUT")
    #expect(run.output == "2\nerr\nout\n")
    #expect(run.error.hasPrefix("README.md:1:1: error: there is no column"), "\(run.error)")
    #expect(try Program.shell("\"$meetsim\" import getstats x.csv --capture huge").code == 2)
  }

  /// Every settled stretch of the recorded calls of a moving texture: rates within 15 %, heights within a step.
  @Test(arguments: ["two-connections", "constant-1000", "rise-600-1500"])
  func recordedCallsAreSimulatedAsTheyWere(dump: String) throws {
    let compared = try Program.shell(
      "\"$meetsim\" import webrtc-internals Tests/CallStatisticsTests/Dumps/\(dump).json -o $TMPOUT/c.yaml --compare"
    )
    #expect(compared.code == 0 && compared.output.contains("received of sender"), "\(compared.output)")
  }
}
