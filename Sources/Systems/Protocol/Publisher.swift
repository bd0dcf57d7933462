package import Ladder

/// What the publisher of one source, and the SFU towards it, do without being asked by a viewer.
///
/// Encodings are masks, a bit each from the lowest up.
package protocol Publisher: Sendable {
  /// Encodings that the publisher sends whether or not anybody wants them.
  func alwaysSent(of encodings: Int) -> UInt32
  /// Encodings that the SFU asks for whether or not a viewer does.
  func alwaysWanted(of encodings: Int) -> UInt32
  /// The layers that viewers may take, of those that the uplink carries.
  func offers(of layers: [Layer]) -> [Layer]
  /// Whether a low stream can be had, where a system has one.
  var sendsLow: Bool { get }
  /// A viewer asks for the low stream.
  ///
  /// - Parameter isHost: whether the viewer publishes, too.
  /// - Returns: whether the low stream begins with this.
  mutating func viewerAsksForLow(isHost: Bool) -> Bool
}

extension Publisher {
  package func alwaysSent(of encodings: Int) -> UInt32 { 0 }
  package func alwaysWanted(of encodings: Int) -> UInt32 { 0 }
  package func offers(of layers: [Layer]) -> [Layer] { layers }
  package var sendsLow: Bool { true }
  package mutating func viewerAsksForLow(isHost: Bool) -> Bool { false }
}

/// Sends the encodings that viewers want, and no others.
package struct OnDemandPublisher: Publisher {
  package init() {}
}

/// Sends every encoding.
package struct SendingPublisher: Publisher {
  package init() {}

  package func alwaysWanted(of encodings: Int) -> UInt32 { (1 << UInt32(encodings)) - 1 }
}
