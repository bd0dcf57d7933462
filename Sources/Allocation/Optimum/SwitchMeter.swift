package import Ladder
package import Quantity

/// How often what is forwarded to one tile changes while it is on the screen: another encoding, another temporal layer,
/// nothing instead of something or something again. The first layer of a tile that has come is none.
package struct SwitchMeter: Hashable, Sendable {
  private var shownSince: SimTime?
  private var layer: LayerID?
  private var hasBegun = false
  package private(set) var count = 0
  private var shown = SimDuration.zero

  package init() {}

  /// Takes what is forwarded from a moment on.
  ///
  /// - Parameter layer: `nil` for nothing.
  package mutating func note(_ layer: LayerID?, at now: SimTime) {
    if shownSince == nil { shownSince = now }
    if hasBegun, layer != self.layer { count += 1 }
    if layer != nil { hasBegun = true }
    self.layer = layer
  }

  /// The tile leaves the screen, or its source is muted or ends.
  package mutating func hide(at now: SimTime) {
    shown = time(at: now)
    shownSince = nil
    layer = nil
    hasBegun = false
  }

  /// How long the tile has been on the screen.
  package func time(at now: SimTime) -> SimDuration { shownSince.map { shown + (now - $0) } ?? shown }
}

extension [SwitchMeter] {
  /// Switches of a viewer's tiles for each minute that a tile was on the screen; `nil` where none was.
  package func perMinute(at now: SimTime) -> Double? {
    let time = reduce(Int64(0)) { $0 + $1.time(at: now).nanoseconds }
    guard time > 0 else { return nil }
    return Double(reduce(0) { $0 + $1.count }) * 60e9 / Double(time)
  }
}
