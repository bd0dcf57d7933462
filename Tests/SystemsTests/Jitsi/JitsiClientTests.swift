import Allocation
import Ladder
import Layout
import Quantity
import Systems
import Testing
import Vendors

/// A meeting of a viewer `v` and cameras `a` to `d` with 720 lines; `a` may share a screen of 1080.
private struct Room {
  var client: any Client
  var roster: Roster

  init(
    _ plan: ViewPlan, sharing: Bool = false, spoke: [(Int, Int)] = [], _ parameters: JitsiParameters = .init()
  ) {
    let ids = ["v", "a", "b", "c", "d"]
    client = Jitsi(parameters).client(
      ClientSetup(
        plan: plan, viewer: 0, ids: ids, names: ["v": 0, "a": 1, "b": 2, "c": 3, "d": 4], receives720p: true,
        allowsCustomLayout: true, sourceCount: 5))
    // Sources: a's camera 0, a's screen 1, b 2, c 3, d 4.
    let cameras = [nil, 0, 2, 3, 4]
    let members = ids.enumerated().map { number, id in
      Roster.Member(
        id: id, isModerator: false, isJoined: true, joinedAt: .zero, isSpeaking: false,
        lastSpokeAt: spoke.first { $0.0 == number }.map { .zero + .seconds(Int64($0.1)) },
        camera: cameras[number],
        screen: number == 1 ? 1 : nil)
    }
    let owners = [1, 1, 2, 3, 4]
    let sources = owners.enumerated().map { number, owner in
      let isScreen = number == 1
      let capture = VideoFormat(isScreen ? .p1080 : .p720, framesPerSecond: 30)
      let layers = (isScreen ? Ladder.single(capture: capture) : .libwebrtcVP8(capture: capture)).layers
      return Roster.Source(
        participant: owner, isScreen: isScreen, isCapturing: !isScreen || sharing, capture: capture,
        ladder: layers,
        offers: layers, sendsLow: true)
    }
    roster = Roster(
      now: .zero + .seconds(100), viewer: 0, isJoined: true, joinedAt: .zero, members: members,
      moderators: [],
      sources: sources,
      receptions: sources.map { _ in .init(isGiven: false, picture: nil, limitation: nil, tile: nil) })
  }

  mutating func arrange() -> [ClientAction] {
    client.handle(.requestDue, roster)
  }

  /// Returns each subscription's source, its constraint (`any` without one), and `stage` or `selected` with its place.
  mutating func asked() -> [String] {
    _ = arrange()
    return client.wishes(roster).map { wish in
      let names = ["a", "a/screen", "b", "c", "d"]
      let place = wish.demand.place.map { wish.demand.isOnStage ? " stage \($0)" : " selected \($0)" } ?? ""
      return "\(names[wish.source]) \(wish.demand.maximumLines.map(String.init) ?? "any")\(place)"
    }
  }

  func wish(of source: Int) -> Subscription? { client.wishes(roster).first { $0.source == source } }
}

private func tiles(
  _ tiles: [(String, Int)], stage: (String, Int)? = nil, pins: [String] = [], share: Int? = nil
) -> ViewPlan {
  func size(_ id: String, _ height: Int) -> ViewPlan.TileSize {
    ViewPlan.TileSize(participant: id, size: Resolution(width: height * 16 / 9, height: height))
  }
  var sizes = tiles.map { size($0.0, $0.1) }
  if let share {
    var tile = size("a", share)
    tile.isScreenShare = true
    sizes.append(tile)
  }
  var plan = ViewPlan(
    arrangement: .tiles(sizes), screen: Screen(width: 1920, height: 1080, scale: 1), pins: pins)
  plan.stage = stage.map { size($0.0, $0.1) }
  return plan
}

@Suite("jitsi-meet's requests")
struct JitsiClientTests {
  @Test(
    arguments: [
      (90, 180), (180, 180), (359, 180), (360, 360), (719, 360), (720, 720), (1080, 720), (2160, 2160),
    ])
  func tilesAskForTheLevelThatTheyReach(_ height: Int, _ level: Int) {
    var room = Room(tiles([("a", height), ("b", 10)]))
    #expect(room.asked() == ["a \(level)", "b 180"])
    #expect(
      room.wish(of: 0)?.maximum
        == VideoFormat(Resolution(width: level * 16 / 9, height: level), framesPerSecond: 30))
  }

  @Test(
    arguments: [
      (100, 180), (180, 180), (181, 360), (360, 360), (361, 720), (720, 720), (721, 2160), (3000, 2160),
    ])
  func theLargeVideoAsksForTheLevelThatCoversIt(_ height: Int, _ level: Int) {
    var room = Room(tiles([("b", 180)], stage: ("a", height)))
    #expect(room.asked() == ["a \(level) stage 0", "b 180"])
  }

  @Test func sizesAreInPoints() {
    var plan = tiles([("a", 360)])
    plan.screen = Screen(width: 1920, height: 1080, scale: 3)
    var room = Room(plan)
    #expect(room.asked() == ["a 360"])
    #expect(room.wish(of: 0)?.tile == Resolution(width: 1920, height: 1080))
  }

  @Test func moreThanTwoTilesAskForNoMoreThan360() {
    var two = Room(tiles([("a", 720), ("b", 720)]))
    #expect(two.asked() == ["a 720", "b 720"])
    var three = Room(tiles([("a", 720), ("b", 720), ("c", 180)]))
    #expect(three.asked() == ["a 360", "b 360", "c 180"])
    var parameters = JitsiParameters()
    parameters.fullResolutionParticipants = -1
    var free = Room(tiles([("a", 720), ("b", 720), ("c", 720)]), parameters)
    #expect(free.asked() == ["a 720", "b 720", "c 720"])
  }

  @Test func aLargeVideoCountsAsOneOfTheTwo() {
    var one = Room(tiles([("b", 720)], stage: ("a", 720)))
    #expect(one.asked() == ["a 720 stage 0", "b 720"])
    var two = Room(tiles([("b", 720), ("c", 720)], stage: ("a", 720)))
    #expect(two.asked() == ["a 720 stage 0", "b 360", "c 360"])
    var small = Room(tiles([("b", 720), ("c", 720)], stage: ("a", 360)))
    #expect(small.asked() == ["a 360 stage 0", "b 720", "c 720"])
  }

  @Test func aShareTakesTheStageInAnySize() {
    var room = Room(tiles([("b", 180)], stage: ("a", 720)), sharing: true)
    #expect(room.asked() == ["a/screen any stage 0", "b 180"])
    // Not if the user has chosen a quality.
    var parameters = JitsiParameters()
    parameters.preferredQuality = 360
    var limited = Room(tiles([("b", 180)], stage: ("a", 720)), sharing: true, parameters)
    #expect(limited.asked() == ["a/screen 360 stage 0", "b 180"])
  }

  @Test func aShareAmongTilesIsSelected() {
    var room = Room(tiles([("a", 180), ("b", 180)], share: 360), sharing: true)
    #expect(room.asked() == ["a 180", "a/screen 360 selected 0", "b 180"])
  }

  @Test func severalPinnedShareTheStage() {
    var room = Room(tiles([("a", 720), ("b", 180), ("c", 720)], pins: ["c", "a"]))
    #expect(room.asked() == ["a 720 selected 1", "b 180", "c 720 selected 0"])
    var three = Room(tiles([("a", 720), ("b", 720), ("c", 720)], pins: ["c", "a", "b"]))
    #expect(three.asked() == ["a 360 selected 1", "b 360 selected 2", "c 360 selected 0"])
    var one = Room(tiles([("a", 720), ("b", 180)], pins: ["a"]))
    #expect(one.asked() == ["a 720 stage 0", "b 180"])
    // With a screen share beside them.
    var beside = Room(tiles([("b", 360), ("c", 360)], stage: ("a", 720), pins: ["b", "c"]), sharing: true)
    #expect(beside.asked() == ["a/screen any stage 0", "b 360 selected 1", "c 360 selected 2"])
  }

  @Test func lastNLeavesTheLastSpeakersWishes() {
    var parameters = JitsiParameters()
    parameters.lastN = 2
    var room = Room(tiles([("a", 180), ("b", 180), ("c", 180)]), spoke: [(3, 50), (2, 40)], parameters)
    #expect(room.asked() == ["a 180", "b 180", "c 180"])
    #expect(room.client.wishes(room.roster).map(\.maximum.resolution.lines) == [0, 180, 180])
    #expect(room.client.wishes(room.roster).map(\.demand.speechRank) == [nil, 1, 0])
    #expect(room.client.demand(room.roster).sourceLimit == 2)
    #expect(!room.client.handle(.speech, room.roster).isEmpty)
  }

  /// The constraints sent to publishers do not depend on any budget.
  @Test func publishersAreAskedUpToTheConstraint() {
    var room = Room(tiles([("a", 360), ("b", 180)]), sharing: true)
    _ = room.arrange()
    let wishes = room.client.wishes(room.roster)
    let grants = Jitsi(JitsiParameters()).policy.allocate(budget: .zero, cap: .zero, wishes: wishes)
    #expect(
      grants.map { $0.layer?.id } == [
        LayerID(encoding: 1, temporal: 2), LayerID(encoding: 0, temporal: 0),
        LayerID(encoding: 0, temporal: 2),
      ])
  }
}

@Suite("Timing of jitsi-meet's requests")
struct JitsiClientTimingTests {
  @Test func whatLeavesTheScreenIsAskedForUntilAHundredMillisecondsLater() {
    var room = Room(tiles([("a", 180), ("b", 180)]))
    #expect(room.asked() == ["a 180", "b 180"])
    _ = room.client.perform(.hide(participant: 1), room.roster)
    #expect(room.arrange() == [.wake(after: .milliseconds(100))])
    #expect(room.asked() == ["a 180", "b 180"])
    room.roster.now = room.roster.now + .milliseconds(99)
    #expect(room.client.handle(.timer, room.roster) == [])
    // Another change restarts the wait.
    _ = room.client.perform(.hide(participant: 2), room.roster)
    #expect(room.arrange() == [.wake(after: .milliseconds(100))])
    room.roster.now = room.roster.now + .milliseconds(99)
    #expect(room.client.handle(.timer, room.roster) == [])
    #expect(room.asked() == ["a 180", "b 180"])
    room.roster.now = room.roster.now + .milliseconds(1)
    #expect(room.client.handle(.timer, room.roster) == [.request(after: .zero)])
    #expect(room.asked() == ["a 0", "b 0"])
    #expect(room.wish(of: 0)?.visibility == .offScreen)
    #expect(room.wish(of: 0)?.maximum.resolution.lines == 0)
  }

  @Test func anyOtherChangeSendsEverythingAtOnce() {
    var room = Room(tiles([("a", 180), ("b", 180)]))
    _ = room.arrange()
    _ = room.client.perform(.hide(participant: 1), room.roster)
    _ = room.arrange()
    room.roster.sources[1].isCapturing = true
    #expect(room.asked() == ["a 0", "a/screen any stage 0", "b 180"])
  }

  @Test func ofAScrollOnlyTheEndCounts() {
    let container = TileContainer(
      kind: .list, tile: Resolution(width: 320, height: 180), spacing: 0, hasOwnTile: false)
    var room = Room(
      ViewPlan(arrangement: .container(container), screen: Screen(width: 320, height: 180, scale: 1)))
    #expect(room.asked() == ["a 180", "b 0", "c 0", "d 0"])
    let response = room.client.perform(.scroll(to: 540, over: .milliseconds(200)), room.roster)
    #expect(response.actions == [.wake(after: .milliseconds(50))])
    var actions: [ClientAction] = []
    for _ in 0..<4 {
      room.roster.now = room.roster.now + .milliseconds(50)
      actions += room.client.handle(.timer, room.roster)
    }
    #expect(!actions.contains(.request(after: .zero)))
    room.roster.now = room.roster.now + .milliseconds(100)
    #expect(room.client.handle(.timer, room.roster) == [.request(after: .zero)])
    #expect(room.asked() == ["a 0", "b 0", "c 0", "d 180"])
  }
}

@Suite("Jitsi's signals")
struct JitsiSignalTests {
  private func source(_ participant: Int, screen: Bool = false) -> SignalledSource {
    SignalledSource(participant: participant, isScreen: screen)
  }

  private func plan(_ signals: ViewSignals) -> ViewPlan { ViewPlan(arrangement: .signals(signals)) }

  @Test func anEmptyMessageAsksFor180OfEverybody() {
    var room = Room(plan(ViewSignals()))
    #expect(room.asked() == ["a 180", "b 180", "c 180", "d 180"])
    #expect(room.client.demand(room.roster).sourceLimit == nil)
    #expect(room.wish(of: 0)?.tile == nil)
  }

  @Test func everythingThatCanBeSaid() {
    var signals = ViewSignals()
    signals["last-n"] = .integer(3)
    signals["on-stage"] = .list([.source(source(1, screen: true))])
    signals["selected"] = .list([.source(source(3)), .source(source(1, screen: true)), .source(source(2))])
    signals["constraints"] = .bySource([
      .init(source(1, screen: true), .integer(-1)), .init(source(2), .integer(720)),
      .init(source(3), .integer(0)),
    ])
    signals["default-max-height"] = .integer(360)
    var room = Room(plan(signals), sharing: true)
    #expect(
      room.asked() == ["a 360", "a/screen any stage 0", "b 720 selected 3", "c 0 selected 1", "d 360"])
    #expect(room.client.demand(room.roster).sourceLimit == 3)
    // The share, b and a; c takes no slot, and d exceeds the limit by one.
    #expect(room.client.wishes(room.roster).map(\.maximum.resolution.lines) == [360, 1080, 720, 0, 0])
    #expect(room.wish(of: 3)?.visibility == .hidden)
  }

  @Test func whatChangesCountsAtOnceAndTheRestStays() {
    var signals = ViewSignals()
    signals["constraints"] = .bySource([.init(source(1), .integer(720))])
    var room = Room(plan(signals))
    _ = room.asked()
    var change = ViewSignals()
    change["default-max-height"] = .integer(-1)
    change["last-n"] = .integer(-1)
    #expect(room.client.perform(.signals(change), room.roster).actions == [.request(after: .zero)])
    #expect(room.asked() == ["a 720", "b any", "c any", "d any"])
    #expect(room.client.demand(room.roster).sourceLimit == nil)
    var other = Room(tiles([("a", 180)]))
    #expect(other.client.perform(.signals(change), other.roster).result.hasPrefix("noSignals"))
  }
}
