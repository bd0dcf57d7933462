import TestSupport
import Testing

/// `meetsim allocate` on the command line.
@Suite("Allocate")
struct AllocateCommandTests {
  private let file = """
    cat > $TMPOUT/a.yaml <<END
    name: a
    policy: stream
    participants:
      - {id: ann, publish: {camera: {layers: [{size: 320x180, fps: 15, bitrate: 100 kbps}, {encoding: 1, size: 640x360, fps: 30, bitrate: 401 kbps}]}}}
      - {id: bob, publish: {camera: {layers: [{size: 320x180, fps: 15, bitrate: 100 kbps}]}}}
      - {id: eve, view: {tiles: {ann: 640x360, bob: 320x180}}}
      - {id: kim}
    END

    """

  private func allocate(_ arguments: String) throws -> (code: Int32, output: String, error: String) {
    let run = try Program.shell(file + "\"$meetsim\" allocate $TMPOUT/a.yaml \(arguments)")
    return (run.code, run.output, run.error)
  }

  @Test func aRowForEachBudgetAndSource() throws {
    let run = try allocate("--viewer eve --budget 200kbps..500kbps/150kbps")
    #expect(
      run.output == """
        budget_bps,viewer,source,rank,encoding,temporal,frame_height_px,frames_per_second,bitrate_bps,limitation,missing_bps,rule,spatial
        200000,eve,ann,1,0,0,180,15.000,100000,bandwidth,301000,StreamPolicy,
        200000,eve,bob,2,0,0,180,15.000,100000,sender,0,StreamPolicy,
        350000,eve,ann,1,0,0,180,15.000,100000,bandwidth,151000,StreamPolicy,
        350000,eve,bob,2,0,0,180,15.000,100000,sender,0,StreamPolicy,
        500000,eve,ann,1,0,0,180,15.000,100000,bandwidth,1000,StreamPolicy,
        500000,eve,bob,2,0,0,180,15.000,100000,sender,0,StreamPolicy,

        """)
  }

  @Test func changesAreExactWhateverTheStep() throws {
    let run = try allocate(
      "--viewer eve --budget 0bps..1Mbps/1Mbps --changes | cut -d, -f1,3,5,6,10 | grep ann")
    #expect(
      run.output == """
        0,ann,,,bandwidth
        100000,ann,0,0,bandwidth
        200000,ann,0,0,bandwidth
        501000,ann,1,0,none

        """)
  }

  @Test func theTableIsMarkdown() throws {
    let run = try allocate("--viewer eve --budget 0bps..1Mbps --format table")
    #expect(
      run.output == """
        |      budget | ann        | bob        |
        |------------:|------------|------------|
        |       0 bps | –          | –          |
        | 100 000 bps | **180p15** | –          |
        | 200 000 bps | 180p15     | **180p15** |
        | 501 000 bps | **360p30** | 180p15     |

        """)
  }

  /// Spatial layers of 142 and 418 kbps: a viewer of the upper layer also receives the lower one if every picture is
  /// predicted across layers.
  @Test(arguments: ["mediasoup", "livekit", "jitsi"])
  func spatialLayersCostWhatTheirModeTakes(policy: String) throws {
    func row(_ mode: String, at budget: Int) throws -> String {
      let file = """
        cat > $TMPOUT/s.yaml <<END
        name: s
        policy: \(policy)
        participants:
          - id: ann
            publish:
              camera:
                scalability-mode: \(mode)
                layers: [{spatial: 0, size: 320x180, fps: 30, bitrate: 142 kbps}, {spatial: 1, size: 640x360, fps: 30, bitrate: 418 kbps}]
          - {id: eve, view: {tiles: {ann: 640x360}}}
        END
        printf 'source,encoding,temporal,spatial\\nann,0,0,0\\n' > $TMPOUT/p.csv

        """
      let run = try Program.shell(
        file
          + "\"$meetsim\" allocate $TMPOUT/s.yaml --viewer eve --budget \(budget)bps --previous $TMPOUT/p.csv"
          + " | tail -1 | cut -d, -f5,6,7,9,13")
      #expect(run.error == "")
      return run.output
    }
    // Jitsi takes a layer only if it costs strictly less than what is left.
    let one = policy == "jitsi" ? 1 : 0
    #expect(try row("L2T1_KEY", at: 417_999 + one) == "0,0,180,142000,0\n")
    #expect(try row("L2T1_KEY", at: 418_000 + one) == "0,0,360,418000,1\n")
    #expect(try row("L2T1", at: 559_999 + one) == "0,0,180,142000,0\n")
    #expect(try row("L2T1", at: 560_000 + one) == "0,0,360,560000,1\n")
  }

  /// 100 kbps carry one small picture, 200 kbps both, 1 Mbps the large one alone, which is worth more than both.
  @Test func subscriptionsToOneSourceAreTold() throws {
    let file = """
      cat > $TMPOUT/b.yaml <<END
      name: b
      policy: gso
      participants:
        - {id: ann, publish: {camera: {levels: [{size: 320x180, bitrate: 100 kbps, qoe: 100}, {size: 1280x720, bitrate: 1 Mbps, qoe: 750}]}}}
        - {id: eve, view: {signals: {subscriptions: [{source: ann, up-to: 720p}, {source: ann, up-to: 180p}]}}}
      END

      """
    let run = try Program.shell(
      file + "\"$meetsim\" allocate $TMPOUT/b.yaml --viewer eve --budget 0bps..2Mbps --format table")
    #expect(
      run.output == """
        |        budget | ann #1     | ann #2     |
        |--------------:|------------|------------|
        |         0 bps | –          | –          |
        |   100 000 bps | **180p30** | –          |
        |   200 000 bps | 180p30     | **180p30** |
        | 1 000 000 bps | **720p30** | **–**      |
        | 1 100 000 bps | 720p30     | **180p30** |

        """)
  }

  /// Encodings of the same size and of unknown frame rate, as in VP9 screen shares.
  @Test func layersThatLookAlikeAreToldApart() throws {
    let file = """
      cat > $TMPOUT/b.yaml <<END
      name: b
      policy: jitsi
      participants:
        - {id: ann, publish: {screen: {layers: [{encoding: 0, size: 1280x720, bitrate: 150 kbps}, {encoding: 1, size: 1280x720, bitrate: 370 kbps}]}, camera: {layers: [{size: 320x180, bitrate: 100 kbps}]}}}
        - {id: eve, view: {signals: {constraints: {ann: 0, ann/screen: 720}}}}
      END

      """
    let run = try Program.shell(
      file + "\"$meetsim\" allocate $TMPOUT/b.yaml --viewer eve --budget 0bps..1Mbps --format table")
    #expect(
      run.output == """
        |      budget | ann            | ann/screen     |
        |------------:|----------------|----------------|
        |       0 bps | – (off-screen) | –              |
        | 150 001 bps | – (off-screen) | **720p (0.0)** |
        | 370 001 bps | – (off-screen) | **720p (1.0)** |

        """)
  }

  @Test func whatIsWrongIsSaid() throws {
    let cases = [
      ("--viewer ev --budget 1Mbps", 2, "--viewer: there is no participant 'ev': did you mean 'eve'?"),
      ("--viewer kim --budget 1Mbps", 2, "--viewer: 'kim' has no view: add 'view' to it in the scenario"),
      ("--viewer eve --budget 1", 2, "--budget '1': '1' has no unit"),
      ("--viewer eve --budget 2Mbps..1Mbps", 2, "--budget '2Mbps..1Mbps': the range must ascend"),
      ("--viewer eve --budget 0bps..1Mbps/0bps", 2, "the step must be above zero"),
      ("--viewer eve --budget 0bps..100Mbps/1bps", 2, "more than 1000000 budgets"),
      ("--viewer eve --budget 1Mbps --policy none", 2, "policy: there is no 'none'"),
      ("--viewer eve --budget 1Mbps --previous $TMPOUT/none.csv", 2, "none.csv:1:1: error: cannot read"),
    ]
    for (arguments, code, text) in cases {
      let run = try allocate(arguments)
      #expect(
        run.code == code && run.error.contains(text) && run.output.isEmpty, "\(arguments): \(run.error)")
    }
  }

  @Test func whatWasForwardedBeforeIsChecked() throws {
    let cases = [
      ("source,encoding", "b.csv:1:1: error: the column 'temporal' is missing"),
      (
        "source,encoding,temporal\nkim,0,0",
        "b.csv:2:1: error: there is no source 'kim': expected one of ann, bob"
      ),
      ("source,encoding,temporal\nann,0,", "b.csv:2:7: error: 'encoding' and 'temporal' are both empty"),
      (
        "source,encoding,temporal\nann,9,0",
        "b.csv:2:5: error: encoding: '9' is not a whole number from 0 to 7"
      ),
      (
        "source,encoding,temporal\nbob,0,0\n\nann,5,0",
        "b.csv:4:5: error: encoding: 'ann' has no encoding 5: expected one of 0, 1"
      ),
      (
        "source,encoding,temporal\n\"ann\",1,3",
        "b.csv:2:9: error: temporal: encoding 1 of 'ann' has no layer 3: expected one of 0"
      ),
      (
        "source,encoding,temporal,current_encoding\nbob,0,0,1",
        "b.csv:2:9: error: current_encoding: 'bob' has no encoding 1: expected one of 0"
      ),
      (
        "source,encoding,temporal,since_s\nann,1,0,-3",
        "b.csv:2:9: error: since_s: '-3' is not a number of seconds from 0 to 86400"
      ),
      ("source,encoding,temporal\nann,0,0\nann,0,0", "b.csv:3:1: error: 'ann' is listed twice: remove one"),
      ("source,encoding,temporal,age\nann,0,0,1", "b.csv:1:26: error: unknown column 'age'"),
    ]
    for (csv, text) in cases {
      let run = try Program.shell(
        file + "printf '\(csv.replacing("\n", with: "\\n"))\\n' > $TMPOUT/b.csv\n"
          + "\"$meetsim\" allocate $TMPOUT/a.yaml --viewer eve --budget 1Mbps --previous $TMPOUT/b.csv")
      #expect(run.code == 2 && run.error.contains(text), "\(run.error)")
    }
  }
}
