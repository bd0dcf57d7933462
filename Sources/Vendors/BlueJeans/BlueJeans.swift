import Allocation
package import Ladder
import Quantity
package import Systems

/// BlueJeans' client SDKs and server.
package struct BlueJeans: System {
  package typealias Parameters = BlueJeansParameters

  package static let description = SystemDescription(
    name: "bluejeans",
    summary:
      "priority-ordered stream requests, best-effort adaptation in both directions, 25 streams, slots for recent "
      + "speakers; built-in layouts with stable seating",
    source: "BlueJeans iOS, Android and web SDK documents and bundle; the server's shares are our model",
    ladders: [.bluejeans, .bluejeansThumbnails, .bluejeansClassic], layouts: BuiltInLayout.bluejeans,
    qualities: qualities,
    calls: [
      .request, .call("layout", detail: "the layout", .notAllowed),
      .call("receive-720p", detail: "on or off", .unchanged),
    ],
    events: [
      EventDeclaration(
        "video-streams", "a received stream begins, changes its size or ends",
        detail: "participant, size before and size after; absent for none"),
      EventDeclaration("main-stage", "a built-in layout has another main stage", detail: "who is on it"),
    ], rules: rules)

  private let parameters: BlueJeansParameters

  package init(_ parameters: BlueJeansParameters) { self.parameters = parameters }

  package var decider: Decider { Decider(BlueJeansPolicy(parameters: parameters)) }

  package var traits: SystemTraits {
    // Requested streams arrive whether or not they are on screen.
    var traits = SystemTraits(ignoring: [.pins, .pages, .scrolling, .hiding])
    traits.receiveCap = parameters.receiveCap
    traits.limitRule = "StreamLimit"
    traits.sendCap = parameters.sendCap
    // "Otherwise, the videos will be limited to 360p" (iOS custom layouts, `set720pVideoReceiveEnabled`).
    traits.receives720p = false
    if parameters.rampTime > .zero {
      traits.forwarding.rampUp = .init(time: parameters.rampTime, lines: Resolution.p180.lines)
    }
    traits.customSource = parameters.customSource
    // A stream without any layer is removed from the client's list.
    traits.keepsStarvedStreams = false
    return traits
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera: NamedLadder.bluejeans.of(capture)
    case .screen: .bluejeansContent(capture: capture)
    }
  }

  /// Creates the sender of a source: the server pauses encodings that nobody needs, except the lowest (web SDK,
  /// `stream_pause_states`, which names the encodings of simulcast; a source's only one has no name).
  ///
  /// Our model: the lowest continues even without viewers of the source. Alongside higher encodings that are watched,
  /// it would take bandwidth from them on a narrow uplink.
  package func publisher() -> any Publisher {
    var publisher = StatedPublisher()
    publisher.traits.keptUnwatched = .lowestOfSeveral
    return publisher
  }
  package func client(_ setup: ClientSetup) -> any Client { BlueJeansClient(setup, parameters) }
}
