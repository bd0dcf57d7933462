package import Allocation
import Ladder
import Layout
import Quantity

/// Default client behaviour.
extension Client {
  package mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    performByDefault(call, roster)
  }

  package mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    noticeByDefault(event)
  }

  package mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    handleByDefault(input, roster)
  }

  package func viewWishes(_ roster: Roster) -> [Subscription] { arrangedWishes(roster) }
  package func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    plainWish(for: place, roster)
  }
  package func demand(_ roster: Roster) -> ViewerDemand { ViewerDemand() }
}

extension Client {
  package mutating func handleByDefault(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    switch input {
    case .requestDue:
      screen.applyTiles(roster)
      screen.reseat(roster, recentSpeakers: traits.recentSpeakerWindow)
      return []
    case .scrolled: return [.request(after: traits.reactionDelay)]
    case .speech: return screen.dependsOnSpeakers(roster) ? [.request(after: traits.reactionDelay)] : []
    case .timer, .downlink: return []
    }
  }

  /// Returns a subscription at the size of a place on the screen.
  package func plainWish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    switch place {
    case .tile(let participant, let size, let visibleShare):
      guard let source = roster.members[participant].camera else { return nil }
      return roster.wish(
        for: source, VideoFormat(size, framesPerSecond: 30), tile: size,
        visibility: visibleShare > 0 && !screen.appliedTiles.hidden.contains(participant)
          ? .onScreen : .offScreen)
    case .window(let window, let source): return plainWindowWish(for: source, in: window, roster)
    }
  }
}

extension Client {
  /// Returns the current subscriptions: screen shares first, then the view's; no cameras while remote video is muted,
  /// and no screen shares while content is muted. In the background, returns those that continue there.
  package func wishes(_ roster: Roster) -> [Subscription] {
    guard roster.isJoined else { return [] }
    // Read once: each access through the protocol copies the state.
    let screen = screen
    return subscriptions(roster).filter { wish in
      roster.sources[wish.source].isScreen ? !screen.muted.content : !screen.muted.cameras
    }
  }

  private func subscriptions(_ roster: Roster) -> [Subscription] {
    screen.background.current.map { backgroundWishes($0, roster) } ?? foregroundWishes(roster)
  }

  func foregroundWishes(_ roster: Roster) -> [Subscription] {
    let screen = screen
    let shares = (traits.ordersShares ? [] : screen.shownShares(roster)).map { number in
      roster.wish(
        for: number, roster.sources[number].capture, priority: .high, tile: screen.shareSize(number, roster))
    }
    let staged =
      screen.stagedShare(roster) ?? screen.stagedParticipant(roster).flatMap { roster.members[$0].camera }
    let cameras = viewWishes(roster)
    return (shares + (screen.receives720p ? cameras : cameras.map { screen.gated($0, roster) })).map { wish in
      var wish = wish
      wish.weight = screen.weight(of: wish.source, isOnStage: wish.source == staged, roster)
      return wish
    }
  }

  /// Returns the subscriptions of the view's arrangement.
  package func arrangedWishes(_ roster: Roster) -> [Subscription] {
    switch screen.arrangement {
    case .request, .layout:
      return screen.seatWishes(roster, recentSpeakers: traits.recentSpeakerWindow)
    case .grid, .tiles, .everybody, .container, .signals:
      return tilePlaces(roster).compactMap { place in
        wish(for: .tile(of: place.participant, size: place.size, visibleShare: place.visibleShare), roster)
      }
    }
  }

  /// Returns the tiles of the view as the SFU knows them; none for a request, a layout or signals.
  package func tilePlaces(_ roster: Roster) -> [PlacedTile] {
    screen.tilePlaces(roster, measuresAxes: traits.measuresAxes)
  }
}

extension Client {
  /// Applies a call to the screen and requests a reallocation after ``ClientTraits/reactionDelay``.
  package mutating func performByDefault(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .muteRemoteVideo(let isMuted): screen.muted.cameras = isMuted
    case .muteContent(let isMuted): screen.muted.content = isMuted
    case .request(let entries):
      if let failure = screen.refusal(of: entries, roster) {
        return ClientResponse(failure.result, detail: failure.detail(of: entries))
      }
      let resolved = entries.resolved(roster)
      screen.requests.take(entries, resolved: resolved)
      if resolved == nil {
        return ClientResponse(.ok, because: "not sent without a moderator")
      }
    case .layout(nil) where !screen.stated.allowsCustomLayout: return ClientResponse(.notAllowed)
    case .layout(let layout):
      screen.builtIn.layout = layout
      screen.builtIn.isFallback = false
    case .receive720p(let isOpen): screen.receives720p = isOpen
    case .override, .prefer: return ClientResponse(.unsupported)
    case .signals(let change):
      guard screen.signals != nil else {
        return ClientResponse(.noSignals, because: CallResult.noSignals.meaning)
      }
      screen.signals?.merge(change)
    case .scroll(let points, let duration):
      guard screen.scroll(to: points, over: duration, roster) else {
        return .noGrid
      }
      if duration > .zero { return ClientResponse(.ok, followScroll(roster)) }
    case .screen(let next):
      guard screen.turn(to: next, roster) else { return .noGrid }
    case .pin(let other): screen.pin(other)
    case .unpin(let other): screen.unpin(other)
    case .streamType: break
    case .resize(let other, let size):
      guard screen.resize(other, to: size, roster) != nil else { return ClientResponse(.unchanged) }
    case .page(let page): return turn(toPage: page, roster)
    case .hide(let other): screen.setHidden(other, true)
    case .show(let other): screen.setHidden(other, false)
    case .attach(let other, let view): return ClientResponse(screen.attach(other, to: view, roster))
    case .detach(let other): return ClientResponse(screen.detach(other))
    case .background(let background):
      return ClientResponse(enter(background, roster), [.request(after: traits.reactionDelay)])
    }
    return ClientResponse(.ok, [.request(after: traits.reactionDelay)])
  }

  package mutating func noticeByDefault(_ event: ClientEvent) -> [ClientAction] {
    switch event {
    case .left(let participant): screen.attachments.removeAll { $0.participant == participant }
    case .leftMeeting: screen.forgetMeeting()
    case .joinedMeeting where screen.builtIn.isFallback:
      let layout = screen.builtIn.layout.map(\.name) ?? ""
      return [.record(event: "layout", detail: "custom -> \(layout)", result: CallResult.notAllowed.name)]
    default: break
    }
    return []
  }

  /// Turns to a page, from 1; the result says if there are no tiles so far.
  mutating func turn(toPage page: Int, _ roster: Roster) -> ClientResponse {
    screen.page = page
    let last = screen.plan.lastPage(of: screen.others(roster).count)
    return ClientResponse(
      .ok, because: page > last ? "beyond the last page, \(last)" : nil,
      [.request(after: traits.reactionDelay)])
  }
}
