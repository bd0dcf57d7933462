package import Ladder
package import Quantity

/// How the publisher of a source, and the SFU towards it, behave independently of subscriptions.
///
/// Sets of encodings are bit masks, lowest encoding first.
package protocol Publisher: Sendable {
  /// Encodings that the publisher sends regardless of subscriptions.
  func alwaysSent(of encodings: Int) -> UInt32
  /// Encodings that the SFU requests regardless of subscriptions.
  func alwaysWanted(of encodings: Int) -> UInt32
  /// Encodings that the SFU requests of a source that nobody watches any more.
  func wantedUnwatched(of encodings: Int) -> UInt32
  /// When the SFU stops requesting encodings that nobody wants; `nil` for at once, encoding by encoding.
  var pauseRule: EncodingPauseRule? { get }
  /// The layers available to viewers, among those that the uplink carries.
  func offers(of layers: [Layer]) -> [Layer]
  /// Whether the low stream is available, in dual-stream systems.
  var sendsLow: Bool { get }
  /// Handles a viewer's request for the low stream.
  ///
  /// - Parameter isHost: whether the viewer publishes too.
  /// - Returns: whether this starts the low stream.
  mutating func viewerAsksForLow(isHost: Bool) -> Bool
  /// Whether ``follow(uplink:since:now:)`` is called for a camera.
  var followsUplink: Bool { get }
  /// Handles a new estimate of the uplink.
  ///
  /// - Parameters:
  ///   - uplink: what it carries of video.
  ///   - joinedAt: when the publisher joined.
  /// - Returns: events for `events.csv`.
  mutating func follow(uplink: BitRate, since joinedAt: SimTime, now: SimTime) -> [SystemEvent]
  /// Whether the camera's video is withheld for now.
  var withholdsVideo: Bool { get }
  /// What the uplink has to carry of video for it to return: below that it is probed meanwhile.
  var resumeRate: BitRate { get }
}

/// How long an SFU goes on requesting encodings of a source that nobody wants (dynacast).
///
/// It requests all encodings up to the highest that is wanted.
package struct EncodingPauseRule: Hashable, Sendable {
  /// From the last change of what is wanted to the pause; a wish is followed at once.
  package var delay: SimDuration
  /// Everything is requested for this long after the source has begun.
  package var start: SimDuration

  package init(delay: SimDuration, start: SimDuration) {
    self.delay = delay
    self.start = start
  }
}

extension Publisher {
  package func alwaysSent(of encodings: Int) -> UInt32 { 0 }
  package func alwaysWanted(of encodings: Int) -> UInt32 { 0 }
  package func wantedUnwatched(of encodings: Int) -> UInt32 { 0 }
  package var pauseRule: EncodingPauseRule? { nil }
  package func offers(of layers: [Layer]) -> [Layer] { layers }
  package var sendsLow: Bool { true }
  package mutating func viewerAsksForLow(isHost: Bool) -> Bool { false }
  package var followsUplink: Bool { false }
  package mutating func follow(
    uplink: BitRate, since joinedAt: SimTime, now: SimTime
  ) -> [SystemEvent] { [] }
  package var withholdsVideo: Bool { false }
  package var resumeRate: BitRate { .zero }
}

/// Sends only subscribed encodings (dynacast).
package struct OnDemandPublisher: Publisher {
  package init() {}
}

/// Sends the encodings up to the highest that any viewer may get, whatever their downlinks carry; told at once.
package struct RequestedPublisher: Publisher {
  package init() {}

  package var pauseRule: EncodingPauseRule? { EncodingPauseRule(delay: .zero, start: .zero) }
}

/// Always sends all encodings.
package struct SendingPublisher: Publisher {
  package init() {}

  package func alwaysWanted(of encodings: Int) -> UInt32 { (1 << UInt32(encodings)) - 1 }
}

/// Sends all encodings of a recording, whatever the system and its viewers want.
package struct RecordingPublisher: Publisher {
  package init() {}

  package func alwaysSent(of encodings: Int) -> UInt32 { (1 << UInt32(encodings)) - 1 }
}
