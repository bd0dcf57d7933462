import Allocation
import Ladder
import Quantity
import Systems

/// A videoroom client: the view selects the encodings, or the app names them.
struct JanusClient: Client {
  var screen: ViewState
  private let reactionDelay: SimDuration

  init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    self.reactionDelay = reactionDelay
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: reactionDelay)
    traits.ordersShares = screen.signals != nil
    return traits
  }

  /// Returns the subscriptions in order.
  ///
  /// The server adapts frame rates only by whole temporal layers: if even the base layer has more frames than the view
  /// requests, some are dropped [our model]. An app that names its layers gets all of their frames.
  func viewWishes(_ roster: Roster) -> [Subscription] {
    let wishes =
      screen.signals.map { signalledWishes($0, roster) } ?? arrangedWishes(roster).keepingFrameRates
    return wishes.enumerated().map { place, wish in
      var wish = wish
      wish.demand.place = place
      return wish
    }
  }

  private func signalledWishes(_ signals: ViewSignals, _ roster: Roster) -> [Subscription] {
    JanusSignals(signals).choices.compactMap { choice in
      guard let source = source(named: choice.source, roster) else { return nil }
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
