import Testing

/// Variants of a scenario, from the command line to the ranking.
@Suite("what-if")
struct WhatIfCommandTests {
  private static let scenario = """
    cat > $TMPOUT/a.yaml <<'END'
    name: a
    duration: 8s
    policy: livekit
    links: {home: {capacity: 800 kbps, delay: 20 ms}}
    participants:
      - {id: ann, publish: {camera: 720p30}, view: {tiles: {ben: 320x180}}}
      - {id: ben, publish: {camera: 720p30}}
      - {id: cat, down: home, view: {stage: ann, tiles: {ben: 320x180}}}
    END

    """

  private func whatIf(
    _ arguments: String, home: String = "800 kbps"
  ) throws -> (code: Int32, output: String, error: String) {
    try Program.shell(
      Self.scenario.replacing("800 kbps", with: home)
        + "COLUMNS=100 \"$meetsim\" what-if $TMPOUT/a.yaml --metric frame_height --viewer cat --source ann "
        + arguments)
  }

  @Test func theVariantThatHelpsIsClearlyBetterAndTheCommandsThatShowItRun() throws {
    let run = try whatIf(
      "--repetitions 3 --limit 3 --with 'wide: links.home.capacity=20 Mbps' --with 'narrow: links.home.capacity=100 kbps; "
        + "links.home.queue=200 ms' > $TMPOUT/w; code=$?; cat $TMPOUT/w; cd $TMPOUT; alias meetsim=\"$meetsim\"; "
        + "grep '^  meetsim' $TMPOUT/w | sed \"s|^  meetsim|'$meetsim'|\" > $TMPOUT/c; sh -e $TMPOUT/c && ls what-if.html; exit $code",
      home: "500 kbps"
    )
    #expect(run.code == 0, "\(run.error)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("1  wide") && $0.hasSuffix("clearly better") }, "\(run.output)")
    #expect(lines.contains { $0.hasPrefix("2  as it is") })
    #expect(lines.contains { $0.hasPrefix("3  narrow") && !$0.contains("better") })
    #expect(
      lines.contains("To see the scenario as it is beside 'wide':") && run.output.hasSuffix("what-if.html\n"))
    #expect(lines.allSatisfy { $0.count <= 100 || $0.hasPrefix("  meetsim") })
  }

  @Test func variantsCanComeFromAFile() throws {
    let run = try whatIf(
      "--repetitions 2 --limit 2 -o $TMPOUT/kept --variants $TMPOUT/v.yaml && cut -d, -f8 $TMPOUT/kept/runs.csv | sort -u"
    )
    #expect(run.code == 2 && run.error.contains("v.yaml"))
    let with = try Program.shell(
      Self.scenario
        + "printf 'wide: {links.home.capacity: 20 Mbps}\\nstage only: {participants.cat.view: {stage: ann}}\\n' > "
        + "$TMPOUT/v.yaml; \"$meetsim\" what-if $TMPOUT/a.yaml --metric mos --viewer cat --repetitions 2 --limit 2 -o "
        + "$TMPOUT/kept --variants $TMPOUT/v.yaml > $TMPOUT/w; grep -c 'clearly\\|not shown' $TMPOUT/w; "
        + "cut -d, -f8 $TMPOUT/kept/runs.csv | sort -u")
    #expect(with.output == "2\nas it is\np_variant\nstage only\nwide\n", "\(with.output)\(with.error)")
  }

  @Test func suggestionsAreOfWhatTheScenarioHas() throws {
    let run = try whatIf("--suggest --repetitions 2 --limit 2")
    #expect(run.code == 0, "\(run.error)")
    let output = run.output.replacing("\n", with: " ")
    for label in ["estimator gcc", "allow-pause: true", "ann captured at 360p30"] {
      #expect(output.contains(label), "\(label) in \(run.output)")
    }
  }

  /// A cap that the viewer sets itself is lifted; where nobody has one, that is no suggestion.
  @Test(arguments: [", capabilities: {receive-cap: 300 kbps}", ""])
  func aReceiveCapIsLifted(capabilities: String) throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/c.yaml <<END
      name: cap
      duration: 6s
      policy: mediasoup
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, view: {everybody: 1280x720}\(capabilities)}
      END
      COLUMNS=100 "$meetsim" what-if $TMPOUT/c.yaml --metric mos --viewer bob --suggest --all --repetitions 2 --limit 2
      """)
    #expect(
      run.code == 0 && run.output.contains("no receive cap") == !capabilities.isEmpty,
      "\(run.output)\(run.error)")
    // A suggestion resizes thumbnails.
    #expect(run.error.contains("mos judges a tile at its own size"), "\(run.error)")
  }

  /// Allowing pauses changes nothing where the stage has enough; the variant that the user names has a row all the same.
  @Test func suggestionsThatChangeNothingAreCountedInOneLine() throws {
    func output(_ more: String) throws -> String {
      try whatIf(
        "--suggest --repetitions 2 --limit 2 --with 'links.home.delay=20 ms' \(more)", home: "20 Mbps"
      ).output
    }
    let short = try output("")
    #expect(short.contains("links.home.delay=20 ms") && short.contains("  same in all runs"), "\(short)")
    #expect(short.split(separator: "\n").count { $0.contains("same in all runs") } == 1, "\(short)")
    #expect(
      short.contains(" suggestions leave frame_height as it is in all runs: --all names them."), "\(short)")
    let long = try output("--all").replacing("\n", with: " ")
    #expect(long.contains("in all runs: 'estimator ") && long.contains("'allow-pause: true'"), "\(long)")
  }

  /// With 30 % of loss only some runs show the tile: both means are of these.
  @Test func theMeanIsThatOfAsItIsPlusTheDifference() throws {
    let run = try Program.shell(
      Self.scenario
        + "COLUMNS=120 \"$meetsim\" what-if $TMPOUT/a.yaml --set duration=4s --metric first_frame_delay --viewer cat "
        + "--source ann --repetitions 6 --limit 6 --with 'lossy: links.home.capacity=60 kbps; links.home.loss=30 %'"
    )
    let row = try #require(run.output.split(separator: "\n").first { $0.contains("lossy  ") })
    #expect(row.contains("without a value)"), "\(run.output)")
    let figures = row.split(separator: " ").dropFirst(2).prefix(2).compactMap { Double($0) }
    let own = try #require(
      run.output.replacing("\n", with: " ").firstMatch(
        of: /mean of 'as it is' is ([0-9.]+) over the runs of 'lossy'/))
    let base = try #require(Double(own.1))
    #expect(figures.count == 2 && abs(base + figures[1] - figures[0]) < 0.002, "\(run.output)")
  }

  @Test func twoSystemsAreEnoughForANote() throws {
    let run = try whatIf("--repetitions 2 --limit 2 --with 'jitsi: policy: jitsi'")
    #expect(run.code == 0, "\(run.error)")
    #expect(
      run.error.replacing("\n", with: " ").contains(
        "estimators differ: gcc/remb in 'as it is'; gcc in 'jitsi'"),
      "\(run.error)")
  }

  /// Notes about a system are printed once for all variants, not for each.
  @Test(arguments: [
    (
      "frame_height", "",
      "note: estimators differ: gcc/remb in 'as it is'; gcc in 'jitsi'; gcc/gcc-2019 in 'policy: mediasoup'; '--set "
        + "estimator=gcc' has them alike "
    ),
    (
      "frame_height", "--set estimator=gcc",
      "note: all variants have estimator gcc, which livekit and mediasoup are not deployed with "
    ),
    (
      "pixels_of_request", "--set estimator=gcc",
      "note: all variants have estimator gcc, which livekit and mediasoup are not deployed with note: pixels_of_request "
        + "is against what each system requests: compare systems by pixels_of_screen or mos "
    ),
  ])
  func systemsCanBeVariants(metric: String, more: String, notes: String) throws {
    let run = try Program.shell(
      Self.scenario
        + "COLUMNS=100 \"$meetsim\" what-if $TMPOUT/a.yaml --metric \(metric) --viewer cat --source ann "
        + "--repetitions 2 --limit 2 \(more) --with 'jitsi: policy: jitsi' --with 'policy: mediasoup'")
    #expect(run.code == 0 && run.error.replacing("\n", with: " ") == notes, "\(run.error)")
    #expect(run.output.contains("  jitsi  ") && run.output.contains("  policy: mediasoup  "), "\(run.output)")
  }

  /// At 60 columns the intervals go in a block below, beside the variants' names.
  @Test func aNarrowRankingHasSeveralBlocks() throws {
    let run = try Program.shell(
      Self.scenario
        + "COLUMNS=60 \"$meetsim\" what-if $TMPOUT/a.yaml --metric mos --viewer cat --source ann --repetitions 2 --limit 2 "
        + "--with 'a home with much more capacity: links.home.capacity=20 Mbps' "
        + "--with 'a home with much more delay: links.home.delay=200 ms'")
    let lines = run.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 60 || $0.hasPrefix("  meetsim") }, "\(run.output)")
    for head in ["variant", "mean", "difference", "interval"] {
      #expect(lines.contains { $0.contains(head) }, "\(run.output)")
    }
    // Names are cut behind where they begin to differ.
    #expect(
      lines.count { $0.contains("much more c") } >= 2 && lines.count { $0.contains("much more d") } >= 2)
  }

  /// Settings alone serve as a label; a variant that changes nothing is reported as identical.
  @Test func aVariantNeedsNoLabel() throws {
    let run = try whatIf(
      "--repetitions 2 --limit 2 --with links.home.delay='20 ms' --with 'participants.cat.view={stage: ann}'")
    #expect(run.code == 0, "\(run.error)")
    #expect(
      run.output.contains("  links.home.delay=20 ms  ") && run.output.contains("same in all runs"),
      "\(run.output)")
    #expect(run.output.contains("participants.cat.view={stage: ann}"), "\(run.output)")
  }

  /// Janus has no pages, nothing but its own gate would need opening, and no estimator knows the capacity.
  @Test func suggestionsThatTheSystemIgnoresAreLeftOut() throws {
    let run = try Program.shell(
      Self.scenario
        + "COLUMNS=100 \"$meetsim\" what-if $TMPOUT/a.yaml --set policy=janus --set 'participants.cat.view={everybody: 320x180}' "
        + "--metric mos --viewer cat --source ann --suggest --all --repetitions 2 --limit 2")
    #expect(run.code == 0, "\(run.error)")
    let output = run.output.replacing("\n", with: " ")
    for label in [
      "thumbnails of 90p", "estimator nada of uplinks", "ann with ladder single", "ann captured at 180p15",
    ] {
      #expect(output.contains(label), "\(label) in \(run.output)")
    }
    for label in ["pages of", "720p enabled", "ladder janus", "oracle"] {
      #expect(!run.output.contains(label), "\(label) in \(run.output)")
    }
  }

  /// At 60 kbps signal shows nothing, and has no freezes to be better by, so it alone leaves nothing undecided; totals of
  /// half the time differ anyway.
  @Test func whatShowsNothingComesLast() throws {
    let run = try Program.shell(
      Self.scenario
        + "COLUMNS=100 \"$meetsim\" what-if $TMPOUT/a.yaml --metric freezes_duration --viewer cat --repetitions 10 --limit 10 "
        + "--with 'dark: policy=signal; links.home.capacity=60 kbps' --with 'short: duration=4s'")
    #expect(
      run.output.contains("3  dark") && run.output.contains("not shown (10 without a value"), "\(run.output)"
    )
    #expect(run.output.contains("'dark' (0).") && !run.output.contains("it is open how far"), "\(run.output)")
    #expect(run.error.contains("warning: 'short' lasts 4 s, the scenario 8 s: that alone changes totals"))
  }

  @Test(arguments: [
    ("--with narrow", "is not 'LABEL: PATH=VALUE'"),
    ("--with 'x: links.home.capacty=1 Mbps'", "capacty"),
    ("--with 'x: duration=2s' --with 'x: duration=3s'", "two variants are called 'x'"),
    ("--with 'x: duration=2s' --viewer ben", "--viewer 'ben' has no view"),
    ("", "name a variant with --with or --variants"),
    ("--with 'x: duration=2s' --stat p05", "--stat 'p05': "),
    ("--with 'x: duration=2s' --metric bitrate", "neither more nor less of it is better"),
    ("--with 'x: duration=2s' --metric queue_delay", "--metric 'queue_delay' is of a link"),
    ("--with 'x: duration=2s' --source cat", "--source 'cat' sends no video"),
    ("--with 'x: duration=2s' --viewer ann", "--viewer 'ann' does not see itself"),
    ("--with 'x: seed=7'", "variant 'x' has another seed"),
    ("--with 'x: links.home.capacty=1' --repetitions 50", "capacty"),
    ("--with 'x: duration=2s' --limit 5", "--limit '5' is out of range: from 10 to 10000"),
    ("--with 'x: participants[2].down=home'", "by number from 0 or by id: write 'participants.2.down'"),
    ("--with 'participants.*.down=home'", "by itself, such as 'participants.ann.down'"),
    ("--variants scenarios/sweeps/smoke.yaml", "sweep files are for 'meetsim sweep'"),
  ])
  func whatIsWrongIsTold(arguments: String, message: String) throws {
    let run = try whatIf(arguments)
    #expect(run.code == 2 && run.error.contains(message), "\(run.error)")
  }
}
