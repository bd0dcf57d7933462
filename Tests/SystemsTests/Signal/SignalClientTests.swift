import Allocation
import Ladder
import Layout
import Quantity
import Systems
import Testing
import Vendors

@Suite("A client with RingRTC")
struct SignalClientTests {
  /// 2 spoke last, then 0.
  private func roster(sharing: Bool = false) -> Roster {
    .threeCameras(
      sharing: sharing, spoke: [SimTime(nanoseconds: 1), nil, SimTime(nanoseconds: 2), nil],
      now: SimTime(nanoseconds: 9))
  }

  private func client(_ plan: ViewPlan) -> any Client {
    Signal(SignalParameters()).client(.threeCameras(plan))
  }

  private func stage(perPage: Int? = nil) -> ViewPlan {
    var plan = ViewPlan(
      arrangement: .tiles([
        .init(participant: "p2", size: Resolution(width: 320, height: 180)),
        .init(participant: "p3", size: Resolution(width: 300, height: 400)),
      ]), screen: Screen(width: 1280, height: 720, scale: 1))
    plan.stage = ViewPlan.TileSize(participant: "p1", size: Resolution(width: 960, height: 540))
    plan.tilesPerPage = perPage
    return plan
  }

  @Test func tilesAskForTheirLinesAndTheStageForTheActiveSpeaker() {
    var own = client(stage())
    let wishes = own.wishes(roster())
    #expect(wishes.map(\.source) == [0, 1, 2])
    #expect(wishes.map(\.demand.maximumLines) == [540, 180, 300])
    #expect(wishes.map(\.demand.speechRank) == [nil, 0, nil])
    #expect(wishes.map(\.maximum.resolution) == [.p720, .p180, .p360])
    // Another participant spoke last.
    #expect(own.demand(roster()).speakerLines == nil)
    var later = roster()
    later.members[1].lastSpokeAt = SimTime(nanoseconds: 5)
    #expect(own.demand(later).speakerLines == 540)
    #expect(own.demand(roster()).maximumRate == .megabits(20))
    #expect(own.handle(.speech, roster()) == [.request(after: own.traits.reactionDelay)])
  }

  @Test func whatIsOffScreenIsAskedForWithNoLines() {
    let wishes = client(stage(perPage: 1)).wishes(roster())
    #expect(wishes.map(\.demand.maximumLines) == [540, 180, 0])
    #expect(wishes.map(\.visibility) == [.onScreen, .onScreen, .offScreen])
  }

  @Test func aScreenShareOnTheStageIsAskedForOnce() {
    let own = client(stage())
    let wishes = own.wishes(roster(sharing: true))
    #expect(wishes.map(\.source) == [3, 1, 2])
    #expect(wishes[0].demand.maximumLines == 540)
    #expect(own.demand(roster(sharing: true)).speakerLines == nil)
  }

  @Test func signalsAreTakenAsTheyAreAndOthersCountAsOneLine() {
    var signals = ViewSignals()
    signals["requested-heights"] = .bySource([
      .init(SignalledSource(participant: 1), .integer(720)),
      .init(SignalledSource(participant: 2), .integer(0)),
      .init(SignalledSource(participant: 3, isScreen: true), .integer(1080)),
    ])
    signals["active-speaker-height"] = .integer(400)
    signals["queue-drain"] = .rate(.kilobits(50))
    signals["minimum-target"] = .rate(.kilobits(800))
    var own = client(ViewPlan(arrangement: .signals(signals)))
    let wishes = own.wishes(roster(sharing: true))
    #expect(wishes.map(\.source) == [0, 1, 2, 3])
    #expect(wishes.map(\.demand.maximumLines) == [720, 0, nil, 1080])
    #expect(wishes.map(\.visibility) == [.onScreen, .hidden, .onScreen, .onScreen])
    #expect(wishes.map(\.maximum.resolution) == [.p720, .p180, .p180, .p1080])
    // The server hears the speakers itself.
    #expect(own.handle(.speech, roster()) == [])
    let demand = own.demand(roster())
    #expect(demand.speakerLines == 400)
    #expect(demand.maximumRate == nil)
    #expect(demand.queueDrain == .kilobits(50))
    #expect(demand.minimumTarget == .kilobits(800))
    var change = ViewSignals()
    change["max-rate"] = .rate(.megabits(3))
    _ = own.perform(.signals(change), roster())
    #expect(own.demand(roster()).maximumRate == .megabits(3))
    var other = client(stage())
    let refused = other.perform(.signals(change), roster())
    #expect(refused.result.hasPrefix("noSignals"))
  }
}
