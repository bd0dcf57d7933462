import Allocation
import Ladder
import Plan
import Quantity
import Systems

/// A viewer's client at a moment of the scenario, without network effects.
struct Scene {
  let roster: Roster
  let wishes: [Subscription]
  let demand: ViewerDemand
  /// Names of all sources in the tables.
  let names: [String]
  private let streams: StreamNumbering

  /// Creates the scene of a viewer.
  ///
  /// - Returns: `nil` if the viewer has no view.
  init?(_ plan: MeetingPlan, viewer: Int, at moment: SimTime) {
    let streams = StreamNumbering(plan)
    self.streams = streams
    names = streams.sources.indices.map { plan.name(of: $0, in: streams) }
    guard
      var client = plan.client(
        of: viewer, plan.people, streams: streams, seed: RunSeed(seed: plan.seed, repetition: 0))
    else { return nil }
    var state = SceneState(plan, streams, viewer: viewer)
    _ = client.notice(.joinedMeeting)
    var noticed: Set<Int> = []
    var server = plan.system.server(at: .zero)
    for entry in plan.timeline where entry.at <= moment {
      state.advance(to: entry.at)
      state.apply(entry)
      if entry.participant == viewer, case .client(let call) = entry.action {
        Self.settle(&client, &server, state.roster, &noticed)
        _ = client.perform(call, state.roster)
      }
    }
    state.advance(to: moment)
    Self.settle(&client, &server, state.roster, &noticed)
    roster = state.roster
    var wishes = client.wishes(roster)
    for place in wishes.indices {
      wishes[place].scalability = plan.source(wishes[place].source, of: streams)?.layeredMode
      wishes[place].followsReceivers = streams.sources[wishes[place].source].followsReceivers
    }
    server?.complete(&wishes, at: roster.now + Self.settled)
    if !plan.system.decider.isPolicyAlone {
      plan.system.policy.confine(&wishes, to: plan.participants[viewer].capabilities.decode)
    }
    self.wishes = wishes
    demand = client.demand(roster)
  }

  /// Sources of other participants.
  var remoteSources: [Int] {
    streams.sources.indices.filter { streams.sources[$0].participant != roster.viewer }
  }

  /// Checks whether a source's encodings are the spatial layers of one stream.
  func isScalable(_ source: Int) -> Bool { streams.sources[source].isScalable }

  /// Time after which everything that a client or its server debounces has taken effect.
  private static let settled = SimDuration.seconds(600)

  /// Lets everything that the client has debounced take effect.
  private static func settle(
    _ client: inout any Client, _ server: inout (any ViewerServer)?, _ roster: Roster,
    _ noticed: inout Set<Int>
  ) {
    var later = roster
    for source in roster.sources.indices where noticed.insert(source).inserted {
      _ = client.notice(.trackGiven(source: source))
    }
    for _ in 0..<4 {
      var actions = client.handle(.requestDue, later)
      later.now += .seconds(60)
      actions += client.handle(.timer, later)
      // The client's messages reach its server long before it does anything else.
      for case .tell(let source, let settings) in actions {
        _ = server?.handle(.settings(settings, source: source), at: later.now)
      }
    }
  }
}
