import Ladder
package import Quantity
package import Systems

/// Vonage's publisher with its audio fallback.
package struct VonagePublisher: Publisher, Hashable {
  private let parameters: VonageParameters
  private var fallback: AudioFallback

  package init(_ parameters: VonageParameters) {
    self.parameters = parameters
    fallback = AudioFallback(parameters)
  }

  package var followsUplink: Bool { parameters.publisherFallback }
  package var withholdsVideo: Bool { fallback.isAudioOnly }
  package var resumeRate: BitRate { parameters.fallbackMinimum.scaled(by: parameters.warningFactor) }

  package mutating func follow(
    uplink: BitRate, since joinedAt: SimTime, now: SimTime
  ) -> [SystemEvent] {
    guard now - joinedAt >= parameters.fallbackStart else { return [] }
    let events = fallback.update(
      budget: uplink, minimum: parameters.fallbackMinimum, isLossy: false, now: now)
    return events.map { SystemEvent(name: $0.rawValue, detail: "publisher: quality") }
  }
}
