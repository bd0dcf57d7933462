package import Ladder
package import Layout

/// What a participant wants to watch.
package struct ViewPlan: Sendable {
  /// The arrangement of the screen, and with it who is wanted at which quality.
  package enum Arrangement: Sendable {
    /// An ordered list of stream requests.
    case request([StreamRequest])
    /// A layout that the client has built in.
    case layout(BuiltInLayout)
    /// A scrolling grid of everybody.
    case grid(Grid)
    /// Tiles of stated sizes; a participant without one is not on screen.
    case tiles([TileSize])
    /// Every source in a tile of the same size.
    case everybody(Resolution)
  }

  package var arrangement: Arrangement
  package var screen: Screen
  /// Participants that are pinned, by id.
  package var pins: [String]
  /// Dual stream: what a remote participant is taken at while nothing else is said; `nil` takes the system's own.
  package var defaultStreamIsLow: Bool?
  /// Whether the view sends stream types as tiles come on screen and leave it (dual stream).
  package var followsScreen: Bool
  /// What goes on while the app is in the background; `nil` takes the system's own rule.
  package var resignObserver: ResignObserver?
  /// What is asked of everybody instead of what the tiles ask for ; `nil` for nothing.
  package var override: StreamOverrides.Override?

  package init(
    arrangement: Arrangement, screen: Screen = Screen(width: 390, height: 844, scale: 3),
    pins: [String] = [], defaultStreamIsLow: Bool? = nil, followsScreen: Bool = true,
    resignObserver: ResignObserver? = nil, override: StreamOverrides.Override? = nil
  ) {
    self.arrangement = arrangement
    self.screen = screen
    self.pins = pins
    self.defaultStreamIsLow = defaultStreamIsLow
    self.followsScreen = followsScreen
    self.resignObserver = resignObserver
    self.override = override
  }

  /// A participant's tile of a stated size.
  package struct TileSize: Hashable, Sendable {
    package var participant: String
    /// Size [px].
    package var size: Resolution

    package init(participant: String, size: Resolution) {
      self.participant = participant
      self.size = size
    }
  }
}
