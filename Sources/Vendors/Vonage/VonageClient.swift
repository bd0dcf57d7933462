import Allocation
import Ladder
import Quantity
import Systems

/// Vonage's client: one subscriber per stream, with a preferred resolution and frame rate, an observer of the app's
/// state and an audio fallback.
struct VonageClient: Client {
  var screen: ViewState
  private let parameters: VonageParameters
  /// Preference for everybody without an individual one.
  private var commonPreference: Preference
  /// Individual preferences by participant.
  private var preferences: [Int: Preference] = [:]
  /// Audio fallbacks by source.
  private var fallbacks: [AudioFallback]
  /// Maximum rate of the layers that the client accepts.
  private let receiveCap: RateLimit

  /// A subscriber's current preferences.
  private struct Preference {
    var size: StreamPreference.Size
    var rate = StreamPreference.Rate.any

    mutating func apply(_ change: StreamPreference) {
      if let size = change.size { self.size = size }
      if let rate = change.rate { self.rate = rate }
    }
  }

  init(_ setup: ClientSetup, _ parameters: VonageParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
    receiveCap = setup.receiveCap
    let standard = Preference(size: parameters.preferredResolution == .auto ? .tile : .any)
    commonPreference = standard
    fallbacks = Array(repeating: AudioFallback(parameters), count: setup.sourceCount)
    for entry in setup.plan.preferences {
      let participant = entry.participant.map { setup.names[$0] }
      if case .some(nil) = participant { continue }
      apply(entry.preference, to: participant ?? nil)
    }
  }

  /// Sets a preference for one participant's subscriber, or for all (`nil`).
  private mutating func apply(_ preference: StreamPreference, to participant: Int?) {
    if let participant {
      preferences[participant, default: commonPreference].apply(preference)
    } else {
      commonPreference.apply(preference)
      preferences = preferences.mapValues { own in
        var own = own
        own.apply(preference)
        return own
      }
    }
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    // Subscribers stop their video when the app resigns active, unless the observer is removed.
    traits.observer = .kept
    traits.followsDownlink = parameters.subscriberFallback
    return traits
  }

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    guard case .prefer(let other, let preference) = call else { return performByDefault(call, roster) }
    apply(preference, to: other)
    let ladder = other.flatMap { roster.members[$0].camera }.map { roster.sources[$0].ladder }
    let isScalable = ladder.map { $0.count > 1 } ?? true
    return ClientResponse(
      isScalable ? "ok" : "ok: no effect without scalable video", [.request(after: parameters.reactionDelay)])
  }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    switch event {
    case .leftMeeting: fallbacks = fallbacks.map { _ in AudioFallback(parameters) }
    case .subscriptionEnded(let source): fallbacks[source] = AudioFallback(parameters)
    default: break
    }
    return noticeByDefault(event)
  }

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    guard case .downlink(let downlink) = input else { return handleByDefault(input, roster) }
    return follow(downlink, roster)
  }

  // MARK: Subscriptions

  func viewWishes(_ roster: Roster) -> [Subscription] { arrangedWishes(roster).keepingFrameRates }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    switch place {
    case .tile(let participant, let size, let visibleShare):
      var wish = tileWish(of: participant, size: size, roster)
      if visibleShare == 0, wish?.absence == .muted { wish?.noteSilence(isSeen: false) }
      return wish
    case .window(let window, let source): return windowWish(for: source, in: window, roster)
    }
  }

  /// Returns the subscription for a tile: one that has scrolled away keeps its video; one that the app hides is not
  /// subscribed to.
  private func tileWish(of participant: Int, size: Resolution, _ roster: Roster) -> Subscription? {
    guard let source = roster.members[participant].camera else { return nil }
    let whole = roster.sources[source].requestable.last?.format ?? roster.sources[source].capture
    return wish(
      for: source, preferred(by: participant, of: whole, source: roster.sources[source], tile: size),
      tile: size,
      isHidden: screen.appliedTiles.hidden.contains(participant), roster)
  }

  private func windowWish(for source: Int, in window: PictureInPicture, _ roster: Roster) -> Subscription {
    let upright = window.size.turned(like: roster.sources[source].capture.resolution)
    var format = VideoFormat(upright, framesPerSecond: 30)
    if !roster.sources[source].isScreen {
      let preferred = preferred(
        by: roster.sources[source].participant, of: format, source: roster.sources[source], tile: window.size)
      if preferred.resolution.fits(in: window.size) { format.resolution = preferred.resolution }
      format.milliFramesPerSecond = preferred.milliFramesPerSecond
    }
    var wish = wish(for: source, format, tile: window.size, isHidden: false, roster)
    wish.confine(to: window.size)
    return wish
  }

  private func wish(
    for source: Int, _ format: VideoFormat, tile: Resolution, isHidden: Bool, _ roster: Roster
  ) -> Subscription {
    let isAudioOnly = fallbacks[source].isAudioOnly
    var wish = roster.wish(
      for: source, format, tile: tile, visibility: isHidden || isAudioOnly ? .hidden : .onScreen,
      absence: isAudioOnly && !isHidden ? .bandwidth : nil)
    wish.keepFrameRate()
    if isAudioOnly, !isHidden { wish.clientRule = .decision("AudioFallback") }
    if isAudioOnly, !isHidden { wish.withheld = VonagePolicy.preferredRate(of: wish) }
    return wish
  }

  /// Returns a format within a subscriber's preferences; without scalable video they have no effect, and a size below
  /// the lowest layer's is raised to it.
  private func preferred(
    by participant: Int, of whole: VideoFormat, source: Roster.Source, tile: Resolution
  ) -> VideoFormat {
    guard source.ladder.count > 1 else { return whole }
    var format = whole
    let preference = preferences[participant] ?? commonPreference
    switch preference.size {
    case .any: break
    case .tile: format.resolution = tile
    case .atMost(let size): format.resolution = size
    }
    if let lowest = source.requestable.first?.format.resolution,
      !source.requestable.contains(where: { $0.format.resolution.fits(in: format.resolution) })
    {
      format.resolution = lowest
    }
    if case .atMost(let rate) = preference.rate {
      format.milliFramesPerSecond = min(format.milliFramesPerSecond, rate)
    }
    return format
  }

  // MARK: Audio fallback

  /// Updates the fallbacks: streams keep their video in the order of their preferred sizes, as far as the budget covers
  /// their minimums. Rates that the client does not accept anyway are no sign of a weak downlink [our model].
  private mutating func follow(_ downlink: Downlink, _ roster: Roster) -> [ClientAction] {
    guard roster.now - roster.joinedAt >= parameters.fallbackStart else { return [] }
    let cameras = wishes(roster).filter { wish in
      !roster.sources[wish.source].isScreen && wish.absence != .muted && wish.absence != .offScreen
        && wish.absence != .requestCap
        && (wish.visibility != .hidden || wish.absence == .bandwidth) && !wish.ladder.isEmpty
    }
    var actions: [ClientAction] = []
    var needed = BitRate.zero
    var hasChanged = false
    screen.people.recovering = []
    for wish in VonagePolicy.byPreferredSize(cameras).map({ cameras[$0] }) {
      needed += min(parameters.fallbackMinimum, VonagePolicy.preferredRate(of: wish))
      let events = fallbacks[wish.source].update(
        budget: downlink.budget, minimum: receiveCap.confining(needed),
        isLossy: roster.lossShare > parameters.fallbackLoss, now: roster.now)
      let participant = roster.sources[wish.source].participant
      if fallbacks[wish.source].isRecovering { screen.people.recovering.insert(participant) }
      let id = roster.members[participant].id
      for event in events {
        actions.append(.record(event: event.rawValue, detail: "\(id): quality", result: "ok"))
        hasChanged = hasChanged || event == .videoDisabled || event == .videoEnabled
      }
    }
    if hasChanged { actions.append(.request(after: parameters.reactionDelay)) }
    return actions
  }
}
