import Allocation
import Ladder
import Layout
import Quantity
import Systems
import Testing
import Vendors

@Suite("GSO-Simulcast's clients subscribe to sizes")
struct GSOClientTests {
  private let capture = VideoFormat(.p720, framesPerSecond: 30)

  /// Participants a and b with cameras, and b with a screen share if it has started; the viewer is the third. b speaks.
  private func roster(isSharing: Bool = false) -> Roster {
    let system = GSO(GSOParameters())
    var sources: [Roster.Source] = []
    func add(_ participant: Int, _ kind: SourceKind, _ isCapturing: Bool) -> Int {
      let ladder = system.ladder(of: kind, capture: capture, clients: 3).layers
      sources.append(
        Roster.Source(
          participant: participant, isScreen: kind == .screen, isCapturing: isCapturing, capture: capture,
          ladder: ladder, offers: ladder, sendsLow: true))
      return sources.count - 1
    }
    let members = ["a", "b", "v"].enumerated().map { index, id in
      Roster.Member(
        id: id, isModerator: false, isJoined: true, joinedAt: .zero, isSpeaking: index == 1,
        lastSpokeAt: index == 1 ? .zero : nil, camera: index < 2 ? add(index, .camera, true) : nil,
        screen: index == 1 ? add(1, .screen, isSharing) : nil)
    }
    return Roster(
      now: .zero, viewer: 2, isJoined: true, joinedAt: .zero, members: members, moderators: [],
      sources: sources,
      receptions: sources.map { _ in
        Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil)
      })
  }

  private func client(
    _ arrangement: ViewPlan.Arrangement, _ change: (inout ViewPlan) -> Void = { _ in }
  ) -> any Client {
    var plan = ViewPlan(arrangement: arrangement, screen: Screen(width: 1280, height: 720, scale: 1))
    change(&plan)
    return GSO(GSOParameters()).client(
      ClientSetup(
        plan: plan, viewer: 2, ids: ["a", "b", "v"], names: ["a": 0, "b": 1, "v": 2], receives720p: true,
        allowsCustomLayout: true, sourceCount: 3))
  }

  private func tile(_ id: String, _ width: Int, _ height: Int) -> ViewPlan.TileSize {
    ViewPlan.TileSize(participant: id, size: Resolution(width: width, height: height))
  }

  @Test func theSmallestSizeThatFillsTheTile() {
    let wishes = client(.tiles([tile("a", 320, 180), tile("b", 322, 181)])).wishes(roster())
    #expect(wishes.map(\.maximum.resolution) == [.p180, .p360])
    #expect(
      client(.everybody(Resolution(width: 3840, height: 2160))).wishes(roster())[0].maximum.resolution
        == .p720)
    #expect(wishes.map(\.demand.speechRank) == [nil, 0])
  }

  /// On the stage and in a tile: two subscriptions. A screen share replaces the speaker on the stage.
  @Test func theSpeakerIsSubscribedToTwice() {
    let client = client(.tiles([tile("a", 160, 90), tile("b", 160, 90)])) { $0.stage = tile("b", 960, 540) }
    let wishes = client.wishes(roster())
    #expect(wishes.map(\.source) == [1, 1, 0])
    #expect(wishes.map(\.maximum.resolution) == [.p720, .p180, .p180])
    #expect(wishes.map(\.demand.isOnStage) == [true, false, false])
    let sharing = client.wishes(roster(isSharing: true))
    #expect(sharing.map(\.source) == [2, 0, 1])
    #expect(sharing.map(\.demand.isOnStage) == [true, false, false])
    #expect(sharing[0].maximum.resolution == .p720 && sharing[0].isScreenShare)
  }

  @Test func pagesThatAreNotShownAreNotSubscribedTo() {
    let wishes = client(.tiles([tile("a", 320, 180), tile("b", 320, 180)])) { $0.tilesPerPage = 1 }.wishes(
      roster())
    #expect(wishes.map(\.visibility) == [.onScreen, .offScreen])
    let grants = GSOPolicy().allocate(budget: .zero, wishes: wishes)
    #expect(grants.map { $0.layer?.format.resolution } == [.p180, nil])
  }

  @Test func signals() {
    func entry(_ source: SignalledSource, _ size: Resolution) -> SignalValue {
      var fields = ViewSignals()
      fields["source"] = .source(source)
      fields["up-to"] = .size(size)
      return .fields(fields)
    }
    var signals = ViewSignals()
    signals["subscriptions"] = .list([
      entry(SignalledSource(participant: 1), .p720), entry(SignalledSource(participant: 1), .p180),
      entry(SignalledSource(participant: 1, isScreen: true), .p1080),
    ])
    let wishes = client(.signals(signals)).wishes(roster(isSharing: true))
    #expect(wishes.map(\.source) == [1, 1, 2])
    #expect(wishes.map(\.maximum.resolution) == [.p720, .p180, .p1080])
    #expect(wishes.allSatisfy { $0.tile == nil })
  }
}
