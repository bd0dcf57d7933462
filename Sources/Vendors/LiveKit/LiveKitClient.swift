import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// livekit-client.
///
/// Views with tiles use adaptive stream, driven by size and visibility; with `signals`, the app sets both. Until the
/// client sends settings, a track is received at the highest quality (with adaptive stream, at the lowest). A real
/// server subscribes clients to all tracks on its own; here the client asks for those of its view, which takes half a
/// round trip longer [our model].
struct LiveKitClient: Client {
  var screen: ViewState
  private let parameters: LiveKitParameters
  private let isAdaptive: Bool
  /// Tracks by source.
  private var tracks: [LiveKitTrack]
  /// End of the scroll being followed.
  private var scrollsUntil: SimTime?
  /// Background state that takes effect once the app has been in the background for long enough.
  private var pause: (background: Background, at: SimTime)? {
    didSet { screen.background.entered = pause?.background }
  }

  init(_ setup: ClientSetup, _ parameters: LiveKitParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
    tracks = Array(repeating: LiveKitTrack(), count: setup.sourceCount)
    switch setup.plan.arrangement {
    case .signals(let stated):
      isAdaptive = TrackSignals(stated).adaptiveStream ?? parameters.adaptiveStream
    case .request, .layout: isAdaptive = false
    case .grid, .tiles, .everybody, .container: isAdaptive = true
    }
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    // An app that sets its tracks itself subscribes to screen shares the same way as to cameras.
    traits.ordersShares = screen.signals != nil
    // Adaptive stream pauses the videos that an app in the background does not show; without it, nothing changes.
    traits.observer = isAdaptive ? .automatic : .removed
    return traits
  }

  // MARK: Calls and events

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .scroll(let points, let duration):
      guard screen.scroll(to: points, over: duration, roster) else { return .noGrid }
      return ClientResponse(.ok, [.request(after: .zero)] + followScroll(over: duration, roster))
    case .background(let next):
      pause = nil
      var response = performByDefault(call, roster)
      guard next != nil else {
        response.actions = [.request(after: .zero)]
        return response
      }
      guard isAdaptive, let entered = screen.background.current else { return response }
      screen.background.current = nil
      pause = (entered, roster.now + parameters.backgroundDelay)
      response.actions = [.wake(after: parameters.backgroundDelay)]
      return response
    default:
      var response = performByDefault(call, roster)
      if !response.actions.isEmpty { response.actions = [.request(after: .zero)] }
      return response
    }
  }

  private mutating func followScroll(over duration: SimDuration, _ roster: Roster) -> [ClientAction] {
    guard duration > .zero else { return [] }
    defer { scrollsUntil = roster.now + duration }
    return scrollsUntil == nil ? [.wake(after: Scrolling.lookPeriod)] : []
  }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    let actions = noticeByDefault(event)
    switch event {
    case .trackGiven(let source): return tracks[source].noteArrival() ? [.wake(after: .zero)] : []
    case .subscriptionEnded(let source): drop(source)
    case .leftMeeting:
      tracks = tracks.map { _ in LiveKitTrack() }
      pause = nil
    default: break
    }
    return actions
  }

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    switch input {
    case .requestDue: return handleByDefault(input, roster) + wantTracks(roster)
    case .timer: return wake(roster)
    case .scrolled, .speech, .downlink: return handleByDefault(input, roster)
    }
  }

  private mutating func wake(_ roster: Roster) -> [ClientAction] {
    var actions: [ClientAction] = []
    var hasChanged = false
    if let due = pause, roster.now >= due.at {
      screen.background.current = due.background
      pause = nil
      hasChanged = true
    }
    for source in tracks.indices {
      let messages = tracks[source].takeMessages(isAdaptive: isAdaptive, parameters, at: roster.now)
      actions += messages.settings.map { .tell(source: source, $0) }
      if let wait = messages.wait { actions.append(.wake(after: wait)) }
    }
    if let end = scrollsUntil {
      hasChanged = true
      scrollsUntil = roster.now < end ? end : nil
      if roster.now < end { actions.append(.wake(after: min(Scrolling.lookPeriod, end - roster.now))) }
    }
    return hasChanged ? actions + [.request(after: .zero)] : actions
  }

  private mutating func drop(_ source: Int) {
    if screen.background.current == nil {
      tracks[source] = LiveKitTrack()
    } else {
      tracks[source].suspend()
    }
  }

  /// Records the track settings that the screen calls for.
  private mutating func wantTracks(_ roster: Roster) -> [ClientAction] {
    var actions: [ClientAction] = []
    guard roster.isJoined, screen.background.current == nil else { return actions }
    for tile in tiles(roster) {
      let delay = tracks[tile.source].want(
        tile.settings, isAdaptive: isAdaptive, parameters, at: roster.now)
      if let delay { actions.append(.wake(after: delay)) }
    }
    return actions
  }

  // MARK: Subscriptions

  /// A remote track with a subscription.
  private struct Tile {
    var source: Int
    /// Size on the screen [px]; `nil` if unknown.
    var size: Resolution?
    var settings: TrackSettings
  }

  private func tiles(_ roster: Roster) -> [Tile] {
    if let signals = screen.signals {
      return TrackSignals(signals).tracks.compactMap { track in
        guard let source = source(named: track.source, roster) else { return nil }
        return Tile(source: source, size: track.settings.size, settings: track.settings)
      }
    }
    return shownSources(roster).compactMap { shown in
      guard !roster.sources[shown.source].isScreen, let size = shown.size else { return nil }
      var settings = TrackSettings(size: reported(size))
      settings.isDisabled = !shown.isVisible
      return Tile(source: shown.source, size: size, settings: settings)
    }
  }

  /// Returns the size that adaptive stream reports for a tile [px].
  private func reported(_ size: Resolution) -> Resolution {
    let points = screen.plan.screen.points(of: size)
    return Resolution(
      width: max(1, Int(Double(points.width) * parameters.pixelDensity)),
      height: max(1, Int(Double(points.height) * parameters.pixelDensity)))
  }

  func viewWishes(_ roster: Roster) -> [Subscription] {
    switch screen.arrangement {
    case .request, .layout:
      return arrangedWishes(roster).map { wish in
        var wish = wish
        var settings = TrackSettings(size: wish.requested.resolution)
        settings.milliFramesPerSecond = wish.requested.milliFramesPerSecond
        if let highest = layer(settings, of: wish.source, roster) { wish.limit(to: highest) }
        return wish
      }
    case .grid, .tiles, .everybody, .container, .signals: return tiles(roster).map { wish(for: $0, roster) }
    }
  }

  private func layer(_ settings: TrackSettings, of source: Int, _ roster: Roster) -> Layer? {
    LiveKitSelection.layer(
      settings, of: roster.sources[source].requestable, capture: roster.sources[source].capture.resolution,
      isAdaptive: isAdaptive, factor: parameters.tileFactor)
  }

  /// Returns the subscription to a track: the source as captured, which the server limits to the track's settings.
  private func wish(for tile: Tile, _ roster: Roster) -> Subscription {
    var wish = roster.wish(
      for: tile.source, roster.sources[tile.source].capture,
      priority: roster.sources[tile.source].isScreen ? .high : nil, tile: tile.size,
      visibility: !tile.settings.isDisabled ? .onScreen : screen.signals == nil ? .offScreen : .hidden,
      absence: tile.settings.isMuted ? .muted : nil)
    wish.demand.qualityByDefault = isAdaptive ? .lowest : .highest
    if screen.signals == nil, let size = tile.size, let given = layer(tile.settings, of: tile.source, roster),
      let whole = layer(TrackSettings(size: size), of: tile.source, roster), given.id < whole.id
    {
      wish.clientRule = .request("PixelDensity")
    }
    return wish
  }

  func demand(_ roster: Roster) -> ViewerDemand {
    var demand = ViewerDemand()
    demand.keepsTracks = screen.isInBackground
    return demand
  }
}

extension Subscription {
  /// Limits the subscription to the highest layer that the viewer's settings allow.
  mutating func limit(to highest: Layer) {
    maximum = highest.format
    demand.selected = highest.id
  }
}
