import TestSupport
import Testing

/// Shell words to run a meeting of one second; `$TMPOUT/r` is its result.
private let short = """
  cd $TMPOUT
  run() { "$meetsim" run \(Repository.root)/scenarios/one-to-one.yaml -q --set duration=1s --set timeline=[] \
  --set expect=[] --set estimator=oracle "$@"; }
  run -o r

  """

/// Outputs overwrite neither inputs nor anything that meetsim did not write.
@Suite("Output destinations", .serialized)
struct OutputPlaceTests {
  /// The directory keeps its identity: a shell in it sees the files, and its permissions are kept.
  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
  func anEmptyDirectoryIsFilledInPlace() throws {
    let run = try Program.shell(
      short + "mkdir -m 700 d; (cd d && run -o . && ls | wc -l && ls -A | grep -c partial); stat -c %a d; "
        + "run -o d; echo $?; run -o d --force; echo $?; stat -c %a d; "
        + "(cd d && run -o . --force && ls | wc -l); \"$meetsim\" check d -q; echo $?; diff d/streams.csv r/streams.csv; "
        + "mkdir e; (ulimit -f 4; run -o e 2>/dev/null; echo $?); ls -A e | wc -l")
    #expect(run.output == "11\n0\n700\n2\n0\n700\n11\n0\n3\n0\n", "\(run.output)\(run.error)")
  }

  @Test func whatAKilledRunLeftInADirectoryIsRemovedByTheNext() throws {
    let run = try Program.shell(
      short
        + "mkdir k; (exec \"$meetsim\" run \(Repository.root)/scenarios/full-house.yaml --set duration=2h -q -o k) & pid=$!; "
        + "for i in $(seq 100); do ls -A k | grep -q 'k.partial-' && break; sleep 0.05; done; kill -KILL $pid; "
        + "wait $pid 2>/dev/null; ls -A k | grep -c partial; run -o k; echo $?; ls -A k | grep -c partial; ls k | wc -l; "
        + "mkdir .o.partial-4194304; echo mine > .o.partial-4194304/notes; run -o o; cat .o.partial-4194304/notes"
    )
    #expect(run.output == "1\n0\n0\n11\nmine\n", "\(run.output)\(run.error)")
  }

  @Test func whatIsReadIsNeverReplaced() throws {
    let run = try Program.shell(
      short
        + """
        cat > s.yaml <<END
        name: s
        duration: 1s
        participants: [{id: ann, publish: {camera: 720p30}}, {id: bob, view: {everybody: 320x180}}]
        END
        printf 't_s,rate_bps\\n0,1000000\\n1,2000000\\n' > t.csv; ln -s t.csv link; mkdir rec; cksum s.yaml t.csv r/* > before
        allocate() { "$meetsim" allocate s.yaml --viewer bob --budget 1Mbps "$@" 2>> errors; echo $?; }
        allocate -o s.yaml; allocate -o ./s.yaml; allocate -o new.csv
        "$meetsim" trace convert t.csv -o t.csv 2>> errors; echo $?; "$meetsim" trace convert t.csv -o link 2>> errors; echo $?
        "$meetsim" explain r --worst 1 -o r/streams.csv 2>> errors; echo $?
        "$meetsim" check r -q --junit r/manifest.json 2>> errors; echo $?; "$meetsim" check r -q --junit r/new.xml 2>> errors; echo $?
        "$meetsim" verify --sfu rec -o rec --force 2>> errors; echo $?
        "$meetsim" verify --only growth --calls rec --series rec/s.csv 2>> errors; echo $?
        cksum s.yaml t.csv r/* | diff before -; grep -c 'it is the file that is read' errors; grep -c 'which is read' errors
        """)
    #expect(run.output == "2\n2\n0\n2\n2\n2\n2\n2\n2\n2\n4\n5\n", "\(run.output)\(run.error)")
  }

  @Test func theReferenceReplacesOnlyItsOwnPages() throws {
    let run = try Program.shell(
      """
      cd $TMPOUT; reference() { "$meetsim" reference --markdown "$@"; echo $?; }
      reference d; reference d; ls d | wc -l; echo mine > d/notes; reference d; echo mine > d/README.md; reference d; cat d/README.md
      reference d --force; head -1 d/README.md; cat d/notes; mkdir e; echo mine > e/notes; reference e; ls e
      mkdir f; echo mine > page; ln -s ../page f/events.md; reference f; cat page; reference ''; reference page
      """)
    #expect(
      run.output == "0\n0\n9\n0\n2\nmine\n0\n# Reference\nmine\n2\nnotes\n2\nmine\n2\n2\n",
      "\(run.output)\(run.error)")
    #expect(
      run.error.contains("cannot write to 'd': it contains 'README.md', which is no page of the reference"))
  }

  @Test func aBaselineHasNothingOfOthers() throws {
    let run = try Program.shell(
      SmallSweep.file + short
        + "run -o new --seed 2; echo mine > new/notes; mkdir new/plots; echo mine > new/plots/a.png; "
        + "\"$meetsim\" compare base new --update-baseline; echo $?; ls base | grep -c -e notes -e plots; ls base | wc -l; "
        + "\"$meetsim\" sweep s.yaml -q -o a --filter 'capacity > 2 Mbps'; echo mine > a/runs/notes; echo mine > a/notes; "
        + "\"$meetsim\" compare b a --update-baseline; echo $?; diff -r -x .lock a b; \"$meetsim\" check b -q; echo $?"
    )
    #expect(
      run.output == "0\n0\n11\n0\nOnly in a: notes\nOnly in a/runs: notes\n0\n", "\(run.output)\(run.error)")
  }

  /// A reader that closes early is no error, however standard output is named.
  @Test func aClosedPipeIsQuietWhereItIsNamed() throws {
    let run = try Program.shell(
      short
        + """
        printf 't_s,rate_bps\\n0,1000000\\n600,2000000\\n' > t.csv
        cat > s.yaml <<END
        name: s
        duration: 1s
        participants: [{id: ann, publish: {camera: 720p30}}, {id: bob, view: {everybody: 320x180}}]
        expect: [{viewer: bob, source: ann, metric: frame_height, stat: p50, is: ">= 5000"}]
        END
        "$meetsim" run s.yaml -q -o bad
        quiet() { { sleep 0.3; "$meetsim" "$@" 2>> errors; echo $? >> codes; } | true; }
        quiet check r -q --junit /dev/stdout; quiet check bad -q --junit /dev/stdout
        quiet trace convert t.csv --to mahimahi -o /dev/stdout; quiet allocate s.yaml --viewer bob --budget 1Mbps -o /dev/fd/1
        quiet init pair -o /dev/stdout; quiet explain r --worst 1 --repetitions 0 -o /dev/stdout
        cat codes; grep -c -i pipe errors
        """)
    #expect(run.output == "0\n1\n0\n0\n0\n0\n0\n", "\(run.output)\(run.error)")
  }
}

/// Tables that someone else has modified are rejected by every command.
@Suite("Changed tables", .serialized)
struct ChangedTableTests {
  private let text =
    ": error: this is not the table that was written: its hash is not the one in manifest.json"

  @Test func everyReaderRefusesThem() throws {
    let run = try Program.shell(
      short
        + """
        run -o n --seed 2
        for t in streams scalars links; do cp -r n $t; sed -i '2s/$/0/' $t/$t.csv; done; cp -r r base
        for t in streams scalars links; do
          "$meetsim" compare r $t > seen; echo $?; "$meetsim" compare $t r > seen; echo $?
          "$meetsim" compare base $t --update-baseline > seen; echo $?; "$meetsim" explain $t --worst 1 > seen; echo $?
        done
        diff -r r base && echo same
        "$meetsim" steady streams bitrate_bps --viewer patient --source doctor --batches 3; echo $?
        "$meetsim" steady links throughput_bps --link patient/down --batches 3; echo $?
        """)
    #expect(
      run.output == String(repeating: "2\n", count: 12) + "same\n2\n2\n", "\(run.output)\(run.error)")
    for table in ["streams", "scalars", "links"] {
      #expect(run.error.contains("\(table)/\(table).csv\(text)"))
    }
    #expect(run.error.split(separator: "\n").count { $0.hasSuffix(text.dropFirst(2)) } >= 14, "\(run.error)")
  }

  @Test func thoseOfASweepAsWell() throws {
    let run = try Program.shell(
      SmallSweep.file + short
        + "\"$meetsim\" sweep s.yaml -q -o a --filter 'capacity > 2 Mbps'; cp -r a b; \"$meetsim\" status b > seen; echo $?; "
        + "sed -i '2s/,0\\.[0-9]*,/,0.5,/' b/summary.csv; \"$meetsim\" status b; echo $?; \"$meetsim\" compare a b > seen; echo $?; "
        + "cp -r a c; sed -i '2s/,ok,/,failed,/' c/runs.csv; \"$meetsim\" status c; echo $?; \"$meetsim\" compare a c; echo $?"
    )
    #expect(run.output == "0\n2\n2\n2\n2\n", "\(run.output)\(run.error)")
    #expect(run.error.contains("b/summary.csv\(text)") && run.error.contains("c/runs.csv\(text)"))
  }
}
