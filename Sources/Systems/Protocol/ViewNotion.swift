/// An option of the neutral view that some systems' clients ignore.
package enum ViewNotion: Hashable, Sendable, CaseIterable {
  /// Pinned participants, except in built-in layouts, where they get the first seats in every system.
  case pins
  /// A large tile next to smaller ones.
  case stage
  /// Tiles of other pages are off screen.
  case pages
  /// Tiles of a container that are not on the screen are off screen.
  case scrolling
  /// A tile that the app hides is off screen.
  case hiding
}
