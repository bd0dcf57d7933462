extension Subscription {
  /// Notes that the source sends nothing, which counts for a tile on the screen (``LimitationRow/table``).
  ///
  /// - Parameter isSeen: `false` if the tile is not on the screen although the system receives it there.
  package mutating func noteSilence(isSeen: Bool = true) {
    let isOffScreen = absence == .offScreen || absence == nil && visibility != .onScreen || !isSeen
    absence = isOffScreen ? .offScreen : .muted
  }
}
