import Allocation
package import Ladder
package import Systems

/// LiveKit's server and livekit-client.
package struct LiveKit: System {
  package typealias Parameters = LiveKitParameters

  package static let description = SystemDescription(
    name: "livekit",
    summary:
      "layer by layer once congested, everything before; quality by tile size and visibility or by settings of "
      + "tracks; probes; dynacast",
    source:
      "LiveKit server 1.13.5 (streamallocator, forwarder.go, bwe, mediatrackreceiver.go, dynacast) and livekit-client 2",
    estimator: OwnEstimator(
      "remb", options: ["livekit-send"],
      source: "LiveKit server 1.13.5, config.go: use_send_side_bwe is off by default and selects livekit-send"
    ),
    ladders: [.livekit, .livekitScreen], signals: TrackSignals.declarations,
    events: [
      EventDeclaration(
        "congestion", "the server's detector says something else of the downlink",
        detail: "none, earlyWarning or congested"),
      EventDeclaration(
        "capacity", "the server commits a capacity, which limits the budget from then on",
        detail: "the capacity, and what is being sent"),
      EventDeclaration(
        "probe", "the server begins a probe, or knows its outcome",
        detail: "begins with rate and length; notCongesting, inconclusive or congesting"),
      EventDeclaration(
        "allocator", "the server's allocator changes its state", detail: "stable or deficient"),
    ], rules: rules,
    reliefs: [
      SystemRelief("allow-pause: true", effect: .pauses, of: \LiveKit.parameters) {
        $0.server.allowsPause = true
      }
    ],
    scalableSending: scalableSending)

  private let parameters: LiveKitParameters

  package init(_ parameters: LiveKitParameters) { self.parameters = parameters }

  package var decider: Decider {
    let rule = LiveKitRule(parameters.server)
    return Decider(
      LiveKitPolicy(),
      .servers(rule) { [parameters] now in LiveKitServer(parameters.server, tracks: parameters, at: now) })
  }

  package var traits: SystemTraits {
    var traits = SystemTraits(ignoring: [.pins])
    // The server uses its own estimate, and only while it considers the path congested.
    traits.followsReceiveCap = false
    traits.forwarding = parameters.forwarding.rules
    traits.negotiation = parameters.negotiation.rules
    traits.keepsMissingPackets = true
    return traits
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera: .livekit(capture: capture)
    case .screen: .livekitScreen(capture: capture)
    }
  }

  /// livekit-client's defaults: cameras in three spatial layers, screen shares in one (`publishUtils.ts`).
  @Sendable private static func scalableSending(
    of kind: SourceKind, codec: VideoCodec, capture: VideoFormat
  ) -> ScalableSending {
    .usual(
      codec, of: kind, maximum: Ladder.livekitMaximum(of: codec, capture: capture, isScreen: kind == .screen))
  }

  /// Creates livekit-client's publisher: with dynacast it sends only the encodings that the server asks for.
  package func publisher() -> any Publisher {
    guard parameters.dynacast else { return StatedPublisher.sending }
    return StatedPublisher(
      pausing: EncodingPauseRule(delay: parameters.dynacastPauseDelay, start: parameters.dynacastStart))
  }
  package func client(_ setup: ClientSetup) -> any Client { LiveKitClient(setup, parameters) }
}
