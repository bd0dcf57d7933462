/// Position of each source on a viewer's screen at one moment, in pixels of the scrolling content.
package struct ScreenLayout: Hashable, Sendable {
  /// Part of the screen that a tile belongs to.
  package enum Area: String, Hashable, Sendable {
    /// One of several tiles, none enlarged by its position.
    case grid
    /// The large tile next to smaller ones.
    case stage
    /// A screen share, wherever it is shown.
    case share
    /// A picture-in-picture window.
    case window
  }

  /// Tile of a source.
  package struct Tile: Hashable, Sendable {
    /// Index of the source in the meeting.
    package let source: Int
    package let area: Area
    package let frame: PixelFrame
    /// Stacking order: higher tiles cover lower ones.
    package let z: Int
    /// Share of the tile's area that is on the screen [1/10,000].
    package let visibleTenThousandths: Int
  }

  /// Screen size, with the scroll offset of the content as its origin.
  package let screen: PixelFrame
  /// Part of the screen that shows the content.
  private let opening: PixelFrame
  /// Tiles in the order of the sources, at most one for each.
  package private(set) var tiles: [Tile] = []
  /// Set while a scroll is in progress.
  package var isScrolling = false

  /// Creates a screen without tiles.
  ///
  /// - Parameter visibleHeight: height of the part that shows the content [px]; `nil` for the whole screen.
  package init(screen: PixelFrame, visibleHeight: Int? = nil) {
    self.screen = screen
    opening = PixelFrame(
      x: screen.x, y: screen.y, width: screen.width, height: visibleHeight ?? screen.height)
  }

  /// Adds a source's tile unless the source already has one.
  ///
  /// - Parameters:
  ///   - source: index of the source in the meeting.
  ///   - isHidden: `true` if the app hides the tile, wherever it is.
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
