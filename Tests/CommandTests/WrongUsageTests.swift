import Testing

/// Wrong usage is told with what would be right.
@Suite("Wrong usage")
struct WrongUsageTests {
  private static let files = """
    cd $TMPOUT; cat > a.yaml <<'END'
    name: a
    duration: 3s
    policy: livekit
    participants:
      - {id: ann, publish: {camera: 360p30, audio: false}}
      - {id: ben, view: {stage: ann}}
    END
    printf 'name: s\\nscenario: a.yaml\\nvariables: {policy: [jitsi, janus]}\\n' > s.yaml

    """

  private func run(_ arguments: String) throws -> (code: Int32, output: String, error: String) {
    try Program.shell(Self.files + "\"$meetsim\" \(arguments)")
  }

  @Test(arguments: [
    ("run s.yaml", "s.yaml:1:1: error: this is a sweep, not a scenario: it is for 'meetsim sweep'"),
    ("run - < s.yaml", "<stdin>:1:1: error: this is a sweep, not a scenario: it is for 'meetsim sweep'"),
    ("what-if s.yaml --metric mos --with 'x: duration=2s'", "this is a sweep, not a scenario"),
    ("sweep a.yaml -o x", "a.yaml:1:1: error: this is a scenario, not a sweep: it is for 'meetsim run'"),
    (
      "list metrics freez_duration",
      "error: no entry of 'list metrics' has 'freez_duration': did you mean freezes_duration"
    ),
    ("list links zzz", "error: no entry of 'list links' has 'zzz'"),
    ("list metrics --short qqq", "error: no entry of 'list metrics' has 'qqq'"),
    ("report a.yaml", "a.yaml: error: this is a file, not a result directory: run it first"),
  ])
  func theRightCommandIsNamed(arguments: String, message: String) throws {
    let run = try run(arguments)
    #expect(run.code == 2 && run.error.contains(message) && run.output.isEmpty, "\(run.error)")
  }

  @Test(arguments: [
    ("export getstats r --participant zz", "Error: --participant: there is no participant 'zz'"),
    (
      "table r streams --viewer bem",
      "no row of streams.csv is about that: there is no 'bem': did you mean 'ben'?"
    ),
    ("table r streams --viewer ben --source ann --from 4s", "error: no row of streams.csv is about that\n"),
    ("steady r mos --viewer ben --source ann --level 95", "--level: '95' has no unit: write a percentage"),
    ("steady r mos --viewer ben --source ann --level '100 %'", "--level '100 %' is out of range: from 50 %"),
  ])
  func theOptionAndItsValuesAreNamed(arguments: String, message: String) throws {
    let run = try run("run a.yaml -q -o r && \"$meetsim\" \(arguments)")
    #expect(run.code == 2 && run.error.contains(message), "\(run.error)")
  }

  /// One run of each of two points does not decide about its 95 % quantile.
  @Test func nothingDecidedIsNotNowhere() throws {
    let run = try run(
      "--version > /dev/null; printf 'expect: [{viewer: ben, source: ann, metric: mos, over-runs: p05, is: \">= 1\"}]\\n' "
        + ">> s.yaml; \"$meetsim\" sweep s.yaml -q -o r; \"$meetsim\" check r")
    #expect(
      run.output.contains("is not decided anywhere\n") && !run.output.contains("holds"), "\(run.output)")
  }

  /// Every sixteenth packet is lost, and most repairs come too late.
  @Test func missingFramesAreNoReasonToBeContent() throws {
    let run = try run(
      "run a.yaml -q -o r --set policy=janus --set duration=6s --set 'participants.ben.view={tiles: {ann: 640x360}}' "
        + "--set 'participants.ann.up={capacity: 5 Mbps, delay: 90 ms, loss: 6 %}' "
        + "&& \"$meetsim\" explain r -q --viewer ben --source ann --at 5s --repetitions 4")
    #expect(
      run.output.contains(" are shown: the others were not sent, were lost, or came too late."),
      "\(run.output)")
    #expect(!run.output.contains("nothing to complain about"))
    #expect(run.output.contains("With no loss and jitter on ann/up the tile has more in "), "\(run.output)")
  }

  /// A system with a rule of its own has no key for the common one.
  @Test(arguments: [
    ("livekit", "key-frame-spacing: 1 s", 2), ("mediasoup", "reallocation-factor: 2", 2),
    ("jitsi", "reallocation-spacing: 1 s", 2), ("bluejeans", "key-frame-spacing: 1 s", 0),
    ("janus", "reallocation-factor: 2", 0), ("gso", "key-frame-spacing: 1 s", 0),
    ("gso", "hold-time: 2 s", 0),
  ])
  func keysWithoutEffectAreRefused(policy: String, setting: String, code: Int32) throws {
    let run = try run("validate a.yaml -q --set 'policy={name: \(policy), \(setting)}'")
    let key = setting.prefix { $0 != ":" }
    #expect(run.code == code, "\(run.error)")
    #expect(
      run.error.contains("'\(policy)' has no '\(key)', only 'bluejeans', ") == (code == 2), "\(run.error)")
  }
}
