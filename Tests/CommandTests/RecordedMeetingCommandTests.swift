import TestSupport
import Testing

/// Shell words to make a folder `rec` with a recording that its scenario reproduces, and one whose scenario fails to
/// load.
private let recordings = """
  cd $TMPOUT; mkdir rec
  table() { awk -v rate=$1 'BEGIN {print "t,capacity_kbps,publisher,bytes,lost,frames,h,freeze_s"; \
  for (i = 0; i < 30; i++) printf "%d.01,2000,ann,%d,0,%d,%d,0\\n", i, i * rate, i * 30, i ? 360 : 0}'; }
  table 70000 > rec/remb-n1-2000.csv; table 71000 > rec/remb-n1-2000b.csv
  cat > rec/remb-n1-2000.yaml <<'END'
  name: made
  duration: 32s
  policy: stream
  estimator: oracle
  links: {home: {capacity: 2 Mbps, delay: 10 ms}, open: {capacity: 100 Mbps, delay: 1 ms}}
  participants:
    - {id: ann, up: open, down: open, publish: {audio: false, camera: 360p30}}
    - {id: viewer, join: 1s, up: open, down: home, view: {request: [{quality: 360p30, participant: ann}]}}
  END
  verify() { "$meetsim" verify --sfu rec "$@"; }

  """

/// `meetsim verify --sfu` as a user sees it.
@Suite("Verification against recorded meetings")
struct RecordedMeetingCommandTests {
  @Test func aFolderIsComparedAndTheSimulationWritten() throws {
    let run = try Program.shell(
      recordings + "verify -o sim > text; echo $?; cat text; ls sim; wc -l < sim/remb-n1-2000.csv; "
        + "verify -o sim; echo $?; verify -o sim --force > again; echo $?; cmp text again && echo same")
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count > 8, "\(run.output)\(run.error)")
    #expect(["0", "1"].contains(lines[0]))
    #expect(lines[1] == "remb-n1-2000: 1 tile")
    #expect(lines[2].hasPrefix("remb-n1-2000.csv simulated 0-20 s  kbps "))
    #expect(lines[3].hasPrefix("remb-n1-2000.csv simulated 20-29 s  kbps 560.00/"))
    #expect(lines[4].hasPrefix("    all tiles shown after 1.0/"))
    #expect(
      run.output.contains(
        "remb-n1-2000.csv remb-n1-2000b.csv 20-29 s  kbps 560.00/568.00  picture 1.00/1.00  height"))
    #expect(run.output.contains("  all               "))
    #expect(run.output.contains("13 of 13\n"))
    #expect(run.output.contains("\nremb-n1-2000.csv\n31\n2\n"))
    #expect(run.output.hasSuffix("\(lines[0])\nsame\n"))
    #expect(run.error.contains("cannot write to 'sim': it exists and is not empty"))
  }

  @Test func theCSVSaysWhatEachValueIsHeldAgainst() throws {
    let run = try Program.shell(recordings + "verify --csv")
    let rows = run.output.split(separator: "\n").map(String.init)
    try #require(rows.count == 1 + 2 * 13, "\(run.output)\(run.error)")
    #expect(rows[0] == "case,metric,published,simulated,tolerance,verdict,source,from_s,to_s,against")
    #expect(rows[1].hasPrefix("remb-n1-2000,kbps,"))
    #expect(rows[1].hasSuffix(",remb-n1-2000.csv,0.000,20.000,simulation"))
    #expect(rows[13].hasPrefix("remb-n1-2000,all_shown,1.010,"))
    #expect(rows[13].hasSuffix(",remb-n1-2000.csv,,,simulation"))
    #expect(
      rows[20]
        == "remb-n1-2000,kbps,560.000,568.000,±15 % or 30,pass,remb-n1-2000.csv,20.000,29.010,remb-n1-2000b.csv"
    )
  }

  @Test func aScenarioThatDoesNotLoadLeavesTheOthers() throws {
    let run = try Program.shell(
      recordings
        + "cp rec/remb-n1-2000.csv rec/a.csv; sed s/stream/strom/ rec/remb-n1-2000.yaml > rec/a.yaml; "
        + "verify > text; echo $?; grep -c simulated text; verify --only remb > text; echo $?")
    #expect(run.output.hasPrefix("2\n"), "\(run.output)")
    #expect(run.error.contains("rec/a.yaml:3:9: error: policy: there is no 'strom'"))
    #expect(run.error.contains("rec/a.csv:1:1: error: not compared: its scenario cannot be simulated\n"))
    let codes = run.output.split(separator: "\n")
    #expect(codes.count == 3 && Int(codes[1]) ?? 0 >= 3 && codes[2] != "2")
  }

  @Test func wrongFoldersAndOptionsAre2() throws {
    let run = try Program.shell(
      recordings
        + "verify --only send; echo $?; mkdir empty; \"$meetsim\" verify --sfu empty; echo $?; "
        + "\"$meetsim\" verify --sfu nowhere; echo $?; verify --calls rec; echo $?; verify --series x; echo $?; "
        + "\"$meetsim\" verify -o x; echo $?; ls -d x 2>/dev/null; verify -o rec/remb-n1-2000.csv; echo $?; "
        + "printf 't,h\\n' > rec/z.csv; cp rec/remb-n1-2000.yaml rec/z.yaml; verify --only remb > text; echo $?"
    )
    #expect(run.output == "2\n2\n2\n2\n2\n2\n2\n2\n", "\(run.output)\(run.error)")
    #expect(
      run.error.contains("error: --only: no recording's name starts with 'send'; they are:\n  remb-n1-2000\n")
    )
    #expect(
      run.error.contains(
        "empty:1:1: error: no recording here: each is a NAME.csv with its scenario, NAME.yaml\n"))
    #expect(run.error.contains("nowhere:1:1: error: cannot read 'nowhere'"))
    #expect(run.error.contains("rec/z.csv:1:1: error: there is no column 'bytes'\n"))
  }
}
