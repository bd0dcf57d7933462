import TestSupport
import Testing

/// What a sweep's gate says, on hand-written changes of its files.
@Suite("Gates of sweeps")
struct GateCommandTests {
  /// Two systems, two losses and two capacities, of which an expectation takes two, one or none.
  private static let sweep = """
    cd $TMPOUT; cat > lesson.yaml <<'END'
    name: lesson
    duration: 2s
    links: {home: {capacity: 2 Mbps, delay: 20 ms}}
    participants:
      - {id: ann, publish: {camera: 360p30}}
      - {id: eve, down: home, view: {stage: ann}}
    END
    cat > s.yaml <<'END'
    name: gate
    scenario: lesson.yaml
    variables:
      system: {path: policy, values: [livekit, janus]}
      loss: {path: links.home.loss, values: [0 %, 2 %, 4 %]}
      capacity: {path: links.home.capacity, values: [100 kbps, 1 Mbps, 2 Mbps, 3 Mbps]}
    expect:
      - {viewer: eve, source: ann, metric: mos, is: ">= 1", where: capacity >= 2 Mbps}
      - {viewer: eve, source: ann, metric: freezes_duration, is: "<= 100"}
    END

    """

  private func run(_ command: String) throws -> (code: Int32, output: String, error: String) {
    try Program.shell(Self.sweep + command)
  }

  /// The columns are those of the whole sweep's longest variable, even where only two of its values are asked for.
  @Test func aConditionDoesNotTurnTheGrid() throws {
    let run = try run("\"$meetsim\" sweep s.yaml -o r -q; \"$meetsim\" check r")
    #expect(run.output.contains("system   loss  capacity [Mbps]  2  3\n"), "\(run.output)")
    #expect(!run.output.contains(", with "), "\(run.output)")
  }

  @Test func aFailedPointNamesItsRunAndTheTableHasIt() throws {
    let run = try run(
      "sed -i 's/<= 100/< 0/' s.yaml; \"$meetsim\" sweep s.yaml -o r -q; COLUMNS=200 \"$meetsim\" check r > c; "
        + "echo $?; id=$(sed -n 's/.*, run \\(r[0-9a-f]*\\)$/\\1/p' c | tail -1); "
        + "\"$meetsim\" table r runs | grep -c \"^ *$id \"")
    #expect(run.output == "1\n1\n", "\(run.output) \(run.error)")
  }

  @Test func aChangedSweepFileIsNoted() throws {
    let run = try run(
      "\"$meetsim\" sweep s.yaml -o r -q; sed -i 's/<= 100/<= 99/' s.yaml; \"$meetsim\" check r > c; echo $?; "
        + "id=$(cut -d, -f1 r/runs.csv | tail -1); sed -i 's/2s/3s/' lesson.yaml; "
        + "\"$meetsim\" explain r --run $id --viewer eve --source ann --at 1s; echo $?; "
        + "sed -i 's/<= 99/<= 100/' s.yaml; "
        + "\"$meetsim\" explain r --run $id --viewer eve --source ann --at 1s")
    #expect(run.code == 2 && run.output == "0\n2\n", "\(run.output)")
    #expect(
      run.error.contains(
        "s.yaml:1:1: note: the sweep file has changed since the sweep ran; these are the expectations of then\n"
      ))
    #expect(
      run.error.contains(
        "cannot be repeated: 's.yaml' and 'lesson.yaml' have changed since the sweep ran: run it anew"),
      "\(run.error)")
    #expect(
      run.error.contains("cannot be repeated: 'lesson.yaml' has changed since the sweep ran: run it anew"),
      "\(run.error)")
  }

  @Test func fewRepetitionsAreWarnedOf() throws {
    let run = try run(
      "echo 'repetitions: 2' >> s.yaml; \"$meetsim\" validate s.yaml > /dev/null; sed -i 's/ns: 2/ns: 5/' s.yaml; "
        + "echo five >&2; \"$meetsim\" validate s.yaml")
    #expect(
      run.error.hasPrefix("s.yaml:8:5: warning: 2 repetitions decide little: ")
        && run.error.contains("use 'check --strict', five repetitions or more")
        && run.error.hasSuffix("\nfive\n"),
      "\(run.error)")
  }

  @Test(arguments: [
    (
      "sed -i 's/where: capacity >= 2 Mbps/where: system == livekitt/' s.yaml; \"$meetsim\" validate s.yaml",
      ": "
    ),
    ("\"$meetsim\" sweep s.yaml --dry-run --filter 'system == livekitt'", " of them: "),
  ])
  func aValueThatNoPointHasIsSuggested(command: String, before: String) throws {
    let run = try run(command)
    #expect(run.code == 2)
    #expect(
      run.error.hasSuffix("there is no 'livekitt': did you mean 'livekit'?\n") && run.error.contains(before),
      "\(run.error)")
  }

  @Test func aPointOfAComparisonIsNamedAsByCheck() throws {
    let run = try run(
      "\"$meetsim\" sweep s.yaml -o r -q; sed -i 's/360p30/180p30/' lesson.yaml; \"$meetsim\" sweep s.yaml -o q -q; "
        + "\"$meetsim\" compare r q --by point; \"$meetsim\" table r summary --viewer eve --metric mos "
        + "--columns metric,mean | grep -vc mos")
    #expect(
      run.output.contains("participant at livekit, loss ") && !run.output.contains("loss_frac"),
      "\(run.output)")
    // Its header and its units.
    #expect(run.output.hasSuffix("\n2\n"), "\(run.output)")
  }

  @Test(arguments: [
    (
      "table r nothing",
      "\nUsage: meetsim table <directory> <table> [<options>]\n  See 'meetsim table --help'"
    ),
    ("compare r r", "\nUsage: meetsim compare <base> <new> [<options>]\n  See 'meetsim compare --help'"),
    (
      "table r streams --viewer ann",
      "no row of streams.csv is about that: 'ann' has none there; it is about eve"
    ),
  ])
  func anErrorOfArgumentsIsFollowedByTheCommandsUsage(arguments: String, message: String) throws {
    let run = try run("\"$meetsim\" run lesson.yaml -q -o r; \"$meetsim\" \(arguments)")
    #expect(run.code == 2 && run.error.contains(message), "\(run.error)")
  }

  @Test func layersWithoutNumbersAreToldToHaveThem() throws {
    let layers =
      "{layers: [{size: 320x180, fps: 30, bitrate: 150 kbps}, {size: 640x360, fps: 30, bitrate: 500 kbps}]}"
    let run = try run(
      "sed -i 's/camera: 360p30/camera: \(layers)/' lesson.yaml; \"$meetsim\" validate lesson.yaml")
    #expect(
      run.error.contains(
        "layers: encoding 0 has temporal layer 0 already: number the encodings, from the smallest: 'encoding: 0', "
          + "'encoding: 1'"), "\(run.error)")
  }
}
