import TestSupport
import Testing

/// HTML pages of results, and tables in the terminal.
@Suite("report and table")
struct ReportCommandTests {
  /// Five seconds of one tile: half the lines for three seconds, then a freeze of 1.2 s, the last one on the screen.
  private static let tables = """
    mkdir $TMPOUT/r
    cat > $TMPOUT/r/streams.csv <<'END'
    run_id,time_s,viewer,source,state,requested_height_px,requested_fps,frame_height_px,frames_per_second,limitation,freeze_count,freezes_duration_s
    r,1.000,v,a,receiving,720,30.00,360,30.00,bandwidth,0,0.000
    r,2.000,v,a,receiving,720,30.00,180,15.00,bandwidth,0,0.000
    r,3.000,v,a,receiving,720,30.00,360,29.00,bandwidth,0,0.000
    r,4.000,v,a,hidden,720,30.00,,0.00,off-screen,0,0.000
    r,5.000,v,a,receiving,720,30.00,720,30.00,none,1,1.200
    END
    cat > $TMPOUT/r/layout.csv <<'END'
    run_id,time_s,viewer,source,area,x_px,y_px,width_px,height_px,z,visible_frac
    r,0.000,v,a,stage,0,0,1280,720,0,1.0000
    END

    """

  @Test func worstMomentsAreStretchesWithTheirMedianAndFreezesOfASource() throws {
    let run = try Program.shell(
      Self.tables
        + "\"$meetsim\" report $TMPOUT/r -o $TMPOUT/r.html -q && grep -o '\"moments\":.*\"explanations\"' $TMPOUT/r.html"
    )
    #expect(run.code == 0, "\(run.error)")
    // 2 x 30 x (720² - 360²) + 30 x 720² - 15 x 180²; a single missing frame does not count.
    let below =
      "{\"what\":\"below request\",\"viewer\":\"v\",\"source\":\"a\",\"limitation\":\"bandwidth\",\"begin\":0.0,\"end\":3.0,"
      + "\"asked\":720.0,\"got\":360.0,\"weight\":38.394,\"count\":0,\"total\":0.0}"
    let freeze =
      "{\"what\":\"freeze\",\"viewer\":\"v\",\"source\":\"a\",\"limitation\":\"\",\"begin\":4.0,\"end\":5.0,"
      + "\"asked\":720.0,\"got\":720.0,\"weight\":1.0,\"count\":1,\"total\":1.0}"
    #expect(run.output.hasPrefix("\"moments\":[\(freeze),\(below)],\"explanations\""), "\(run.output)")
  }

  @Test func aPageIsOneFileThatLoadsNothing() throws {
    let run = try Program.shell(
      "\"$meetsim\" run scenarios/one-to-one.yaml --set duration=3s --set timeline=[] --set 'title=</script><b>' -q --report $TMPOUT/r.html && "
        + "grep -c '<script' $TMPOUT/r.html; grep -c \"default-src 'none'\" $TMPOUT/r.html; "
        + "grep -cE '(src|href)=.?https?:|</script><b>' $TMPOUT/r.html")
    #expect(run.output == "2\n1\n0\n", "\(run.output)\(run.error)")
  }

  @Test func twoRunsSayWhatDiffersInTheTitle() throws {
    let run = try Program.shell(
      "\"$meetsim\" run scenarios/one-to-one.yaml --set duration=3s --set timeline=[] -q -o $TMPOUT/a; \"$meetsim\" run scenarios/one-to-one.yaml "
        + "--set duration=3s --set timeline=[] --set participants.doctor.publish.camera=360p30 --seed 2 -q -o $TMPOUT/b; "
        + "\"$meetsim\" report $TMPOUT/a $TMPOUT/b -o $TMPOUT/r.html -q; grep -o '<title>.*</title>' $TMPOUT/r.html; "
        + "\"$meetsim\" report $TMPOUT/a $TMPOUT/a -o $TMPOUT/r.html -q; grep -o '<title>.*</title>' $TMPOUT/r.html"
    )
    #expect(
      run.output
        == "<title>one-to-one with participants.doctor.publish.camera: 720p30 or 360p30, seed: 1 or 2 · meetsim</title>\n"
        + "<title>one-to-one twice: nothing differs · meetsim</title>\n", "\(run.output)\(run.error)")
  }

  /// The second point's first run, and a repetition: the page has the run's own capacity, and its number.
  @Test func aRunOfASweepHasAPageOfItsOwn() throws {
    let run = try Program.shell(
      SmallSweep.file
        + """
        cd $TMPOUT; "$meetsim" sweep s.yaml -o sweep -q
        id=$(grep ',p2,' sweep/runs.csv | head -n 1 | cut -d, -f1)
        "$meetsim" report sweep --run $id -o r.html
        grep -c '"directory":"'$id'"' r.html; grep -o 'capacity: 2 Mbps' r.html | head -n 1
        "$meetsim" run \(Repository.root)/scenarios/one-to-one.yaml --set duration=2s --set timeline=[] --set expect=[] \
          --repetitions 2 -q -o both
        id=$(sed -n 3p both/runs.csv | cut -d, -f1)
        "$meetsim" report both --run $id -q -o b.html; grep -o '"repetition":"1"' b.html
        "$meetsim" report sweep --run x -o x.html; echo $?; "$meetsim" report both both --run x -o x.html; echo $?
        echo 'seed: 5' >> s.yaml; id=$(sed -n 2p sweep/runs.csv | cut -d, -f1); "$meetsim" report sweep --run $id -o x.html
        code=$?; ls x.html; exit $code
        """)
    #expect(
      run.output == "r.html: open it in a browser\n1\ncapacity: 2 Mbps\n\"repetition\":\"1\"\n2\n2\n",
      "\(run.output)\(run.error)")
    for text in [
      "there is no run 'x'", "--run is for the directory of one sweep", "has changed since the sweep ran",
    ] {
      #expect(run.error.contains(text), "\(run.error)")
    }
    #expect(run.code == 2)
  }

  @Test(arguments: [
    ("report $TMPOUT/none -o $TMPOUT/x.html", "there is no such directory"),
    ("report $TMPOUT/r -o $TMPOUT/x.pdf", "must end in .html"),
    ("report $TMPOUT/r --run x -o $TMPOUT/x.html", "--run is for the directory of a sweep"),
    ("report $TMPOUT/r $TMPOUT/r $TMPOUT/r", "one result directory or two"),
    ("report $TMPOUT -o $TMPOUT/x.html", "it has no streams.csv"),
    ("table $TMPOUT/r streems", "did you mean 'streams'?"),
    ("table $TMPOUT/r streams --columns bitrat", "'bitrat'"),
    ("table $TMPOUT/r streams --viewer w", "no row of streams.csv is about that"),
    ("table $TMPOUT/r links", "there is no such table"),
  ])
  func whatIsWrongIsTold(command: String, message: String) throws {
    let run = try Program.shell(
      Self.tables + "\"$meetsim\" \(command); code=$?; ls $TMPOUT/x.* 2> /dev/null; exit $code")
    #expect(run.code == 2 && run.error.contains(message) && run.output.isEmpty, "\(run.output)\(run.error)")
  }

  @Test func aTableHasItsColumnsWithUnits() throws {
    let run = try Program.shell(
      Self.tables
        + "\"$meetsim\" table $TMPOUT/r streams --source a --from 2s --to 4s --columns time,state,frame_height,frames_per_second"
    )
    #expect(
      run.output == """
         time  state      frame_height  frames_per_second
          [s]                     [px]               [Hz]
        2.000  receiving           180              15.00
        3.000  receiving           360              29.00
        4.000  hidden                -               0.00

        """, "\(run.output)\(run.error)")
  }

  /// `limitation` would be the last of 64 columns.
  @Test func columnsThatDoNotFitAreBelowTheOthers() throws {
    let run = try Program.shell(
      Self.tables
        + "COLUMNS=60 \"$meetsim\" table $TMPOUT/r streams --source a --from 2s --to 3s --columns time,frame_height,frames_per_second,freeze_count,limitation"
    )
    let blocks = run.output.split(separator: "\n\n").map { $0.split(separator: "\n") }
    #expect(blocks.count == 2 && run.error.isEmpty, "\(run.output)\(run.error)")
    #expect(blocks.joined().allSatisfy { $0.count <= 60 }, "\(run.output)")
    #expect(
      blocks.first?.first == " time  frame_height  frames_per_second  freeze_count", "\(run.output)")
    #expect(blocks.last?.first == " time  limitation", "\(run.output)")
    #expect(blocks.allSatisfy { $0.last?.hasPrefix("3.000  ") ?? false }, "\(run.output)")
  }
}
