package import Allocation
package import Ladder
package import Quantity

/// BlueJeans' client SDKs and server.
package struct BlueJeans: System {
  package typealias Parameters = BlueJeansParameters

  package static let description = SystemDescription(
    name: "bluejeans",
    summary:
      "priority-ordered stream requests, best-effort adaptation in both directions, 25 streams, slots for recent "
      + "speakers; built-in layouts with stable seating",
    source: "BlueJeans iOS, Android and web SDK documents and bundle; the server's shares are our model",
    ladders: [.bluejeans, .bluejeansThumbnails, .bluejeansClassic], features: [.requests, .layouts],
    qualities: qualities,
    events: [
      EventDeclaration(
        "video-streams", "a received stream begins, changes its size or ends",
        detail: "participant, size before and size after; absent for none"),
      EventDeclaration("main-stage", "a built-in layout has another main stage", detail: "who is on it"),
    ], rules: rules)

  private let parameters: BlueJeansParameters

  package init(_ parameters: BlueJeansParameters) { self.parameters = parameters }

  package var policy: any AllocationPolicy { BlueJeansPolicy(parameters: parameters) }
  package var receiveCap: RateLimit { parameters.receiveCap }
  package var sendCap: RateLimit { parameters.sendCap }
  /// `false`: "Otherwise, the videos will be limited to 360p" (iOS custom layouts, `set720pVideoReceiveEnabled`).
  package var receives720p: Bool { false }
  package var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    if parameters.rampTime > .zero {
      rules.rampUp = .init(time: parameters.rampTime, lines: Resolution.p180.lines)
    }
    return rules
  }
  /// Requested streams arrive whether or not they are on screen.
  package var ignoredNotions: Set<ViewNotion> { [.pins, .pages, .scrolling, .hiding, .hidingInGrids] }
  package var customSource: CustomSourceRules { parameters.customSource }
  /// `false`: a stream without any layer is removed from the client's list.
  package var keepsStarvedStreams: Bool { false }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: NamedLadder.bluejeans.of(capture)
    case .screen: .bluejeansContent(capture: capture)
    }
  }

  package func publisher() -> any Publisher { BlueJeansPublisher() }
  package func client(_ setup: ClientSetup) -> any Client { BlueJeansClient(setup, parameters) }
}
