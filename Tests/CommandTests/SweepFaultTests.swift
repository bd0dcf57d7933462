import TestSupport
import Testing

/// A sweep of 40 runs, and its undisturbed result in `$TMPOUT/whole`.
private let sweep = """
  cat > $TMPOUT/s.yaml <<'END'
  name: faults
  scenario: \(Repository.root)/scenarios/one-to-one.yaml
  set: {duration: 20s, timeline: [], expect: [], speech: talk-spurts}
  variables:
    policy: [bluejeans, janus]
    capacity: {path: links.home.capacity, range: {from: 500 kbps, to: 3 Mbps, count: 5}}
  repetitions: 4
  metrics: [bitrate, mos, frame_delay]
  END
  export SWIFT_BACKTRACE=enable=no
  sweep() { "$meetsim" sweep s.yaml -q "$@"; }
  same() { diff -r -x .lock $1 $2 && echo same; }
  # Not every system has pgrep.
  children() {
    if command -v pgrep > /dev/null; then pgrep -P $1; else tr ' ' '\\n' < /proc/$1/task/$1/children | grep .; fi
  }
  cd $TMPOUT

  """

/// Same as `sweep`, with a meeting that takes hours among meetings that take no time; `$1` is waited for.
private let endless =
  sweep + """
    sed -i 's/policy: .*/duration: [1s, 24h]/; s/repetitions: 4/repetitions: 1/; s/set: .*/set: {timeline: [], expect: [], speech: talk-spurts}/' s.yaml
    await() { for i in $(seq 300); do [ -n "$(eval "$1")" ] && return; sleep 0.1; done; echo "waited for $1"; }

    """

@Suite("Faults of sweeps", .serialized)
struct SweepFaultTests {
  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"), arguments: ["ILL", "SEGV", "KILL"])
  func aRunThatTrapsIsOneFailedRow(signal: String) throws {
    let run = try Program.shell(
      endless + "sed -i 's/count: 5/count: 2/; s/duration: .*/duration: [1s, 24h, 2s]/' s.yaml; "
        + "\"$meetsim\" sweep s.yaml -q -j 1 -o a & pid=$!; "
        // The fifth and sixth runs are short; the third and fourth have to end first.
        + "for n in 2 3; do await 'find a/runs -name *.run 2>/dev/null | grep -c . | grep -x '$n; kill -\(signal) $(children $pid); done; "
        + "wait $pid; echo $?; cut -d, -f2,6-7 a/runs.csv")
    let cause = ["ILL": "SIGILL (trap)", "SEGV": "SIGSEGV", "KILL": "SIGKILL (killed)"][signal] ?? ""
    #expect(
      run.output
        == "3\nrun_index,status,error\n0,ok,\n1,ok,\n2,failed,the run was terminated by \(cause)\n3,failed,the run was terminated by \(cause)\n"
        + "4,ok,\n5,ok,\n", "\(run.error)\(run.output)")
  }

  /// The probe runs are those at the ends and in the middle; one takes 24 h, which leaves time to kill it.
  @Test func aProbeThatTrapsFailsTheDryRun() throws {
    let run = try Program.shell(
      endless + "sed -i 's/duration: .*/duration: [24h, 1s]/; s/count: 5/count: 2/' s.yaml; "
        + "\"$meetsim\" sweep s.yaml --dry-run > seen & pid=$!; await 'children '$pid; kill -ILL $(children $pid); wait $pid; echo $?"
    )
    #expect(run.output == "3\n", "\(run.error)\(run.output)")
    #expect(run.error.contains("of point p1 was terminated by SIGILL (trap)"), "\(run.error)")
  }

  @Test func tenKillsAtRandomMomentsLoseNothing() throws {
    let run = try Program.shell(
      sweep + "sweep -o whole; killed=0; "
        + "for t in $(awk 'BEGIN { srand(); for (i = 0; i < 10; i++) print 0.02 + 0.13 * rand() }'); do "
        + "\"$meetsim\" sweep s.yaml -q -j 1 -o a --resume & pid=$!; sleep $t; "
        + "kill -KILL $pid 2>/dev/null && killed=$((killed + 1)); wait $pid 2>/dev/null; done; "
        + "sweep -o a --resume; echo $?; same whole a; find a -name '*partial*' | wc -l; [ $killed -ge 3 ] && echo killed"
    )
    #expect(run.output == "0\nsame\n0\nkilled\n", "\(run.error)\(run.output)")
  }

  @Test func aSignalToAWorkerThatHasJustStartedCanBeGoneOnFrom() throws {
    // The first workers identify the build: killing one must not make the sweep appear to be another build's.
    let run = try Program.shell(
      SmallSweep.file + sweep
        + "cd $TMPOUT; cat > s.yaml <<END\nname: s\nscenario: \(Repository.root)/scenarios/one-to-one.yaml\n"
        + "set: {duration: 2s, timeline: [], expect: []}\nvariables: {policy: [bluejeans, janus]}\nEND\n"
        + "sweep -o whole; sent=0; for s in INT TERM HUP KILL INT TERM HUP KILL INT KILL; do rm -rf a; "
        + "\"$meetsim\" sweep s.yaml -q -o a & pid=$!; for i in $(seq 200); do w=$(children $pid) && break; done; "
        + "kill -$s $w 2>/dev/null && sent=$((sent + 1)); wait $pid; echo $? >> codes; "
        + "sweep -o a --resume || echo resume $?; same whole a > /dev/null || echo different; done; "
        + "sort -u codes | grep -v -x -e 0 -e 3; [ $sent -ge 5 ] && echo sent")
    #expect(run.output == "sent\n", "\(run.error)\(run.output)")
  }

  @Test func aHangUpThatIsIgnoredStaysIgnored() throws {
    let run = try Program.shell(
      endless
        + "sed -i 's/24h/20s/' s.yaml; (trap '' HUP; exec \"$meetsim\" sweep s.yaml -q -j 1 -o a) & pid=$!; "
        + "await 'find a/runs -name *.run 2>/dev/null'; kill -HUP $pid; wait $pid; echo $?")
    #expect(run.output == "0\n", "\(run.error)\(run.output)")
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func aSignalKeepsWhatIsFinished(signal: String, code: Int) throws {
    let run = try Program.shell(
      endless
        + "\"$meetsim\" sweep s.yaml -q -j 1 -o a & pid=$!; await 'find a/runs -name *.run 2>/dev/null | grep -c . | grep -x 5'; "
        + "kill -\(signal) $pid; wait $pid; echo $?; cut -d, -f6 a/runs.csv | sort | uniq -c | tr -s ' '; children $pid | wc -l; "
        + "sed 's/24h/1h/' s.yaml > t.yaml; ls a/*.csv")
    #expect(
      run.output
        == "\(code)\n 5 missing\n 5 ok\n 1 status\n0\na/plan.csv\na/runs.csv\na/scalars.csv\na/summary.csv\n",
      "\(run.error)\(run.output)")
    #expect(run.error.contains("SIG\(signal): 5 runs are missing; continue with --resume"))
  }

  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
  func aFullDiskStopsTheSweepAndKeepsWhatIsFinished() throws {
    // File size limits stand in for a full disk: first the tables do not fit, then a run.
    let run = try Program.shell(
      sweep
        + "sweep -o whole; (ulimit -f 10; exec \"$meetsim\" sweep s.yaml -q -o a); echo $?; ls a; find a/runs -name '*.run' | wc -l; "
        + "sweep -o a --resume; same whole a; sed '/metrics/d' s.yaml > t.yaml; "
        + "(ulimit -f 5; exec \"$meetsim\" sweep t.yaml -q -o b); echo $?; find b/runs -name '*.run' | wc -l; "
        + "\"$meetsim\" sweep t.yaml -q -o b --resume; \"$meetsim\" sweep t.yaml -q -o c; same b c")
    #expect(
      run.output == "3\nmanifest.json\nplan.csv\nruns\n40\nsame\n3\n0\nsame\n", "\(run.error)\(run.output)")
    #expect(run.error.contains("file too large; finished runs are kept: continue with --resume"))
  }

  @Test func twoProcessesDoNotShareADirectory() throws {
    let run = try Program.shell(
      endless + "\"$meetsim\" sweep s.yaml -q -j 1 -o a & pid=$!; await 'ls a/runs 2>/dev/null | grep .'; "
        + "sweep -o a --resume; echo $?; sweep -o a --force; echo $?; \"$meetsim\" merge a -o m; echo $?; "
        + "\"$meetsim\" status a | grep -c 'in use by a process'; kill -TERM $pid; wait $pid; echo $?; ls -d m 2>/dev/null; "
        + "\"$meetsim\" status a | grep -c 'in use by'")
    #expect(run.output == "2\n2\n2\n1\n143\n0\n", "\(run.error)\(run.output)")
    #expect(run.error.contains("cannot write to 'a': it is in use by another process: wait for it"))
  }

  @Test func aDamagedRunIsSeenAndRunAgain() throws {
    let run = try Program.shell(
      sweep
        + "sweep -o whole; cp -r whole a; f=$(find a/runs -name '*.run' | sort | head -1); g=$(find a/runs -name '*.run' | sort | tail -1); "
        + "printf X | dd of=$f bs=1 seek=200 conv=notrunc 2>/dev/null; truncate -s 100 $g; "
        + "\"$meetsim\" status a; echo $?; \"$meetsim\" merge a -o m; echo $?; "
        + "\"$meetsim\" sweep s.yaml -o a --resume | head -1 | cut -d' ' -f1-6; same whole a")
    #expect(
      run.output
        == "a: 'faults', 40 runs: 38 ok, 2 missing\n3\n40 runs: 38 ok, 2 missing\ntables in m\n3\n40 runs: 40 ok; 2 executed\nsame\n",
      "\(run.error)\(run.output)")
    let missing =
      /run \w+ \((bluejeans|janus), capacity [\d.]+ [kM]bps, repetition [0-3]\) is missing \(its file is damaged\)/
    #expect(run.error.contains(missing), "\(run.error)")
    #expect(run.error.contains("38 runs are already in 'a', 2 are left, 2 of them with a damaged file"))
  }

  @Test func whatFailedIsTriedAgain() throws {
    // A stopped worker takes too long.
    let run = try Program.shell(
      sweep + "sweep -o whole; (cat s.yaml; echo 'timeout: 2 s') > t.yaml; "
        + "\"$meetsim\" sweep t.yaml -q -j 1 -o a & pid=$!; "
        + "for i in $(seq 300); do [ -e a/plan.csv ] && w=$(children $pid) && kill -STOP $w && break; sleep 0.02; done; "
        + "wait $pid; echo $?; grep -q ',timeout,the run took longer than 2.0 s,' a/runs.csv && echo late; "
        + "\"$meetsim\" sweep s.yaml -q -o a --resume; echo $?; same whole a")
    #expect(run.output == "3\nlate\n0\nsame\n", "\(run.error)\(run.output)")
  }
}
