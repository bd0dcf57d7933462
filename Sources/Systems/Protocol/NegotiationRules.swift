package import Quantity

/// Negotiation of tracks between an SFU and a viewer by offers and answers (RFC 9429), in which the viewer offers.
///
/// The first offer comes with the viewer's request to join and has room for a few tracks; for more, the SFU asks the
/// viewer for another offer. The SFU forwards a track once it has answered, and the viewer knows the track once the
/// answer has arrived.
package struct NegotiationRules: Hashable, Sendable {
  /// Number of tracks that the first offer has room for.
  package var initialTracks: Int
  /// Time from a viewer's request to join until the SFU answers.
  package var joinTime: SimDuration
  /// Time from the first answer until media may flow.
  package var connectionTime: SimDuration
  /// Minimum time between two negotiations that the SFU initiates.
  package var interval: SimDuration
  /// Time from the SFU's request for an offer until the viewer sends it.
  package var offerTime: SimDuration
  /// Set if a viewer asks for tracks one by one, each once it has the answer for the previous one.
  package var isOneByOne = false
  /// Sizes of the messages.
  package var sizes = NegotiationSizes()
  /// Set if the sizes and visibility of tracks are sent in separate messages.
  package var sendsSettingsApart = true

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

/// Sizes of a negotiation's messages as TCP payload [byte]; session descriptions by default [our model].
public struct NegotiationSizes: Hashable, Sendable {
  /// The SFU's request for an offer.
  package var request = 200
  /// An offer or an answer without any track.
  package var description = 600
  /// A track in an offer or an answer.
  package var track = 150

  package init() {}

  /// Returns the size of an offer or an answer.
  package func description(tracks: Int) -> Int { description + track * tracks }
}
