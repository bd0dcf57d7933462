package import Ladder
package import Quantity

/// Number of layer switches of one tile while it is on the screen.
///
/// A switch is a change to another encoding or temporal layer, to nothing or back from nothing. The first layer after
/// the tile has appeared is not one.
package struct SwitchMeter: Hashable, Sendable {
  private var shownSince: SimTime?
  private var layer: LayerID?
  private var hasBegun = false
  /// Switches so far.
  package private(set) var count = 0
  private var shown = SimDuration.zero

  package init() {}

  /// Records the layer that is forwarded from a moment on.
  ///
  /// - Parameter layer: `nil` for nothing.
  package mutating func note(_ layer: LayerID?, at now: SimTime) {
    if shownSince == nil { shownSince = now }
    if hasBegun, layer != self.layer { count += 1 }
    if layer != nil { hasBegun = true }
    self.layer = layer
  }

  /// Ends the tile's time on the screen: it disappears, or its source is muted or ends.
  package mutating func hide(at now: SimTime) {
    shown = time(at: now)
    shownSince = nil
    layer = nil
    hasBegun = false
  }

  /// Returns how long the tile has been on the screen.
  package func time(at now: SimTime) -> SimDuration { shownSince.map { shown + (now - $0) } ?? shown }
}

extension [SwitchMeter] {
  /// Returns a viewer's layer switches per tile and minute on the screen; `nil` if no tile was on it.
  package func perMinute(at now: SimTime) -> Double? {
    let time = reduce(Int64(0)) { $0 + $1.time(at: now).nanoseconds }
    guard time > 0 else { return nil }
    return Double(reduce(0) { $0 + $1.count }) * 60e9 / Double(time)
  }
}
