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

  package var traits: PublisherTraits {
    var traits = PublisherTraits()
    traits.followsUplink = parameters.publisherFallback
    traits.resumeRate = parameters.fallbackMinimum.scaled(by: parameters.warningFactor)
    return traits
  }
  package var withholdsVideo: Bool { fallback.isAudioOnly }

  package mutating func handle(_ input: PublisherInput, at now: SimTime) -> [SystemEvent] {
    guard case .uplink(let uplink, let joinedAt) = input, now - joinedAt >= parameters.fallbackStart else {
      return []
    }
    let events = fallback.update(
      budget: uplink, minimum: parameters.fallbackMinimum, isLossy: false, now: now)
    return events.map { SystemEvent(name: $0.rawValue, detail: "publisher: quality") }
  }
}
