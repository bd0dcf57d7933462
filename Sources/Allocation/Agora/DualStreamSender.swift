/// Whether a sender has its low stream on (Agora 4.2 `setDualStreamMode`).
///
/// The high stream is sent whether or not anybody takes it. In `auto`, the default, the low one is sent from the moment
/// that a host asks for it, and everybody may take it then; what the audience asks for before has no effect.
package struct DualStreamSender: Hashable, Sendable {
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

  /// A receiver asks for the low stream.
  ///
  /// - Parameter isHost: whether the receiver is one who sends in this channel, not of the audience.
  /// - Returns: whether the low stream begins to be sent.
  package mutating func receiverAsksForLow(isHost: Bool) -> Bool {
    let before = sendsLow
    if isHost { isAskedFor = true }
    return sendsLow != before
  }
}
