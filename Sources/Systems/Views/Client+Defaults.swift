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
      applyTiles(roster)
      reseat(roster)
      return []
    case .scrolled: return [.request(after: traits.reactionDelay)]
    case .speech: return viewDependsOnSpeakers(roster) ? [.request(after: traits.reactionDelay)] : []
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
    let shares = (traits.ordersShares ? [] : shownShares(roster)).map { number in
      roster.wish(
        for: number, roster.sources[number].capture, priority: .high, tile: shareSize(number, roster))
    }
    let staged = stagedShare(roster) ?? stagedParticipant(roster).flatMap { roster.members[$0].camera }
    let screen = screen
    let cameras = viewWishes(roster)
    return (shares + (screen.receives720p ? cameras : cameras.map { gated($0, roster) })).map { wish in
      var wish = wish
      wish.weight = screen.weight(of: wish.source, isOnStage: wish.source == staged, roster)
      return wish
    }
  }

  /// Limits a subscription by the 720p gate, which applies to every picture except those of screen shares.
  func gated(_ wish: Subscription, _ roster: Roster) -> Subscription {
    guard !screen.receives720p, !roster.sources[wish.source].isScreen else { return wish }
    var wish = wish
    wish.gate(at: screen.stated.gate.size(of: wish.ladder.first?.format.resolution))
    return wish
  }

  /// Returns the subscriptions of the view's arrangement.
  package func arrangedWishes(_ roster: Roster) -> [Subscription] {
    switch screen.arrangement {
    case .request, .layout: return layoutWishes(roster) ?? requestWishes(roster)
    case .grid(let grid): return gridWishes(grid, roster)
    case .tiles: return tileWishes(everybody: nil, roster)
    case .everybody(let size):
      return tileWishes(everybody: screen.plan.screen.pixels(of: size), roster)
    case .container(let container): return containerWishes(container, roster)
    case .signals: return []
    }
  }

  /// Returns the subscriptions of the built-in layout; `nil` if none is selected.
  private func layoutWishes(_ roster: Roster) -> [Subscription]? {
    let screen = screen
    guard let layout = screen.builtIn.layout else { return nil }
    let request = layout.request(roster, receives720p: screen.receives720p)
    let seats = screen.builtIn.seating.seats
    var seated = wishes(for: request, seats, roster) { screen.builtIn.seating.tile(ofSeat: $0, request) }
    noteGate(&seated, layout, roster)
    // A pinned participant is requested by name even when muted, but without video there is no seat to take.
    let others = roster.othersWithCamera
    let muted = screen.pins.filter {
      others.contains($0) && !roster.isCapturing($0) && !seats.contains($0)
    }
    guard let first = request.first, !muted.isEmpty else { return seated }
    return seated + wishes(for: muted.map { _ in first }, muted, roster) { _ in nil }
  }

  /// Records the gate in subscriptions for which a layout requests less because the 720p gate is closed.
  private func noteGate(_ wishes: inout [Subscription], _ layout: BuiltInLayout, _ roster: Roster) {
    guard !screen.receives720p else { return }
    let most = layout.request(roster, receives720p: true).compactMap(\.quality?.resolution.lines).max() ?? 0
    for place in wishes.indices {
      let lines = wishes[place].requested.resolution.lines
      if lines == screen.stated.gate.size(of: nil).lines, most > lines {
        wishes[place].lower(by: "ReceiveGate", to: lines)
      }
    }
  }

  /// Returns the subscriptions of the current stream request.
  private func requestWishes(_ roster: Roster) -> [Subscription] {
    let request = screen.requests.sent
    let assigned = RequestAssignment.participants(
      for: request, roster, slots: screen.requests.slots, recentSpeakers: traits.recentSpeakerWindow)
    return wishes(for: request, assigned, roster) { request[$0].quality?.resolution }
  }

  /// Returns one subscription per assigned entry; entries of a layout that has no seats yet get none.
  func wishes(
    for request: [StreamRequest], _ assigned: [Int?], _ roster: Roster, tile: (Int) -> Resolution?
  ) -> [Subscription] {
    request.indices.compactMap { place -> Subscription? in
      guard place < assigned.count, let participant = assigned[place],
        let source = roster.members[participant].camera,
        let quality = request[place].quality
      else { return nil }
      var wish = roster.wish(
        for: source, quality, priority: request[place].priority, tile: tile(place))
      wish.minimum = request[place].minimum
      return wish
    }
  }

  private func gridWishes(_ grid: Grid, _ roster: Roster) -> [Subscription] {
    let sizes = screen.appliedTiles.sizes
    return placements(in: grid, roster).compactMap { place in
      wish(
        for: .tile(
          of: place.participant, size: sizes[place.participant] ?? place.size,
          visibleShare: place.visibleShare), roster)
    }
  }

  private func tileWishes(everybody: Resolution?, _ roster: Roster) -> [Subscription] {
    tilePlaces(everybody: everybody, roster).compactMap { place in
      wish(for: .tile(of: place.participant, size: place.size, visibleShare: place.visibleShare), roster)
    }
  }

  package func viewDependsOnSpeakers(_ roster: Roster) -> Bool {
    let screen = screen
    if screen.windowFollowsSpeakers { return true }
    if let layout = screen.builtIn.layout {
      return layout.hasMainStage
        || roster.members.count > layout.maximumSeats + 1
          && roster.othersWithCamera.count
            > layout.request(roster, receives720p: screen.receives720p).count
    }
    guard case .request = screen.arrangement else { return false }
    return requestDependsOnSpeakers(roster)
  }

  /// Checks whether the speaker order matters: it does not if all slots are equal, everybody has one, and no tile is
  /// limited.
  private func requestDependsOnSpeakers(_ roster: Roster) -> Bool {
    let request = screen.requests.sent
    guard request.allSatisfy({ $0.subject != .slot || $0 == request.last }) else { return true }
    return roster.sources.indices.contains { number in
      let source = roster.sources[number]
      return source.participant != roster.viewer && source.isCapturing
        && roster.receptions[number].limitation != Limitation.none
    }
  }
}

extension Client {
  /// Applies a call to the screen and requests a reallocation after ``ClientTraits/reactionDelay``.
  package mutating func performByDefault(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .muteRemoteVideo(let isMuted): screen.muted.cameras = isMuted
    case .muteContent(let isMuted): screen.muted.content = isMuted
    case .request(let entries):
      if let failure = refusal(of: entries, roster) {
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
      guard scroll(to: points, over: duration, roster) else { return ClientResponse(Self.noGrid) }
      if duration > .zero { return ClientResponse(.ok, followScroll(roster)) }
    case .screen(let next): guard turn(to: next, roster) else { return ClientResponse(Self.noGrid) }
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

  /// Returns the reason why a call with a request fails; `nil` if it succeeds.
  package func refusal(of entries: [StreamRequest], _ roster: Roster) -> StreamRequestFailure? {
    StreamRequestCheck.failure(
      of: entries.resolved(roster) ?? entries, isInMeeting: roster.isJoined,
      usesCustomLayout: screen.builtIn.layout == nil && screen.stated.allowsCustomLayout,
      hasVideoConnection: { id in
        roster.othersWithCamera.contains { roster.members[$0].id == id }
      })
  }

  /// Sends the app's request, if it has one and it is not refused. A request that names the moderator is not sent while
  /// there is none: the screen stays unchanged.
  private mutating func sendRequest(_ roster: Roster) {
    guard let resolved = screen.requests.wanted.resolved(roster), screen.builtIn.layout == nil else { return }
    if resolved != screen.requests.taken {
      guard screen.requests.refusal == nil else { return }
      screen.requests.take(screen.requests.wanted, resolved: resolved)
    }
    screen.sendRequest()
  }

  /// Sends the request, and reassigns the seats of the built-in layout, if any: pinned participants in pinning order,
  /// then by speaker order.
  package mutating func reseat(_ roster: Roster) {
    let isJoined = roster.isJoined
    let window = traits.recentSpeakerWindow
    if isJoined {
      sendRequest(roster)
      screen.requests.slots.update(for: screen.requests.sent, roster, recentSpeakers: window)
    }
    let layout = isJoined ? screen.builtIn.layout : nil
    screen.builtIn.seating.choose(layout)
    guard let layout else { return }
    let remotes = roster.othersWithCamera.filter { roster.isCapturing($0) }
    let pinned = screen.pins.filter(remotes.contains)
    let rest = SpeakerOrder.sorted(remotes.filter { !pinned.contains($0) }, roster, window: window) {
      roster.picture(of: $0) != nil
    }
    screen.builtIn.seating.reseat(
      pinned + rest, capacity: layout.request(roster, receives720p: screen.receives720p).count)
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

  package mutating func applyTiles(_ roster: Roster) {
    screen.appliedTiles = screen.tiles
    guard roster.isJoined, let end = maximumScroll(roster) else { return }
    screen.scroll.course.clamp(to: end, at: roster.now)
  }
}
