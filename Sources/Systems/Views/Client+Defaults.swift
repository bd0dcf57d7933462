package import Allocation
package import Ladder
import Layout
package import Quantity

/// Default client behaviour.
extension Client {
  package mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    performByDefault(call, roster)
  }

  package mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    noticeByDefault(event)
    return []
  }

  package mutating func wake(_ roster: Roster) -> [ClientAction] { [] }
  package mutating func applyScreen(_ roster: Roster) { applyTiles() }
  package mutating func arrange(_ roster: Roster) -> [ClientAction] {
    reseat(roster)
    return []
  }
  package func viewWishes(_ roster: Roster) -> [Wish] { arrangedWishes(roster) }

  package func tileWish(
    of participant: Int, size: Resolution, visibleShare: Double, _ roster: Roster
  ) -> Wish? {
    guard let source = roster.members[participant].camera else { return nil }
    return roster.wish(
      for: source, VideoFormat(size, framesPerSecond: 30), tile: size,
      visibility: visibleShare > 0 && !screen.appliedHidden[participant] ? .onScreen : .offScreen)
  }

  package func visibleShare(across: Double, down: Double) -> Double { across * down }
  package mutating func hold(_ grant: inout Grant, of wish: Wish, at now: SimTime) -> SimTime? { nil }
  package mutating func drop(source: Int) {}
  package var followsBudget: Bool { false }
  package mutating func follow(budget: BitRate, wishes: [Wish], _ roster: Roster) -> [ClientAction] { [] }
  package func rateHeldBack(from given: BitRate) -> BitRate? { nil }
  package func dependsOnSpeakers(_ roster: Roster) -> Bool { viewDependsOnSpeakers(roster) }
}

extension Client {
  /// Current subscriptions: none while remote video is muted, only the window's in the background, else screen shares
  /// first, then the view's.
  package func wishes(_ roster: Roster) -> [Wish] {
    guard roster.members[roster.viewer].isJoined, !screen.isRemoteVideoMuted else { return [] }
    return screen.background.map { backgroundWishes($0, roster) } ?? foregroundWishes(roster)
  }

  func foregroundWishes(_ roster: Roster) -> [Wish] {
    let shares: [Wish] = roster.sources.indices.compactMap { number in
      let source = roster.sources[number]
      guard source.isScreen, source.participant != roster.viewer, source.isCapturing else { return nil }
      return roster.wish(for: number, source.capture, priority: .high, tile: nil)
    }
    return shares + viewWishes(roster)
  }

  /// The subscriptions of the view's arrangement.
  func arrangedWishes(
    _ roster: Roster, recentSpeakers window: SimDuration = SpeakerOrder.defaultWindow
  ) -> [Wish] {
    switch screen.plan.arrangement {
    case .request, .layout: return layoutWishes(roster) ?? requestWishes(roster, recentSpeakers: window)
    case .grid(let grid): return gridWishes(grid, roster)
    case .tiles: return tileWishes(everybody: nil, roster)
    case .everybody(let size):
      return tileWishes(everybody: screen.plan.screen.pixels(of: size), roster)
    case .container(let container): return containerWishes(container, roster)
    }
  }

  /// The subscriptions of the built-in layout; `nil` if none is selected.
  private func layoutWishes(_ roster: Roster) -> [Wish]? {
    guard let layout = screen.layout else { return nil }
    let request = layout.request(roster, receives720p: screen.receives720p)
    return wishes(for: request, screen.seating.seats, roster) { screen.seating.tile(ofSeat: $0, request) }
  }

  /// The subscriptions of a stream request; a request for an absent moderator is not sent at all.
  private func requestWishes(_ roster: Roster, recentSpeakers window: SimDuration) -> [Wish] {
    let request = screen.request
    guard roster.moderator != nil || !request.contains(where: { $0.subject == .moderator }) else { return [] }
    let assigned = RequestAssignment.participants(for: request, roster, recentSpeakers: window)
    return wishes(for: request, assigned, roster) { request[$0].quality?.resolution }
  }

  /// One subscription per assigned entry; a closed 720p gate limits it to 360p.
  func wishes(
    for request: [StreamRequest], _ assigned: [Int?], _ roster: Roster, tile: (Int) -> Resolution?
  ) -> [Wish] {
    let gate = Resolution.p360
    return request.indices.compactMap { place -> Wish? in
      guard let participant = assigned[place], let source = roster.members[participant].camera,
        let quality = request[place].quality
      else { return nil }
      let isGated = !screen.receives720p && quality.resolution.shorterSide > gate.height
      return roster.wish(
        for: source, quality,
        maximum: isGated
          ? VideoFormat(gate, milliFramesPerSecond: quality.milliFramesPerSecond) : nil,
        gate: screen.receives720p ? nil : gate, priority: request[place].priority, tile: tile(place))
    }
  }

  private func gridWishes(_ grid: Grid, _ roster: Roster) -> [Wish] {
    placements(in: grid, roster).compactMap { place in
      tileWish(
        of: place.participant, size: screen.appliedTileSizes[place.participant] ?? place.size,
        visibleShare: place.visibleShare, roster)
    }
  }

  /// Tile placements of the remote participants on a grid, of which the viewer's own tile occupies the first.
  func placements(
    in grid: Grid, _ roster: Roster
  ) -> [(participant: Int, size: Resolution, visibleShare: Double)] {
    let members = [roster.viewer] + screen.others(roster)
    let display = screen.plan.screen
    let places = grid.tiles(members.count, display)
    let bottom = screen.scroll + grid.visibleHeight(display)
    return members.indices.dropFirst().map { place in
      (
        members[place], places[place].pixels(scale: display.scale),
        places[place].visibleShare(top: screen.scroll, bottom: bottom)
      )
    }
  }

  private func tileWishes(everybody: Resolution?, _ roster: Roster) -> [Wish] {
    screen.others(roster).compactMap { participant in
      guard let size = screen.appliedTileSizes[participant] ?? everybody else { return nil }
      return tileWish(of: participant, size: size, visibleShare: 1, roster)
    }
  }

  func viewDependsOnSpeakers(_ roster: Roster) -> Bool {
    if screen.windowFollowsSpeakers { return true }
    if let layout = screen.layout {
      return layout.hasMainStage
        || roster.members.count > layout.maximumSeats + 1
          && roster.othersWithCamera.count
            > layout.request(roster, receives720p: screen.receives720p).count
    }
    guard case .request = screen.plan.arrangement else { return false }
    return requestDependsOnSpeakers(roster)
  }

  /// `false` if all slots are equal, everybody has one, and no tile is limited.
  private func requestDependsOnSpeakers(_ roster: Roster) -> Bool {
    let request = screen.request
    guard request.allSatisfy({ $0.subject != .slot || $0 == request.last }) else { return true }
    return roster.sources.indices.contains { number in
      let source = roster.sources[number]
      return source.participant != roster.viewer && source.isCapturing
        && roster.receptions[number].limitation != Limitation.none
    }
  }
}

extension Client {
  /// Applies a call to the screen and requests a reallocation after ``reactionDelay``.
  mutating func performByDefault(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .muteRemoteVideo(let isMuted): screen.isRemoteVideoMuted = isMuted
    case .request(let entries):
      if let failure = check(entries, roster) { return ClientResponse(failure.name) }
      screen.request = entries
      screen.plan.arrangement = .request(entries)
    case .layout(let layout): screen.layout = layout
    case .override, .prefer: return ClientResponse("unsupported")
    case .scroll(let points): screen.scroll = Double(points)
    case .pin(let other): screen.pin(other)
    case .unpin(let other): screen.unpin(other)
    case .streamType: break
    case .resize(let other, let size):
      guard screen.resize(other, to: size, roster) != nil else { return ClientResponse("unchanged") }
    case .hide(let other): screen.setHidden(other, true)
    case .show(let other): screen.setHidden(other, false)
    case .attach(let other, let view): return ClientResponse(screen.attach(other, to: view, roster))
    case .detach(let other): return ClientResponse(screen.detach(other))
    case .background(let background):
      return ClientResponse(enter(background, roster), [.allocate(after: reactionDelay)])
    }
    return ClientResponse("ok", [.allocate(after: reactionDelay)])
  }

  private func check(_ entries: [StreamRequest], _ roster: Roster) -> StreamRequestFailure? {
    StreamRequestCheck.failure(
      of: entries, isInMeeting: roster.members[roster.viewer].isJoined,
      usesCustomLayout: screen.layout == nil && screen.allowsCustomLayout,
      hasVideoConnection: { id in
        roster.members.contains { $0.id == id && $0.isJoined && $0.camera != nil }
      })
  }

  /// Reassigns the seats of the built-in layout, if any: pinned participants in pinning order, then by speaker order.
  mutating func reseat(_ roster: Roster, recentSpeakers window: SimDuration = SpeakerOrder.defaultWindow) {
    let layout = roster.members[roster.viewer].isJoined ? screen.layout : nil
    screen.seating.choose(layout)
    guard let layout else { return }
    let remotes = roster.othersWithCamera.filter { roster.isCapturing($0) }
    let pinned = screen.pins.filter(remotes.contains)
    let rest = SpeakerOrder.sorted(remotes.filter { !pinned.contains($0) }, roster, window: window) {
      roster.picture(of: $0) != nil
    }
    screen.seating.reseat(
      pinned + rest, capacity: layout.request(roster, receives720p: screen.receives720p).count)
  }

  mutating func noticeByDefault(_ event: ClientEvent) {
    if case .left(let participant) = event {
      screen.attachments.removeAll { $0.participant == participant }
    }
  }

  mutating func applyTiles() {
    screen.appliedTileSizes = screen.tileSizes
    screen.appliedHidden = screen.isHidden
  }
}
