import Allocation
import Ladder
import Layout
import Quantity

/// What a viewer wants of whom: from the arrangement of its screen to wishes that a policy can serve.
extension MeetingSimulation {
  /// The viewer's wishes now, in the order in which its policy is to see them.
  func wishes(of number: Int, now: SimTime) -> [Wish] {
    guard let viewer = viewers[number], participants[number].isJoined else { return [] }
    if participants[number].isRemoteVideoMuted { return [] }
    if participants[number].isInBackground {
      switch backgroundVideo(of: number) {
      case .everything: break
      case .window: return windowWishes(of: number)
      case .nothing: return []
      }
    }
    var wishes = screenWishes(of: number)
    switch viewer.plan.arrangement {
    case .request, .builtIn: wishes += requestWishes(of: number, viewer, now)
    case .grid(let grid): wishes += gridWishes(of: number, viewer, grid)
    case .tiles: wishes += tileWishes(of: number, viewer, everybody: nil)
    case .everybody(let size): wishes += tileWishes(of: number, viewer, everybody: size)
    }
    return wishes
  }

  /// A screen share is wanted by everybody who watches, before all cameras.
  private func screenWishes(of number: Int) -> [Wish] {
    sources.indices.compactMap { source in
      guard sources[source].isScreen, sources[source].participant != number, sources[source].isCapturing
      else {
        return nil
      }
      return wish(source: source, requested: sources[source].plan.capture, priority: .high, tile: nil)
    }
  }

  func wish(
    source: Int, requested: VideoFormat, maximum: VideoFormat? = nil, gate: Resolution? = nil,
    priority: Priority?, tile: Resolution?, visibility: Visibility = .onScreen, wantsLow: Bool = false,
    absence: Limitation? = nil
  ) -> Wish {
    let isCapturing = sources[source].isCapturing
    return Wish(
      source: source, requested: requested, maximum: maximum, gate: gate, priority: priority,
      offers: offers(of: source), ladder: sources[source].ladder, tile: tile,
      visibility: visibility, wantsLowStream: wantsLow, absence: isCapturing ? absence : .muted)
  }

  // MARK: Requests (BlueJeans)

  private func requestWishes(of number: Int, _ viewer: ViewerState, _ now: SimTime) -> [Wish] {
    if let layout = viewer.builtIn {
      return wishes(
        for: builtInRequest(layout, of: number), of: number, assigned: screens[number].seats, isSeated: true)
    }
    // Without its moderator the configuration is not sent at all.
    guard moderatorNumber != nil || !viewer.request.contains(where: { $0.subject == .moderator }) else {
      return []
    }
    return wishes(
      for: viewer.request, of: number, assigned: assigned(to: viewer.request, of: number, now),
      isSeated: false)
  }

  /// Whom each entry of a request is for: the participant that it names, or for slots the most recent speakers, the
  /// highest priority first.
  private func assigned(to request: [StreamRequest], of number: Int, _ now: SimTime) -> [Int?] {
    let remotes = remotesWithCamera(of: number)
    let moderator = moderatorNumber
    var assigned = [Int?](repeating: nil, count: request.count)
    var isTaken = [Bool](repeating: false, count: participants.count)
    for (place, entry) in request.enumerated() {
      let participant: Int?
      switch entry.subject {
      case .slot: participant = nil
      case .moderator: participant = moderator
      case .participant(let id): participant = remotes.first { plan.participants[$0].id == id }
      }
      guard let participant, participant != number, participants[participant].isJoined,
        cameraOf[participant] != nil
      else { continue }
      assigned[place] = participant
      isTaken[participant] = true
    }
    var free = slotOrder(of: remotes.filter { !isTaken[$0] && isCapturing($0) }, now)[...]
    for priority in [Priority.high, .medium, .low, nil] {
      for place in request.indices
      where request[place].subject == .slot && request[place].priority == priority {
        assigned[place] = free.popFirst()
      }
    }
    return assigned
  }

  private func wishes(
    for request: [StreamRequest], of number: Int, assigned: [Int?], isSeated: Bool
  ) -> [Wish] {
    let capabilities = plan.participants[number].capabilities
    let gate = VideoFormat(.p360, framesPerSecond: 30)
    return request.indices.compactMap { place in
      guard let participant = assigned[place], let source = cameraOf[participant],
        let quality = request[place].quality
      else { return nil }
      let isGated = !capabilities.receives720p && quality.resolution.height > gate.resolution.height
      return wish(
        source: source, requested: quality,
        maximum: isGated
          ? VideoFormat(gate.resolution, milliFramesPerSecond: quality.milliFramesPerSecond) : nil,
        gate: capabilities.receives720p ? nil : gate.resolution, priority: request[place].priority,
        tile: isSeated ? seatTile(of: number, seat: place, request) : quality.resolution)
    }
  }

  /// The first moderator; a request for one that has left is answered as long as the plan has one.
  private var moderatorNumber: Int? {
    plan.participants.indices.first { plan.participants[$0].isModerator && participants[$0].isJoined }
  }

  func isCapturing(_ participant: Int) -> Bool {
    cameraOf[participant].map { sources[$0].isCapturing } ?? false
  }

  func slotOrder(
    of remotes: [Int], _ now: SimTime, hasStream: (Int) -> Bool = { _ in false }
  ) -> [Int] {
    var window = SimDuration.seconds(120)
    if case .bluejeans(let parameters) = plan.policy { window = parameters.recentSpeakerWindow }
    let candidates = remotes.map { remote in
      SpeakerCandidate(
        participant: remote, hasStream: hasStream(remote), isSendingVideo: isCapturing(remote),
        isSpeaking: participants[remote].isSpeaking(at: now), lastSpokeAt: participants[remote].lastSpokeAt,
        joinedAt: participants[remote].joinedAt)
    }
    return SpeakerOrder.sorted(candidates, now: now, window: window).map(\.participant)
  }

  // MARK: Grids and tiles (Agora, Stream)

  private func gridWishes(of number: Int, _ viewer: ViewerState, _ grid: Grid) -> [Wish] {
    // The own tile comes first, as in Agora's guide; it takes its place and asks for nothing.
    let members = [number] + remotes(of: number, viewer)
    let places = grid.tiles(count: members.count, on: viewer.plan.screen)
    let bottom = viewer.scroll + grid.visibleHeight(on: viewer.plan.screen)
    return members.indices.dropFirst().map { place in
      let size =
        viewer.appliedTileSizes[members[place]] ?? places[place].pixels(scale: viewer.plan.screen.scale)
      let share = places[place].visibleShare(top: viewer.scroll, bottom: bottom)
      return tileWish(of: number, viewer, participant: members[place], size: size, visibleShare: share)
    }
  }

  private func tileWishes(of number: Int, _ viewer: ViewerState, everybody: Resolution?) -> [Wish] {
    remotes(of: number, viewer).compactMap { participant in
      guard let size = viewer.appliedTileSizes[participant] ?? everybody else { return nil }
      return tileWish(of: number, viewer, participant: participant, size: size, visibleShare: 1)
    }
  }

  private func remotes(of number: Int, _ viewer: ViewerState) -> [Int] {
    participants.indices.filter {
      $0 != number && participants[$0].isJoined && cameraOf[$0] != nil && !viewer.isLeftOut[$0]
    }
  }

  private func tileWish(
    of number: Int, _ viewer: ViewerState, participant: Int, size: Resolution, visibleShare: Double
  ) -> Wish {
    let source = cameraOf[participant] ?? 0
    let ladder = sources[source].ladder
    switch plan.policy {
    case .agora:
      let isOnScreen = visibleShare > 0 && !viewer.appliedHidden[participant]
      let fallsBack = viewer.fallbackLevel >= .low
      let wantsLow = viewer.wantsLow[participant] || fallsBack
      let high = ladder.last?.format ?? VideoFormat(.p360, framesPerSecond: 15)
      let low = ladder.first?.format ?? high
      return wish(
        source: source, requested: viewer.wantsLow[participant] && isSendingLow(source) ? low : high,
        maximum: high, priority: nil, tile: size,
        visibility: viewer.fallbackLevel == .audioOnly ? .hidden : isOnScreen ? .onScreen : .offScreen,
        wantsLow: wantsLow,
        absence: fallsBack && !viewer.wantsLow[participant] || viewer.fallbackLevel == .audioOnly
          ? .bandwidth : viewer.wantsLow[participant] && isOnScreen ? Limitation.none : nil)
    case .stream(let parameters):
      let isVisible = visibleShare >= parameters.visibleShare && !viewer.appliedHidden[participant]
      var asked = size
      switch screens[number].overrides.override(for: participant) {
      case .size(let size): asked = size
      case .off:
        return wish(
          source: source, requested: VideoFormat(size, framesPerSecond: 30), priority: nil, tile: size,
          visibility: .hidden, absence: .requestCap)
      case nil: break
      }
      return wish(
        source: source, requested: VideoFormat(asked, framesPerSecond: 30), priority: nil, tile: size,
        visibility: isVisible || parameters.hidden == .keep ? .onScreen : .offScreen)
    case .bluejeans, .janus:
      return wish(
        source: source, requested: VideoFormat(size, framesPerSecond: 30), priority: nil, tile: size,
        visibility: visibleShare > 0 && !viewer.appliedHidden[participant] ? .onScreen : .offScreen)
    }
  }

  /// Follows the screen as Agora's guide does: a tile that comes on screen asks for the high stream, one that was on
  /// screen and leaves it asks for the low one; one that was never displayed stays as it is.
  mutating func followScreen(of number: Int) {
    guard case .agora = plan.policy, let viewer = viewers[number], viewer.plan.followsScreen,
      case .grid(let grid) = viewer.plan.arrangement
    else { return }
    let members = [number] + remotes(of: number, viewer)
    let places = grid.tiles(count: members.count, on: viewer.plan.screen)
    let bottom = viewer.scroll + grid.visibleHeight(on: viewer.plan.screen)
    for place in members.indices.dropFirst() {
      let participant = members[place]
      let isOnScreen =
        places[place].visibleShare(top: viewer.scroll, bottom: bottom) > 0
        && !viewer.appliedHidden[participant]
      if isOnScreen {
        viewers[number]?.wasDisplayed[participant] = true
        viewers[number]?.wantsLow[participant] = false
      } else if viewer.wasDisplayed[participant], !viewer.isPinned[participant] {
        viewers[number]?.wantsLow[participant] = true
      }
    }
  }
}
