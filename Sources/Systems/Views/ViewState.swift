import Ladder

/// What a client keeps of its screen. Lists go by participant.
package struct ViewState: Sendable {
  package var plan: ViewPlan
  let viewer: Int
  let receives720p: Bool
  /// Points of a grid above the screen's top.
  var scroll = 0.0
  var isHidden: [Bool]
  var isPinned: [Bool]
  /// Participants that were pinned, earliest first.
  var pins: [Int]
  /// Tile sizes that the app set.
  var tileSizes: [Resolution?]
  /// What of both has reached the SFU.
  var appliedHidden: [Bool]
  var appliedTileSizes: [Resolution?]
  /// Streams that the app shows, by view name.
  var attachments: [(view: String, participant: Int)] = []
  let isLeftOut: [Bool]
  /// What is asked for by hand.
  var overrides: StreamOverrides
  let allowsCustomLayout: Bool
  /// The request in force, and the built-in layout in its place, if one is chosen.
  var request: [StreamRequest] = []
  var layout: BuiltInLayout?
  var seating = Seating()
  var isRemoteVideoMuted = false
  /// The app in the background, if it is there.
  var background: Background?

  package init(_ setup: ClientSetup) {
    plan = setup.plan
    viewer = setup.viewer
    receives720p = setup.receives720p
    allowsCustomLayout = setup.allowsCustomLayout
    isLeftOut = setup.isLeftOut
    overrides = StreamOverrides(everybody: setup.plan.override)
    isHidden = setup.ids.map { _ in false }
    appliedHidden = isHidden
    isPinned = setup.ids.map { setup.plan.pins.contains($0) }
    pins = setup.plan.pins.compactMap { setup.ids.firstIndex(of: $0) }
    tileSizes = setup.ids.map { id in
      guard case .tiles(let sizes) = setup.plan.arrangement else { return nil }
      return sizes.first { $0.participant == id }?.size
    }
    appliedTileSizes = tileSizes
    switch setup.plan.arrangement {
    case .request(let entries): request = entries
    case .layout(let chosen): layout = chosen
    case .grid, .tiles, .everybody: break
    }
    // Where the meeting does not support custom layouts the app falls back to a built-in one.
    if !setup.allowsCustomLayout, layout == nil, !request.isEmpty { layout = .people }
  }

  /// What goes on of the video while the app is in the background.
  var backgroundVideo: ResignObserver.Video {
    (plan.resignObserver ?? .automatic).video(hasWindow: background?.window != nil)
  }

  /// Whether a picture-in-picture window shows whoever speaks.
  var windowFollowsSpeakers: Bool { background?.window?.subject == .automatic }

  /// Everybody else of whom the viewer gets a camera, if they are there.
  func others(_ roster: Roster) -> [Int] {
    roster.othersWithCamera.filter { !isLeftOut[$0] }
  }

  mutating func setHidden(_ participant: Int, _ hidden: Bool) { isHidden[participant] = hidden }

  mutating func pin(_ participant: Int) {
    isPinned[participant] = true
    if !pins.contains(participant) { pins.append(participant) }
  }

  mutating func unpin(_ participant: Int) {
    isPinned[participant] = false
    pins.removeAll { $0 == participant }
  }

  /// Gives a tile another size.
  ///
  /// - Returns: the size that it had; `nil` when it has this one already.
  mutating func resize(_ participant: Int, to size: Resolution, _ roster: Roster) -> Resolution?? {
    let shown = roster.members[participant].camera.flatMap { roster.receptions[$0].tile }
    let old = tileSizes[participant] ?? shown
    guard old != size else { return nil }
    tileSizes[participant] = size
    return .some(old)
  }

  /// One view per stream: a stream that is shown elsewhere is detached there first, a view that shows somebody else
  /// lets go of them.
  mutating func attach(_ participant: Int, to view: String, _ roster: Roster) -> String {
    guard roster.members[participant].isJoined else { return "noParticipantWithId" }
    guard let source = roster.members[participant].camera, roster.receptions[source].isGiven else {
      return "noStreamForParticipantId"
    }
    attachments.removeAll { $0.view == view || $0.participant == participant }
    attachments.append((view: view, participant: participant))
    return "ok"
  }

  mutating func detach(_ participant: Int) -> String {
    let isAttached = attachments.contains { $0.participant == participant }
    attachments.removeAll { $0.participant == participant }
    return isAttached ? "ok" : "notAttached"
  }
}
