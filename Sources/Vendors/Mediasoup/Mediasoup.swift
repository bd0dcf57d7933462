import Allocation
import Ladder
package import Systems

/// mediasoup's router, with an app that uses it as mediasoup's authors advise.
package struct Mediasoup: System {
  package typealias Parameters = MediasoupParameters

  package static let description = SystemDescription(
    name: "mediasoup",
    summary:
      "a layer for everyone, then as many steps a round as a consumer's priority; 10 s without climbing after a "
      + "downgrade; the app pauses consumers off screen and sets their preferred layers",
    source:
      "mediasoup 3.19.3 (Transport.cpp, SimulcastConsumer.cpp, SimpleConsumer.cpp, "
      + "TransportCongestionControlClient.cpp); the app is our model",
    estimator: OwnEstimator(
      "gcc-2019",
      source:
        "mediasoup 3.19.3, TransportCongestionControlClient.cpp: a libwebrtc of 2019 with changes; clients with REMB "
        + "alone keep the initial estimate"),
    signals: MediasoupSignals.declarations, rules: rules,
    // The demo's defaults for cameras (mediasoup-demo, RoomClient); screen shares have one spatial layer [our model].
    scalableSending: { kind, codec, _ in .usual(codec, of: kind) })

  private let parameters: MediasoupParameters

  package init(_ parameters: MediasoupParameters) { self.parameters = parameters }

  package var decider: Decider {
    Decider(MediasoupPolicy(), .servers(MediasoupRule(parameters), at: MediasoupSchedule(parameters)))
  }

  package var traits: SystemTraits {
    var traits = SystemTraits()
    traits.forwarding = parameters.forwarding
    traits.negotiation = parameters.negotiation
    traits.keepsMissingPackets = true
    traits.estimates.start = parameters.initialEstimate
    return traits
  }

  /// Returns a publisher that sends all encodings, since mediasoup does not signal consumption to publishers.
  package func publisher() -> any Publisher { StatedPublisher.sending }
  package func client(_ setup: ClientSetup) -> any Client { MediasoupClient(setup, parameters) }
}
