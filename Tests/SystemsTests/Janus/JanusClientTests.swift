import Allocation
import Ladder
import Layout
import Quantity
import Systems
import Testing
import Vendors

@Suite("Janus' clients select encodings by size or by name")
struct JanusClientTests {
  private let capture = VideoFormat(.p720, framesPerSecond: 30)

  /// Participants a, b and c with cameras, b also with a screen share; the viewer is the fourth.
  private var roster: Roster {
    var sources: [Roster.Source] = []
    func add(_ participant: Int, isScreen: Bool) -> Int {
      let ladder =
        isScreen ? Ladder.single(capture: capture).layers : Ladder.libwebrtcVP8(capture: capture).layers
      sources.append(
        Roster.Source(
          participant: participant, isScreen: isScreen, isCapturing: true, capture: capture, ladder: ladder,
          offers: ladder, sendsLow: true))
      return sources.count - 1
    }
    let members = ["a", "b", "c", "v"].enumerated().map { index, id in
      Roster.Member(
        id: id, isModerator: false, isJoined: true, joinedAt: .zero, isSpeaking: false, lastSpokeAt: nil,
        camera: index < 3 ? add(index, isScreen: false) : nil,
        screen: index == 1 ? add(1, isScreen: true) : nil)
    }
    return Roster(
      now: .zero, viewer: 3, isJoined: true, joinedAt: .zero, members: members, moderators: [],
      sources: sources,
      receptions: sources.map { _ in
        Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil)
      })
  }

  private func setup(_ arrangement: ViewPlan.Arrangement) -> ClientSetup {
    ClientSetup(
      plan: ViewPlan(arrangement: arrangement, screen: Screen(width: 1280, height: 720, scale: 1)), viewer: 3,
      ids: ["a", "b", "c", "v"], names: ["a": 0, "b": 1, "c": 2, "v": 3], receives720p: true,
      allowsCustomLayout: true, sourceCount: 4)
  }

  private func signals(
    _ substream: [(SignalledSource, Int)], _ temporal: [(SignalledSource, Int)] = []
  ) -> ViewSignals {
    var signals = ViewSignals()
    signals["substream"] = .bySource(substream.map { .init($0.0, .integer($0.1)) })
    if !temporal.isEmpty { signals["temporal"] = .bySource(temporal.map { .init($0.0, .integer($0.1)) }) }
    return signals
  }

  private func camera(_ participant: Int) -> SignalledSource { SignalledSource(participant: participant) }

  @Test func signalsNameEncodings() {
    let named = signals(
      [(camera(2), 1), (SignalledSource(participant: 1, isScreen: true), 2)], [(camera(0), 0)])
    let client = Janus(JanusParameters()).client(setup(.signals(named)))
    let wishes = client.wishes(roster)
    // c, b's share, then a; b's camera has no subscription.
    #expect(wishes.map(\.source) == [3, 2, 0])
    #expect(wishes.map(\.demand.place) == [0, 1, 2])
    let ceilings = [(1, 2), (2, 2), (2, 0)].map { LayerID(encoding: $0.0, temporal: $0.1) }
    #expect(wishes.map(\.demand.ceiling) == ceilings)
    #expect(wishes.map(\.maximum.resolution) == [.p360, .p720, .p720])
    #expect(wishes.allSatisfy { $0.tile == nil })
    let grants = JanusPolicy().allocate(budget: .zero, wishes: wishes)
    #expect(grants.map { $0.layer?.id } == [ceilings[0], LayerID(encoding: 0, temporal: 0), ceilings[2]])
    #expect(grants.allSatisfy { $0.limitation == .none })
  }

  @Test func callsChangeWhatIsNamed() {
    var client = Janus(JanusParameters()).client(setup(.signals(signals([(camera(0), 2)]))))
    let response = client.perform(.signals(signals([(camera(0), 0), (camera(1), 1)])), roster)
    #expect(response.result == "ok" && response.actions == [.request(after: .milliseconds(20))])
    #expect(client.wishes(roster).map(\.demand.ceiling?.encoding) == [0, 1])
    var tiles = Janus(JanusParameters()).client(setup(.everybody(.p360)))
    let refused = tiles.perform(.signals(signals([])), roster)
    #expect(refused.actions.isEmpty && refused.result.hasPrefix("noSignals"))
  }

  /// A view with tiles requests what it always has, with a place in the order of the subscriptions.
  @Test func tilesSelectBySize() {
    let plain = ViewClient(setup(.everybody(.p360)), reactionDelay: .milliseconds(20)).wishes(roster).map {
      var wish = $0
      if !wish.isScreenShare { wish.keepFrameRate() }
      return wish
    }
    let wishes = Janus(JanusParameters()).client(setup(.everybody(.p360))).wishes(roster)
    #expect(wishes.map(\.demand.place) == [nil, 0, 1, 2])
    let unplaced = wishes.map { wish in
      var wish = wish
      wish.demand.place = nil
      return wish
    }
    #expect(unplaced == plain)
  }

  @Test func onlyTheBranchDecidesByARule() {
    var parameters = JanusParameters()
    guard case .servers(let rule, create: nil) = Janus(parameters).decider.part else {
      Issue.record("a release has a server")
      return
    }
    #expect(rule is JanusRule)
    parameters.allocation = true
    #expect(Janus(parameters).server(at: .zero) is RuleServer)
  }
}
