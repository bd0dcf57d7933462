import LivenessGrid
import Metrics
import TestSupport
import Testing

/// Each reason applies on one side of each of its bounds and not on the other; the oracle of a cell shows everything.
@Suite("Known shortfalls")
struct KnownShortfallTests {
  private func reason(
    _ shortfall: LivenessResult.Shortfall, _ system: LivenessCell.System, _ ladder: String = "webrtc-vp8",
    capacity: Int = 1000, loss: Int = 0, oracle: (inout LivenessRun) -> Void = { _ in },
    run: (inout LivenessRun) -> Void
  ) -> String? {
    var known = LivenessRun()
    known.pictureShare = 1
    known.delivered = 900_000
    oracle(&known)
    var own = LivenessRun()
    run(&own)
    let cell = LivenessCell(system: system, ladder: ladder, people: 9, capacity: capacity, loss: loss)
    return KnownShortfall.reason(
      for: shortfall, of: LivenessResult(cell: cell, runs: [own], oracle: [known]))
  }

  /// The oracle's link is full for half of the seconds, the system's own for a twentieth.
  @Test(
    arguments: [
      ("av1-L3T3_KEY", 0.5, 0.05, "uncounted"), ("av1-L3T3_KEY", 0.49, 0.05, nil),
      ("av1-L3T3_KEY", 0.5, 0.04, nil),
      ("vp9-L3T3_KEY", 0.5, 0.05, nil),
    ] as [(String, Double, Double, String?)])
  func uncountedLayersFillTheLinkUnderTheOracleToo(
    ladder: String, oracle: Double, own: Double, expected: String?
  ) {
    #expect(
      reason(.picture, .mediasoup, ladder, oracle: { $0.link.fullShare = oracle }) {
        $0.link.fullShare = own
      } == expected)
  }

  /// A wider link may deliver less only where the layers that the server does not count fill it, or where the oracle
  /// delivers less as well: 600 of the oracle's 900 kbit/s are less than three quarters, 700 are more.
  @Test(
    arguments: [
      ("av1-L3T3_KEY", 600_000, 1, 900_000, "uncounted"), ("av1-L3T3_KEY", 700_000, 1, 900_000, nil),
      ("av1-L3T3_KEY", 600_000, 0.4, 900_000, nil), ("vp9-L3T3_KEY", 600_000, 1, 900_001, nil),
      ("av1-L3T3_KEY", 600_000, 0.4, 900_001, "uncounted"), ("av1-L3T3_KEY", 700_000, 0.4, 900_001, nil),
    ] as [(String, Double, Double, Double, String?)])
  func lessWithMoreIsKnownWhereLayersAreUncounted(
    ladder: String, delivered: Double, oracle: Double, narrower: Double, expected: String?
  ) {
    func result(_ capacity: Int, oracle delivers: Double) -> LivenessResult {
      var known = LivenessRun()
      (known.pictureShare, known.delivered, known.link.fullShare) = (1, delivers, oracle)
      var own = LivenessRun()
      (own.pictureShare, own.delivered, own.link.fullShare) = (1, delivered, 1)
      let cell = LivenessCell(system: .mediasoup, ladder: ladder, people: 2, capacity: capacity)
      return LivenessResult(cell: cell, runs: [own], oracle: [known])
    }
    let (less, more) = (result(800, oracle: narrower), result(1200, oracle: 900_000))
    #expect(KnownShortfall.reasonForLess(at: more, than: less) == expected)
  }

  /// Half of the pictures are shown; most of the other half is missing after losses, and the longest gap without them is
  /// 5 s.
  @Test(
    arguments: [
      (.picture, 0.46, 6, "repairs"), (.picture, 0.44, 5, nil), (.delivered, 0.46, 6, "repairs"),
      (.delivered, 0.44, 5, nil), (.gap, 0, 5, "repairs"), (.gap, 0.46, 6, nil),
    ] as [(LivenessResult.Shortfall, Double, Int, String?)])
  func repairsFillTheLink(shortfall: LivenessResult.Shortfall, lossy: Double, gap: Int, expected: String?) {
    #expect(
      reason(shortfall, .jitsi) {
        ($0.pictureShare, $0.lossyShare) = (0.5, lossy)
        ($0.longestGap, $0.longestCalmGap) = (20, gap)
      } == expected)
  }

  /// Half of the pictures are shown; most of the other half is withheld because of a low estimate.
  @Test(
    arguments: [
      (0, 0.11, 0.46, "slow return"), (0, 0.11, 0.44, nil), (0, 0.1, 0.46, nil), (2, 0, 0.46, "slow return"),
    ] as [(Int, Double, Double, String?)])
  func aSlowReturnWithholdsPictures(loss: Int, highestLoss: Double, withheld: Double, expected: String?) {
    #expect(
      reason(.picture, .mediasoup, loss: loss) {
        $0.pictureShare = 0.5
        $0.withheldShare = withheld
        $0.link.highestLoss = highestLoss
        // Enough of a low estimate is delivered, which says nothing about pictures.
        ($0.estimate, $0.delivered) = (600_000, 500_000)
      } == expected)
  }

  /// 849 kbit/s is less than 0.85 of the link; 800 of them are usable, and 0.66 of that is 528.
  @Test(
    arguments: [
      (849_000, 528_001, "slow return"), (849_000, 527_999, nil), (851_000, 600_000, nil),
    ] as [(Double, Double, String?)])
  func aSlowReturnDeliversItsEstimate(estimate: Double, delivered: Double, expected: String?) {
    #expect(
      reason(.delivered, .mediasoup, loss: 2) {
        ($0.estimate, $0.delivered, $0.pictureShare) = (estimate, delivered, 1)
        $0.usable = 800_000
      } == expected)
  }

  @Test(arguments: [(5, "slow return"), (6, nil)] as [(Int, String?)])
  func aGapOfASlowReturnIsNotCarried(carried: Int, expected: String?) {
    #expect(
      reason(.gap, .mediasoup, loss: 2) { ($0.longestGap, $0.longestCarriedGap) = (9, carried) } == expected)
  }

  /// Two thirds of an estimate of 300 kbit/s that rises only during probes; a tile that stays black longer has another
  /// reason, and so has an estimate that rises by more than twice 8 % beside them.
  @Test(
    arguments: [(5, 1.16, "slow probes"), (6, 1.16, nil), (5, 1.17, nil)] as [(Int, Double, String?)])
  func slowProbesLeaveNobodyBlack(gap: Int, rise: Double, expected: String?) {
    #expect(
      reason(.delivered, .livekit) {
        ($0.wasCongested, $0.unprobedRise) = (true, rise)
        ($0.estimate, $0.delivered, $0.pictureShare) = (300_000, 200_000, 1)
        ($0.longestGap, $0.longestUncongestedGap) = (gap, gap)
      } == expected)
  }

  /// Beside a run that delivers 675 of the oracle's 900 kbit/s, which is enough, one whose estimate rises only during
  /// probes; with 674 the other is short as well, and its estimate rises by itself.
  @Test(arguments: [(675_000, "slow probes"), (674_000, nil)] as [(Double, String?)])
  func slowProbesHoldOfTheRunsThatDeliverTooLittle(other: Double, expected: String?) {
    var (slow, free, oracle) = (LivenessRun(), LivenessRun(), LivenessRun())
    oracle.delivered = 900_000
    (slow.wasCongested, slow.estimate, slow.delivered) = (true, 300_000, 200_000)
    (free.wasCongested, free.unprobedRise) = (true, 4)
    (free.estimate, free.delivered) = (950_000, other)
    let cell = LivenessCell(system: .livekit, ladder: "webrtc-vp8", people: 2, capacity: 1000)
    let result = LivenessResult(cell: cell, runs: [slow, free], oracle: [oracle, oracle])
    #expect(KnownShortfall.reason(for: .delivered, of: result) == expected)
  }

  /// 849 kbit/s is less than 0.85 of the link; 800 of them are usable, and 0.66 of that is 528.
  @Test(
    arguments: [
      (2, 849_000, 528_001, "held"), (2, 849_000, 527_999, nil), (2, 851_000, 600_000, nil),
      (1, 849_000, 528_001, nil),
    ] as [(Int, Double, Double, String?)])
  func anEstimateIsHeldOnALinkThatLoses(loss: Int, estimate: Double, delivered: Double, expected: String?) {
    #expect(
      reason(.delivered, .jitsi, loss: loss) {
        ($0.estimate, $0.delivered, $0.usable) = (estimate, delivered, 800_000)
        $0.pictureShare = 1
      } == expected)
  }

  @Test(
    arguments: [(0.46, 5, "stays congested"), (0.44, 5, nil), (0.46, 6, nil)]
      as [(Double, Int, String?)])
  func picturesAreLostInCongestion(congested: Double, uncongestedGap: Int, expected: String?) {
    #expect(
      reason(.picture, .livekit) {
        ($0.pictureShare, $0.congestedShare) = (0.5, congested)
        ($0.longestGap, $0.longestUncongestedGap) = (9, uncongestedGap)
      } == expected)
  }

  /// Eight lowest layers of 60 kbit/s fit in three quarters of 4000 kbit/s, but not of 300.
  @Test(
    arguments: [(300, 0.5, "key frames"), (300, 0.49, nil), (4000, 0.5, nil)] as [(Int, Double, String?)])
  func keyFramesMakeTilesGiveWay(capacity: Int, givenUp: Double, expected: String?) {
    #expect(reason(.picture, .best, capacity: capacity) { $0.givenUpShare = givenUp } == expected)
    #expect(reason(.gap, .best, capacity: 4000) { $0.givenUpShare = givenUp } == nil)
  }

  @Test func onlyAFullLinkStaysOverloaded() {
    #expect(reason(.gap, .janus) { $0.link.fullShare = 0.5 } == "unchanged")
    #expect(reason(.gap, .janus) { $0.link.fullShare = 0.49 } == nil)
    // Silent voices fill nothing.
    #expect(reason(.gap, .janus, capacity: 150) { $0.link.voices = 0 } == nil)
  }

  /// Eight low streams of Agora's take 360 kbit/s, eight lowest layers of LiveKit's 480.
  @Test(
    arguments: [
      (.agora, "agora-dual", 300, 0.5, "overfull"), (.agora, "agora-dual", 300, 0.49, nil),
      (.agora, "agora-dual", 400, 0.5, nil),
      (.livekit, "webrtc-vp8", 479, 0.5, "overfull"), (.livekit, "webrtc-vp8", 481, 0.5, nil),
      (.signal, "webrtc-vp8", 479, 0.5, nil),
    ] as [(LivenessCell.System, String, Int, Double, String?)])
  func whatNobodyGivesUpFillsBothLinks(
    system: LivenessCell.System, ladder: String, capacity: Int, oracle: Double, expected: String?
  ) {
    #expect(
      reason(.picture, system, ladder, capacity: capacity, oracle: { $0.link.fullShare = oracle }) {
        $0.link.fullShare = 0.5
      } == expected)
  }

  // MARK: Measurements behind the reasons

  /// One tile starts at 1 s and is given up 2 s later, starts at 5 s and is given up 4 s later, which is more than
  /// three; another starts at 2 s and is muted at 3 s.
  @Test func whatIsGivenUpIsCountedWithinTheWindow() throws {
    let decisions = TileDecisions(
      try rows(
        .decisions,
        [
          decision(1, "a", "q.0", previous: "", "bandwidth"),
          decision(2, "a", "q.1", previous: "q.0", "none"),
          decision(3, "a", "", previous: "q.1", "bandwidth"), decision(5, "a", "q.0", previous: "", "none"),
          decision(9, "a", "", previous: "q.0", "bandwidth"), decision(2, "b", "q.0", previous: "", "none"),
          decision(3, "b", "", previous: "q.0", "muted"),
        ]))
    #expect(decisions.givenUpShare(within: 3) == 1.0 / 3)
    #expect(decisions.givenUpShare(within: 1.9) == 0)
    #expect(decisions.givenUpShare(within: 4) == 2.0 / 3)
    #expect(TileDecisions([]).givenUpShare(within: 3) == 0)
    #expect(
      [0.9, 2.9, 3, 4.9, 5, 9].map { decisions.withholds("a", at: $0) } == [
        false, false, true, true, false, true,
      ])
    #expect(!decisions.withholds("b", at: 4) && !decisions.withholds("c", at: 4))
  }

  /// Of the seconds after 20 s, one in two has a queue of 150 ms; the highest loss was earlier.
  @Test func aLinkIsMeasuredAfterTheBeginning() throws {
    func row(_ time: Int, loss: String, queue: String, voices: Int) -> String {
      "r,\(time),viewer,,,,,,1000000,,,\(loss),\(queue),\(voices),,1,0,good"
    }
    let link = LivenessRun.Link(
      try rows(
        .participants,
        [
          row(5, loss: "0.3000", queue: "0.300000", voices: 70_000),
          row(21, loss: "0.0100", queue: "0.150000", voices: 10_000),
          row(22, loss: "", queue: "0.149999", voices: 30_000),
        ]), after: 20)
    #expect(link.highestLoss == 0.3 && link.fullShare == 0.5 && link.voices == 20_000)
  }

  private func decision(
    _ time: Int, _ source: String, _ given: String, previous: String, _ reason: String
  ) -> String {
    "r,\(time).000,viewer,\(source),1,optimum,300000,0,0,0,0,,300000,0,f.2,\(given),\(previous),\(reason),0"
  }

  private func rows(_ table: ResultTable, _ lines: [String]) throws -> [Row] {
    var sink = MemorySink()
    try sink.write(Array(table.header.utf8), to: table)
    try sink.write(Array(lines.joined(separator: "\n").utf8), to: table)
    return sink.rows(of: table)
  }
}
