import Ladder
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

/// Sizes of messages as TCP payload [byte]; those of a negotiation are session descriptions by default [our model].
public struct NegotiationSizes: Hashable, Sendable {
  /// The SFU's request for an offer.
  package var request = 200
  /// An offer or an answer without any track.
  package var description = 600
  /// A track in an offer or an answer.
  package var track = 150
  /// The SFU's message that somebody has joined or left, spoken or muted.
  package var presence = 400
  /// The SFU's message that a source has started or stopped.
  package var source = 400
  /// The SFU's message that other layers of a source arrive; `nil` in a system whose viewers hear nothing of layers.
  package var layers: Int?
  /// Set if viewers are told the rates of layers, as where signalling does not share the links [our model].
  package var tellsRates = false

  /// Framing of a message of less than 64 KiB by WebSocket, 4 B, and TLS 1.3, 22 B.
  package static let framing = 26

  package init() {}

  /// Sizes in a system whose signalling does not share the links.
  package static let unshared = {
    var sizes = NegotiationSizes()
    sizes.tellsRates = true
    return sizes
  }()

  /// Returns the size of the SFU's message about a source's change; `nil` if viewers are not told.
  package func change(from before: Roster.Source, to source: Roster.Source) -> Int? {
    if tellsRates || before.isCapturing != source.isCapturing || before.capture != source.capture {
      return self.source
    }
    return before.offers.map(\.id) == source.offers.map(\.id) ? nil : layers
  }

  /// Returns the size of an offer or an answer.
  package func description(tracks: Int) -> Int { description + track * tracks }
}
