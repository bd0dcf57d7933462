import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// An app with mediasoup-client.
///
/// mediasoup has no notion of a screen. The app pauses the consumers of sources off screen, makes each consumer prefer
/// the lowest encoding that is at least as tall as its tile, and puts the stage, pins and screen shares first [our
/// model]. For a requested frame rate, it prefers the temporal layers up to that rate; frames are dropped if the base
/// layer is faster [our model].
struct MediasoupClient: Client {
  var screen: ViewState
  private let parameters: MediasoupParameters

  init(_ setup: ClientSetup, _ parameters: MediasoupParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    traits.ordersShares = true
    return traits
  }

  func viewWishes(_ roster: Roster) -> [Subscription] {
    screen.signals.map { signalledWishes(MediasoupSignals($0), roster) }
      ?? shownSources(roster).map { wish(for: $0, roster) }.keepingFrameRates
  }

  // MARK: Signals

  private func signalledWishes(_ signals: MediasoupSignals, _ roster: Roster) -> [Subscription] {
    signals.consumers.compactMap { consumer in
      guard let source = source(named: consumer.source, roster) else { return nil }
      let highest = Self.format(of: consumer.preferred, source, roster)
      var wish = roster.wish(
        for: source, highest, tile: nil, visibility: consumer.isPaused ? .hidden : .onScreen)
      wish.demand.ceiling = consumer.preferred
      wish.numericPriority = consumer.priority
      return wish
    }
  }

  /// Returns the format of the highest layer that a consumer prefers; without a preference, that of the highest layer
  /// of all.
  private static func format(of preferred: LayerID?, _ source: Int, _ roster: Roster) -> VideoFormat {
    let ladder = roster.sources[source].ladder
    let layer = preferred.flatMap { preferred in
      ladder.last {
        $0.id.encoding < preferred.encoding
          || $0.id.encoding == preferred.encoding && $0.id.temporal <= preferred.temporal
      }
    }
    return (layer ?? ladder.last)?.format ?? roster.sources[source].capture
  }

  // MARK: The screen

  private func wish(for shown: ShownSource, _ roster: Roster) -> Subscription {
    let own = roster.sources[shown.source]
    let preferred = Self.preferred(shown, own.ladder)
    let highest = preferred?.format ?? own.capture
    var requested = VideoFormat(
      shown.size ?? highest.resolution, milliFramesPerSecond: highest.milliFramesPerSecond)
    if let rate = shown.milliFramesPerSecond { requested.milliFramesPerSecond = rate }
    // The highest encoding is not a cap set by the app.
    var most = requested.isWithin(highest) ? highest : requested
    if let rate = shown.milliFramesPerSecond {
      most.milliFramesPerSecond = min(most.milliFramesPerSecond, rate)
    }
    var wish = roster.wish(
      for: shown.source, requested, maximum: most, tile: shown.size,
      visibility: shown.isVisible ? .onScreen : .offScreen)
    wish.demand.ceiling = preferred?.id
    wish.numericPriority = priority(of: shown, isScreen: own.isScreen)
    return wish
  }

  /// Returns the highest layer that a tile needs: of the lowest encoding that is at least as tall, the top temporal
  /// layer or the highest that the requested frame rate allows. A tile of unknown size needs the highest layer of all.
  private static func preferred(_ shown: ShownSource, _ ladder: [Layer]) -> Layer? {
    guard let size = shown.size else { return ladder.last }
    guard
      let encoding = (ladder.first { $0.format.resolution.height >= size.height } ?? ladder.last)?.id.encoding
    else { return nil }
    let layers = ladder.filter { $0.id.encoding == encoding }
    guard let rate = shown.milliFramesPerSecond else { return layers.last }
    return layers.last { $0.format.milliFramesPerSecond <= rate } ?? layers.first
  }

  private func priority(of shown: ShownSource, isScreen: Bool) -> Int {
    var priority = parameters.tilePriority
    if shown.isPinned { priority = max(priority, parameters.pinPriority) }
    if shown.isOnStage { priority = max(priority, parameters.stagePriority) }
    if isScreen { priority = max(priority, parameters.sharePriority) }
    return priority
  }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    guard case .window(let window, let source) = place else { return plainWish(for: place, roster) }
    var wish = plainWindowWish(for: source, in: window, roster)
    wish.demand.ceiling = Self.preferred(ShownSource(source: source, size: window.size), wish.ladder)?.id
    wish.numericPriority = parameters.stagePriority
    return wish
  }
}
