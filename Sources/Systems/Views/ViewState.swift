package import Ladder
import Layout

/// State of a client's screen. Per-participant state is kept only for participants that have any, because a meeting may
/// have thousands.
package struct ViewState: Sendable {
  package var plan: ViewPlan
  package let stated: StatedView
  /// Set if pictures above 360 lines may be received.
  package var receives720p: Bool
  package var scroll = Scroll()
  /// Settings of tiles by user and app.
  package var tiles: Tiles
  /// Settings of tiles as known to the SFU.
  package var appliedTiles: Tiles
  /// Pinned participants, earliest first.
  package var pins: [Int]
  /// Page on the screen, from 1.
  var page: Int
  /// Streams attached to the app's views.
  var attachments: [(view: String, participant: Int)] = []
  package var people = People()
  package var requests = RequestedStreams()
  /// The app's signals in its system's own terms; `nil` for a view that follows the screen.
  package var signals: ViewSignals?
  package var builtIn = BuiltIn()
  package var muted = Muted()
  package var background = BackgroundStage()

  /// Hidden participants and tile sizes.
  package struct Tiles: Sendable {
    package var hidden: Set<Int> = []
    /// Sizes set by the app, by participant [px].
    package var sizes: [Int: Resolution]
  }

  /// Position of a view that scrolls.
  package struct Scroll: Sendable {
    package var course = Scrolling(at: 0)
    /// State of the examination of a scrolling view; `nil` while none is under way.
    var look: ScrollLook?
  }

  /// The participants that a system's limits and grid choose.
  package struct People: Sendable {
    /// Senders that the viewer does not receive because of the system's limit.
    package var leftOut: Set<Int> = []
    /// Participants with a tile on a grid, in this order; `nil` in systems that show everybody.
    package var onGrid: [Int]?
    /// Senders whose video the client's fallback lowers or withholds for its recovery time alone: the downlink carries
    /// it again.
    package var recovering: Set<Int> = []
  }

  /// Layout of the SDK.
  package struct BuiltIn: Sendable {
    /// Built-in layout that replaces the request, if selected.
    package var layout: BuiltInLayout?
    package var seating = Seating()
    /// Set if the layout is the app's fallback in a meeting that does not support custom ones.
    var isFallback = false
  }

  /// Kinds of remote video that the viewer has muted.
  package struct Muted: Sendable {
    package var cameras = false
    var content = false
  }

  /// Way of an app into the background.
  package struct BackgroundStage: Sendable {
    /// State in the background; `nil` in the foreground.
    package var current: Background?
    /// State in the background to which the client has not reacted yet; `nil` for none.
    package var entered: Background?
  }

  /// Creates the initial state.
  ///
  /// - Parameter isCustomLayout: `true` if the system treats every view of individual streams as a custom layout, not
  ///   only requests.
  package init(_ setup: ClientSetup, isCustomLayout: Bool = false) {
    plan = setup.plan
    stated = StatedView(setup)
    receives720p = setup.receives720p
    pins = setup.plan.pins.compactMap { setup.names[$0] }
    tiles = Tiles(sizes: stated.tileSizes)
    appliedTiles = tiles
    page = setup.plan.page
    var needsCustomLayout = isCustomLayout
    switch setup.plan.arrangement {
    case .request(let entries):
      requests.wanted = entries
      needsCustomLayout = true
    case .layout(let chosen):
      builtIn.layout = chosen
      needsCustomLayout = false
    case .signals(let stated): signals = stated
    case .grid, .tiles, .everybody, .container: break
    }
    guard needsCustomLayout, !stated.allowsCustomLayout else { return }
    builtIn.layout = setup.plan.fallback
    builtIn.isFallback = true
  }

  /// Arrangement on the screen: the built-in layout if one is selected, else the view's own.
  package var arrangement: ViewPlan.Arrangement {
    builtIn.layout.map(ViewPlan.Arrangement.layout) ?? plan.arrangement
  }

  package var isInBackground: Bool { background.current != nil }

  /// `true` if the picture-in-picture window follows the dominant speaker.
  var windowFollowsSpeakers: Bool { background.current?.window?.subject == .automatic }

  /// Clears what the SDK knows of a meeting that the viewer leaves: the request, which the app makes anew in the next
  /// one, and the attached streams.
  mutating func forgetMeeting() {
    requests.forget()
    attachments = []
  }

  /// Returns the remote participants whose camera the viewer receives.
  package func others(_ roster: Roster) -> [Int] {
    roster.othersWithCamera.filter { !people.leftOut.contains($0) }
  }

  /// Returns the remote participants in the order of their tiles on a grid.
  package func tileOrder(_ roster: Roster) -> [Int] {
    let others = others(roster)
    return people.onGrid.map { $0.filter(others.contains) } ?? others
  }

  /// Checks whether the state is already what a call asks for; `false` for calls whose effect is not a state of the screen.
  package func isAsAsked(by call: ClientCall) -> Bool {
    switch call {
    case .muteRemoteVideo(let isMuted): muted.cameras == isMuted
    case .muteContent(let isMuted): muted.content == isMuted
    case .receive720p(let isOpen): receives720p == isOpen
    case .pin(let other): pins.contains(other)
    case .unpin(let other): !pins.contains(other)
    case .page(let next): page == next
    case .hide(let other): tiles.hidden.contains(other)
    case .show(let other): !tiles.hidden.contains(other)
    case .background(let next): background.current == next
    default: false
    }
  }

  package mutating func setHidden(_ participant: Int, _ isHidden: Bool) {
    if isHidden { tiles.hidden.insert(participant) } else { tiles.hidden.remove(participant) }
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
    let old = tiles.sizes[participant] ?? shown
    guard old != size else { return nil }
    tiles.sizes[participant] = size
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
