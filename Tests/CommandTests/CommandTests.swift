import TestSupport
import Testing

@Suite("The program", .serialized)
struct CommandTests {
  @Test func aRunWritesEveryTableAndPrintsASummary() throws {
    let run = try Program.shell(
      "\"$meetsim\" run scenarios/one-to-one.yaml --set duration=10s --set timeline='[]' -o $TMPOUT/r --check; "
        + "echo code $?; ls $TMPOUT/r; head -1 $TMPOUT/r/streams.csv")
    #expect(run.output.contains("code 0"))
    #expect(run.output.contains("1 of 1 expectations hold"))
    #expect(run.output.contains("doctor"))
    for file in [
      "streams.csv", "sent.csv", "audio.csv", "participants.csv", "links.csv", "decisions.csv", "events.csv",
      "layout.csv", "scalars.csv",
      "manifest.json", "datapackage.json",
    ] {
      #expect(run.output.contains(file))
    }
    #expect(
      run.output.hasSuffix(
        "run_id,time_s,viewer,source,kind,state,tile_width_px,tile_height_px,requested_height_px,"
          + "requested_fps,target_height_px,frame_width_px,frame_height_px,frames_per_second,bitrate_bps,"
          + "packets_lost,freeze_count,freezes_duration_s,limitation,mos,key_frames_decoded,pli_count,nack_count\n"
      ))
  }

  @Test func aBrokenExpectationEndsWith1() throws {
    let run = try Program.shell(
      "\"$meetsim\" run scenarios/one-to-one.yaml --set estimator=oracle --set links.home.capacity='300 kbps' --check"
    )
    #expect(run.code == 1)
    #expect(
      run.error.contains(
        "one-to-one.yaml:22:5: error: expectation failed: frame_height (p50) of doctor at patient: "
          + "expected >= 720 px, measured 180 px\n"))
  }

  @Test func aBrokenScenarioEndsWith2AndLeavesNothingBehind() throws {
    let run = try Program.shell(
      "\"$meetsim\" run Tests/ScenarioTests/Broken/unknown-key.yaml -o $TMPOUT/r; echo $?; ls -A $TMPOUT")
    #expect(run.output.hasPrefix("2\n"))
    #expect(!run.output.contains("\nr\n"))
    #expect(run.error.contains("unknown-key.yaml:2:1: error: unknown key 'duratoin'"))
  }

  @Test func noBrokenScenarioRunsOrLeavesADirectory() throws {
    let run = try Program.shell(
      "for f in Tests/ScenarioTests/Broken/*.yaml; do \"$meetsim\" run $f -q -o $TMPOUT/r 2>/dev/null; echo $?; done | "
        + "sort | uniq -c | awk '{print $2}'; ls -A $TMPOUT | grep -v -e out -e err")
    #expect(run.output == "2\n")
  }

  @Test func badUsageEndsWith2() throws {
    #expect(try Program.shell("\"$meetsim\" run").code == 2)
    #expect(try Program.shell("\"$meetsim\" fly").code == 2)
    #expect(try Program.shell("\"$meetsim\" run scenarios/one-to-one.yaml --interval soon").code == 2)
    #expect(try Program.shell("\"$meetsim\" --version").output == "0.1.0\n")
  }

  @Test func anExistingResultIsKeptUnlessForcedAndAnythingElseAlways() throws {
    let run = try Program.shell(
      "mkdir $TMPOUT/r && echo precious > $TMPOUT/r/note; "
        + "for force in '' --force; do \"$meetsim\" run scenarios/one-to-one.yaml -q $force -o $TMPOUT/r; echo $?; done; "
        + "cat $TMPOUT/r/note; rm $TMPOUT/r/note; "
        + "for force in '' '' --force; do \"$meetsim\" run scenarios/one-to-one.yaml -q $force -o $TMPOUT/r; echo $?; done"
    )
    #expect(run.output == "2\n2\nprecious\n0\n2\n0\n")
    #expect(run.error.contains("it has no manifest.json"))
  }

  @Test func aLinkToADirectoryStaysOne() throws {
    let run = try Program.shell(
      "cd $TMPOUT; mkdir -p far/r; ln -s far/r link; touch file; "
        + "run() { \"$meetsim\" run $OLDPWD/scenarios/one-to-one.yaml -q --set duration=1s --set timeline='[]' \"$@\"; "
        + "echo $?; }; run -o link; run -o link/ --force; run -o link; run -o file; readlink link; "
        + "ls -A . far; ls far/r | grep manifest")
    #expect(
      run.output == "0\n0\n2\n2\nfar/r\n.:\nerr\nfar\nfile\nlink\nout\n\nfar:\nr\nmanifest.json\n",
      "\(run.error)\(run.output)")
    #expect(run.error.contains("cannot write to 'link': it exists and is not empty"))
    #expect(run.error.contains("cannot write to 'file': it is a file, not a directory"))
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func aSignalEndsTheRunAndKeepsNothingHalf(signal: String, code: Int) throws {
    let run = try Program.shell(
      "\"$meetsim\" run scenarios/full-house.yaml --set duration=2h -o $TMPOUT/r & "
        + "pid=$!; sleep 1; kill -\(signal) $pid; wait $pid; echo $?; ls -A $TMPOUT")
    #expect(run.output.hasPrefix("\(code)\n"))
    #expect(!run.output.contains("partial") && !run.output.contains("\nr\n"))
    #expect(run.error.contains("SIG\(signal) at "))
  }

  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
  func aFullDiskIsNamedAndLeavesNothingHalf() throws {
    // A file size limit stands in for a full disk.
    let run = try Program.shell(
      "(ulimit -f 40; exec \"$meetsim\" run scenarios/remote-education.yaml -o $TMPOUT/r); echo $?; ls -A $TMPOUT"
    )
    #expect(run.output.hasPrefix("3\n"))
    #expect(!run.output.contains("partial") && !run.output.contains("\nr\n"))
    #expect(run.error.contains("cannot write streams.csv") && run.error.contains("no results were written"))
  }

  @Test func listsNameEverythingWithItsSource() throws {
    for subject in ["policies", "links", "ladders", "estimators"] {
      let run = try Program.shell("\"$meetsim\" list \(subject)")
      #expect(run.code == 0 && run.output.contains(": ") && run.output.contains("["))
    }
  }

  @Test func theShippedTraceIsMadeAgainByItsCommand() throws {
    let run = try Program.shell(
      "\"$meetsim\" trace generate --seed 1 | cmp - scenarios/traces/lte-drive.csv && echo same")
    #expect(run.output == "same\n")
  }

  @Test func aTraceIsDescribedAndConverted() throws {
    let info = try Program.shell("\"$meetsim\" trace info scenarios/traces/lte-drive.csv")
    #expect(info.code == 0)
    #expect(info.output.hasPrefix("scenarios/traces/lte-drive.csv: rate-csv, 120.0 s\n  mean "))
    #expect(info.output.contains(" of 120 seconds without capacity\n"))
    let there = try Program.shell(
      "\"$meetsim\" trace convert scenarios/traces/lte-drive.csv --to mahimahi -o $TMPOUT/down && "
        + "\"$meetsim\" trace info $TMPOUT/down && "
        + "\"$meetsim\" trace convert $TMPOUT/down --to rate-csv | head -2")
    #expect(there.code == 0)
    #expect(there.output.contains("/down: mahimahi, 120.0 s") && there.output.contains("t_s,rate_bps\n0,"))
    let broken = try Program.shell(
      "printf '5\\n3\\n' > $TMPOUT/x; \"$meetsim\" trace info --format mahimahi $TMPOUT/x")
    #expect(
      broken.code == 2
        && broken.error.hasSuffix("x:2:1: error: time 3 comes after 5: sort the rows by time\n"))
  }

  @Test func theCommittedSummariesAreWhatTheCommandMakes() throws {
    let run = try Program.shell(
      "MEETSIM=\"$meetsim\" bash results/make.sh $TMPOUT/results && "
        + "for f in results/*.txt; do cmp $f $TMPOUT/results/$(basename $f) || exit 1; done && echo same")
    #expect(run.output.hasSuffix("same\n"), "\(run.error)\(run.output)")
  }
}
