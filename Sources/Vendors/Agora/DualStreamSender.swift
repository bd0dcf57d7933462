package import Ladder
package import Quantity
package import Systems

/// Control of a sender's low stream (Agora 4.2 `setDualStreamMode`).
///
/// The high stream is always sent. In `auto`, the default, the low stream starts once a host requests it, and is then
/// available to everybody. Earlier requests from the audience have no effect, except those for picture-in-picture
/// windows and those due to a closed 720p gate, which count as a host's [our model].
package struct DualStreamSender: Publisher, Hashable {
  package let mode: AgoraParameters.DualStream
  private var isRequested = false

  package init(_ mode: AgoraParameters.DualStream) { self.mode = mode }

  /// `true` while the low stream is sent.
  package var sendsLow: Bool {
    switch mode {
    case .auto: isRequested
    case .enable: true
    case .disable: false
    }
  }

  package var traits: PublisherTraits { PublisherTraits() }

  /// Handles a viewer's request for the low stream, which counts if it comes from a host in this channel rather than
  /// from the audience, or is due to a window or a gate.
  package mutating func handle(_ input: PublisherInput, at now: SimTime) -> [SystemEvent] {
    if case .lowStreamRequest(byHost: true) = input { isRequested = true }
    return []
  }

  /// Returns the high stream, and the low one while it is on.
  package func alwaysSent(of encodings: Int) -> EncodingSet {
    let high = EncodingSet(encodings - 1)
    return sendsLow ? high.union(EncodingSet(0)) : high
  }

  /// Limits the offers to the top layer that the uplink carries while the low stream is off. In our model, the low
  /// encoding replaces a high stream that would fall below 30 % of its bit rate.
  package func offers(of layers: [Layer]) -> [Layer] { sendsLow ? layers : Array(layers.suffix(1)) }
}
