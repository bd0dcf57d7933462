import Ladder
import Layout

/// State of a client's screen; lists are indexed by participant.
package struct ViewState: Sendable {
  package var plan: ViewPlan
  let viewer: Int
  /// Whether pictures above 360 lines may be received.
  var receives720p: Bool
  /// The screen at set-up, by which a grid's tiles may keep their size when it turns.
  let setUpScreen: Screen
  var scrolling = Scrolling(at: 0)
  var isHidden: [Bool]
  var isPinned: [Bool]
  /// Pinned participants, earliest first.
  var pins: [Int]
  /// Tile sizes set by the app [px].
  var tileSizes: [Resolution?]
  /// Hidden state and tile sizes as known to the SFU.
  var appliedHidden: [Bool]
  var appliedTileSizes: [Resolution?]
  /// Streams attached to the app's views.
  var attachments: [(view: String, participant: Int)] = []
  let isLeftOut: [Bool]
  var overrides: StreamOverrides
  let allowsCustomLayout: Bool
  /// What the app wants to request.
  var request: [StreamRequest] = []
  /// The request in force, with moderators by their ids; empty before the first is sent.
  private(set) var sentRequest: [StreamRequest] = []
  /// The built-in layout that replaces the request, if selected.
  var layout: BuiltInLayout?
  var seating = Seating()
  var isRemoteVideoMuted = false
  /// `nil` in the foreground.
  var background: Background?
  /// By participant: the subscriber's own resign observer; `nil` for the view's.
  let observers: [ResignObserver?]
  let windowObstacle: PictureInPicture.Obstacle?

  package init(_ setup: ClientSetup) {
    plan = setup.plan
    setUpScreen = setup.plan.screen
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
      let sizes: [ViewPlan.TileSize]
      if case .tiles(let stated) = setup.plan.arrangement {
        sizes = stated
      } else {
        sizes = setup.plan.ownSizes
      }
      return sizes.first { $0.participant == id }.map { setup.plan.screen.pixels(of: $0.size) }
    }
    observers = setup.ids.map { id in setup.plan.observers.last { $0.participant == id }?.observer }
    windowObstacle = setup.windowObstacle
    appliedTileSizes = tileSizes
    switch setup.plan.arrangement {
    case .request(let entries): request = entries
    case .layout(let chosen): layout = chosen
    case .grid, .tiles, .everybody, .container: break
    }
    // Without support for custom layouts the app falls back to a built-in one.
    if fallsBack { layout = Self.fallback }
  }

  /// The built-in layout of an app whose meeting does not support custom ones [our model: the app's choice].
  static let fallback = BuiltInLayout.people

  /// Whether the view needs a custom layout that the meeting does not support.
  var fallsBack: Bool {
    guard !allowsCustomLayout, case .request = plan.arrangement else { return false }
    return true
  }

  /// Sends the app's request. One that names the moderator while there is none is not sent: the last one stays in force.
  mutating func sendRequest(_ roster: Roster) {
    if let resolved = request.resolved(roster) { sentRequest = resolved }
  }

  /// Outside the meeting no request is in force.
  mutating func forgetRequest() { sentRequest = [] }

  /// Whether the picture-in-picture window follows the dominant speaker.
  var windowFollowsSpeakers: Bool { background?.window?.subject == .automatic }

  /// Remote participants whose camera the viewer receives.
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

  /// Resizes a tile to a size in points.
  ///
  /// - Returns: the previous size [px]; `nil` if it is unchanged.
  mutating func resize(_ participant: Int, to points: Resolution, _ roster: Roster) -> Resolution?? {
    let size = plan.screen.pixels(of: points)
    let shown = roster.members[participant].camera.flatMap { roster.receptions[$0].tile }
    let old = tileSizes[participant] ?? shown
    guard old != size else { return nil }
    tileSizes[participant] = size
    return .some(old)
  }

  /// Attaches a stream to a view; a stream has at most one view and vice versa, so existing attachments of both are
  /// removed.
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
