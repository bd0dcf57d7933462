package import Ladder

/// What a viewer asks for by hand instead of what its tiles ask for (GetStream iOS `IncomingVideoQualitySettings`,
/// JavaScript `TrackSubscriptionManager`).
package struct StreamOverrides: Sendable {
  package enum Override: Hashable, Sendable {
    /// This size [px], whatever the tile's is.
    case size(Resolution)
    /// No video.
    case off
  }

  /// For everybody without one of their own.
  package var everybody: Override?
  private var own: [(participant: Int, override: Override)] = []

  package init(everybody: Override? = nil) { self.everybody = everybody }

  /// Sets an override for a participant, or removes it (`nil`).
  package mutating func set(_ override: Override?, for participant: Int) {
    own.removeAll { $0.participant == participant }
    if let override { own.append((participant, override)) }
  }

  /// What holds for a participant: its own override counts more than the one for everybody (JavaScript SDK).
  package func override(for participant: Int) -> Override? {
    own.first { $0.participant == participant }?.override ?? everybody
  }
}
