/// A notion of the neutral view of which not every system's client makes something.
package enum ViewNotion: Hashable, Sendable, CaseIterable {
  /// Pinned participants, but for built-in layouts: there they have the first seats in every system.
  case pins
  /// A large tile beside others.
  case stage
  /// Tiles of other pages are off screen.
  case pages
  /// Tiles of a container that are not on the screen are off screen.
  case scrolling
  /// A tile that the app hides is off screen.
  case hiding
  /// The same of a grid that follows the screen.
  case hidingInGrids
}
