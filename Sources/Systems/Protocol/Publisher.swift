package import Ladder
package import Quantity

/// Behaviour of a source's publisher, and of the SFU towards it, that does not depend on subscriptions.
package protocol Publisher: Sendable {
  /// Constants and options in which it differs from other publishers; they never change.
  var traits: PublisherTraits { get }
  /// Returns the encodings that the publisher sends regardless of subscriptions.
  func alwaysSent(of encodings: Int) -> EncodingSet
  /// Returns the layers available to viewers, among those that the uplink carries.
  func offers(of layers: [Layer]) -> [Layer]
  /// `true` while the low stream is available, in dual-stream systems.
  var sendsLow: Bool { get }
  /// `true` while the camera's video is withheld.
  var withholdsVideo: Bool { get }
  /// Handles an input and returns events for `events.csv`.
  mutating func handle(_ input: PublisherInput, at now: SimTime) -> [SystemEvent]
}

/// Input of a publisher.
package enum PublisherInput: Sendable {
  /// A viewer's request for the low stream; `byHost` if that viewer publishes too.
  case lowStreamRequest(byHost: Bool)
  /// A new estimate of the uplink's capacity for video, where ``PublisherTraits/followsUplink`` is set.
  case uplink(BitRate, joinedAt: SimTime)
}

/// Constants and options in which publishers differ.
package struct PublisherTraits: Hashable, Sendable {
  /// Encodings that the publisher sends regardless of subscriptions.
  package var sent = EncodingScope.none
  /// Encodings that the SFU requests regardless of subscriptions.
  package var requested = EncodingScope.none
  /// Encodings that the SFU keeps requesting after the last viewer leaves the source.
  package var keptUnwatched = EncodingScope.none
  /// Delay before the SFU stops requesting unwanted encodings; `nil` to stop each one at once.
  package var pauseRule: EncodingPauseRule?
  /// `true` if a camera's publisher handles the uplink's estimates.
  package var followsUplink = false
  /// Uplink capacity at which withheld video resumes; the uplink is probed while it is below.
  package var resumeRate = BitRate.zero

  package init() {}
}

/// Scope of a rule among a source's encodings, however many there are.
package enum EncodingScope: Hashable, Sendable {
  case none, all
  /// The lowest of several; none of a single one.
  case lowestOfSeveral

  /// Returns the encodings of a source with a number of them.
  package func encodings(of count: Int) -> EncodingSet {
    switch self {
    case .none: []
    case .all: EncodingSet(first: count)
    case .lowestOfSeveral: count > 1 ? EncodingSet(0) : []
    }
  }
}

/// Pause of encodings that nobody wants (dynacast).
///
/// The SFU requests all encodings up to the highest that is wanted.
package struct EncodingPauseRule: Hashable, Sendable {
  /// Time from the first wish for less to the pause; the first wish and rising demand take effect at once.
  package var delay: SimDuration
  /// Time after the start of a source after which all encodings pause if nobody has wanted any.
  package var start: SimDuration

  package init(delay: SimDuration, start: SimDuration) {
    self.delay = delay
    self.start = start
  }
}

extension Publisher {
  package func alwaysSent(of encodings: Int) -> EncodingSet { traits.sent.encodings(of: encodings) }
  package func offers(of layers: [Layer]) -> [Layer] { layers }
  package var sendsLow: Bool { true }
  package var withholdsVideo: Bool { false }
  package mutating func handle(_ input: PublisherInput, at now: SimTime) -> [SystemEvent] { [] }
}

/// Publisher fully described by its traits. By default it sends only subscribed encodings (dynacast).
package struct StatedPublisher: Publisher {
  package var traits = PublisherTraits()

  package init(pausing pauseRule: EncodingPauseRule? = nil) { traits.pauseRule = pauseRule }

  /// Publisher that sends the encodings up to the highest that any viewer may get, whatever the viewers' downlinks
  /// carry; changes take effect at once.
  package static var requested: Self { Self(pausing: EncodingPauseRule(delay: .zero, start: .zero)) }

  /// Publisher whose encodings are all requested at all times.
  package static var sending: Self {
    var publisher = Self()
    publisher.traits.requested = .all
    return publisher
  }

  /// Publisher that sends all encodings of a recording, regardless of the system and its viewers.
  package static var recording: Self {
    var publisher = Self()
    publisher.traits.sent = .all
    return publisher
  }
}
