import TestSupport
import Testing

/// Misleading inputs, as a user of the program meets them.
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
    // A steady state reads only streams.csv.
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
      run.output == "/dev/stdin: ok, 2 participants, 2 publish video, 30 s, 37 MB of memory\n0\n"
        + "/proc/self/fd/0: ok, a sweep of 3 runs at 3 points\n0\n2\n", "\(run.output)\(run.error)")
    #expect(run.error.contains("/dev/stdin:1:7: error: name: 'x y'"), "\(run.error)")
  }

  /// A pass of 2 us over a day is refused, as it would take gigabytes; one of 1 ms is played in little memory.
  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
  func aLoopingTraceIsNeverUnrolled() throws {
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

  /// Tables have times with three decimals: times in between could repeat one.
  @Test func timesAreWholeMilliseconds() throws {
    let run = try Program.shell(
      """
      cd $TMPOUT; printf 'name: s\nduration: 3.0004s\nparticipants: [{id: ann}]\n' > s.yaml
      "$meetsim" validate s.yaml; echo $?; sed -i s/3.0004s/1001ms/ s.yaml
      "$meetsim" run s.yaml -q --interval 0.0100001s; echo $?; "$meetsim" run s.yaml -q --set duration=1.0005s; echo $?
      printf 'name: w\nscenario: s.yaml\ninterval: 10.5ms\nvariables: {seed: [1]}\n' > w.yaml; "$meetsim" validate w.yaml; echo $?
      "$meetsim" run s.yaml -q -o r --interval 1s; cut -d, -f2 r/participants.csv | xargs
      """)
    #expect(run.output == "2\n2\n2\n2\ntime_s 1.000 1.001\n", "\(run.output)\(run.error)")
    #expect(
      run.error.contains("s.yaml:2:11: error: duration: '3.0004s' is not a whole number of milliseconds"))
    #expect(run.error.contains("--interval '0.0100001s' is not a whole number of milliseconds"))
    #expect(run.error.contains("w.yaml:3:11: error: interval: "), "\(run.error)")
  }

  @Test func whatIsNoTextIsPlaced() throws {
    let run = try Program.shell(
      "cd $TMPOUT; printf 'name: s\\ntitle: caf\\303\\251 \\377\\n' > a; printf 'name: s\\n\\n  x\\000' > b; "
        + "printf 'name: s\\ntitle: \\303\\251\\001\\n' > c; \"$meetsim\" validate a b c; echo $?")
    #expect(run.output == "2\n")
    for place in ["a:2:13:", "b:3:4:", "c:2:9:"] {
      #expect(run.error.contains("\(place) error: "), "\(run.error)")
    }
  }

  @Test func aTraceOfYearsIsSummarizedAtOnce() throws {
    let run = try Program.shell(
      "printf 't_s,rate_bps\n0,5000\n31536000,6000\n' > $TMPOUT/t; timeout 10 \"$meetsim\" trace info $TMPOUT/t; echo $?; "
        + "timeout 20 \"$meetsim\" trace convert $TMPOUT/t --to mahimahi | wc -l")
    // 11 kbit/s for a year of 31,536,000 s in opportunities of 12,032 bits is more than can be read back.
    #expect(
      run.output.contains("0 of 63072000 seconds without capacity\n") && run.output.hasSuffix("\n0\n0\n"),
      "\(run.output)")
    #expect(
      run.output.contains("  \(String(repeating: "▇", count: 30))\(String(repeating: "█", count: 30))\n"),
      "\(run.output)")
  }

  @Test func allocateTakesOnlyMomentsOfTheMeeting() throws {
    let run = try Program.shell(
      """
      cd $TMPOUT; cat > s.yaml <<END
      name: s
      duration: 3s
      participants: [{id: ann, publish: {camera: 720p30}}, {id: bob, view: {everybody: 320x180}}]
      END
      allocate() { "$meetsim" allocate s.yaml --viewer bob "$@" > seen; echo $?; }
      allocate --budget 1Mbps --at 3s; allocate --budget 1Mbps --at 24h; allocate --budget 0bps..1Gbps/1bps
      allocate --budget 0bps..1Gbps/1bps --changes; allocate --budget 0bps..1Gbps/1bps --format table
      """)
    #expect(run.output == "0\n2\n2\n0\n0\n", "\(run.output)\(run.error)")
    #expect(run.error.contains("more than 1000000 budgets: choose a larger step, or '--changes'"))
  }

  @Test func aByteOrderMarkIsSkippedEverywhere() throws {
    let run = try Program.shell(
      "mark() { printf '\\357\\273\\277'; cat; }\n"
        + "printf 't_s,rate_bps\\n0,1000000\\n1,2000000\\n' | mark > $TMPOUT/t.csv; printf 'seed\\n1\\n2\\n' | mark > $TMPOUT/p.csv\n"
        + "mark > $TMPOUT/s.yaml <<END\nname: s\nduration: 2s\nlinks: {l: {trace: t.csv}}\nparticipants: [{id: ann, up: l}]\nEND\n"
        + "mark > $TMPOUT/w.yaml <<END\nname: w\nscenario: s.yaml\npoints: {file: p.csv}\nEND\n"
        + "\"$meetsim\" validate $TMPOUT/s.yaml $TMPOUT/w.yaml; echo $?; \"$meetsim\" trace info $TMPOUT/t.csv | head -1\n"
        + result + "; mark < $TMPOUT/r/streams.csv > $TMPOUT/x; mv $TMPOUT/x $TMPOUT/r/streams.csv; "
        + "rm $TMPOUT/r/manifest.json; "
        + "\"$meetsim\" steady $TMPOUT/r bitrate_bps --viewer patient --source doctor --batches 3 >/dev/null 2>$TMPOUT/e; "
        + "grep -c column $TMPOUT/e")
    #expect(run.output.contains("a sweep of 2 runs at 2 points\n0\n"), "\(run.output)\(run.error)")
    #expect(run.output.contains("t.csv: rate-csv, 2.0 s\n") && run.output.hasSuffix("\n0\n"), "\(run.output)")
  }
}
