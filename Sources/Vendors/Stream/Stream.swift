import Allocation
package import Ladder
import Quantity
package import Systems

/// GetStream's video SDKs and SFU.
package struct Stream: System {
  package typealias Parameters = StreamParameters

  package static let description = SystemDescription(
    name: "stream",
    summary:
      "layer by tile size and visibility, or by an override; the size's unit and timing and the treatment of hidden "
      + "tiles depend on the client (guide, ios, javascript)",
    source:
      "GetStream video SDKs for iOS and JavaScript; the layer rule is LiveKit's, the SFU itself is closed",
    ladders: [.stream, .streamIOS], grids: [.streamGrid, .streamPages], features: [.overrides], rules: rules)

  private let parameters: StreamParameters

  package init(_ parameters: StreamParameters) { self.parameters = parameters }

  package var decider: Decider { Decider(StreamPolicy()) }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera where parameters.client == .ios:
      .streamIOS(capture: capture, dropsSmallest: parameters.dropsSmallest)
    case .camera: .stream(capture: capture, dropsSmallest: parameters.dropsSmallest)
    case .screen: .single(capture: capture, maximum: .kilobits(3000))
    }
  }

  package var traits: SystemTraits { SystemTraits(ignoring: [.pins]) }
  package func client(_ setup: ClientSetup) -> any Client { StreamClient(setup, parameters) }
}
