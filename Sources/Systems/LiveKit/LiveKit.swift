package import Allocation
package import Ladder
package import Quantity

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
    ladders: [.livekit], signals: TrackSignals.declarations, rules: rules)

  private let parameters: LiveKitParameters

  package init(_ parameters: LiveKitParameters) { self.parameters = parameters }

  package var policy: any AllocationPolicy { LiveKitPolicy() }
  package func server(at now: SimTime) -> (any ViewerServer)? { LiveKitServer(parameters.server, at: now) }
  package var rule: (any ServerRule)? { LiveKitRule(parameters.server) }
  package var forwarding: ForwardingRules { parameters.forwarding.rules }
  package var signallingSharesLinks: Bool { true }
  package var connectionTime: SimDuration { parameters.connectionTime }
  package var keepsMissingPackets: Bool { true }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: .livekit(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  package func publisher() -> any Publisher { LiveKitPublisher(parameters) }
  package func client(_ setup: ClientSetup) -> any Client { LiveKitClient(setup, parameters) }
}
