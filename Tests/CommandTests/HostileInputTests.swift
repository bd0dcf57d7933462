import TestSupport
import Testing

/// Inputs that are not what they seem to be, by the program as a user runs it.
@Suite("Hostile input", .serialized)
struct HostileInputTests {
  private let result =
    "\"$meetsim\" run scenarios/one-to-one.yaml --set duration=3s --set timeline=[] --set estimator=oracle --set expect=[] -q -o $TMPOUT/r"

  @Test func checkRefusesATableThatWasChanged() throws {
    let run = try Program.shell(
      result
        + "; \"$meetsim\" check $TMPOUT/r -q; echo $?; for t in streams scalars links; do "
        + "cp -r $TMPOUT/r $TMPOUT/$t; sed -i '2s/$/0/' $TMPOUT/$t/$t.csv; \"$meetsim\" check $TMPOUT/$t -q; echo $?; "
        + "done; cp -r $TMPOUT/r $TMPOUT/gone; rm $TMPOUT/gone/audio.csv; \"$meetsim\" check $TMPOUT/gone -q; echo $?; "
        + "cp -r $TMPOUT/r $TMPOUT/n; sed -i 's/scalars.csv/scalar.csv/' $TMPOUT/n/manifest.json; "
        + "\"$meetsim\" check $TMPOUT/n -q; echo $?")
    #expect(run.output == "0\n2\n2\n2\n2\n2\n", "\(run.error)")
    let text = "this is not the table that was written: its hash is not the one in manifest.json"
    for table in ["streams", "scalars", "links"] {
      #expect(run.error.contains("/\(table)/\(table).csv: error: \(text)"))
    }
    #expect(run.error.contains("/n/scalars.csv: error: manifest.json does not record this table"))
  }

  @Test func checkRefusesAChangedTableOfASweep() throws {
    let run = try Program.shell(
      "cat > $TMPOUT/s.yaml <<END\nname: s\nscenario: $PWD/scenarios/one-to-one.yaml\n"
        + "set: {duration: 2s, timeline: [], estimator: oracle}\nvariables: {seed: {values: [1, 2]}}\nEND\n"
        + "\"$meetsim\" sweep $TMPOUT/s.yaml -q -o $TMPOUT/r; \"$meetsim\" check $TMPOUT/r -q; echo $?; "
        + "sed -i '3s/0/9/' $TMPOUT/r/scalars.csv; \"$meetsim\" check $TMPOUT/r -q; echo $?")
    #expect(run.output == "0\n2\n", "\(run.error)")
    #expect(run.error.contains("/r/scalars.csv: error: this is not the table that was written"))
  }

  @Test func tablesThatAreDevicesOrPipesAreRefusedAtOnce() throws {
    let run = try Program.shell(
      result
        + "; for k in zero pipe; do for t in streams scalars; do d=$TMPOUT/$k-$t; cp -r $TMPOUT/r $d; rm $d/$t.csv; "
        + "if [ $k = zero ]; then ln -s /dev/zero $d/$t.csv; else mkfifo $d/$t.csv; fi; "
        + "timeout 10 \"$meetsim\" check $d -q; echo $?; timeout 10 \"$meetsim\" compare $TMPOUT/r $d; echo $?; "
        + "timeout 10 \"$meetsim\" steady $d bitrate_bps --viewer patient --source doctor; echo $?; done; done"
    )
    // A steady state reads streams.csv alone.
    let codes = run.output.split(separator: "\n").filter { $0.count <= 3 }.map(String.init)
    #expect(
      codes == Array(repeating: "2", count: 12), "\(run.output)\(run.error)")
    #expect(
      run.error.contains("it is a device, not a file") && run.error.contains("it is a named pipe, not a file")
    )
  }

  @Test func tracesAndScenariosThatAreDevicesOrPipesAreRefusedAtOnce() throws {
    let run = try Program.shell(
      "mkfifo $TMPOUT/p; for t in p /dev/zero; do cat > $TMPOUT/s.yaml <<END\nname: s\nduration: 2s\n"
        + "links: {l: {trace: $t}}\nparticipants: [{id: ann, up: l}]\nEND\n"
        + "timeout 10 \"$meetsim\" validate $TMPOUT/s.yaml; echo $?; done; "
        + "timeout 10 \"$meetsim\" trace info $TMPOUT/p; echo $?; timeout 10 \"$meetsim\" validate $TMPOUT/p; echo $?; "
        + "timeout 10 \"$meetsim\" validate /dev/zero; echo $?")
    #expect(run.output == "2\n2\n2\n2\n2\n", "\(run.output)\(run.error)")
    #expect(
      run.error.contains("it is a named pipe, not a file") && run.error.contains("it is a device, not a file")
    )
  }

  @Test func whatComesThroughAPipeOfTheShellIsReadOnce() throws {
    let run = try Program.shell(
      "cat scenarios/one-to-one.yaml | \"$meetsim\" validate /dev/stdin; echo $?; "
        + "printf 'name: s\\nscenario: {name: t, duration: 1s, participants: [{id: ann}]}\\n"
        + "variables: {seed: {values: [1, 2, 3]}}\\n' | \"$meetsim\" validate /proc/self/fd/0; echo $?; "
        + "printf 'name: x y' | \"$meetsim\" validate /dev/stdin; echo $?")
    #expect(
      run.output == "/dev/stdin: ok, 2 participants, 2 publish video, 30 s, 33 MB of memory\n0\n"
        + "/proc/self/fd/0: ok, a sweep of 3 runs at 3 points\n0\n2\n", "\(run.output)\(run.error)")
    #expect(run.error.contains("/dev/stdin:1:7: error: name: 'x y'"), "\(run.error)")
  }

  /// A pass of 2 us over a day: refused, where it took gigabytes; one of 1 ms is played in little memory.
  @Test func aLoopingTraceIsNeverUnrolled() throws {
    let scenario =
      "cat > $TMPOUT/s.yaml <<END\nname: s\nduration: 24h\nlinks: {l: {trace: t.csv}}\n"
      + "participants: [{id: ann, up: l}]\nEND\n"
    let run = try Program.shell(
      scenario + "printf 't_s,rate_bps\\n0,1000\\n0.000001,2000\\n' > $TMPOUT/t.csv; ulimit -v 8000000; "
        + "\"$meetsim\" run $TMPOUT/s.yaml -q --interval 1h; echo $?; "
        + "printf 't_s,rate_bps\\n0,1000\\n0.0005,2000\\n' > $TMPOUT/t.csv; "
        + "timeout 60 \"$meetsim\" run $TMPOUT/s.yaml -q --interval 1h; echo $?")
    #expect(run.output == "2\n0\n", "\(run.error)")
    #expect(run.error.contains("the trace lasts 2 us, and one that loops lasts at least 1 ms"))
  }

  @Test func aTraceThatWouldNotEndIsNotConverted() throws {
    let run = try Program.shell(
      "printf 't_s,rate_bps\\n0,1000000000000\\n86400,1\\n' > $TMPOUT/t.csv; echo 31536000000 > $TMPOUT/m; "
        + "\"$meetsim\" trace convert $TMPOUT/t.csv --to mahimahi; echo $?; "
        + "\"$meetsim\" trace convert $TMPOUT/m --format mahimahi --to rate-csv; echo $?")
    #expect(run.output == "2\n2\n", "\(run.error)")
    #expect(run.error.contains("as rate-csv it would have 315360001 rows: at most 3000000"))
  }

  @Test func aByteOrderMarkIsSkippedEverywhere() throws {
    let run = try Program.shell(
      "mark() { printf '\\357\\273\\277'; cat; }\n"
        + "printf 't_s,rate_bps\\n0,1000000\\n1,2000000\\n' | mark > $TMPOUT/t.csv; printf 'seed\\n1\\n2\\n' | mark > $TMPOUT/p.csv\n"
        + "mark > $TMPOUT/s.yaml <<END\nname: s\nduration: 2s\nlinks: {l: {trace: t.csv}}\nparticipants: [{id: ann, up: l}]\nEND\n"
        + "mark > $TMPOUT/w.yaml <<END\nname: w\nscenario: s.yaml\npoints: {file: p.csv}\nEND\n"
        + "\"$meetsim\" validate $TMPOUT/s.yaml $TMPOUT/w.yaml; echo $?; \"$meetsim\" trace info $TMPOUT/t.csv | head -1\n"
        + result + "; mark < $TMPOUT/r/streams.csv > $TMPOUT/x; mv $TMPOUT/x $TMPOUT/r/streams.csv; "
        + "\"$meetsim\" steady $TMPOUT/r bitrate_bps --viewer patient --source doctor --batches 3 >/dev/null 2>$TMPOUT/e; "
        + "grep -c column $TMPOUT/e")
    #expect(run.output.contains("a sweep of 2 runs at 2 points\n0\n"), "\(run.output)\(run.error)")
    #expect(run.output.contains("t.csv: rate-csv, 2.0 s\n") && run.output.hasSuffix("\n0\n"), "\(run.output)")
  }
}
