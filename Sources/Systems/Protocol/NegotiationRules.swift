package import Quantity

/// How an SFU and a viewer agree on tracks by offers and answers (RFC 9429), where the viewer offers.
///
/// Its first offer comes with its request to join and has room for a few tracks; for more the SFU asks it for another
/// offer. The SFU forwards a track once it has answered, and the viewer knows the track once the answer has come.
package struct NegotiationRules: Hashable, Sendable {
  /// Tracks that the first offer has room for.
  package var initialTracks: Int
  /// From a viewer's request to join until the SFU answers.
  package var joinTime: SimDuration
  /// From the first answer until media may flow.
  package var connectionTime: SimDuration
  /// Least time between two negotiations that the SFU begins.
  package var interval: SimDuration
  /// From a viewer's being asked for an offer until it sends it.
  package var offerTime: SimDuration

  package init(
    initialTracks: Int, joinTime: SimDuration, connectionTime: SimDuration, interval: SimDuration,
    offerTime: SimDuration
  ) {
    self.initialTracks = initialTracks
    self.joinTime = joinTime
    self.connectionTime = connectionTime
    self.interval = interval
    self.offerTime = offerTime
  }
}
