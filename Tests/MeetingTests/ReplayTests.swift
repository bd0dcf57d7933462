import Allocation
import Ladder
import Meeting
import Metrics
import Network
import Parameters
import Plan
import Quantity
import Scenario
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Replayed decisions")
struct ReplayTests {
  static let policies = Registry.systems.entries.map(\.name) + ["{name: janus, allocation: true}"]

  /// Three large tiles on a downlink that does not carry them.
  private func meeting(_ policy: String) throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: replay
      duration: 14s
      policy: \(policy)
      estimator: gcc
      links: {narrow: {capacity: 1200 kbps, delay: 20 ms}}
      participants:
        - {id: a, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}
        - {id: b, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}
        - {id: c, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}
        - {id: v, down: narrow, view: {stage: a, tiles: {b: 320x180, c: 640x360}}}
      timeline: [{at: 3s, participant: b, speaks: 2s}, {at: 6s, participant: c, speaks: 2s}]
      """)
  }

  /// The row's budget is what the estimate leaves, the tiles before it take what the row says, and at the threshold
  /// found one bit per second less would not suffice.
  @Test(arguments: policies)
  func aRepeatedDecisionIsTheRunsOwn(policy: String) throws {
    let scenario = try meeting(policy)
    let tables = try Meetings.run(scenario).tables
    let rows = tables.rows(of: .decisions).filter { $0["viewer"] == "v" }
    let described = Set(type(of: scenario.plan.system).description.rules.map(\.name))
    #expect(Set(rows.map { $0["rule"] }).isSubset(of: described))
    for (number, row) in rows.enumerated() where row["rank"] != "" && number % 7 == 0 {
      try check(row, scenario.plan)
    }
    #expect(rows.filter { $0["rank"] != "" }.count >= 3)
  }

  private func check(_ row: Row, _ plan: MeetingPlan) throws {
    let moment = SimTime.zero + .milliseconds(Int64((row.number("time_s") * 1000).rounded()))
    let sources = plan.namedSources.map(\.name)
    let source = try #require(sources.firstIndex(of: row["source"]))
    let found = MeetingReplay(plan, seed: plan.seed).decision(
      on: TilePlace(viewer: 3, source: source), at: moment + .milliseconds(1))
    let decision = try #require(found)
    let budget = decision.row.budget
    let left =
      try #require(budget.estimate) - budget.voices - budget.padding - budget.headers - budget.repairs
    #expect(budget.cap.confining(left) == budget.total.rate)
    let taken = decision.before.reduce(BitRate.zero) { $0 + $1.taken }
    #expect(taken == decision.row.givenBefore, "\(row)")
    let spendable = try #require(decision.spendable.rate)
    let now = decision.given(budget: spendable)
    guard decision.row.reason == "bandwidth", now.layer?.id == decision.own.given?.id, let rise = now.rise,
      rise > 1
    else { return }
    // No budget below the next threshold changes anything.
    let below = decision.given(budget: spendable + BitRate(bitsPerSecond: rise - 1))
    #expect(below.layer?.id == now.layer?.id)
  }

  /// A controller orders whole encodings: webrtc-vp8 with all three temporal layers, here as in the run.
  @Test func aControllersLayersAreNamedAsInTheRun() throws {
    let plan = try meeting("gso").plan
    let found = MeetingReplay(plan, seed: plan.seed).decision(
      on: TilePlace(viewer: 3, source: 0), at: .zero + .seconds(12))
    let decision = try #require(found)
    #expect(decision.own.given?.id.temporal == 2)
    #expect(decision.given(budget: try #require(decision.spendable.rate)).layer?.id == decision.own.given?.id)
  }

  /// b's tile shows nothing before the viewer requests it, and a participant does not view itself.
  @Test func aTileWithoutASubscriptionHasNoDecision() throws {
    let plan = try meeting("stream").plan
    let replay = MeetingReplay(plan, seed: 1)
    #expect(replay.decision(on: TilePlace(viewer: 3, source: 0), at: .ms(1)) == nil)
    let noViewer = replay.decision(on: TilePlace(viewer: 0, source: 1), at: .zero + .seconds(5))
    #expect(noViewer == nil)
  }

  /// 1200 kbps carry a at 360p beside the others' lowest layers; with 3 Mbps more, a gets 720p in every repetition.
  @Test func aRemedyIsTriedInSeveralRepetitions() throws {
    let plan = try meeting("stream").plan
    let moment = SimTime.zero + .seconds(13)
    let replay = MeetingReplay(plan, seed: 1)
    let tile = TilePlace(viewer: 3, source: 0)
    let baseline = (0..<3).map { replay.pictures(watching: tile, repetition: $0, at: moment) }
    let link = plan.participants[3].down[0]
    let requested = VideoFormat(.p720, framesPerSecond: 30)
    let trial = try #require(
      RemedyTrial(
        .capacity(.megabits(3), link: link), of: replay, on: tile, requested: requested,
        explained: baseline[0][3][0], at: moment, baseline: baseline[...]))
    #expect(trial.holds && trial.judged.agreeing == 3 && trial.losers.isEmpty)
    let useless = try #require(
      RemedyTrial(
        .capacity(BitRate(bitsPerSecond: 1), link: link), of: replay, on: tile,
        requested: requested, explained: baseline[0][3][0], at: moment, baseline: baseline[...]))
    #expect(!useless.holds && useless.judged.repetitions < 3)
    // Even without the 3 Mbps it has more than 180 lines.
    let enough = try #require(
      RemedyTrial(
        .capacity(.megabits(3), link: link), of: replay, on: tile,
        requested: VideoFormat(.p180, framesPerSecond: 15), explained: baseline[0][3][0], at: moment,
        baseline: baseline[...]))
    #expect(!enough.holds)
    // Where there is nothing to mend the remedy is not tried; half of the repetitions have to be left.
    for (better, holds) in [(1, true), (2, false)] {
      var others = baseline
      for repetition in 0..<better { others[repetition][3][0].format = requested }
      let trial = try #require(
        RemedyTrial(
          .capacity(.megabits(3), link: link), of: replay, on: tile, requested: requested,
          explained: baseline[0][3][0], at: moment, baseline: others[...]))
      #expect(trial.tried == 3 && trial.judged.repetitions == 3 - better && trial.holds == holds)
      #expect(trial.judged.agreeing == 3 - better && trial.isConfirmed == holds)
    }
    // Of three repetitions one is as bad as the explained one, but all lack lines, and all get more.
    var dark = baseline[0][3][0]
    dark.format = nil
    var others = baseline
    others[2][3][0] = dark
    let outlier = try #require(
      RemedyTrial(
        .capacity(.megabits(3), link: link), of: replay, on: tile, requested: requested, explained: dark,
        at: moment, baseline: others[...]))
    #expect(outlier.isConfirmed && outlier.judged.agreeing == 3 && !outlier.isOfThoseAlike)
    // Several repetitions at a time count as one after the other.
    let parallel = try #require(
      RemedyTrial(
        .capacity(.megabits(3), link: link), of: MeetingReplay(plan, seed: 1, jobs: 2), on: tile,
        requested: requested, explained: dark, at: moment, baseline: others[...]))
    #expect(parallel.judged.agreeing == 3 && parallel.tried == 3)
    #expect(Remedy.unlimitedDecoder.applied(to: plan, viewer: 3) == nil)
    #expect(Remedy.tile("nobody", .p720).applied(to: plan, viewer: 3) == nil)
    #expect(plan.capture(of: 0) == VideoFormat(.p720, framesPerSecond: 30))
    let smaller = VideoFormat(.p360, framesPerSecond: 30)
    let changed = try #require(Remedy.capture(smaller, source: 0).applied(to: plan, viewer: 3))
    #expect(changed.capture(of: 0) == smaller)
    // Of several changes at least two have to change something.
    let more = Remedy.capacity(.megabits(3), link: link)
    #expect(Remedy.together([more, .unlimitedDecoder]).applied(to: plan, viewer: 3) == nil)
    let both = try #require(
      Remedy.together([more, .unlimitedDecoder, .capture(smaller, source: 0)]).applied(to: plan, viewer: 3))
    let before = try #require(plan.links[link].parameters.capacity.constantRate)
    #expect(both.links[link].parameters.capacity.constantRate == before + .megabits(3))
    #expect(both.capture(of: 0) == smaller)
    // 180, 360 and 720 lines: up to 360 lines the lower two, below 180 the lowest.
    let rates = try #require(plan.participants[0].camera).ladder.encodings.map(\.bitrate)
    #expect(plan.bitrate(of: 0, upTo: 360) == rates[0] + rates[1])
    #expect(plan.bitrate(of: 0, upTo: 90) == rates[0])
  }

  /// Janus relays 180p to three tiles on 600 kbps, and all arrive; one of them at 720p takes the link from the others.
  @Test func aTileLosesByFramesThatDoNotArrive() throws {
    let plan = try Meetings.scenario(
      """
      name: relayed
      duration: 12s
      policy: janus
      links: {line: {capacity: 600 kbps, delay: 20 ms}}
      participants:
        - {id: p, count: 3, publish: {audio: false, camera: 720p30}}
        - {id: v, down: line, view: {tiles: {p-1: 320x180, p-2: 320x180, p-3: 320x180}}}
      """
    ).plan
    let moment = SimTime.zero + .seconds(10)
    let replay = MeetingReplay(plan, seed: 1)
    let tile = TilePlace(viewer: 3, source: 0)
    let baseline = [replay.pictures(watching: tile, repetition: 0, at: moment)]
    #expect(baseline[0][3].allSatisfy { !$0.isDark && !$0.isBroken && $0.format?.resolution == .p180 })
    let requested = VideoFormat(.p720, framesPerSecond: 30)
    let trial = try #require(
      RemedyTrial(
        .tile("p-1", .p720), of: replay, on: tile, requested: requested, explained: baseline[0][3][0],
        at: moment,
        baseline: baseline[...]))
    #expect(trial.judged.agreeing == 0)
    let changed = try #require(Remedy.tile("p-1", .p720).applied(to: plan, viewer: 3))
    let pictures = MeetingReplay(changed, seed: 1).pictures(watching: tile, repetition: 0, at: moment)[3]
    #expect(pictures[1].isBroken && pictures[2].isBroken)
    #expect(baseline[0][3][1].isMore(than: pictures[1]))
  }

  /// Lines count first, then the frame rate, then whether the frames arrive; a tile that stays dark is never an
  /// improvement.
  @Test func aPictureIsMoreThanAnother() {
    let large = VideoFormat(.p720, framesPerSecond: 15)
    let fast = VideoFormat(.p360, framesPerSecond: 30)
    let slow = VideoFormat(.p360, framesPerSecond: 15)
    func picture(_ format: VideoFormat?, isBroken: Bool = false, isDark: Bool = false) -> ReplayedPicture {
      ReplayedPicture(format: format, isBroken: isBroken, isDark: isDark)
    }
    #expect(picture(large).isMore(than: picture(fast)) && !picture(fast).isMore(than: picture(large)))
    #expect(picture(fast).isMore(than: picture(slow)) && !picture(fast).isMore(than: picture(fast)))
    #expect(picture(slow).isMore(than: picture(nil)) && !picture(nil).isMore(than: picture(nil)))
    #expect(picture(fast).isMore(than: picture(fast, isBroken: true)))
    #expect(!picture(fast, isBroken: true).isMore(than: picture(fast)))
    #expect(!picture(large, isDark: true).isMore(than: picture(fast, isBroken: true, isDark: true)))
    #expect(!picture(large, isDark: true).isMore(than: picture(nil)))
    #expect(picture(fast).isMore(than: picture(fast, isBroken: true, isDark: true)))
    #expect(picture(slow).isMore(than: picture(large, isDark: true)))
    // A larger picture that is mostly lost beats nothing, or a smaller one that is mostly lost as well.
    #expect(!picture(large, isBroken: true).isMore(than: picture(slow)))
    #expect(picture(large, isBroken: true).isMore(than: picture(slow, isBroken: true)))
    #expect(picture(large, isBroken: true).isMore(than: picture(nil)))
    // 400 of 1000 ms in freezes is less than half, 500 is not; a larger picture is more than merely smoother.
    var (frozen, half, less) = (picture(fast), picture(fast), picture(fast))
    (frozen.frozen, half.frozen, less.frozen) = (.milliseconds(1000), .milliseconds(500), .milliseconds(400))
    #expect(less.isSmoother(than: frozen) && less.isMore(than: frozen))
    #expect(!half.isSmoother(than: frozen) && !half.isMore(than: frozen))
    #expect(!picture(large).isSmoother(than: frozen) && picture(large).isMore(than: frozen))
    // A surplus that nobody requested is no improvement.
    #expect(picture(large).cut(to: fast) == picture(slow) && picture(fast).cut(to: large) == picture(slow))
    #expect(!picture(large).cut(to: fast).isMore(than: picture(slow).cut(to: fast)))
  }

  /// At the end of every interval, the limitation and the picture are those of the tile's row, even if the encoder
  /// produces less than was decided.
  @Test func whatIsShownIsThatOfTheRow() throws {
    let scenario = try Meetings.scenario(
      """
      name: shown
      duration: 16s
      policy: janus
      links: {up: {capacity: 500 kbps, delay: 20 ms}}
      participants:
        - {id: a, up: up, publish: {camera: {capture: 720p30, ladder: single}}}
        - {id: v, view: {stage: a}}
      """)
    let rows = try Meetings.run(scenario).tables.rows(of: .streams).filter { $0["viewer"] == "v" }
    var words: Set<String> = []
    for row in rows where ["2.000", "9.000", "15.000"].contains(row["time_s"]) {
      let moment = SimTime.zero + .seconds(Int64(row.number("time_s")))
      let found = MeetingReplay(scenario.plan, seed: scenario.plan.seed).decision(
        on: TilePlace(viewer: 1, source: 0), at: moment)
      let decision = try #require(found)
      #expect(decision.shown.limitation.rawValue == row["limitation"], "\(row)")
      #expect(decision.shown.format?.resolution.height == Int(row["frame_height_px"]), "\(row)")
      words.insert(row["limitation"])
    }
    #expect(words.contains("sender-uplink"))
  }
}
