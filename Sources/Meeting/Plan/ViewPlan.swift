package import Allocation
package import Ladder

/// What a participant wants to watch.
package struct ViewPlan: Sendable {
  /// The arrangement of the screen, and with it who is wanted at which quality.
  package enum Arrangement: Sendable {
    /// An ordered list of stream requests (BlueJeans custom layout).
    case request([RequestEntry])
    /// One of BlueJeans' built-in layouts, by name: speaker, people, filmstrip, gallery-9, gallery-25.
    case builtIn(String)
    /// A scrolling grid of everybody: `agora-squares`, `stream-grid`.
    case grid(String)
    /// Tiles of stated sizes; a participant without one is not on screen.
    case tiles([TileSize])
    /// Every source in a tile of the same size.
    case everybody(Resolution)
  }

  package var arrangement: Arrangement
  /// Size of the screen [pt] and its scale [px/pt].
  package var screenWidth: Int
  package var screenHeight: Int
  package var screenScale: Int
  /// Participants that are pinned, by id.
  package var pins: [String]
  /// Dual stream: what a remote participant is taken at while nothing else is said; `nil` takes the policy's own.
  package var defaultStreamIsLow: Bool?
  /// Whether the view sends stream types as tiles come on screen and leave it (dual stream).
  package var followsScreen: Bool

  package init(
    arrangement: Arrangement, screenWidth: Int = 390, screenHeight: Int = 844, screenScale: Int = 3,
    pins: [String] = [], defaultStreamIsLow: Bool? = nil, followsScreen: Bool = true
  ) {
    self.arrangement = arrangement
    self.screenWidth = screenWidth
    self.screenHeight = screenHeight
    self.screenScale = screenScale
    self.pins = pins
    self.defaultStreamIsLow = defaultStreamIsLow
    self.followsScreen = followsScreen
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

/// One entry of a stream request, as an app states it: it may be wrong, and the call then fails by the SDK's rules.
package struct RequestEntry: Hashable, Sendable {
  /// Who is meant.
  package enum Subject: Hashable, Sendable {
    /// Whoever spoke recently.
    case slot
    /// The first moderator.
    case moderator
    /// A participant by id.
    case participant(String)
  }
  /// Wanted quality; `nil` for a name that is no quality.
  package var quality: VideoFormat?
  /// `nil` for an entry without a priority.
  package var priority: Priority?
  package var subject: Subject

  package init(quality: VideoFormat?, priority: Priority?, subject: Subject) {
    self.quality = quality
    self.priority = priority
    self.subject = subject
  }
}
