package import Allocation
package import Ladder

/// LiveKit's server and livekit-client.
package struct LiveKit: System {
  package typealias Parameters = LiveKitParameters

  package static let description = SystemDescription(
    name: "livekit",
    summary:
      "quality by tile size and visibility or by settings of tracks, debounced at client and server; dynacast; no "
      + "bandwidth check yet",
    source:
      "LiveKit server 1.13 (mediatrackreceiver.go, subscribedtrack.go, pkg/rtc/dynacast) and livekit-client 2",
    ladders: [.livekit], features: [.trackSignals])

  private let parameters: LiveKitParameters

  package init(_ parameters: LiveKitParameters) { self.parameters = parameters }

  package var policy: any AllocationPolicy { LiveKitPolicy() }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: .livekit(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  package func publisher() -> any Publisher { LiveKitPublisher(parameters) }
  package func client(_ setup: ClientSetup) -> any Client { LiveKitClient(setup, parameters) }
}
