package import Ladder

/// The screen of a phone or a window: size in points, and pixels per point.
package struct Screen: Hashable, Sendable {
  package var width: Double
  package var height: Double
  package var scale: Double

  package init(width: Double, height: Double, scale: Double) {
    self.width = width
    self.height = height
    self.scale = scale
  }
}

/// A tile of a grid, in points; `y` counts from the top of the grid's content.
package struct GridTile: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns the size on the display [px].
  package func pixels(scale: Double) -> Resolution {
    Resolution(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
  }

  /// Returns the share of the tile's height between two vertical offsets in the content, 0 to 1.
  package func visibleShare(top: Double, bottom: Double) -> Double {
    let visible = min(y + height, bottom) - max(y, top)
    return max(0, min(1, visible / height))
  }
}

/// A scrolling grid of all participants.
package struct Grid: Sendable {
  /// Name in scenarios.
  package let name: String
  private let arrange: @Sendable (_ count: Int, _ screen: Screen, _ setUp: Screen) -> [GridTile]
  /// Height of the part of the screen that shows the grid [pt].
  package let visibleHeight: @Sendable (_ screen: Screen) -> Double
  /// Space below the last tile [pt]; `nil` where the end of the content does not limit scrolling.
  private let bottomInset: Double?

  package init(
    name: String, bottomInset: Double? = nil,
    visibleHeight: @escaping @Sendable (Screen) -> Double = { $0.height },
    tiles: @escaping @Sendable (Int, Screen) -> [GridTile]
  ) {
    self.init(name: name, bottomInset: bottomInset, visibleHeight: visibleHeight) { count, screen, _ in
      tiles(count, screen)
    }
  }

  /// - Parameter arrange: lays out the tiles of `count` participants on a screen; some dimensions keep the values they
  ///   had on the screen at set-up.
  package init(
    name: String, bottomInset: Double? = nil,
    visibleHeight: @escaping @Sendable (Screen) -> Double = { $0.height },
    arrange: @escaping @Sendable (_ count: Int, _ screen: Screen, _ setUp: Screen) -> [GridTile]
  ) {
    self.name = name
    self.bottomInset = bottomInset
    self.visibleHeight = visibleHeight
    self.arrange = arrange
  }

  /// Lays out the tiles of `count` participants in order.
  ///
  /// - Parameter setUp: the screen at set-up; `nil` if it has not changed since.
  package func tiles(_ count: Int, _ screen: Screen, setUp: Screen? = nil) -> [GridTile] {
    arrange(count, screen, setUp ?? screen)
  }

  /// Returns the largest scroll offset, at which the content ends at the bottom of the visible part [pt]; infinite if
  /// scrolling is unlimited.
  package func maximumScroll(_ count: Int, _ screen: Screen, setUp: Screen? = nil) -> Double {
    guard let bottomInset else { return .infinity }
    let bottom = tiles(count, screen, setUp: setUp).map { $0.y + $0.height }.max() ?? 0
    return max(0, bottom + bottomInset - visibleHeight(screen))
  }
}
