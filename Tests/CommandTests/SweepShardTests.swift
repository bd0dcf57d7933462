import Testing

/// The small sweep, with shell words to run and compare it.
private let small =
  SmallSweep.file + """
    sweep() { "$meetsim" sweep s.yaml -q "$@"; }
    same() { diff -r -x .lock "$1" "$2" && echo same; }
    cd $TMPOUT

    """

@Suite("Shards of sweeps", .serialized)
struct SweepShardTests {
  @Test func mergedShardsAreTheWholeByteForByte() throws {
    let run = try Program.shell(
      small
        + "sweep -o whole; for i in 1 2 3; do sweep -o part-$i --shard $i/3; done; tail -n +2 part-2/runs.csv | wc -l; "
        + "\"$meetsim\" status part-*; echo $?; "
        + "\"$meetsim\" merge part-3 part-1 part-2 -o merged; echo $?; same whole merged; "
        + "\"$meetsim\" merge -q part-1 part-2 -o two; \"$meetsim\" merge -q two part-3 -o three; same whole three"
    )
    #expect(run.output.hasPrefix("4\npart-1: 'small', shard 1/3, 4 runs: 4 ok\n"))
    #expect(
      run.output.contains("part-3: 'small', shard 3/3, 4 runs: 4 ok\nall: 'small', 12 runs: 12 ok\n0\n"))
    #expect(
      run.output.hasSuffix("0\n12 runs: 12 ok\ntables in merged\n0\nsame\nsame\n"),
      "\(run.error)\(run.output)")
  }

  /// An expectation that holds in a shard's own runs says nothing about the others.
  @Test func aShardAloneDoesNotPass() throws {
    let run = try Program.shell(
      small + "sweep -o part-1 --shard 1/2; \"$meetsim\" check -q part-1; echo $?; "
        + "sweep -o part-2 --shard 2/2; \"$meetsim\" merge -q part-1 part-2 -o all; \"$meetsim\" check -q all; echo $?"
    )
    #expect(run.output == "3\n0\n", "\(run.error)")
    #expect(
      run.error.contains("part-1: error: this is shard 1 of 2, and its verdicts are of its runs alone: "),
      "\(run.error)")
  }

  @Test func theVerdictsOfAShardAreSaidToBe() throws {
    let run = try Program.shell(
      small + "printf 'expect:\\n  - {viewer: patient, source: doctor, metric: mos, is: \">= 1\"}\\n' "
        + ">> s.yaml; "
        + "for i in 1 2; do \"$meetsim\" sweep s.yaml -o part-$i --shard $i/2; done "
        + "| grep -c '^verdicts on shard [12]/2 alone'; "
        + "\"$meetsim\" merge part-1 -o first | grep '^verdicts on '; "
        + "\"$meetsim\" merge part-1 part-2 -o all | grep -e '^verdicts on ' -e 'expectations'")
    #expect(
      run.output
        == "2\nverdicts on 6 of 12 runs: the others are missing\n6 of 6 expectations hold\n",
      "\(run.output)\(run.error)")
  }

  @Test func aMissingShardIsToldAndDoneLater() throws {
    let run = try Program.shell(
      small + "sweep -o whole; sweep -o part-1 --shard 1/2; \"$meetsim\" merge part-1 -o merged; echo $?; "
        + "grep -c ',missing,' merged/runs.csv; \"$meetsim\" status merged; echo $?; \"$meetsim\" status part-1 part-1 | tail -1; "
        + "sweep -o merged --resume; echo $?; same whole merged")
    #expect(
      run.output
        == "12 runs: 6 ok, 6 missing\ntables in merged\n3\n6\nmerged: 'small', 12 runs: 6 ok, 6 missing\n3\nall: 'small', 12 runs: 6 ok, 6 missing\n0\nsame\n",
      "\(run.error)\(run.output)")
  }

  @Test func theEnvironmentOfAnArrayTellsTheShard() throws {
    let run = try Program.shell(
      small
        + "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=3 sweep -o a --shard auto; "
        + "\"$meetsim\" status a; sweep -o b --shard auto; echo $?")
    #expect(run.output.hasPrefix("a: 'small', shard 2/3, 4 runs: 4 ok\n") && run.output.hasSuffix("2\n"))
    #expect(run.error.hasPrefix("error: --shard: cannot determine the shard from the environment"))
  }

  @Test func whatDoesNotBelongTogetherIsRefused() throws {
    let run = try Program.shell(
      small + "sweep -o a --shard 1/2; sed 's/repetitions: 2/repetitions: 3/' s.yaml > t.yaml; "
        + "\"$meetsim\" sweep t.yaml -q -o b --shard 2/2; \"$meetsim\" merge a b -o m; echo $?; "
        + "\"$meetsim\" sweep t.yaml -q -o a --shard 1/2 --resume; echo $?; sweep -o a --shard 2/2 --resume; echo $?; "
        + "\"$meetsim\" merge a -o a; echo $?; \"$meetsim\" merge nowhere -o m; echo $?; \"$meetsim\" status s.yaml; echo $?; ls"
    )
    #expect(run.output == "2\n2\n2\n2\n2\n2\na\nb\nerr\nout\ns.yaml\nt.yaml\n")
    let lines = run.error.split(separator: "\n").map(String.init)
    try #require(lines.count == 6)
    #expect(lines[0].contains("cannot merge 'b' with 'a': they belong to different sweeps"))
    #expect(lines[1].contains("cannot resume 'a': it belongs to another sweep"))
    #expect(lines[2].contains("it is for shard 1/2, not for shard 2/2: use the same --shard"))
    #expect(lines[3].contains("it is one of the directories to merge"))
    #expect(lines[4].contains("cannot read 'nowhere': it is not a sweep directory"))
  }

  @Test func differentResultsOfOneRunAreNotMerged() throws {
    let run = try Program.shell(
      small + "sweep -o a; cp -r a b; sed 's/duration: 2s/duration: 3s/' s.yaml > t.yaml; "
        + "\"$meetsim\" sweep t.yaml -q -o c; "
        // A run of another build: the same id and a different result, with a matching checksum.
        + "id=$(sed -n 2p a/runs.csv | cut -d, -f1); other=$(sed -n 2p c/runs.csv | cut -d, -f1); "
        + "cp c/runs/*/$other.run $(find b/runs -name $id.run); \"$meetsim\" merge a b -o m; echo $?; \"$meetsim\" status b | tail -1"
    )
    // A file under another run's name is damaged, and the good one is taken.
    #expect(
      run.output == "12 runs: 12 ok\ntables in m\n0\nb: 'small', 12 runs: 11 ok, 1 missing\n",
      "\(run.output)\(run.error)")
  }

  @Test func aRefusedMergeLeavesTheOldOutput() throws {
    // Another process's lock stands in for a sweep that is still running.
    let run = try Program.shell(
      small + "sweep -o a; \"$meetsim\" merge -q a -o m; cp -r m before; "
        + "flock a/.lock \"$meetsim\" merge -q a -o m --force; echo $?; same before m; "
        + "\"$meetsim\" merge -q a -o m --force; echo $?; same before m")
    #expect(run.output == "2\nsame\n0\nsame\n", "\(run.error)\(run.output)")
    #expect(run.error.contains("cannot read 'a': it is in use by another process: wait for it"))
  }

  @Test func aSlurmScriptIsShellAndNamesEveryShard() throws {
    let run = try Program.shell(
      small
        + "\"$meetsim\" slurm s.yaml --shards 3 --time 0:10:00 --partition debug -o \"it's here\" > job.sh && bash -n job.sh && "
        + "mkdir bin && printf '#!/bin/sh\\necho \"$*\" >> sbatch.log; echo 42\\n' > bin/sbatch && chmod +x bin/sbatch && "
        + "PATH=$PWD/bin:$PATH bash job.sh; cat sbatch.log; "
        + "for i in 1 2 3; do MEETSIM=\"$meetsim\" SLURM_ARRAY_TASK_ID=$i bash job.sh shard > /dev/null; done; "
        + "MEETSIM=\"$meetsim\" bash job.sh merge; sweep -o whole; same whole \"it's here/merged\"; "
        + "\"$meetsim\" slurm s.yaml --shards 3 --time '1; rm x'; echo $?")
    #expect(run.output.hasPrefix("submitted array 42 and merge 42; results will be in it's here/merged\n"))
    #expect(
      run.output.contains(
        "--array=1-3 --cpus-per-task=1 --mem=2G --time=0:10:00 --partition=debug --signal=B:TERM@60"))
    #expect(run.output.contains("--dependency=afterany:42"))
    #expect(
      run.output.hasSuffix("12 runs: 12 ok\ntables in it's here/merged\nsame\n2\n"),
      "\(run.error)\(run.output)")
  }
}
