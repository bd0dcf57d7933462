package import Systems

/// A viewer's manual overrides of the sizes requested by its tiles (GetStream iOS `IncomingVideoQualitySettings`,
/// JavaScript `TrackSubscriptionManager`).
package struct StreamOverrides: Sendable {
  /// Override for participants without an individual one.
  package var everybody: StreamOverride?
  private var individual: [(participant: Int, override: StreamOverride)] = []

  package init(everybody: StreamOverride? = nil) { self.everybody = everybody }

  /// Sets an override for a participant, or removes it (`nil`).
  package mutating func set(_ override: StreamOverride?, for participant: Int) {
    individual.removeAll { $0.participant == participant }
    if let override { individual.append((participant, override)) }
  }

  /// Returns the override of a participant; an individual one takes precedence (JavaScript SDK).
  package func override(for participant: Int) -> StreamOverride? {
    individual.first { $0.participant == participant }?.override ?? everybody
  }
}
