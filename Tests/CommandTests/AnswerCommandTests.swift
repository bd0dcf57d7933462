import Testing

/// Answers of commands to a person, where they were once misleading.
@Suite("Answers")
struct AnswerCommandTests {
  /// A camera and a watcher that join at 3.4 s, on links that carry everything.
  private static let late = """
    cd $TMPOUT; cat > late.yaml <<'END'
    name: late
    duration: 6s
    policy: mediasoup
    links: {fibre: {capacity: 100 Mbps, delay: 20 ms}}
    participants:
      - {id: a, up: fibre, down: fibre, publish: {camera: 720p30}}
      - {id: b, up: fibre, down: fibre, join: 3.4s, publish: {camera: 720p30}}
      - {id: w, up: fibre, down: fibre, join: 3.4s, view: {stage: a, tiles: {b: 320x180}}}
    END
    "$meetsim" run late.yaml -q -o r

    """

  /// At 3.8 s the tile is given the 180p30 that is asked for; only its key frame has not come.
  @Test func aTileThatWaitsForAKeyFrameNeedsNoCapacity() throws {
    let run = try Program.shell(
      Self.late + "\"$meetsim\" explain r --viewer w --source b --at 3.8s --repetitions 2")
    #expect(run.code == 0 && run.output.contains("The tile waits for a key frame of q"), "\(run.error)")
    #expect(run.output.contains("It lacks only that key frame: no layer and no capacity.\n"), "\(run.output)")
    #expect(!run.output.contains("kbps more") && !run.output.contains("oracle"))
  }

  /// Of 30 * 0.6 = 18 frames from 3.4 to 4 s eight have come.
  @Test func framesCountFromWhenTheTileAppeared() throws {
    let run = try Program.shell(
      Self.late + "grep '4.000,w,a,' r/streams.csv | cut -d, -f14,19; "
        + "\"$meetsim\" explain r --viewer w --source a --at 3.8s --repetitions 0 | head -1")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "8.00,switching", "\(run.output)")
    // Two frames in the 0.8 s since the last rows.
    #expect(lines.last?.hasPrefix("w sees a at 3.800 s: shown 720p2.5, ") ?? false, "\(run.output)")
  }

  @Test(arguments: [
    "status", "compare", "list", "schema", "steady", "slurm", "init", "reference", "verify", "what-if",
    "table", "trace info",
    "trace convert", "trace generate", "import getstats", "import webrtc-internals", "import rtcstats",
    "import rtc-event-log", "export getstats", "export webrtc-internals", "fit camera", "run", "sweep",
    "merge", "check",
    "validate", "report", "allocate", "explain",
  ])
  func everyCommandCanBeQuiet(command: String) throws {
    #expect(try Program.shell("\"$meetsim\" \(command) --help").output.contains("-q, --quiet"))
  }

  @Test func aQuietCommandPrintsNoWarning() throws {
    let variants =
      Self.late + "\"$meetsim\" what-if late.yaml --metric mos --viewer w --repetitions 2 --limit 2 "
      + "--with 'x: duration=5s' "
    let loud = try Program.shell(variants)
    let quiet = try Program.shell(variants + "--quiet")
    #expect(loud.error.contains("warning: 'x' lasts 5 s"))
    #expect(quiet.error.isEmpty && quiet.output == loud.output)
  }

  @Test func whatIsSoAlreadyIsUnchanged() throws {
    let run = try Program.shell(
      """
      cd $TMPOUT; cat > a.yaml <<'END'
      name: a
      duration: 4s
      policy: jitsi
      participants:
        - {id: a, publish: {camera: 360p30, screen: {capture: 720p5, on: false}}}
        - {id: w, view: {everybody: 320x180, per-page: 1}}
      timeline:
        - {at: 1s, participant: a, mute: video}
        - {at: 1100ms, participant: a, mute: video}
        - {at: 1200ms, participant: a, unmute: audio}
        - {at: 1300ms, participant: a, mute: audio}
        - {at: 1400ms, participant: a, speaks: 1s}
        - {at: 1500ms, participant: a, share: screen}
        - {at: 1600ms, participant: a, share: screen}
        - {at: 2s, participant: w, hide: a}
        - {at: 2100ms, participant: w, hide: a}
        - {at: 2200ms, participant: w, page: 1}
        - {at: 2300ms, participant: w, unpin: a}
        - {at: 2400ms, participant: w, mute-remote: true}
        - {at: 2500ms, participant: w, mute-remote: true}
        - {at: 2600ms, participant: w, foreground: true}
      END
      "$meetsim" run a.yaml -q -o r; tail -n +4 r/events.csv | cut -d, -f4,6
      """)
    let expected = [
      "mute,ok", "mute,unchanged", "unmute,unchanged", "mute,ok", "speaks,ok: the microphone is muted",
      "share,ok",
      "share,unchanged", "hide,ok", "hide,unchanged", "page,unchanged", "unpin,unchanged", "mute-remote,ok",
      "mute-remote,unchanged", "foreground,unchanged",
    ]
    #expect(run.output == expected.map { $0 + "\n" }.joined(), "\(run.output)\(run.error)")
  }

  /// Of the sources that are shown alike, each of the first five participants sees all others.
  @Test func nobodyIsListedAmongItsOwnSources() throws {
    let run = try Program.shell(
      """
      cd $TMPOUT; cat > a.yaml <<'END'
      name: a
      duration: 3s
      policy: jitsi
      participants:
        - {id: p, count: 6, publish: {camera: 360p30}, view: {everybody: 320x180, per-page: 4}}
      END
      COLUMNS=200 "$meetsim" run a.yaml -o r | grep -A2 '^viewer  *source' | cut -c1-60
      """)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: "  ").map { $0.trimmed } }
    try #require(lines.count == 3, "\(run.output)")
    #expect(lines[1].prefix(2) == ["p-1…5 (5)", "p-2…3, 5 (3) except itself"], "\(run.output)")
    #expect(lines[2].prefix(2) == ["p-6", "p-2…3 (2)"], "\(run.output)")
  }

  @Test func errorsOfAVariantNameItsOption() throws {
    let run = try Program.shell(
      Self.late
        + "\"$meetsim\" what-if late.yaml --metric mos --viewer w --with 'x: links.fibr.capacity=3 Mbps'")
    #expect(
      run.code == 2 && run.error.hasPrefix("--with links.fibr.capacity=3 Mbps:1:1: error: "), "\(run.error)")
  }

  @Test func theWorstByFreezesAreAskedForOnlyWithoutAMoment() throws {
    let run = try Program.shell(
      Self.late + "\"$meetsim\" explain r --by freezes --repetitions 0; echo $?; "
        + "\"$meetsim\" explain r --viewer w --source a --at 5s --by freezes")
    #expect(run.output.contains("0\n") && run.code == 2)
    #expect(run.error.contains("--by is for --worst: leave --at or --by out"))
  }

  @Test func aParticipantCalledEveryIsWarnedOf() throws {
    let run = try Program.shell(
      Self.late + "sed 's/id: b,/id: every,/; s/{b: 320x180}/{every: 320x180}/' late.yaml > e.yaml; "
        + "\"$meetsim\" validate e.yaml")
    #expect(run.code == 0)
    #expect(
      run.error.contains(
        "e.yaml:7:10: warning: id: in an expectation 'every' means this participant alone now: write '*' for all"
      ),
      "\(run.error)")
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
