package import Systems

/// livekit-client's publisher: with dynacast it sends only the encodings that the server asks for.
package struct LiveKitPublisher: Publisher, Hashable {
  package let pauseRule: EncodingPauseRule?

  package init(_ parameters: LiveKitParameters) {
    pauseRule =
      parameters.dynacast
      ? EncodingPauseRule(delay: parameters.dynacastPauseDelay, start: parameters.dynacastStart) : nil
  }

  package func alwaysWanted(of encodings: Int) -> UInt32 {
    pauseRule == nil ? (1 << UInt32(encodings)) - 1 : 0
  }
}
