/// Where a viewer's screen shows each source at one moment, in pixels of the content that scrolls.
package struct ScreenLayout: Hashable, Sendable {
  /// The part of the screen that a tile belongs to.
  package enum Area: String, Hashable, Sendable {
    /// One of the tiles of which none is larger for its place.
    case grid
    /// The large tile beside others.
    case stage
    /// A screen share, wherever it is.
    case share
    /// A picture-in-picture window.
    case window
  }

  /// A source's tile.
  package struct Tile: Hashable, Sendable {
    /// Index of the source in the meeting.
    package let source: Int
    package let area: Area
    package let frame: PixelFrame
    /// Stacking order: what has more covers what has less.
    package let z: Int
    /// Share of its area that is on the screen [1/10,000].
    package let visibleTenThousandths: Int
  }

  /// The screen: its size, and as its place how far the content is scrolled.
  package let screen: PixelFrame
  /// The part of the screen that shows the content.
  private let opening: PixelFrame
  /// At most one for each source, in the order of the sources.
  package private(set) var tiles: [Tile] = []
  /// Whether the content moves by itself at present.
  package var isScrolling = false

  /// A screen without tiles.
  ///
  /// - Parameter visibleHeight: height of its part that shows the content [px]; `nil` for all of it.
  package init(screen: PixelFrame, visibleHeight: Int? = nil) {
    self.screen = screen
    opening = PixelFrame(
      x: screen.x, y: screen.y, width: screen.width, height: visibleHeight ?? screen.height)
  }

  /// Adds a source's tile; of several for one source the first stays.
  ///
  /// - Parameters:
  ///   - source: index of the source in the meeting.
  ///   - isHidden: whether the app hides it, wherever it is.
  package mutating func place(
    _ source: Int, at frame: PixelFrame, _ area: Area, z: Int = 0, isHidden: Bool = false
  ) {
    let place = tiles.firstIndex { $0.source >= source } ?? tiles.count
    guard place == tiles.count || tiles[place].source != source else { return }
    tiles.insert(
      Tile(
        source: source, area: area, frame: frame, z: z,
        visibleTenThousandths: isHidden ? 0 : frame.tenThousandths(within: opening)),
      at: place)
  }
}
