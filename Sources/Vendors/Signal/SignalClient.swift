import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// A client with RingRTC: it requests the heights of its tiles, and the stage's height for the active speaker, whoever
/// that is.
struct SignalClient: Client {
  var screen: ViewState
  private let parameters: SignalParameters

  init(_ setup: ClientSetup, _ parameters: SignalParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    traits.ordersShares = true
    return traits
  }

  /// Checks whether the order of speech changes the request; the server hears the speakers itself.
  private func dependsOnSpeakers(_ roster: Roster) -> Bool {
    screen.stagedParticipant(roster) != nil || screen.dependsOnSpeakers(roster)
  }

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    guard case .speech = input, dependsOnSpeakers(roster) else { return handleByDefault(input, roster) }
    return [.request(after: parameters.reactionDelay)]
  }

  func demand(_ roster: Roster) -> ViewerDemand {
    var demand = ViewerDemand()
    if let signals = screen.signals {
      let requests = SignalRequests(signals)
      demand.speakerLines = requests.speakerLines
      demand.maximumRate = requests.maximumRate
      demand.queueDrain = requests.queueDrain
      demand.minimumTarget = requests.minimumTarget
    } else {
      // Signal's apps show the active speaker on the stage; if an app shows somebody else there, nobody's request is
      // raised.
      let isStaged = screen.stagedParticipant(roster).map { $0 == roster.speechOrder.first } ?? false
      demand.speakerLines = isStaged ? screen.stated.stageSize?.lines : nil
      demand.maximumRate = parameters.receiveRate
    }
    return demand
  }

  func viewWishes(_ roster: Roster) -> [Subscription] {
    let speakers = roster.speechOrder
    let wishes =
      screen.signals.map { signalledWishes(SignalRequests($0), roster) }
      ?? shownSources(roster).map { wish(for: $0, roster) }
    return wishes.map { wish in
      var wish = wish
      wish.demand.speechRank = speakers.firstIndex(of: roster.sources[wish.source].participant)
      return wish
    }
  }

  // MARK: Signals

  /// Returns subscriptions to all other participants' sources, since the server offers everything to each viewer.
  private func signalledWishes(_ requests: SignalRequests, _ roster: Roster) -> [Subscription] {
    let received = screen.others(roster)
    let stated = requests.heights.compactMap { entry in
      roster.source(entry.source).map { (source: $0, lines: entry.lines) }
    }
    return roster.sources.indices.compactMap { number in
      let own = roster.sources[number]
      guard own.participant != roster.viewer, roster.members[own.participant].isJoined,
        own.isScreen || received.contains(own.participant)
      else { return nil }
      let lines = stated.first { $0.source == number }?.lines
      let format = Self.format(for: lines ?? 1, own)
      var wish = roster.wish(for: number, format, tile: nil, visibility: lines == 0 ? .hidden : .onScreen)
      wish.demand.maximumLines = lines
      return wish
    }
  }

  /// Returns the format of the encoding that a request gets if all are sent.
  private static func format(for lines: Int, _ source: Roster.Source) -> VideoFormat {
    let layer = source.ladder.first { $0.format.resolution.height >= lines } ?? source.ladder.last
    return source.ladder.last { $0.id.encoding == layer?.id.encoding }?.format ?? source.capture
  }

  // MARK: The screen

  /// Returns the subscription to a tile by its shorter side, as RingRTC does, since the server counts lines of
  /// unrotated pictures.
  private func wish(for shown: ShownSource, _ roster: Roster) -> Subscription {
    let own = roster.sources[shown.source]
    let size = shown.size ?? own.capture.resolution
    let highest = Self.format(for: size.lines, own)
    var requested = VideoFormat(size, milliFramesPerSecond: highest.milliFramesPerSecond)
    if let rate = shown.milliFramesPerSecond { requested.milliFramesPerSecond = rate }
    var wish = roster.wish(
      for: shown.source, requested, maximum: requested.isWithin(highest) ? highest : requested,
      tile: shown.size,
      visibility: shown.isVisible ? .onScreen : .offScreen)
    wish.demand.maximumLines = shown.isVisible ? size.lines : 0
    return wish
  }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    guard case .window(let window, let source) = place else { return plainWish(for: place, roster) }
    var wish = plainWindowWish(for: source, in: window, roster)
    wish.demand.maximumLines = window.size.lines
    wish.demand.speechRank = roster.speechOrder.firstIndex(of: roster.sources[source].participant)
    return wish
  }
}
