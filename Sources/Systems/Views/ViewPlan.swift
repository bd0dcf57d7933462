package import Ladder
package import Layout

/// A participant's view of the meeting.
package struct ViewPlan: Sendable {
  /// Arrangement of the screen, which determines the subscriptions and their qualities.
  package enum Arrangement: Sendable {
    /// An ordered list of stream requests.
    case request([StreamRequest])
    /// A built-in layout.
    case layout(BuiltInLayout)
    /// A scrolling grid of all participants.
    case grid(Grid)
    /// Tiles of given sizes; a participant without one is not on screen.
    case tiles([TileSize])
    /// All sources in tiles of the same size [pt].
    case everybody(Resolution)
    /// A scrolling container of all participants.
    case container(TileContainer)
    /// No screen: the client's signals, in its system's own terms.
    case signals(ViewSignals)
  }

  package var arrangement: Arrangement
  package var screen: Screen
  /// Set if the view specifies ``screen``, which is otherwise a default.
  package var statesScreen: Bool
  /// Ids of pinned participants.
  package var pins: [String]
  /// Id of the participant of high priority, in dual-stream systems; `nil` for none.
  package var highPriority: String?
  /// Set if the default stream type is low, in dual-stream systems; `nil` for the system's default.
  package var defaultStreamIsLow: Bool?
  /// Set if stream types follow the visibility of tiles, in dual-stream systems.
  package var followsScreen: Bool
  /// Behaviour of the video in the background; `nil` for the default.
  package var resignObserver: ResignObserver?
  /// Behaviour of individual participants' video in the background, by id.
  package var observers: [(participant: String, observer: ResignObserver)] = []
  /// The app's picture-in-picture window; `nil` for an app without one.
  package var window: PictureInPicture?
  /// Override of the size requested from everybody; `nil` for the tiles' sizes.
  package var override: StreamOverride?
  /// Preferred resolutions and frame rates, in order; one without a participant's id applies to all.
  package var preferences: [(participant: String?, preference: StreamPreference)] = []
  /// Tiles of a container that have their own sizes.
  package var ownSizes: [TileSize] = []
  /// Large tile next to smaller ones; `nil` for a view without one. A screen share replaces it while it lasts.
  package var stage: TileSize?
  /// Set if screen shares are shown.
  package var showsShares = true
  /// Number of tiles per page, of which one page is on screen; `nil` for all tiles.
  package var tilesPerPage: Int?
  /// Built-in layout of an app whose meeting does not support custom ones [our model: the app's choice].
  package var fallback: BuiltInLayout?
  /// Initial page, from 1.
  package var page = 1

  package init(
    arrangement: Arrangement, screen: Screen? = nil,
    pins: [String] = [], defaultStreamIsLow: Bool? = nil, followsScreen: Bool = true,
    resignObserver: ResignObserver? = nil, override: StreamOverride? = nil
  ) {
    self.arrangement = arrangement
    self.screen = screen ?? Screen(width: 390, height: 844, scale: 3)
    statesScreen = screen != nil
    self.pins = pins
    self.defaultStreamIsLow = defaultStreamIsLow
    self.followsScreen = followsScreen
    self.resignObserver = resignObserver
    self.override = override
  }

  /// Returns the last page of the given number of tiles, from 1.
  package func lastPage(of tiles: Int) -> Int {
    max(1, tilesPerPage.map { (tiles + $0 - 1) / $0 } ?? 1)
  }

  /// A participant's tile.
  package struct TileSize: Hashable, Sendable {
    package var participant: String
    /// Set if it shows the participant's screen share instead of the camera.
    package var isScreenShare = false
    /// Size [pt].
    package var size: Resolution
    /// Weight in the yardstick; `nil` for 4 on the stage and 1 elsewhere.
    package var weight: Double?

    /// Default size of a stage [pt].
    package static let stageSize = Resolution(width: 1280, height: 720)

    package init(participant: String, size: Resolution) {
      self.participant = participant
      self.size = size
    }
  }
}
