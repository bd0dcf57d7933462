import Allocation
package import Ladder
package import Systems

/// Agora's video SDK with dual stream.
package struct Agora: System {
  package typealias Parameters = AgoraParameters

  package static let description: SystemDescription = {
    var description = text
    // The high stream is always sent (Agora's document on dual stream): on a weak uplink, its bit rate falls to a share
    // near libwebrtc's minimums before the low stream replaces it [our model].
    description.rates.leastShare = 0.3
    return description
  }()

  private static let text = SystemDescription(
    name: "agora",
    summary:
      "dual stream: high or low per remote user, low stream on once a host requests it; fallback to low, then to "
      + "audio; at most 17 streams",
    source: "Agora's documents on dual stream and fallback; thresholds and times are our model",
    ladders: [.agoraDual], grids: [.agoraSquares],
    calls: [.call("stream-type", detail: "participant, high or low")],
    events: [
      EventDeclaration(
        "fallback", "the client falls back on a weak downlink, or recovers",
        detail: "participant, and asWished, low or audioOnly", results: [.ok, .noLowStream])
    ], rules: rules,
    reliefs: [
      SystemRelief("dual-stream: enable", effect: .smallerStreams, of: \Agora.parameters) {
        $0.dualStream = .enable
      }
    ])

  private let parameters: AgoraParameters

  package init(_ parameters: AgoraParameters) { self.parameters = parameters }

  package var decider: Decider { Decider(AgoraPolicy()) }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera: .agora(capture: capture, profile: parameters.profile)
    case .screen: .single(capture: capture)
    }
  }

  /// Streams are requested by type, not size, and a client does not signal a maximum rate.
  package var traits: SystemTraits {
    var traits = SystemTraits(ignoring: [.stage])
    traits.choosesSenders = true
    traits.followsReceiveCap = false
    traits.limitRule = "AgoraUserLimit"
    return traits
  }
  package func publisher() -> any Publisher { DualStreamSender(parameters.dualStream) }
  package func client(_ setup: ClientSetup) -> any Client { AgoraClient(setup, parameters) }
}
