package import Ladder
package import Quantity

/// Behaviour of a source's publisher, and of the SFU towards it, that does not depend on subscriptions.
///
/// Sets of encodings are bit masks, lowest encoding first.
package protocol Publisher: Sendable {
  /// Returns the encodings that the publisher sends regardless of subscriptions.
  func alwaysSent(of encodings: Int) -> UInt32
  /// Returns the encodings that the SFU requests regardless of subscriptions.
  func alwaysWanted(of encodings: Int) -> UInt32
  /// Returns the encodings that the SFU keeps requesting after the last viewer leaves the source.
  func wantedUnwatched(of encodings: Int) -> UInt32
  /// Delay before the SFU stops requesting unwanted encodings; `nil` to stop at once, encoding by encoding.
  var pauseRule: EncodingPauseRule? { get }
  /// Returns the layers available to viewers, among those that the uplink carries.
  func offers(of layers: [Layer]) -> [Layer]
  /// `true` while the low stream is available, in dual-stream systems.
  var sendsLow: Bool { get }
  /// Handles a viewer's request for the low stream.
  ///
  /// - Parameter isHost: `true` if the viewer publishes too.
  /// - Returns: `true` if this starts the low stream.
  mutating func viewerAsksForLow(isHost: Bool) -> Bool
  /// `true` if ``follow(uplink:since:now:)`` is called for a camera.
  var followsUplink: Bool { get }
  /// Handles a new estimate of the uplink.
  ///
  /// - Parameters:
  ///   - uplink: capacity for video.
  ///   - joinedAt: time at which the publisher joined.
  /// - Returns: events for `events.csv`.
  mutating func follow(uplink: BitRate, since joinedAt: SimTime, now: SimTime) -> [SystemEvent]
  /// `true` while the camera's video is withheld.
  var withholdsVideo: Bool { get }
  /// Uplink capacity at which withheld video resumes; the uplink is probed while it is below.
  var resumeRate: BitRate { get }
}

/// Pause of encodings that nobody wants (dynacast).
///
/// The SFU requests all encodings up to the highest that is wanted.
package struct EncodingPauseRule: Hashable, Sendable {
  /// Time from the last change of demand to the pause; rising demand takes effect at once.
  package var delay: SimDuration
  /// Time after the start of a source in which all encodings are requested.
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

/// Sends the encodings up to the highest that any viewer may get, whatever their downlinks carry; changes take effect
/// at once.
package struct RequestedPublisher: Publisher {
  package init() {}

  package var pauseRule: EncodingPauseRule? { EncodingPauseRule(delay: .zero, start: .zero) }
}

/// Always sends all encodings.
package struct SendingPublisher: Publisher {
  package init() {}

  package func alwaysWanted(of encodings: Int) -> UInt32 { (1 << UInt32(encodings)) - 1 }
}

/// Sends all encodings of a recording, regardless of the system and its viewers.
package struct RecordingPublisher: Publisher {
  package init() {}

  package func alwaysSent(of encodings: Int) -> UInt32 { (1 << UInt32(encodings)) - 1 }
}
