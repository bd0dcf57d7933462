import TestSupport
import Testing

/// The small sweep, with shell words to run and compare it.
private let small =
  SmallSweep.file + """
    sweep() { "$meetsim" sweep $TMPOUT/s.yaml -q "$@"; }
    same() { diff -r -x .lock $1 $2 && echo same; }

    """

@Suite("Sweeps", .serialized)
struct SweepCommandTests {
  @Test func aSweepWritesItsTables() throws {
    let run = try Program.shell(
      small + "\"$meetsim\" sweep $TMPOUT/s.yaml -o $TMPOUT/a; echo code $?; ls -x $TMPOUT/a; "
        + "head -2 $TMPOUT/a/runs.csv; head -1 $TMPOUT/a/scalars.csv; head -1 $TMPOUT/a/summary.csv; "
        + "grep 'p6,tile,patient,doctor,bitrate' $TMPOUT/a/summary.csv | cut -d, -f 1-9,18-")
    #expect(run.output.contains("12 runs: 12 ok; 12 executed in "))
    #expect(run.output.contains("code 0\ndatapackage.json"))
    #expect(
      run.output.contains("run_id,run_index,point_id,repetition,seed,status,error,p_policy,p_capacity_bps\nr")
    )
    #expect(run.output.contains(",0,p1,0,1,ok,,bluejeans,400000\n"))
    #expect(run.output.contains("run_id,scope,viewer,source,metric,stat,unit,direction,value\n"))
    #expect(
      run.output.contains(
        "point_id,scope,viewer,source,metric,stat,unit,direction,n,mean,sd,ci_lo,ci_hi,ci_level,min,p05,p50,p95,"
          + "max,failed,p_policy,p_capacity_bps\n"))
    #expect(run.output.contains("p6,tile,patient,doctor,bitrate,mean,bit/s,neither,2,"))
    #expect(run.output.hasSuffix(",0,janus,3000000\n"))
  }

  @Test func aRunOfASweepIsTheRunOfTheSameScenario() throws {
    let run = try Program.shell(
      small + "sweep -o $TMPOUT/a --filter 'policy == janus and capacity == 2 Mbps'; "
        + "\"$meetsim\" run scenarios/one-to-one.yaml -q -o $TMPOUT/r --repetition 1 --set duration=2s "
        + "--set timeline=[] --set expect=[] --set policy=janus --set links.home.capacity='2 Mbps'; "
        + "id=$(sed -n 3p $TMPOUT/a/runs.csv | cut -d, -f1); "
        + "grep ^$id $TMPOUT/a/scalars.csv > $TMPOUT/x; "
        + "tail -n +2 $TMPOUT/r/scalars.csv | cmp - $TMPOUT/x && echo same")
    #expect(run.output == "same\n", "\(run.error)")
  }

  @Test func theNumberOfWorkersChangesNoByte() throws {
    let run = try Program.shell(
      small + "sweep -j 1 -o $TMPOUT/a; sweep -j 3 -o $TMPOUT/b; same $TMPOUT/a $TMPOUT/b")
    #expect(run.output == "same\n")
  }

  @Test func onlyWhatIsAskedForIsKept() throws {
    let run = try Program.shell(
      small
        + "printf 'metrics: [mos, throughput]\\nscope: [tile]\\nviewer: patient\\n' >> $TMPOUT/s.yaml; "
        + "sweep -o $TMPOUT/a; tail -n +2 $TMPOUT/a/scalars.csv | cut -d, -f2-5 | sort | uniq -c; ls $TMPOUT/a | grep -c series"
    )
    #expect(
      run.output.split(separator: "\n").map { $0.drop { $0 == " " } } == ["12 tile,patient,doctor,mos", "0"])
  }

  @Test func timeSeriesAreKeptWhenAskedFor() throws {
    let run = try Program.shell(
      small + "printf 'keep-series: true\\n' >> $TMPOUT/s.yaml; for d in a b; do sweep -o $TMPOUT/$d; done; "
        + "ls $TMPOUT/a/series | wc -l; ls -x -w 200 $TMPOUT/a/series/r*[0-3]* | tail -2; same $TMPOUT/a $TMPOUT/b"
    )
    #expect(
      run.output.hasPrefix("12\n") && run.output.contains("streams.csv") && run.output.hasSuffix("same\n"))
  }

  /// Same exit code as the sweep itself.
  @Test func aDryRunWithAnInvalidPointIs3() throws {
    let run = try Program.shell(
      small + "sed -i 's/values: .400 kbps/values: [-1 bps/' $TMPOUT/s.yaml; "
        + "\"$meetsim\" sweep $TMPOUT/s.yaml --dry-run")
    #expect(run.code == 3)
    #expect(run.output.split(separator: "\n").count { $0.contains("invalid: ") } == 4)
    #expect(run.error.hasSuffix("error: 4 of the sweep's runs are invalid, and would fail\n"), "\(run.error)")
  }

  @Test func aDryRunPrintsTheTableAndAnEstimate() throws {
    let run = try Program.shell(small + "\"$meetsim\" sweep $TMPOUT/s.yaml --dry-run -j 2; ls $TMPOUT")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "run_index  point_id  repetition  seed  p_policy   p_capacity_bps")
    #expect(lines[12] == "11         p6        1           1     janus      3000000")
    #expect(
      run.error.hasPrefix("12 runs: about ")
        && run.error.contains("with 2 in parallel, after 3 probe runs of "))
    #expect(!run.output.contains("\na\n"))
  }

  /// No table, no estimate and no probe run, which would take a minute.
  @Test func aQuietDryRunOnlyChecks() throws {
    let run = try Program.shell(
      small
        + "sed -i 's/duration: 2s/duration: 23h/' $TMPOUT/s.yaml; \"$meetsim\" sweep $TMPOUT/s.yaml --dry-run -q; "
        + "echo $?; sed -i 's/values: .400 kbps/values: [-1 bps/' $TMPOUT/s.yaml; "
        + "\"$meetsim\" sweep $TMPOUT/s.yaml --dry-run -q")
    #expect(run.output == "0\n" && run.code == 3, "\(run.output)\(run.error)")
    #expect(
      run.error.hasSuffix("s.yaml:4:1: error: 4 of the sweep's runs are invalid, and would fail\n"),
      "\(run.error)")
  }

  @Test func anInvalidPointIsARowAndEndsWith3() throws {
    let run = try Program.shell(
      small
        + "sed -i 's/, janus/, {name: agora, user-limit: 1}/' $TMPOUT/s.yaml; sweep -o $TMPOUT/a; echo $?; "
        + "grep -c ',ok,,bluejeans' $TMPOUT/a/runs.csv; grep -c ',invalid,user-limit: .*is not' $TMPOUT/a/runs.csv"
    )
    #expect(run.output == "3\n6\n6\n", "\(run.error)")
  }

  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
  func aSlowRunEndsAtItsTimeout() throws {
    let run = try Program.shell(
      small + "printf 'timeout: 300 ms\\n' >> $TMPOUT/s.yaml; sed -i 's/duration: 2s/speech: talk-spurts/; "
        + "s/capacity: {.*/duration: [2s, 23h]/' $TMPOUT/s.yaml; sweep -o $TMPOUT/a; echo $?; "
        + "cut -d, -f3,6,7 $TMPOUT/a/runs.csv | sort -u")
    #expect(
      run.output
        == "3\np1,ok,\np2,timeout,the run took longer than 0.3 s\np3,ok,\np4,timeout,the run took longer than 0.3 s\npoint_id,status,error\n"
    )
  }

  @Test func badUsageAndBrokenFilesEndWith2() throws {
    #expect(try Program.shell(small + "sweep").code == 2)
    #expect(try Program.shell(small + "sweep -o $TMPOUT/a -j 0").code == 2)
    #expect(try Program.shell(small + "sweep -o $TMPOUT/a --resume --force").code == 2)
    let filter = try Program.shell(
      small + "sweep -o $TMPOUT/a --filter 'capcity > 1 Mbps'; echo $?; ls -A $TMPOUT | grep -x a")
    #expect(
      filter.output == "2\n"
        && filter.error
          == "error: --filter 'capcity > 1 Mbps', column 1: there is no variable 'capcity': did you mean 'capacity'?\n"
    )
    let key = try Program.shell(small + "echo 'repetition: 3' >> $TMPOUT/s.yaml; sweep -o $TMPOUT/a")
    #expect(
      key.code == 2
        && key.error.hasSuffix(
          "s.yaml:8:1: error: unknown key 'repetition' in the sweep: did you mean 'repetitions'?\n")
    )
    let valid = try Program.shell(small + "\"$meetsim\" validate scenarios/sweeps/*.yaml $TMPOUT/s.yaml")
    #expect(valid.code == 0 && valid.output.hasSuffix("s.yaml: ok, a sweep of 12 runs at 6 points\n"))
  }

  @Test func aPointIsRepeatedUntilItsIntervalIsNarrow() throws {
    let rule =
      "printf 'until: {metric: bitrate, viewer: patient, half-width: 2 %%, max: 24}\\n' >> $TMPOUT/s.yaml; "
    let run = try Program.shell(
      small + "sed -i 's/timeline: ../&, speech: talk-spurts/; s/2s/6s/; s/repetitions: 2/repetitions: 4/; "
        + "s/2 Mbps, 3 Mbps/900 kbps/; s/ bluejeans, janus/ bluejeans/' $TMPOUT/s.yaml; "
        + rule
        + "sweep -o $TMPOUT/a; echo $?; for i in 1 2; do sweep -o $TMPOUT/p$i --shard $i/2 -j 1; done; "
        + "\"$meetsim\" merge -q $TMPOUT/p1 $TMPOUT/p2 -o $TMPOUT/b; same $TMPOUT/a $TMPOUT/b; "
        + "grep ',tile,patient,doctor,bitrate,' $TMPOUT/a/summary.csv | cut -d, -f1,9,10,12,13")
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count > 2 && lines[0] == "0" && lines[1] == "same", "\(run.output)\(run.error)")
    // Some points reach a half-width of 2 % of the mean (several hundred kbit/s) before the maximum of repetitions.
    #expect(lines.dropFirst(2).contains { !$0.contains(",24,") })
    for line in lines.dropFirst(2) {
      let fields = line.split(separator: ",").dropFirst().compactMap { Double($0) }
      try #require(fields.count == 4)
      // Checkpoints lie at 4, 6, 9, 14, 21 and 24 runs.
      #expect([4, 6, 9, 14, 21, 24].contains(fields[0]), "\(line)")
      #expect(fields[0] == 24 || (fields[3] - fields[2]) / 2 <= 0.02 * fields[1], "\(line)")
    }
  }

  @Test func theSweepOfTheDocumentationIsValid() throws {
    let run = try Program.shell(
      "mkdir $TMPOUT/sweeps; cp scenarios/one-to-one.yaml $TMPOUT; "
        + "awk '/^```yaml/ { on = 1; next } /^```/ { on = 0 } on' docs/sweeps.md > $TMPOUT/sweeps/s.yaml; "
        + "\"$meetsim\" validate $TMPOUT/sweeps/s.yaml")
    #expect(run.code == 0 && run.output.hasSuffix(": ok, a sweep of 150 runs at 15 points\n"), "\(run.error)")
  }

  @Test func validateTellsOfPointsThatCannotBeRun() throws {
    let run = try Program.shell(
      small + "sed -i 's/janus]/zoom]/' $TMPOUT/s.yaml; \"$meetsim\" validate $TMPOUT/s.yaml")
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(
      run.error.contains(
        "s.yaml:5:3: error: the scenario is invalid at 3 of 6 points of the sweep; the first, with "
          + "zoom, capacity 400 kbps: policy: there is no 'zoom'"), "\(run.error)")
  }
}
