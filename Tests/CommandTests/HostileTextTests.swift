import TestSupport
import Testing

private let scenario = """
  cd $TMPOUT
  cat > a.yaml <<'END'
  name: a
  title: "x\\e]0;owned\\a\\n::error file=a.yaml::forged"
  duration: 1s
  estimator: oracle
  participants:
    - {id: ann, publish: {camera: 720p30}}
    - {id: bob, view: {everybody: 360p}}
  expect:
    - {viewer: bob, source: ann, metric: frame_height, stat: p50, is: ">= 1"}
  END

  """

/// Text from a file reaches terminals, CI logs and spreadsheets only as text.
@Suite("Hostile texts", .serialized)
struct HostileTextTests {
  /// Indicates whether a text contains neither a control character nor a line that a CI system takes for a command.
  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) }
      && text.split(separator: "\n").allSatisfy { !$0.hasPrefix("::") && !$0.contains("##[") }
  }

  @Test func titlesAreShownEscaped() throws {
    let run = try Program.shell(scenario + "\"$meetsim\" run a.yaml")
    #expect(run.output.hasPrefix("a: x\\u{1b}]0;owned\\u{7}\\n::error file=a.yaml::forged\n"))
    #expect(run.code == 0 && isHarmless(run.output + run.error))
  }

  @Test func diagnosticsQuoteEscaped() throws {
    let run = try Program.shell(
      scenario
        + "sed -i 's/^duration.*/\"::error::\\\\e[2J\\\\nx\": 1/' a.yaml; \"$meetsim\" validate a.yaml; "
        + "cp a.yaml \"$(printf '::error::b\\033[2J\\n.yaml')\"; \"$meetsim\" validate ::*; "
        + "\"$meetsim\" run a.yaml --set \"$(printf 'x=\\033[2J')\"; \"$meetsim\" \"$(printf 'fly\\033[2J')\"; "
        + "printf 't_s,rate_bps\\n0,\\033[2J\\n' > \"$(printf 't\\033')\"; \"$meetsim\" trace info t*")
    #expect(run.error.contains("a.yaml:3:1: error: unknown key '::error::\\u{1b}[2J\\nx'"), "\(run.error)")
    #expect(run.error.contains("\\u{3a}:error::b\\u{1b}[2J\\n.yaml:3:1: error: "), "\(run.error)")
    #expect(run.error.contains("t\\u{1b}:2:3: error: '\\u{1b}[2J' is not a number"), "\(run.error)")
    #expect(isHarmless(run.output + run.error), "\(run.error)")
  }

  @Test func recordedTextsAreShownEscaped() throws {
    // A result from someone else, with hostile text in every field.
    let run = try Program.shell(
      SmallSweep.file + scenario
        + "\"$meetsim\" run a.yaml -q -o r; sed -i 's/\"scenario\": \"a\"/\"scenario\": \"::error::\\\\u001b[2J\\\\nx\"/; "
        + "s/\"scenario_file\": \"[^\"]*/&\\\\u001b[2J\\\\n::error::x/; s/\"stat\": \"p50/&\\\\u001b[2J\\\\n##[error]/' "
        + "r/manifest.json; for f in '' --github; do \"$meetsim\" check r $f --junit j.xml | grep -v '^::error file='; done; "
        + "cat j.xml; \"$meetsim\" sweep s.yaml -q -o s; "
        + "sed -i 's/\"name\" : \"small\"/\"name\" : \"\\\\u001b[2J\\\\n::error::x\"/' s/manifest.json; \"$meetsim\" status s; "
        + "cp -r r r2; sed -i \"s/,bob,ann,/,$(printf '\\033[2J'),\\\"$(printf '\\n')::error::x\\\",/\" r2/scalars.csv; "
        + "rm r2/manifest.json; \"$meetsim\" compare r r2; \"$meetsim\" compare r r2 --csv")
    #expect(run.output.contains("\\u{3a}:error::\\u{1b}[2J\\nx"), "\(run.output)\(run.error)")
    #expect(run.output.contains("s: '\\u{1b}[2J\\n::error::x', 12 runs: 12 ok"), "\(run.output)\(run.error)")
    #expect(isHarmless(run.output + run.error), "\(run.output)\(run.error)")
  }

  @Test func noCellIsAFormula() throws {
    let ids = try Program.shell(scenario + "sed -i 's/ann/-1+1/g' a.yaml; \"$meetsim\" validate a.yaml")
    #expect(
      ids.code == 2 && ids.error.contains("a.yaml:6:10: error: id: '-1+1': only letters"), "\(ids.error)")
    let run = try Program.shell(
      scenario
        + "cat > s.yaml <<'END'\nname: s\nscenario: a.yaml\nset: {expect: []}\nvariables:\n"
        + "  who: {path: title, values: ['=HYPERLINK(1)', '@ann', fine]}\nEND\n"
        + "\"$meetsim\" sweep s.yaml -q -o a; cut -d, -f8 a/runs.csv | xargs -d '\\n'; "
        + "\"$meetsim\" compare a a --base-where who=@ann --new-where who=fine > seen; echo $?; "
        + "\"$meetsim\" merge -q a -o m; cmp a/runs.csv m/runs.csv && echo same")
    #expect(run.output == "p_who '=HYPERLINK(1) '@ann fine\n0\nsame\n", "\(run.output)\(run.error)")
  }

  @Test func settingsOfTheCommandLineAreNamed() throws {
    let run = try Program.shell(
      scenario
        + "for s in duration=soon nope.x=1 x participants.ann.publish.camera=huge 'title=[' 'title=' "
        + "'participants=[{id: ann}, {id: ann}]'; do \"$meetsim\" run a.yaml --set \"$s\" 2>&1 | head -1 | cut -c 1-70; done"
    )
    #expect(
      run.output == """
        --set duration=soon:1:10: error: duration: 'soon' is not a time: write
        --set nope.x=1:1:1: error: 'nope.x': there is no 'nope': did you mean 
        --set x:1:1: error: this is not PATH=VALUE, such as 'links.home.capaci
        --set participants.ann.publish.camera=huge:1:33: error: camera: 'huge'
        --set title=[:2:1: error: the YAML cannot be read: did not find expect
        --set title=:1:1: error: this is not PATH=VALUE, such as 'links.home.c
        --set participants=[{id: ann}, {id: ann}]:1:31: error: duplicate parti

        """, "\(run.output)")
  }

  @Test func whatIsWrongWithAWholeSweepHasAPosition() throws {
    let small = SmallSweep.file + "cd $TMPOUT; "
    let commands = [
      ("echo 'where: capacity > 9 Mbps' >> s.yaml", "s.yaml:8:8: error: no point is left"),
      (
        "sed -i 's/repetitions: 2/repetitions: 10000/; s/400 kbps/"
          + (1...60).map { "\($0) kbps" }.joined(separator: ", ") + "/' s.yaml",
        "s.yaml:4:1: error: 1240000 runs exceed"
      ),
      ("sed -i 's/bluejeans, janus/x, y/' s.yaml", "s.yaml:5:3: error: policy: there is no 'x'"),
    ]
    for (change, expected) in commands {
      let run = try Program.shell(small + change + "; \"$meetsim\" validate s.yaml")
      #expect(run.code == 2 && run.error.hasPrefix(expected), "\(run.error)")
    }
    let last = try Program.shell(small + commands[2].0 + "; \"$meetsim\" validate s.yaml")
    #expect(
      last.error.contains("\ns.yaml:4:1: error: no point of the sweep has a valid scenario"), "\(last.error)")
  }
}
