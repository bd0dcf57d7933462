import Allocation
import Ladder
import Quantity

/// A videoroom client: what the view shows selects the encodings, or the app names them.
struct JanusClient: Client {
  var screen: ViewState
  let reactionDelay: SimDuration
  /// What the app has named; `nil` for a view that goes by the screen.
  private var signals: ViewSignals?

  init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    self.reactionDelay = reactionDelay
    if case .signals(let stated) = setup.plan.arrangement { signals = stated }
  }

  var ordersShares: Bool { signals != nil }

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    guard case .signals(let change) = call else { return performByDefault(call, roster) }
    guard signals != nil else { return ClientResponse("noSignals: only a view with 'signals' takes them") }
    signals?.merge(change)
    return ClientResponse("ok", [.allocate(after: reactionDelay)])
  }

  /// In the order of the subscriptions.
  func viewWishes(_ roster: Roster) -> [Wish] {
    let wishes = signals.map { signalledWishes($0, roster) } ?? arrangedWishes(roster)
    return wishes.enumerated().map { place, wish in
      var wish = wish
      wish.demand.place = place
      return wish
    }
  }

  private func signalledWishes(_ signals: ViewSignals, _ roster: Roster) -> [Wish] {
    let received = screen.others(roster)
    return JanusSignals(signals).choices.compactMap { choice in
      guard received.contains(choice.source.participant) || choice.source.isScreen,
        let source = roster.source(choice.source), roster.sources[source].participant != roster.viewer
      else { return nil }
      let own = roster.sources[source]
      let layer = own.ladder.last {
        $0.id.encoding <= choice.ceiling.encoding && $0.id.temporal <= choice.ceiling.temporal
      }
      var wish = roster.wish(for: source, layer?.format ?? own.capture, tile: nil)
      wish.demand.ceiling = choice.ceiling
      return wish
    }
  }
}
