package import Parameters
package import Quantity
package import Systems

/// Parameters of track negotiation over a client's single peer connection.
package struct LiveKitNegotiationParameters: Parameterized {
  package var joinTime = SimDuration.milliseconds(300)
  package var connectionTime = SimDuration.milliseconds(50)
  package var initialTracks = 3
  package var interval = SimDuration.milliseconds(150)
  package var offerTime = SimDuration.milliseconds(100)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "join-time", \.joinTime, in: .zero ... .seconds(10),
      "from a client's joining until the server answers its first offer: WebSocket, session",
      source: "our model"),
    .duration(
      "connection-time", \.connectionTime, in: .zero ... .seconds(10),
      "from the server's first answer until media flow: connectivity checks and the DTLS handshake",
      source: "our model: the interval of connectivity checks in RFC 8445"),
    .integer(
      "initial-tracks", \.initialTracks, in: 0...100,
      "client: videos that its first offer has room for; others take another offer",
      source: "livekit-client, RTCEngine, initialMediaSectionsVideo"),
    .duration(
      "negotiation-interval", \.interval, in: .zero ... .seconds(10),
      "server: least time between two negotiations that it begins",
      source: "LiveKit 1.13.5, pkg/rtc/transport.go, negotiationFrequency"),
    .duration(
      "offer-time", \.offerTime, in: .zero ... .seconds(10),
      "client: sends the offer that it is asked for after this time",
      source: "livekit-client's debounce of 20 ms, and our model of a browser's time for the descriptions"),
  ]

  package var rules: NegotiationRules {
    var rules = NegotiationRules(
      initialTracks: initialTracks, joinTime: joinTime, connectionTime: connectionTime, interval: interval,
      offerTime: offerTime)
    // A `ParticipantUpdate` with a camera of three layers and a microphone, 440 B of protocol buffers by
    // livekit_models.proto; viewers hear nothing of layers.
    rules.sizes.source = 440 + NegotiationSizes.framing
    return rules
  }
}
