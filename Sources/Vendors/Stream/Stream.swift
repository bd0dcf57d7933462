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
    ladders: [.stream, .streamIOS], grids: [.streamGrid, .streamPages],
    calls: [.call("override", detail: "participant or everybody, and the size")],
    events: [PeerToPeerRules.event], rules: rules, scalableSending: scalableSending)

  /// Maximum bit rate of a screen share.
  private static let shareMaximum = BitRate.kilobits(3000)

  private let parameters: StreamParameters

  package init(_ parameters: StreamParameters) { self.parameters = parameters }

  package var decider: Decider { Decider(StreamPolicy()) }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera where parameters.client == .ios:
      .streamIOS(capture: capture, dropsSmallest: parameters.dropsSmallest)
    case .camera: .stream(capture: capture, dropsSmallest: parameters.dropsSmallest)
    case .screen: .single(capture: capture, maximum: Self.shareMaximum)
    }
  }

  /// stream-video-js's defaults: cameras in three spatial layers at the rate of the highest encoding (`layers.ts`,
  /// computeVideoLayers), screen shares in one [our model: the server chooses the number].
  @Sendable private static func scalableSending(
    of kind: SourceKind, codec: VideoCodec, capture: VideoFormat
  ) -> ScalableSending {
    .usual(
      codec, of: kind,
      maximum: kind == .camera ? Ladder.stream(capture: capture).encodings.last?.bitrate : shareMaximum)
  }

  package var traits: SystemTraits {
    var traits = SystemTraits(ignoring: [.pins])
    // The SFU is closed source: it forwards what a viewer decodes [our model].
    traits.forwarding.layerFilter = .init(DecodeTargetFilter.self)
    traits.peerToPeer = parameters.peerToPeer ? PeerToPeerRules(returnDelay: parameters.returnDelay) : nil
    return traits
  }
  package func client(_ setup: ClientSetup) -> any Client { StreamClient(setup, parameters) }
}
