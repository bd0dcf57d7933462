package import Allocation
package import Ladder
package import Parameters
package import Quantity

/// Janus' videoroom.
package struct Janus: System {
  package struct Parameters: Parameterized {
    package var reactionDelay = SimDuration.milliseconds(20)

    package init() {}

    package static let parameters: [ParameterDeclaration<Self>] = [
      .duration(
        "reaction-delay", \.reactionDelay, "delay from a change to the viewer's configure request",
        source: "our model: nothing is published")
    ]
  }

  package static let description = SystemDescription(
    name: "janus", summary: "no allocation: the viewer selects the encoding; publishers send all encodings",
    source: "Janus videoroom (substream)", features: [.requests])

  private let parameters: Parameters

  package init(_ parameters: Parameters) { self.parameters = parameters }

  package var policy: any AllocationPolicy { JanusPolicy() }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: .libwebrtcVP8(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  package func publisher() -> any Publisher { SendingPublisher() }

  package func client(_ setup: ClientSetup) -> any Client {
    ViewClient(setup, reactionDelay: parameters.reactionDelay)
  }
}
