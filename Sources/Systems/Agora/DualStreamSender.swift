package import Ladder

/// Whether a sender has its low stream on (Agora 4.2 `setDualStreamMode`).
///
/// The high stream is sent whether or not anybody takes it. In `auto`, the default, the low one is sent from the moment
/// that a host asks for it, and everybody may take it then; what the audience asks for before has no effect.
package struct DualStreamSender: Publisher, Hashable {
  package let mode: AgoraParameters.DualStream
  private var isAskedFor = false

  package init(_ mode: AgoraParameters.DualStream) { self.mode = mode }

  /// Whether the low stream is sent.
  package var sendsLow: Bool {
    switch mode {
    case .auto: isAskedFor
    case .enable: true
    case .disable: false
    }
  }

  /// A viewer asks for the low stream.
  ///
  /// - Parameter isHost: whether the viewer is one who sends in this channel, not of the audience.
  /// - Returns: whether the low stream begins to be sent.
  package mutating func viewerAsksForLow(isHost: Bool) -> Bool {
    let before = sendsLow
    if isHost { isAskedFor = true }
    return sendsLow != before
  }

  /// The high stream always, the low one while it is on.
  package func alwaysSent(of encodings: Int) -> UInt32 {
    1 << UInt32(encodings - 1) | (sendsLow ? 1 : 0)
  }

  /// While the low stream is off only the high one, or what the uplink leaves of it: our model lets the low encoding
  /// stand for a high stream that degrades below 60 % of its rate.
  package func offers(of layers: [Layer]) -> [Layer] { sendsLow ? layers : Array(layers.suffix(1)) }
}
