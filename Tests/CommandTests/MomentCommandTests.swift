import TestSupport
import Testing

/// `meetsim explain` on a moment, apart from the budget.
@Suite("Explain: moments")
struct MomentCommandTests {
  private static let outage = """
    name: outage
    duration: 14s
    policy: janus
    links: {home: {capacity: 3 Mbps, delay: 20 ms}}
    participants:
      - {id: ann, publish: {camera: {capture: 720p30, ladder: single}}}
      - {id: bob, down: home, view: {stage: ann}}
      - {id: eve, join: 12s, view: {stage: ann}}
    timeline:
      - {at: 4s, participant: ann, mute: video}
      - {at: 5s, participant: ann, unmute: video}
      - {at: 8s, link: bob/down, down: 2s}
    """

  /// More capacity does not help on a link that is down.
  @Test func anOutageIsNamedAndTheMeetingTriedWithoutIt() throws {
    let text = try Program.explained(Self.outage, "--viewer bob --source ann --at 9s --repetitions 2")
    #expect(
      text.contains("bob/down is down from 8.000 to 10.000 s: all that is sent to it meanwhile is lost."),
      "\(text)")
    #expect(text.contains(" dropped by the link's queue or while the link was down"), "\(text)")
    #expect(text.contains("With no outage of bob/down the tile has more in 4 of 4 repetitions"), "\(text)")
    let before = try Program.explained(Self.outage, "--viewer bob --source ann --at 7s --repetitions 0")
    #expect(!before.contains("is down from"), "\(before)")
  }

  /// 3 % of the segments are lost, which keeps the estimate far below the 6 Mbps of the link: capacity does not help.
  @Test func lossesAreTriedAgainstALowEstimate() throws {
    let text = try Program.explained(
      """
      name: lossy
      duration: 25s
      policy: mediasoup
      estimator: gcc
      links: {lossy: {capacity: 6 Mbps, delay: 30 ms, loss: 3 %}}
      participants:
        - {id: ann, publish: {audio: false, camera: 720p30}}
        - {id: bob, down: lossy, transport: tcp, view: {stage: ann}}
      """, "--viewer bob --source ann --at 24s --repetitions 2")
    #expect(text.hasPrefix("bob sees ann at 24.000 s: ") && text.contains(": bandwidth "), "\(text)")
    #expect(
      text.contains("With no loss and jitter on bob/down the tile has more in 4 of 4 repetitions"), "\(text)")
    #expect(text.contains("Tried as well, without reliable effect: 68 kbps more on bob/down"), "\(text)")
  }

  /// From 8 to 9 s neither the sender's uplink nor the viewer's downlink alone would have been enough.
  @Test func outagesAreTriedTogetherWhereNoneAloneHelps() throws {
    let text = try Program.explained(
      """
      name: both
      duration: 12s
      policy: janus
      links: {home: {capacity: 3 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, up: home, publish: {camera: {capture: 720p30, ladder: single}}}
        - {id: bob, down: home, view: {stage: ann}}
      timeline:
        - {at: 8s, link: bob/down, down: 1s}
        - {at: 8s, link: ann/up, down: 1s}
      """, "--viewer bob --source ann --at 9s --repetitions 2")
    #expect(
      text.contains("With no outage of bob/down and ann/up the tile has more in 4 of 4 repetitions"),
      "\(text)")
    #expect(text.contains("without reliable effect: no outage of bob/down, no outage of ann/up"), "\(text)")
  }

  /// The downlink loses pictures at 8 s, and the uplink all requests for them until 11 s.
  @Test func anOutageThatSwallowsRequestsIsNamed() throws {
    let text = try Program.explained(
      """
      name: requests
      duration: 14s
      policy: jitsi
      links: {home: {capacity: 6 Mbps, delay: 30 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, up: home, down: home, view: {stage: ann}}
      timeline:
        - {at: 8s, link: bob/down, down: 200 ms}
        - {at: 8s, link: bob/up, down: 3s}
      """, "--viewer bob --source ann --at 11s --repetitions 2")
    #expect(text.contains("bob/up was down from 8.000 to 11.000 s"), "\(text)")
    #expect(text.contains("With no outage of bob/up the tile has more in 4 of 4 repetitions"), "\(text)")
  }

  /// The camera is turned on at 5 s, and 13 frames are shown by 5.5 s: the interval before 5 s had none.
  @Test func whatIsShownIsOfTheIntervalOfTheDecision() throws {
    let text = try Program.explained(Self.outage, "--viewer bob --source ann --at 5500ms --repetitions 0")
    #expect(text.hasPrefix("bob sees ann at 5.500 s: shown 180p26, given 720p30, "), "\(text)")
    #expect(text.contains("arrived in the last interval, to 5.000 s, headers included."), "\(text)")
  }

  /// A decision in the first second counted what had been measured by then; at 8 s the server measures the whole
  /// stream.
  @Test func theStateCountsWhatTheServerMeasuresNow() throws {
    let text = try Program.explained(
      """
      name: rates
      duration: 9s
      policy: livekit
      estimator: oracle
      links: {wide: {capacity: 20 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: {capture: 720p30, ladder: single}, audio: false}}
        - {id: bob, down: wide, view: {stage: ann}}
      """, "--viewer bob --source ann --at 8s --repetitions 0")
    let state = try #require(text.firstMatch(of: /state at 8.*?-(\d+)\.\d+ kbps +1\. ann.*?Of ann (\d+)\./))
    let (counted, arrived) = (try #require(Double(state.1)), try #require(Double(state.2)))
    #expect(arrived > 1000 && (0.8...1).contains(counted / arrived), "\(text)")
  }

  /// At 8.167 s a probe succeeds and LiveKit settles on the estimate, 409.738 kbps; the next probe, at 10.667 s, congests
  /// the narrower link and lowers the estimate, but a failed probe does not change what LiveKit allocates by.
  @Test func aCapacityThatTheServerHoldsIsCalledHeld() throws {
    let text = try Program.explained(
      """
      name: held
      duration: 14s
      policy: livekit
      estimator: gcc
      links: {thin: {capacity: 800 kbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, down: thin, view: {stage: ann}}
      timeline:
        - {at: 10s, link: bob/down, capacity: 400 kbps}
      """, "--viewer bob --source ann --at 12s --repetitions 0")
    let state = try #require(
      text.firstMatch(
        of:
          /(\d+)\.(\d+) kbps +estimate +\+(\d+)\.(\d+) kbps +held by the server +(\d+)\.(\d+) kbps +budget of the videos/
      ))
    func bits(_ kilo: Substring, _ rest: Substring) -> Int { (Int(kilo) ?? 0) * 1000 + (Int(rest) ?? 0) }
    #expect(bits(state.1, state.2) + bits(state.3, state.4) == bits(state.5, state.6), "\(text)")
    #expect(text.contains("The same layers have other rates in the state"), "\(text)")
  }

  /// LiveKit reserves nothing for voices; what arrives beside the tile is that of `participants.csv`.
  @Test func whatElseTheDownlinkCarriesIsTold() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/a.yaml <<END
      name: voices
      duration: 8s
      policy: livekit
      speech: talk-spurts
      links: {wide: {capacity: 20 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, down: wide, view: {stage: ann}}
      END
      "$meetsim" run $TMPOUT/a.yaml -o $TMPOUT/a --quiet
      grep ',7.000,bob,' $TMPOUT/a/participants.csv | cut -d, -f11,14
      COLUMNS=300 "$meetsim" explain $TMPOUT/a --viewer bob --source ann --at 7s --repetitions 0
      """)
    let row = try #require(run.output.firstMatch(of: /^(\d+)(\d{3}),(\d+)(\d{3})\n/))
    #expect(
      run.output.contains(
        "; in all \(row.1).\(row.2) kbps, of which voices \(row.3).\(row.4) kbps, for which the server reserves nothing."
      ), "\(run.output)")
  }

  /// Bob takes Ann's place among the last-n at 6.035 s, and Ann's sender stops because nobody is given her.
  @Test func aTileThatWasGivenNothingIsNotBlamedOnItsSender() throws {
    let text = try Program.explained(
      """
      name: last-n
      duration: 12s
      policy: {name: jitsi, last-n: 1}
      estimator: oracle
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: bob, publish: {camera: 720p30}}
        - {id: eve, view: {everybody: 320x180}}
      timeline:
        - {at: 2s, participant: ann, speaks: 3s}
        - {at: 6s, participant: bob, speaks: 5s}
      """, "--viewer eve --source ann --at 9s --repetitions 0")
    #expect(text.contains("server: the server gave the tile nothing, from 6.035 to 9.000 s."), "\(text)")
  }

  /// The page is turned at 10 s, while the link is still down and no picture has ended the freeze.
  @Test(arguments: ["9500ms", "10s", "10300ms"])
  func aPictureThatStandsStillUntilItLeavesTheScreenIsTold(moment: String) throws {
    let text = try Program.explained(
      """
      name: page
      duration: 14s
      policy: jitsi
      estimator: oracle
      links: {home: {capacity: 6 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: cay, publish: {camera: 720p30}}
        - {id: bob, down: home, view: {everybody: 320x180, per-page: 1}}
      timeline:
        - {at: 8s, link: bob/down, down: 4s}
        - {at: 10s, participant: bob, page: 2}
      """, "--viewer bob --source ann --at \(moment) --repetitions 0")
    #expect(
      text.contains(#/Frozen from 8\.0\d\d to 10\.000 s, when the tile left the screen: downlink: /#),
      "\(text)")
  }

  @Test func theWorstMomentOfATileIsFound() throws {
    let text = try Program.explained(Self.outage, "--viewer bob --source ann --repetitions 0")
    #expect(
      text.hasPrefix("bob sees ann at 9.000 s: ") || text.hasPrefix("bob sees ann at 10.000 s: "), "\(text)")
  }

  /// One picture arrives by 2 s and the next after 4 s, which the frame count does not make a freeze; the first freeze
  /// begins after 5 s.
  @Test func noFreezeIsToldBeforeItBegins() throws {
    let text = try Program.explained(
      """
      name: train
      duration: 8s
      seed: 7
      policy: mediasoup
      links: {slow: {capacity: 800 kbps, delay: 80 ms, loss: 3 %}}
      participants:
        - {id: lead, publish: {camera: 1080p30}, view: {everybody: 240x135}}
        - {id: guest, count: 10, publish: {camera: 360p30}, view: {everybody: 240x135, per-page: 4}}
        - id: train
          up: slow
          down: slow
          publish: {camera: 360p30}
          view: {stage: lead, everybody: 160x90, per-page: 6}
      """, "--viewer train --source lead --at 3s --repetitions 0")
    #expect(text.contains("at 3.000 s: shown nothing, given ") && !text.contains("Frozen"), "\(text)")
  }

  /// mediasoup repeats a key frame request once, after a second. If the link is down for three seconds both are lost;
  /// if it is down for one, only the first is.
  @Test func aTileThatWaitsForEverIsToldFromOneThatWaits() throws {
    func explained(down: String, _ arguments: String) throws -> String {
      try Program.explained(
        """
        name: asked-twice
        duration: 24s
        policy: mediasoup
        participants:
          - {id: ann, down: {capacity: 5 Mbps, delay: 20 ms}, publish: {camera: 360p15}}
          - {id: bob, join: 5s, view: {everybody: 320x180}}
        timeline:
          - {at: 4900ms, link: ann/down, down: \(down)}
        """, "--viewer bob --source ann " + arguments)
    }
    let outage = "ann/down was down from 4.900 to 7.900 s: all that was sent to it meanwhile was lost."
    let first = try explained(down: "3s", "--at 6s --repetitions 0")
    #expect(first.contains("asked for it at 5.165 s, and it is asked for once more"), "\(first)")
    let second = try explained(down: "3s", "--at 7s --repetitions 0")
    #expect(
      second.contains(
        "asked for it at 6.165 s, for the last time: unless that brings one, the tile waits for ever."),
      "\(second)")
    let late = try explained(down: "3s", "--at 20s --repetitions 2")
    #expect(
      late.contains(
        "asked for it at 6.165 s, and nobody asks again: unless something else brings one, the tile waits for ever."
      ),
      "\(late)")
    #expect(late.contains(outage), "\(late)")
    #expect(late.contains("With no outage of ann/down the tile has more in 4 of 4 repetitions"), "\(late)")
    let short = try explained(down: "1s", "--at 6s --repetitions 0")
    #expect(short.contains("asked for it at 5.165 s, and it is asked for once more"), "\(short)")
    let shown = try explained(down: "1s", "--at 8s --repetitions 0")
    #expect(shown.contains("shown 180p15") && !shown.contains("waits for"), "\(shown)")
  }

  @Test(arguments: [("eve", "11s", "'eve' joins at 12.0 s")])
  func whoIsNotThereIsSaid(viewer: String, at: String, reason: String) throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/a.yaml <<END
      \(Self.outage)
      END
      "$meetsim" run $TMPOUT/a.yaml -o $TMPOUT/a --quiet
      "$meetsim" explain $TMPOUT/a --viewer \(viewer) --source ann --at \(at)
      """)
    #expect(run.code == 2 && run.error.hasSuffix("does not subscribe to 'ann': \(reason)\n"), "\(run.error)")
  }

  /// The oracle knows 300 kbps, of which headers leave 300 / 1.1 for video; the lowest encoding takes 150.
  @Test func anUplinkThatLeavesAnEncodingNothingIsNamed() throws {
    let text = try Program.explained(
      """
      name: up
      duration: 12s
      policy: livekit
      estimator: {up: oracle, down: remb}
      participants:
        - {id: ann, up: {capacity: 300 kbps, delay: 10 ms}, publish: {camera: 720p30, audio: false}}
        - {id: bob, view: {stage: ann}}
      """, "--viewer bob --source ann --at 10s --repetitions 0")
    #expect(
      text.contains(
        "f (on, but the sender's uplink leaves it nothing: 272.727 kbps for video of an estimate of 300.000 kbps)"
      ),
      "\(text)")
  }

  /// The sentence states the thresholds that the scenario sets, and the defaults of the others.
  @Test func aFallbackIsToldWithItsThresholds() throws {
    let text = try Program.explained(
      """
      name: fallback
      duration: 6s
      policy: {name: agora, fallback-share: 0.9, recovery-time: 4 s}
      estimator: oracle
      participants:
        - {id: ann, up: {capacity: 800 kbps, delay: 5 ms}, publish: {camera: 640x360@15}}
        - {id: bob, publish: audio-only, down: {capacity: 600 kbps, delay: 5 ms, loss: 5 %}, view: {tiles: {ann: 426x240}}}
      """, "--viewer bob --source ann --at 5s --repetitions 0")
    #expect(text.contains("Decided by AgoraFallback: "), "\(text)")
    #expect(text.contains("less than 'fallback-share' (0.9) of"), "\(text)")
    #expect(text.contains("'fallback-time' (2 s)") && text.contains("'recovery-time' (4 s)"), "\(text)")
  }

  /// A layer of five frames a second follows one of fifteen: the next frame comes 200 ms later, which is a freeze.
  @Test func aFreezeOfASlowLayerHasNoOtherCause() throws {
    let text = try Program.explained(
      """
      name: slow
      duration: 6s
      policy: agora
      estimator: oracle
      seed: 122
      participants:
        - {id: p1, up: {capacity: 800 kbps, delay: 5 ms}, publish: {camera: 640x360@15}}
        - id: v1
          publish: audio-only
          down: {capacity: 600 kbps, delay: 5 ms, loss: 3 %}
          capabilities: {receive-720p: false, decode: {pixels-per-second: 30000000}}
          view: {tiles: {p1: 426x240}}
      """, "--viewer v1 --source p1 --at 4s --repetitions 0")
    #expect(
      text.contains(": frame-rate: the layer has so few frames that the next one was not due yet, from "),
      "\(text)")
  }

  /// A lone encoding follows its slowest receiver: 720p30 gets what 60 kbps leave, on an uplink of 20 Mbps.
  @Test func aSenderThatFollowsASlowReceiverIsNoFaultOfItsUplink() throws {
    let scenario = """
      name: follows
      duration: 11s
      policy: mediasoup
      estimator: oracle
      participants:
        - id: ann
          up: {capacity: 20 Mbps, delay: 5 ms}
          publish: {audio: false, camera: {capture: 720p30, ladder: single, follows-receivers: true}}
        - {id: bob, publish: audio-only, view: {tiles: {ann: 426x240}}}
        - {id: eve, publish: audio-only, down: {capacity: 20 Mbps, delay: 5 ms}, view: {tiles: {ann: 426x240}}}
      timeline:
        - {at: 8s, link: eve/down, capacity: 60 kbps}
      """
    let text = try Program.explained(scenario, "--viewer bob --source ann --at 10s --repetitions 3")
    let meaning =
      "the sender encoded no frame of it: its rate follows the slowest receiver, whose downlink was short"
    #expect(text.contains(": slow-receiver: \(meaning), from "), "\(text)")
    #expect(text.contains("(the slowest: eve") && text.contains("asked 426x240@30: policy"), "\(text)")
    #expect(text.contains("kbps more on eve/down") && !text.contains("ann/up"), "\(text)")
    let own = try Program.explained(scenario, "--viewer eve --source ann --at 10s --repetitions 0")
    #expect(own.contains("asked 426x240@30: bandwidth"), "\(own)")
  }

  /// The bridge requests at most three key frames per viewer in 10 s: the fourth has to wait.
  @Test func aLimitOfRequestsIsTold() throws {
    let text = try Program.explained(
      """
      name: limit
      duration: 20s
      policy: {name: jitsi, key-frame-requests: 1, key-frame-request-window: 60 s}
      participants:
        - {id: ann, up: {capacity: 3 Mbps, delay: 50 ms, loss: 70 %}, publish: {camera: {capture: 720p30, ladder: single}}}
        - {id: bob, down: {capacity: 20 Mbps, delay: 50 ms}, view: {stage: ann}}
      """, "--viewer bob --source ann --at 15s --repetitions 0")
    #expect(text.contains("(at most 1 requests in 60000 ms for one viewer)"), "\(text)")
  }

  /// The share on stage takes 1350 kbps of a smaller budget; by default it may exceed it by up to 500 kbps.
  @Test func oversendingIsTriedForAScreenShareAlone() throws {
    let people = """
      links: {thin: {capacity: 900 kbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30, screen: 1080p15}}
        - {id: bob, down: thin, view: {stage: ann, everybody: 320x180}}
      """
    let arguments = "--viewer bob --at 12s --repetitions 1"
    let head = "name: share\nduration: 13s\npolicy: jitsi\n"
    let shared = try Program.explained(
      head + people + "\ntimeline: [{at: 2s, participant: ann, share: screen}]",
      "--source ann/screen " + arguments)
    #expect(
      shared.contains("'maximum-oversend: 2 Mbps'") && shared.contains("'oversend: false'"), "\(shared)")
    let camera = try Program.explained(
      head + people.replacing(", screen: 1080p15", with: ""), "--source ann " + arguments)
    #expect(!camera.contains("oversend"), "\(camera)")
  }

  /// Neither the decoder's second stream nor 800 kbps more show b alone: the least increase tried, four times 200.
  @Test func changesThatHelpOnlyTogetherAreTold() throws {
    let text = try Program.explained(
      """
      name: both
      duration: 10s
      policy: mediasoup
      estimator: oracle
      links: {thin: {capacity: 170 kbps, delay: 10 ms}}
      participants:
        - {id: a, publish: {camera: 720p30, audio: false}}
        - {id: b, publish: {camera: 720p30, audio: false}}
        - {id: v, down: thin, capabilities: {decode: {streams: 1}}, view: {tiles: {a: 320x180, b: 320x180}}}
      """, "--viewer v --source b --at 9s")
    let change = "800 kbps more on v/down and a device of v without a decode limit together"
    #expect(text.contains("With \(change) the tile has more in 20 of 20 repetitions"), "\(text)")
    #expect(text.contains("without reliable effect: a device of v without a decode limit."), "\(text)")
  }

  /// GSO's controller orders no encoding that the only viewer's 400 kbps do not carry; the uplink of 50 Mbps would.
  @Test func anEncodingThatNobodyOrdersIsNotTheUplinksFault() throws {
    let text = try Program.explained(
      """
      name: ordered
      duration: 10s
      policy: gso
      participants:
        - {id: a, up: {capacity: 50 Mbps, delay: 5 ms}, publish: {camera: 720p30, audio: false}}
        - {id: v, down: {capacity: 400 kbps, delay: 10 ms}, view: {stage: a}}
      """, "--viewer v --source a --at 9s --repetitions 0")
    #expect(
      text.contains("(on, but not sent: it is given to nobody)") && !text.contains("leaves it nothing"),
      "\(text)")
  }
}
