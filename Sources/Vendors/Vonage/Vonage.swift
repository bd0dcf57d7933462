package import Allocation
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
    ladders: [.vonage, .vonageSingle], features: [.preferences],
    events: AudioFallback.Event.allCases.map {
      EventDeclaration($0.rawValue, $0.meaning, detail: AudioFallback.Event.detail)
    }, rules: rules)

  private let parameters: VonageParameters
  /// Set if cameras are sent in several encodings.
  private var isScalable: Bool

  package init(_ parameters: VonageParameters) {
    self.parameters = parameters
    isScalable = parameters.scalableVideo != .off
  }

  /// Returns the system with automatic scalable video resolved: it is on with more than two clients.
  package func adapted(toClients count: Int) -> any System {
    var system = self
    if parameters.scalableVideo == .auto { system.isScalable = count > 2 }
    return system
  }

  package var policy: any AllocationPolicy { VonagePolicy() }
  package var traits: SystemTraits {
    // Video continues off screen, and without a preferred resolution the sizes of tiles are not signalled.
    var traits = SystemTraits(ignoring: [.pins, .pages, .scrolling])
    if parameters.preferredResolution == .none { traits.ignoredNotions.insert(.stage) }
    traits.mergesFeedback = true
    return traits
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: isScalable ? .vonage(capture: capture) : .vonageSingle(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  /// Returns the gate as a preferred resolution: at least the lowest encoding's, so that a source of a single encoding
  /// is unaffected [our model].
  static func gate(of lowest: Resolution?) -> Resolution {
    guard let lowest, lowest.lines > Resolution.p360.lines else { return .p360 }
    return lowest
  }

  package func gate(of lowest: Resolution?) -> Resolution { Self.gate(of: lowest) }
  package func publisher() -> any Publisher { VonagePublisher(parameters) }
  package func client(_ setup: ClientSetup) -> any Client { VonageClient(setup, parameters) }
}
