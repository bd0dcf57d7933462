package import Ladder
import Layout

/// State of a client's screen. Per-participant state is kept only for participants that have any, because a meeting may
/// have thousands.
package struct ViewState: Sendable {
  package var plan: ViewPlan
  let viewer: Int
  /// Set if pictures above 360 lines may be received.
  package var receives720p: Bool
  /// Largest picture that a closed 720p gate lets through.
  let gate: ReceiveGate
  /// Screen at set-up; a grid's tiles may keep the size derived from it when the screen turns.
  let setUpScreen: Screen
  package var scrolling = Scrolling(at: 0)
  /// State of the examination of a scrolling view; `nil` while none is under way.
  var scrollLook: ScrollLook?
  package var hidden: Set<Int> = []
  /// Pinned participants, earliest first.
  package var pins: [Int]
  /// Tile sizes set by the app [px].
  package var tileSizes: [Int: Resolution] = [:]
  /// Hidden participants as known to the SFU.
  package var appliedHidden: Set<Int> = []
  /// Tile sizes as known to the SFU [px].
  package var appliedTileSizes: [Int: Resolution]
  /// Participant on the stage while no screen share takes it; `nil` for a view without a stage.
  package private(set) var stage: Int?
  /// Size of the stage [px].
  package private(set) var stageSize: Resolution?
  /// Participants with their own tile besides the stage, in the order of the view.
  private(set) var tiled: [Int] = []
  /// Tiles of screen shares, by participant [px].
  private(set) var shareTileSizes: [Int: Resolution] = [:]
  /// Weights in the yardstick that the view specifies.
  private(set) var weights: [SignalledSource: Double] = [:]
  /// Page on the screen, from 1.
  var page: Int
  /// Streams attached to the app's views.
  var attachments: [(view: String, participant: Int)] = []
  /// Senders that the viewer does not receive because of the system's limit.
  package var leftOut: Set<Int> = []
  /// Participants with a tile on a grid, in this order; `nil` in systems that show everybody.
  package var gridTiles: [Int]?
  package var overrides: StreamOverrides
  let allowsCustomLayout: Bool
  /// Set if the layout is the app's fallback in a meeting that does not support custom ones.
  var isFallback = false
  /// Request that the app wants to make.
  package var request: [StreamRequest] = []
  /// Current request, with moderators by their ids; empty before the first is sent.
  package private(set) var sentRequest: [StreamRequest] = []
  /// Request that the SDK last accepted, with moderators by their ids; empty for none.
  private(set) var takenRequest: [StreamRequest] = []
  /// Reason why the SDK last refused ``request``; `nil` if it did not.
  var refusal: StreamRequestFailure?
  /// Arrangement on the screen: the built-in layout if one is selected, else the view's own.
  package var arrangement: ViewPlan.Arrangement {
    layout.map(ViewPlan.Arrangement.layout) ?? plan.arrangement
  }
  /// The app's signals in its system's own terms; `nil` for a view that follows the screen.
  package var signals: ViewSignals?
  /// Built-in layout that replaces the request, if selected.
  package var layout: BuiltInLayout?
  package var seating = Seating()
  package var slots = SpeakerSlots()
  package var isRemoteVideoMuted = false
  var isContentMuted = false
  /// State in the background; `nil` in the foreground.
  package var background: Background?
  package var isInBackground: Bool { background != nil }
  /// State in the background to which the client has not reacted yet; `nil` for none.
  package var enteredBackground: Background?
  /// Resign observers of individual subscribers, by participant, where they differ from the view's.
  let observers: [Int: ResignObserver]
  let windowObstacle: PictureInPicture.Obstacle?

  /// Creates the initial state.
  ///
  /// - Parameter isCustomLayout: `true` if the system treats every view of individual streams as a custom layout, not
  ///   only requests.
  package init(_ setup: ClientSetup, isCustomLayout: Bool = false) {
    plan = setup.plan
    setUpScreen = setup.plan.screen
    viewer = setup.viewer
    receives720p = setup.receives720p
    gate = setup.gate
    allowsCustomLayout = setup.allowsCustomLayout
    overrides = StreamOverrides(everybody: setup.plan.override)
    pins = setup.plan.pins.compactMap { setup.names[$0] }
    let sizes = if case .tiles(let stated) = setup.plan.arrangement { stated } else { setup.plan.ownSizes }
    for size in sizes.reversed() {
      guard let participant = setup.names[size.participant] else { continue }
      let pixels = setup.plan.screen.pixels(of: size.size)
      if size.isScreenShare { shareTileSizes[participant] = pixels } else { tileSizes[participant] = pixels }
      guard let weight = size.weight else { continue }
      weights[SignalledSource(participant: participant, isScreen: size.isScreenShare)] = weight
    }
    if case .tiles(let stated) = setup.plan.arrangement {
      tiled = stated.filter { !$0.isScreenShare }.compactMap { setup.names[$0.participant] }
    }
    stageSize = setup.plan.stage.map { setup.plan.screen.pixels(of: $0.size) }
    stage = setup.plan.stage.flatMap { setup.names[$0.participant] }
    if let stage, let weight = setup.plan.stage?.weight {
      weights[SignalledSource(participant: stage)] = weight
    }
    page = setup.plan.page
    var observers: [Int: ResignObserver] = [:]
    for own in setup.plan.observers {
      guard let participant = setup.names[own.participant] else { continue }
      observers[participant] = own.observer
    }
    self.observers = observers
    windowObstacle = setup.windowObstacle
    appliedTileSizes = tileSizes
    var needsCustomLayout = isCustomLayout
    switch setup.plan.arrangement {
    case .request(let entries):
      request = entries
      needsCustomLayout = true
    case .layout(let chosen):
      layout = chosen
      needsCustomLayout = false
    case .signals(let stated): signals = stated
    case .grid, .tiles, .everybody, .container: break
    }
    guard needsCustomLayout, !allowsCustomLayout else { return }
    layout = setup.plan.fallback
    isFallback = true
  }

  /// Accepts a request of the app into the SDK, to be sent with the next allocation.
  ///
  /// - Parameter resolved: the request with moderators by their ids; `nil` while there is no moderator.
  mutating func take(_ entries: [StreamRequest], resolved: [StreamRequest]?) {
    request = entries
    takenRequest = resolved ?? []
    refusal = nil
  }

  /// Sends the request that the SDK has accepted, which replaces any other view.
  mutating func sendRequest() {
    sentRequest = takenRequest
    plan.arrangement = .request(request)
  }

  /// Clears what the SDK knows of a meeting that the viewer leaves: the request, which the app makes anew in the next
  /// one, and the attached streams.
  mutating func forgetMeeting() {
    sentRequest = []
    takenRequest = []
    refusal = nil
    slots = SpeakerSlots()
    attachments = []
  }

  /// `true` if the picture-in-picture window follows the dominant speaker.
  var windowFollowsSpeakers: Bool { background?.window?.subject == .automatic }

  /// Returns the remote participants whose camera the viewer receives.
  package func others(_ roster: Roster) -> [Int] {
    roster.othersWithCamera.filter { !leftOut.contains($0) }
  }

  /// Returns the remote participants in the order of their tiles on a grid.
  package func tileOrder(_ roster: Roster) -> [Int] {
    let others = others(roster)
    return gridTiles.map { $0.filter(others.contains) } ?? others
  }

  package mutating func setHidden(_ participant: Int, _ isHidden: Bool) {
    if isHidden { hidden.insert(participant) } else { hidden.remove(participant) }
  }

  mutating func pin(_ participant: Int) {
    if !pins.contains(participant) { pins.append(participant) }
  }

  mutating func unpin(_ participant: Int) { pins.removeAll { $0 == participant } }

  /// Resizes a tile to a size in points.
  ///
  /// - Returns: the previous size [px]; `nil` if it is unchanged.
  package mutating func resize(_ participant: Int, to points: Resolution, _ roster: Roster) -> Resolution?? {
    let size = plan.screen.pixels(of: points)
    let shown = roster.members[participant].camera.flatMap { roster.receptions[$0].tile }
    let old = tileSizes[participant] ?? shown
    guard old != size else { return nil }
    tileSizes[participant] = size
    return .some(old)
  }

  /// Attaches a stream to a view; a stream has at most one view and vice versa, so existing attachments of both are
  /// removed.
  mutating func attach(_ participant: Int, to view: String, _ roster: Roster) -> CallResult {
    guard roster.members[participant].isJoined else { return .noParticipantWithId }
    guard let source = roster.members[participant].camera, roster.receptions[source].isGiven else {
      return .noStreamForParticipantId
    }
    attachments.removeAll { $0.view == view || $0.participant == participant }
    attachments.append((view: view, participant: participant))
    return .ok
  }

  mutating func detach(_ participant: Int) -> CallResult {
    let isAttached = attachments.contains { $0.participant == participant }
    attachments.removeAll { $0.participant == participant }
    return isAttached ? .ok : .notAttached
  }
}
