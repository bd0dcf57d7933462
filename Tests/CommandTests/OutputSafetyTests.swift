import TestSupport
import Testing

/// Shell words to run a short meeting; `$TMPOUT/r` is its result.
private let short = """
  cd $TMPOUT
  trace=\(Repository.root)/scenarios/traces/lte-drive.csv
  run() { "$meetsim" run \(Repository.root)/scenarios/one-to-one.yaml -q --set duration=1s --set timeline=[] \
  --set estimator=oracle "$@"; }
  run -o r

  """

/// Every option that names a file, after the rest of its command.
private let fileOptions = [
  "check -q r --junit", "trace convert $trace -o", "verify --only growth --series",
]

/// Files that are not meetsim's are never replaced, and an output that cannot be written is an error.
@Suite("Safety of outputs", .serialized)
struct OutputSafetyTests {
  @Test(arguments: fileOptions)
  func pipesAndLinksAreWrittenThrough(option: String) throws {
    let run = try Program.shell(
      short + "mkfifo pipe; cat pipe > piped & \"$meetsim\" \(option) pipe > seen; wait; "
        + "echo old > real; ln -s real link; \"$meetsim\" \(option) link > seen; "
        + "ln -s /proc/self/fd/1 stdout; \"$meetsim\" \(option) stdout > both; "
        + "stat -c %F pipe link stdout; cmp piped real; "
        // Other printed output goes to the same stream and is not lost.
        + "[ $(wc -c < both) -ge $(wc -c < real) ] && echo both; ls -A | grep -c partial")
    #expect(
      run.output == "fifo\nsymbolic link\nsymbolic link\nboth\n0\n", "\(run.output)\(run.error)")
  }

  @Test func unsuitableNamesFailBeforeTheWork() throws {
    let outputs =
      ["run -o", "run --force -o", "\"$meetsim\" sweep s.yaml -q -o"]
      + fileOptions.map { "\"$meetsim\" \($0)" }
    let run = try Program.shell(
      SmallSweep.file + short + "ln -s nowhere dangling; ln -s loop loop; "
        + outputs.map { command in
          "for o in '' dangling loop; do \(command) \"$o\" >/dev/null 2>>errors; echo $?; done; "
        }.joined() + "ls -A | grep -v -e '^err' -e '^out$' | xargs")
    let codes = Array(repeating: "2", count: 3 * outputs.count).joined(separator: "\n")
    #expect(run.output == codes + "\ndangling loop r s.yaml\n", "\(run.output)\(run.error)")
  }

  @Test func forceReplacesOnlyWhatMeetsimWrote() throws {
    let run = try Program.shell(
      short + "run -o r --force; echo $?; echo mine > r/note.txt; run -o r --force; echo $?; cat r/note.txt; "
        + "rm r/note.txt; echo edited >> r/streams.csv; run -o r --force; echo $?; tail -1 r/streams.csv; "
        + "mkdir web; echo '{\"name\": \"my app\"}' > web/manifest.json; echo '<html>' > web/index.html; "
        + "run -o web --force; echo $?; cat web/index.html")
    #expect(run.output == "0\n2\nmine\n2\nedited\n2\n<html>\n", "\(run.output)\(run.error)")
    #expect(run.error.contains("cannot replace 'r': it contains 'note.txt', which meetsim did not write"))
    #expect(run.error.contains("cannot replace 'r': its 'streams.csv' was changed after meetsim wrote it"))
    #expect(run.error.contains("cannot replace 'web': its manifest.json is not that of a run"))
  }

  @Test func forceReplacesOnlyASweep() throws {
    let run = try Program.shell(
      SmallSweep.file + short
        + "sweep() { \"$meetsim\" sweep s.yaml -q --filter 'capacity > 2 Mbps' \"$@\"; echo $?; }; "
        + "sweep -o a; sweep -o a --force; for f in notes runs/notes runs/ab/notes; do mkdir -p a/runs/ab; "
        + "echo mine > a/$f; sweep -o a --force; cat a/$f; rm a/$f; done; "
        + "cp a/summary.csv s; sed -i 's/,/;/' a/summary.csv; sweep -o a --force; cp s a/summary.csv; sweep -o a --force; "
        + "mkdir web; echo '{}' > web/manifest.json; sweep -o web --force; sweep -o web --resume; cat web/manifest.json; "
        + "sweep -o r --force; run -o a --force; echo $?; ls r | wc -l; ls a | xargs; "
        + "\"$meetsim\" merge a -q -o m; echo mine > m/notes; \"$meetsim\" merge a -q -o m --force; echo $?")
    #expect(
      run.output
        == "0\n0\n2\nmine\n2\nmine\n2\nmine\n2\n0\n2\n2\n{}\n2\n2\n11\n"
        + "datapackage.json manifest.json plan.csv runs runs.csv scalars.csv summary.csv\n2\n",
      "\(run.output)\(run.error)")
    #expect(run.error.contains("cannot replace 'a': it contains 'runs/ab/notes'"))
  }

  @Test func aBaselineWithNotesIsNotReplaced() throws {
    let run = try Program.shell(
      short + "cp -r r base; echo mine > base/note; run -o new --seed 2; "
        + "\"$meetsim\" compare base new --update-baseline > seen; echo $?; cat base/note; rm base/note; ln -s base link; "
        + "\"$meetsim\" compare link new --update-baseline > seen; echo $?; stat -c %F link; cmp base/streams.csv new/streams.csv"
    )
    #expect(run.output == "2\nmine\n0\nsymbolic link\n", "\(run.output)\(run.error)")
    #expect(run.error.contains("cannot replace 'base': it contains 'note'"))
  }

  #if os(Linux)
    @Test func standardOutputThatCannotBeWrittenIs3() throws {
      let commands = [
        "list policies", "list links", "schema", "schema sweep", "--help", "--version", "help run",
        "run --help",
        "validate s.yaml", "check r", "trace info $trace", "trace convert $trace", "trace generate",
        "compare r r2", "verify --only growth",
        "run \(Repository.root)/scenarios/one-to-one.yaml --set duration=1s --set timeline=[]",
        "sweep s.yaml --dry-run", "sweep s.yaml -o a", "status a", "merge a -o m", "slurm s.yaml --shards 2",
        "steady s2 bitrate_bps --viewer patient --source doctor --batches 3",
        "--generate-completion-script bash",
      ]
      let run = try Program.shell(
        SmallSweep.file + short + "run -o r2 --seed 2; run -o s2 --set duration=40s; "
          + commands.map {
            "\"$meetsim\" \($0) >/dev/full 2>e; echo $? $(grep -c 'standard output: no space' e) '\($0)'; "
          }
          .joined() + "\"$meetsim\" list policies >&-; echo $?; ls a m | grep -c scalars.csv")
      let lines = run.output.split(separator: "\n").map(String.init)
      try #require(lines.count == commands.count + 2, "\(run.output)\(run.error)")
      for (line, command) in zip(lines, commands) { #expect(line == "3 1 \(command)") }
      // Output to a closed stream is lost too, but the files are still written.
      #expect(lines.suffix(2) == ["3", "2"])
    }
  #endif

  @Test func aReaderThatHasSeenEnoughIsNoError() throws {
    let run = try Program.shell(
      SmallSweep.file + short
        + "for c in 'list links' schema 'trace generate' \"trace convert $trace\" 'check r --junit j.xml' \"run "
        + "\(Repository.root)/scenarios/one-to-one.yaml --set duration=1s --set timeline=[] -o r2\" 'sweep s.yaml --dry-run' --help; do "
        + "{ \"$meetsim\" $c; echo $? >> codes; } | true; done; cat codes; ls j.xml r2/manifest.json"
    )
    #expect(run.output == "0\n0\n0\n0\n1\n0\n0\n0\nj.xml\nr2/manifest.json\n", "\(run.output)\(run.error)")
    #expect(!run.error.contains("standard output"))
  }

  @Test func whatAKilledRunLeftIsRemovedByTheNext() throws {
    let run = try Program.shell(
      short
        + "for i in 1 2; do (exec \"$meetsim\" run \(Repository.root)/scenarios/full-house.yaml --set duration=2h -q -o k) & pid=$!; "
        + "for i in $(seq 100); do ls -A | grep -q 'k.partial-' && break; sleep 0.05; done; kill -KILL $pid; "
        + "wait $pid 2>/dev/null; ls -A | grep -c partial; done; run -o k; ls -A | grep -c partial; ls -d k")
    #expect(run.output == "1\n1\n0\nk\n", "\(run.output)\(run.error)")
  }

  @Test func numbersOutOfRangeAndJoinedOptions() throws {
    let run = try Program.shell(
      SmallSweep.file + short
        + "for s in 9223372036854775807 9223372036854775808 18446744073709551615; do run --seed $s 2>/dev/null; echo $?; "
        + "\"$meetsim\" trace generate --seed $s >/dev/null 2>&1; echo $?; run --set seed=$s 2>/dev/null; echo $?; done; "
        + "\"$meetsim\" sweep s.yaml -q -j1 -o a; echo $?; "
        + "SLURM_CPUS_ON_NODE=9223372036854775807 \"$meetsim\" sweep s.yaml -q -o b; echo $?; "
        + "mkdir empty; \"$meetsim\" verify --calls empty >/dev/null; echo $?; "
        + "\"$meetsim\" verify --calls nowhere >/dev/null; echo $?")
    #expect(run.output == "0\n0\n0\n2\n2\n2\n2\n2\n2\n0\n0\n2\n2\n", "\(run.output)\(run.error)")
    #expect(run.error.hasSuffix("error: --calls 'nowhere': there is no such folder\n"))
  }
}
