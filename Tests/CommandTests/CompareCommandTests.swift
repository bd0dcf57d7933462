import Metrics
import Testing

/// Shell functions: `run DIR SEED SET…` makes a run, `sweep DIR SET…` a sweep of two capacities and three seeds.
private let functions = """
  run() {
    "$meetsim" run scenarios/one-to-one.yaml -q --force -o $1 --seed $2 --set duration=4s --set timeline='[]' "${@:3}"
  }
  sweep() {
    local dir=$1 i=0; shift; mkdir -p $dir
    echo run_id,run_index,point_id,repetition,seed,status,error,p_capacity > $dir/runs.csv
    head -1 $TMPOUT/header/scalars.csv > $dir/scalars.csv
    for capacity in 600 1200; do
      for seed in 1 2 3; do
        run $TMPOUT/one $seed --set "links.home.capacity=$capacity kbps" "$@"
        sed 1d $TMPOUT/one/scalars.csv >> $dir/scalars.csv
        echo $(sed -n 2p $TMPOUT/one/scalars.csv | cut -d, -f1),$i,k$capacity,$((seed-1)),$seed,ok,,$capacity.0 >> $dir/runs.csv
        i=$((i+1))
      done
    done
  }
  run $TMPOUT/header 1
  compare() { "$meetsim" compare "$@"; echo code $?; }

  """

private func shell(_ script: String) throws -> (output: String, error: String) {
  let run = try Program.shell("bash -c '" + (functions + script).replacing("'", with: "'\\''") + "'")
  return (run.output, run.error)
}

private let identical = "identical: \(ResultTable.allCases.count) tables, byte for byte\ncode 0\n"

@Suite("The comparison", .serialized)
struct CompareCommandTests {
  @Test func theSameSeedAndModelAreIdentical() throws {
    let run = try shell("run $TMPOUT/a 1; run $TMPOUT/b 1; compare $TMPOUT/a $TMPOUT/b")
    #expect(run.output == identical)
    #expect(run.error.isEmpty)
  }

  /// Names that would be truncated to nothing get lines of their own, as do metrics if values would not fit.
  @Test(arguments: [(60, "tile patient doctor: mos mean"), (80, "tile patient doctor")])
  func aNarrowTerminalKeepsNamesAndValues(width: Int, name: String) throws {
    let run = try shell(
      "run $TMPOUT/a 1; run $TMPOUT/b 1 --set links.home.capacity=\"500 kbps\"; "
        + "COLUMNS=\(width) compare $TMPOUT/a $TMPOUT/b")
    let lines = run.output.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex(of: name), "\(run.output)")
    #expect(lines[place + 1].hasPrefix("  worse ") && !lines[place + 1].contains("…"), "\(run.output)")
    #expect(lines.dropFirst(2).allSatisfy { $0.count <= width }, "\(run.output)")
  }

  @Test func singleRunsAreListedWithoutATest() throws {
    let run = try shell(
      "run $TMPOUT/a 1; run $TMPOUT/b 1 --set links.home.capacity=\"500 kbps\"; compare $TMPOUT/a $TMPOUT/b; "
        + "compare $TMPOUT/a $TMPOUT/b --csv | head -2")
    #expect(run.error.hasPrefix("one run each: changes are listed without a test"))
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("worse ") && $0.contains(" tile patient doctor  mos mean ") })
    #expect(
      run.output.contains(
        "code 0\nchange,scope,viewer,source,metric,stat,unit,direction,base,new,relative_frac\nworse,"))
  }

  @Test func aSweepWithLossIsARegression() throws {
    let run = try shell(
      "sweep $TMPOUT/a; sweep $TMPOUT/b --set links.home.loss=\"12 %\"; compare $TMPOUT/a $TMPOUT/a/.; "
        + "compare $TMPOUT/a $TMPOUT/b --viewer patient --csv | cut -d, -f3 | sort -u; "
        + "compare $TMPOUT/a $TMPOUT/b --by metric; compare $TMPOUT/a $TMPOUT/b; "
        + "compare $TMPOUT/b $TMPOUT/a --by point; "
        + "compare $TMPOUT/a $TMPOUT/b --by tile --csv --min-effect \"5 %\" | grep -e ^verdict -e ,tile,.*packets_lost; cp -r $TMPOUT/a $TMPOUT/c; "
        + "compare $TMPOUT/a $TMPOUT/c; sed -i s/,ok,,/,failed,trap,/ $TMPOUT/c/runs.csv; "
        + "sed -i 5s/failed/ok/ $TMPOUT/c/runs.csv; compare $TMPOUT/a $TMPOUT/c | tail -1")
    #expect(run.error.contains("BASE and NEW are the same directory"))
    #expect(run.output.hasPrefix("code 2\ncode 1\npatient\nviewer\nBASE "))
    #expect(
      run.output.contains("6 pairs of runs at 2 points, same seed in both runs of a pair\n\n"))
    // Over all tiles, and of the patient's.
    let lost = run.output.split(separator: "\n").filter { line in
      line.drop { $0 == " " }.hasPrefix("worse ") && line.contains(" packets_lost total ")
    }
    #expect(lost.count >= 2 && run.output.contains("\ncauses\n") && run.output.contains("tile patient"))
    #expect(
      run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .contains("differences below 1 % of BASE's mean do not count"))
    #expect(run.output.contains("code 1\nBASE "))
    // The other way round it is an improvement.
    #expect(run.output.contains(" at capacity 600"))
    #expect(run.output.contains("code 0\nverdict,scope,viewer,source,point,metric,stat,unit,direction,n,"))
    #expect(run.output.contains("\nworse,tile,patient,doctor,,packets_lost,total,1,smaller,6,"))
    #expect(run.output.contains("identical: 2 tables, byte for byte\ncode 0\n"))
    #expect(run.error.contains("5 runs finished in BASE and failed in NEW"))
    #expect(run.output.hasSuffix("code 3\n"))
  }

  @Test func theBaselineIsReplacedOnPurpose() throws {
    let run = try shell(
      "run $TMPOUT/a 1; run $TMPOUT/b 2; compare $TMPOUT/a $TMPOUT/b > $TMPOUT/x; compare $TMPOUT/a $TMPOUT/b | head -1; "
        + "compare $TMPOUT/a $TMPOUT/b --update-baseline | tail -1; compare $TMPOUT/a $TMPOUT/b; "
        + "compare $TMPOUT/first/one $TMPOUT/b --update-baseline; mkdir $TMPOUT/first; touch $TMPOUT/first/mine; "
        + "compare $TMPOUT/new $TMPOUT/b --update-baseline; compare $TMPOUT/new $TMPOUT/b; "
        + "compare $TMPOUT/first $TMPOUT/b --update-baseline; ls -A $TMPOUT/first; ls -A $TMPOUT | grep -c partial"
    )
    #expect(run.output.hasPrefix("BASE "))
    #expect(
      run.output.hasSuffix(
        "code 0\n\(identical)code 3\ncode 0\n\(identical)code 2\nmine\n0\n"), "\(run.output)")
    #expect(run.error.contains("first': it has no manifest.json, so it is not a result directory"))
  }

  /// Common random numbers: the same people and frames on a path that is 5 ms longer, without bandwidth estimation.
  ///
  /// Signalling takes the longer path as well, so some encodings start a frame later: the pairs differ by that. The
  /// median of three seeds, because a run whose mean lies at the edge of a written digit widens its row.
  @Test func pairedIntervalsOfASweepAreNarrowerThanUnpairedOnes() throws {
    let run = try shell(
      """
      cat > $TMPOUT/s.yaml <<END
      name: paths
      scenario: $PWD/scenarios/one-to-one.yaml
      set: {duration: 10s, estimator: oracle, timeline: [], expect: [], yardstick: false}
      variables:
        capacity: {path: links.home.capacity, values: [1500 kbps, 2 Mbps, 3 Mbps]}
        delay: {path: links.home.delay, values: [20 ms, 25 ms]}
      repetitions: 10
      seed: 1
      END
      for seed in 1 2 3; do
        sed "s/^seed: .*/seed: $seed/" $TMPOUT/s.yaml > $TMPOUT/t.yaml
        "$meetsim" sweep $TMPOUT/t.yaml -q -o $TMPOUT/s --force
        compare $TMPOUT/s $TMPOUT/s --base-where delay_s=0.02 --new-where delay_s=0.025 --by point
      done
      compare $TMPOUT/s $TMPOUT/s --base-where delay_s=0.02 --new-where delay_s=0.03
      compare $TMPOUT/s $TMPOUT/s --base-where delay_s=0.02 --new-where loss_frac=0.0
      compare $TMPOUT/s $TMPOUT/s --base-where "delay=20 ms" --new-where delay=25ms --by point | sed 1,2d > $TMPOUT/units
      compare $TMPOUT/s $TMPOUT/s --base-where delay_s=0.02 --new-where delay_s=0.025 --by point | sed 1,2d | cmp - $TMPOUT/units
      compare $TMPOUT/s $TMPOUT/s --base-where delay_s --new-where delay_s=0.02
      compare $TMPOUT/s $TMPOUT/s --base-where delay_s=0.02 --new-where delay_s=0.02

      """)
    #expect(run.output.hasPrefix("BASE "))
    #expect(run.output.contains("/s where delay_s=0.02\nNEW "))
    #expect(run.output.contains("\n30 pairs of runs at 3 points, same seed in both runs of a pair\n"))
    let words = run.output.split(separator: "pairing makes the intervals ")
    let factors = words.dropFirst().compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    #expect(factors.count == 3 && factors.sorted()[1] > 2, "\(factors) times narrower")
    #expect(run.output.hasSuffix("(median over rows)\ncode 1\ncode 2\ncode 2\ncode 2\ncode 2\n"))
    #expect(
      run.error.contains("runs.csv:1:1: error: 'delay_s' is never '0.03': its values are 0.02, 0.025\n"))
    #expect(run.error.contains("there is no variable 'loss_frac': the variables are capacity_bps, delay_s\n"))
    #expect(run.error.contains("'delay_s' is not a condition such as 'policy=janus'"))
    #expect(run.error.contains("BASE and NEW are the same directory"))
  }

  @Test(arguments: [
    ("$TMPOUT/header $TMPOUT/none", "none: error: there is no such directory"),
    ("$TMPOUT/header Sources", "Sources: error: not a result directory: it has no scalars.csv"),
    ("$TMPOUT/header $TMPOUT/header --min-effect 3", "--min-effect: "),
    ("$TMPOUT/header $TMPOUT/header --level \"100 %\"", "--level '100 %' is out of range"),
    ("$TMPOUT/header $TMPOUT/header --by run", "The value 'run' is invalid for '--by"),
    ("$TMPOUT/header", "Missing expected argument '<new>'"),
  ])
  func badUsageEndsWith2(arguments: String, message: String) throws {
    let run = try shell("compare \(arguments)")
    #expect(run.output == "code 2\n")
    #expect(run.error.contains(message), "\(run.error)")
  }

  @Test func aBrokenTableIsNamed() throws {
    let run = try shell(
      "run $TMPOUT/a 1; run $TMPOUT/b 1; sed -i \"3s/,tile,/,tile/\" $TMPOUT/b/scalars.csv; compare $TMPOUT/a $TMPOUT/b; "
        + "sweep $TMPOUT/s; compare $TMPOUT/a $TMPOUT/s")
    #expect(run.output.contains("code 2\n") && run.output.hasSuffix("code 2\n"))
    #expect(run.error.contains("/b/scalars.csv:3:1: error: 8 fields where the header has 9"))
    #expect(run.error.contains("error: one is the result of a run, the other of a sweep"))
  }

  /// A sweep's file contains its scenario: a key of it that differs is one difference, one of the sweep another.
  @Test func aKeyOfASweepsScenarioIsListedOnce() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/s.yaml <<END
      name: s
      scenario:
        name: pair
        duration: 3s
        participants:
          - {id: ann, publish: {camera: 360p30}}
          - {id: bob, down: home, view: {stage: ann}}
        links: {home: {capacity: 5 Mbps, delay: 5 ms}}
      variables: {delay: {path: links.home.delay, values: [5 ms, 9 ms]}}
      END
      sed 's/360p30/180p30/; s/9 ms/8 ms/' $TMPOUT/s.yaml > $TMPOUT/t.yaml
      for name in s t; do "$meetsim" sweep $TMPOUT/$name.yaml -o $TMPOUT/$name -q; done
      "$meetsim" compare $TMPOUT/s $TMPOUT/t | sed -n '/^differing keys/,/^$/p'
      """)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: ":")[0] }
    #expect(
      lines == ["differing keys", "  participants.ann.publish.camera", "  variables.delay.values"],
      "\(run.output)")
  }
}
