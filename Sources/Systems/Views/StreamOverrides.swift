package import Ladder

/// A viewer's manual overrides of the sizes requested by its tiles (GetStream iOS `IncomingVideoQualitySettings`,
/// JavaScript `TrackSubscriptionManager`).
package struct StreamOverrides: Sendable {
  package enum Override: Hashable, Sendable {
    /// This size [px] instead of the tile's.
    case size(Resolution)
    /// No video.
    case off
  }

  /// Override for participants without an individual one.
  package var everybody: Override?
  private var individual: [(participant: Int, override: Override)] = []

  package init(everybody: Override? = nil) { self.everybody = everybody }

  /// Sets an override for a participant, or removes it (`nil`).
  package mutating func set(_ override: Override?, for participant: Int) {
    individual.removeAll { $0.participant == participant }
    if let override { individual.append((participant, override)) }
  }

  /// Returns the override of a participant; an individual one takes precedence (JavaScript SDK).
  package func override(for participant: Int) -> Override? {
    individual.first { $0.participant == participant }?.override ?? everybody
  }
}
