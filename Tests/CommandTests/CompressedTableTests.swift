import Testing

@Suite("Results with compressed tables", .serialized)
struct CompressedTableTests {
  /// The same run twice: `a` as plain CSV, `b` compressed.
  private let both = """
    run() { "$meetsim" run scenarios/one-to-one.yaml -q --set duration=20s --interval 500ms "$@"; }
    run -o $TMPOUT/a; run -o $TMPOUT/b --compress

    """

  @Test func theContentIsTheSame() throws {
    let run = try Program.shell(
      both + "ls $TMPOUT/b | tr '\\n' ' '; for table in $TMPOUT/b/*.gz; do "
        + "gzip -dc $table | cmp - $TMPOUT/a/$(basename $table .gz) || exit 1; done; "
        + "cmp $TMPOUT/a/scalars.csv $TMPOUT/b/scalars.csv && echo same; "
        + "sed -n 's/.*\"path\": \"\\(.*\\.gz\\)\".*/\\1/p' $TMPOUT/b/datapackage.json | wc -l; "
        + "grep -c '\"compression\": \"gz\"' $TMPOUT/b/datapackage.json; "
        + "grep -c compression $TMPOUT/a/datapackage.json")
    #expect(
      run.output
        == "audio.csv.gz datapackage.json decisions.csv.gz events.csv.gz layout.csv.gz links.csv.gz manifest.json "
        + "participants.csv.gz scalars.csv sent.csv.gz streams.csv.gz same\n8\n8\n0\n", "\(run.error)")
  }

  @Test func everyCommandReadsThem() throws {
    let run = try Program.shell(
      both + "for d in a b; do cd $TMPOUT/$d; { "
        + "\"$meetsim\" steady . bitrate_bps --viewer patient --source doctor --batches 4; "
        + "\"$meetsim\" explain . --viewer patient --source doctor --at 10s; "
        + "\"$meetsim\" explain . --worst 1; \"$meetsim\" check .; } > ../$d.txt 2>&1; cd ..; done; "
        + "grep -c '^interval' a.txt; cmp a.txt b.txt && echo same; "
        + "\"$meetsim\" compare a b; echo $?")
    #expect(run.output.hasPrefix("1\nsame\n"), "\(run.output)\(run.error)")
    #expect(run.output.contains("identical: 9 tables, byte for byte"), "\(run.output)")
    #expect(run.output.hasSuffix("0\n"))
  }

  @Test func whatWasEditedIsKept() throws {
    let run = try Program.shell(
      both + "again() { run -o $TMPOUT/b --force \"$@\"; echo $?; }; "
        + "again --compress; again; ls $TMPOUT/b | grep -c gz; again --compress; "
        + "echo x | gzip > $TMPOUT/b/links.csv.gz; again")
    #expect(run.output == "0\n0\n0\n0\n2\n", "\(run.error)")
    #expect(run.error.contains("its 'links.csv.gz' was changed after meetsim wrote it"))
  }

  @Test func whatIsCutOffIsNamed() throws {
    let run = try Program.shell(
      both + "head -c 300 $TMPOUT/b/streams.csv.gz > $TMPOUT/x; mv $TMPOUT/x $TMPOUT/b/streams.csv.gz; "
        + "\"$meetsim\" steady $TMPOUT/b bitrate_bps --viewer patient --source doctor; echo $?")
    #expect(run.output == "2\n")
    #expect(run.error.contains("b/streams.csv.gz") && run.error.contains("it ends too early"), "\(run.error)")
  }

  @Test func theyGoIntoADirectory() throws {
    let run = try Program.shell(
      "run() { \"$meetsim\" run scenarios/one-to-one.yaml -q --set duration=1s \"$@\"; echo $?; }; "
        + "run --compress; run --compress -o $TMPOUT/a --repetitions 2")
    #expect(run.output == "2\n2\n")
    #expect(run.error.contains("--compress needs -o, a directory for the tables"))
    #expect(
      run.error.contains("--repetitions goes without --repetition, --tables, --compress and --by source"))
  }

  @Test func theSeriesOfASweepAreCompressedWhenAskedFor() throws {
    let run = try Program.shell(
      SmallSweep.file + "sweep() { \"$meetsim\" sweep $TMPOUT/s.yaml -q \"$@\"; }\n"
        + "printf 'compress-series: true\\n' >> $TMPOUT/s.yaml; for d in a b; do sweep -o $TMPOUT/$d; done; "
        + "ls $TMPOUT/a/series/*/streams.csv.gz | wc -l; ls $TMPOUT/a/series/*/*.csv | wc -l; "
        + "diff -r -x .lock $TMPOUT/a $TMPOUT/b && echo same; sweep -o $TMPOUT/a --force; echo $?")
    #expect(run.output == "12\n12\nsame\n0\n", "\(run.error)")
  }
}
