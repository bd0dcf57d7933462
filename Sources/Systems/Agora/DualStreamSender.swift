package import Ladder

/// Controls a sender's low stream (Agora 4.2 `setDualStreamMode`).
///
/// The high stream is always sent. In `auto`, the default, the low stream is sent once a host requests it, and is then
/// available to everybody; earlier requests from the audience have no effect, but those of its picture-in-picture
/// windows and of a closed 720p gate, which count as a host's [our model].
package struct DualStreamSender: Publisher, Hashable {
  package let mode: AgoraParameters.DualStream
  private var isRequested = false

  package init(_ mode: AgoraParameters.DualStream) { self.mode = mode }

  /// Whether the low stream is being sent.
  package var sendsLow: Bool {
    switch mode {
    case .auto: isRequested
    case .enable: true
    case .disable: false
    }
  }

  /// Handles a viewer's request for the low stream.
  ///
  /// - Parameter isHost: whether the viewer is a host in this channel, not audience, or asks for a window or behind a gate.
  /// - Returns: whether this starts the low stream.
  package mutating func viewerAsksForLow(isHost: Bool) -> Bool {
    let before = sendsLow
    if isHost { isRequested = true }
    return sendsLow != before
  }

  /// The high stream, and the low one while it is on.
  package func alwaysSent(of encodings: Int) -> UInt32 {
    1 << UInt32(encodings - 1) | (sendsLow ? 1 : 0)
  }

  /// While the low stream is off, only the top layer that the uplink carries: in our model the low encoding stands in
  /// for a high stream degraded below 30 % of its bit rate.
  package func offers(of layers: [Layer]) -> [Layer] { sendsLow ? layers : Array(layers.suffix(1)) }
}
