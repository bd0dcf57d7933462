import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// GetStream's client: subscriptions follow the tiles on the screen, debounced by kind of change.
struct StreamClient: Client {
  var screen: ViewState
  private let parameters: StreamParameters
  private var overrides: StreamOverrides
  /// Participants who started hidden and whose tiles have not yet been visible.
  private var neverAppeared: Set<Int> = []

  init(_ setup: ClientSetup, _ parameters: StreamParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
    overrides = StreamOverrides(everybody: setup.plan.override)
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.immediate)
    traits.leastVisibleShare = parameters.visibleShare
    // iOS checks each axis of a tile, JavaScript its area.
    traits.measuresAxes = parameters.client != .javascript
    return traits
  }

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .scroll(let points, let duration):
      guard screen.scroll(to: points, over: duration, roster) else { return .noGrid }
      if duration > .zero { return ClientResponse(.ok, followScroll(roster)) }
      return ClientResponse(.ok, [.debounce(after: parameters.medium)])
    case .hide(let other), .show(let other):
      if case .hide = call { screen.setHidden(other, true) } else { screen.setHidden(other, false) }
      return ClientResponse(.ok, [.debounce(after: parameters.medium)])
    case .resize(let other, let size):
      guard let before = screen.resize(other, to: size, roster) else { return ClientResponse(.unchanged) }
      // Growth of either side by more than a factor of 1.2 is signalled at once, other changes later (JavaScript SDK).
      let grows = before.map { size.width * 5 > $0.width * 6 || size.height * 5 > $0.height * 6 } ?? true
      return ClientResponse(.ok, [.debounce(after: grows ? parameters.immediate : parameters.medium)])
    case .override(let other, let override):
      if let other {
        overrides.set(override, for: other)
      } else {
        overrides.everybody = override
      }
      return ClientResponse(.ok, [.debounce(after: parameters.immediate)])
    default: return performByDefault(call, roster)
    }
  }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    let actions = noticeByDefault(event)
    switch event {
    case .joined(let participant, let known):
      // Late joiners in large calls start hidden.
      if known >= parameters.hiddenFrom {
        neverAppeared.insert(participant)
      } else {
        neverAppeared.remove(participant)
      }
      return []
    case .leftMeeting:
      // Whoever is there at the next join is in its response, which replaces all participants, shown (stream-video-swift,
      // `WebRTCCoordinator+Joining.swift`).
      neverAppeared = []
      return actions
    case .sourceStopped: return [.postpone(by: parameters.fast)]
    case .left, .joinedMeeting, .streamChanged, .ownCameraChanged, .trackGiven,
      .subscriptionEnded:
      return actions
    }
  }

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    switch input {
    case .requestDue:
      screen.applyTiles(roster)
      noteAppearances(roster)
      screen.reseat(roster, recentSpeakers: traits.recentSpeakerWindow)
      return []
    case .scrolled:
      noteAppearances(roster)
      return [.debounce(after: parameters.medium)]
    case .timer, .speech, .downlink: return handleByDefault(input, roster)
    }
  }

  private mutating func noteAppearances(_ roster: Roster) {
    guard !neverAppeared.isEmpty else { return }
    switch screen.arrangement {
    case .grid, .container, .tiles, .everybody:
      for place in tilePlaces(roster) where isVisible(place.participant, place.visibleShare) {
        neverAppeared.remove(place.participant)
      }
    case .request, .layout, .signals:
      for participant in screen.others(roster) where !screen.appliedTiles.hidden.contains(participant) {
        neverAppeared.remove(participant)
      }
    }
  }

  private func isVisible(_ participant: Int, _ share: Double) -> Bool {
    share >= parameters.visibleShare && !screen.appliedTiles.hidden.contains(participant)
  }

  func viewWishes(_ roster: Roster) -> [Subscription] { arrangedWishes(roster).keepingFrameRates }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    guard case .tile(let participant, let size, let visibleShare) = place else {
      return plainWish(for: place, roster)
    }
    guard let source = roster.members[participant].camera else { return nil }
    var requested = parameters.reportedUnit == .points ? screen.plan.screen.points(of: size) : size
    switch overrides.override(for: participant) {
    case .size(let size): requested = size
    case .off:
      return roster.wish(
        for: source, VideoFormat(size, framesPerSecond: 30), tile: size, visibility: .hidden,
        absence: .requestCap)
    case nil: break
    }
    let plays =
      isVisible(participant, visibleShare)
      || parameters.hidden == .keep && !neverAppeared.contains(participant)
    var wish = roster.wish(
      for: source, VideoFormat(requested, framesPerSecond: 30), tile: size,
      visibility: plays ? .onScreen : .offScreen)
    let least = wish.ladder.first { $0.format.resolution.lines >= requested.lines }?.format.resolution.lines
    if overrides.override(for: participant) == nil, let least, least < size.lines {
      wish.lower(by: "ReportedSize", to: least)
    }
    return wish
  }
}
