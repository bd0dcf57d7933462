import Allocation
import Ladder
import Quantity
import Systems

/// A GSO-Simulcast client: subscribes to the sources on its screen, up to the size that fills the tile.
///
/// A participant on the stage who also has a tile is subscribed to twice, large and small (speaker first). The mapping
/// from tiles to sizes is not published; our model: the smallest size that has the tile's lines, else the largest.
struct GSOClient: Client {
  var screen: ViewState
  let traits: ClientTraits

  init(_ setup: ClientSetup, _ parameters: GSOParameters) {
    screen = ViewState(setup)
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    traits.ordersShares = true
    self.traits = traits
  }

  /// Sends a request after each change of the speaker, who has a weight.
  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    guard case .speech = input else { return handleByDefault(input, roster) }
    return [.request(after: traits.reactionDelay)]
  }

  func viewWishes(_ roster: Roster) -> [Subscription] {
    let speech = roster.speechOrder
    return (screen.signals.map { signalledWishes($0, roster) } ?? shownWishes(roster)).map { wish in
      var wish = wish
      if !wish.isScreenShare {
        wish.demand.speechRank = speech.firstIndex(of: roster.sources[wish.source].participant)
      }
      return wish
    }
  }

  private func signalledWishes(_ signals: ViewSignals, _ roster: Roster) -> [Subscription] {
    GSOSignals(signals).subscriptions.compactMap { subscription in
      guard let source = source(named: subscription.source, roster) else { return nil }
      let rate = roster.sources[source].capture.milliFramesPerSecond
      return roster.wish(
        for: source, VideoFormat(subscription.limit, milliFramesPerSecond: rate), tile: nil)
    }
  }

  private func shownWishes(_ roster: Roster) -> [Subscription] {
    shownSources(roster).flatMap { shown in
      let large = wish(for: shown, roster)
      let participant = roster.sources[shown.source].participant
      guard shown.isOnStage, !roster.sources[shown.source].isScreen,
        let tile = screen.appliedTiles.sizes[participant], screen.stated.stage == participant
      else { return [large] }
      var small = ShownSource(source: shown.source, size: tile)
      small.isVisible = shown.isVisible
      return [large, wish(for: small, roster)]
    }
  }

  private func wish(for shown: ShownSource, _ roster: Roster) -> Subscription {
    let source = roster.sources[shown.source]
    let size = shown.size ?? source.capture.resolution
    let rate = shown.milliFramesPerSecond ?? source.capture.milliFramesPerSecond
    let sizes = source.ladder.map(\.format.resolution)
    let limit = sizes.first { $0.lines >= size.lines } ?? sizes.last ?? source.capture.resolution
    var wish = roster.wish(
      for: shown.source, VideoFormat(size, milliFramesPerSecond: rate),
      maximum: VideoFormat(limit, milliFramesPerSecond: rate), tile: shown.size,
      visibility: shown.isVisible ? .onScreen : .offScreen)
    wish.demand.isOnStage = shown.isOnStage
    return wish
  }
}
