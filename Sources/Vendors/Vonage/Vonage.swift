import Allocation
package import Ladder
package import Systems

/// Vonage's video SDKs (OpenTok) and media router, in routed sessions.
package struct Vonage: System {
  package typealias Parameters = VonageParameters

  package static let description = SystemDescription(
    name: "vonage",
    summary:
      "preferred resolution and frame rate per subscriber, scalable video, audio fallback of subscribers and "
      + "publishers; video stops in the background unless the subscriber's observer is removed",
    source:
      "Vonage's guides on scalable video, subscribers, audio fallback, background state and picture in picture; the "
      + "router's shares and the fallback's thresholds are our model",
    ladders: [.vonage, .vonageSingle],
    calls: [.call("preferred", detail: "participant or everybody, and what is preferred")],
    events: AudioFallback.Event.allCases.map {
      EventDeclaration($0.rawValue, $0.meaning, detail: AudioFallback.Event.detail)
    }, rules: rules)

  private let parameters: VonageParameters

  package init(_ parameters: VonageParameters) { self.parameters = parameters }

  package var decider: Decider { Decider(VonagePolicy()) }
  package var traits: SystemTraits {
    // Video continues off screen, and without a preferred resolution the sizes of tiles are not signalled.
    var traits = SystemTraits(ignoring: [.pins, .pages, .scrolling])
    if parameters.preferredResolution == .none { traits.ignoredNotions.insert(.stage) }
    traits.mergesFeedback = true
    // The gate is a preferred resolution.
    traits.gate = .lowestEncoding
    return traits
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    // Automatic scalable video is on with more than two clients; our model: those of the scenario.
    let isScalable =
      parameters.scalableVideo == .auto ? clients > 2 : parameters.scalableVideo != .off
    return switch kind {
    case .camera: isScalable ? .vonage(capture: capture) : .vonageSingle(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  package func publisher() -> any Publisher { VonagePublisher(parameters) }
  package func client(_ setup: ClientSetup) -> any Client { VonageClient(setup, parameters) }
}
