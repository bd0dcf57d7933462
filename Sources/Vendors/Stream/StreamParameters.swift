package import Parameters
package import Quantity
import Systems

/// GetStream parameters.
package struct StreamParameters: Parameterized {
  /// Treatment of the track of a tile that is not visible.
  package enum Hidden: String, Hashable, Sendable, CaseIterable {
    /// Unsubscribes, as the JavaScript SDK does.
    case unsubscribe
    /// Stays subscribed at the last size, as in the iOS SDK.
    case keep
  }

  /// Client to be modelled, which sets the defaults of all other parameters.
  package enum Client: String, Hashable, Sendable, CaseIterable {
    /// The client of the video renderer guide: a view reports its size in pixels 10 ms after rendering, and hidden
    /// tiles are unsubscribed.
    case guide
    /// The actual iOS SDK: as in the guide, but with sizes in points and hidden tiles that stay subscribed.
    case ios
    /// The JavaScript SDK, which debounces changes.
    case javascript
  }

  /// Unit of the sizes that a client reports.
  package enum Unit: String, Hashable, Sendable, CaseIterable { case pixels, points }

  package var client: Client
  package var hidden: Hidden
  package var visibleShare: Double
  package var immediate: SimDuration
  package var fast: SimDuration
  package var medium: SimDuration
  package var hiddenFrom: Int
  package var reportedUnit: Unit
  package var dropsSmallest = true
  package var peerToPeer = false
  package var returnDelay = SimDuration.seconds(5)

  package init() { self.init(client: .guide) }

  /// Sets the defaults of a client (GetStream's SDKs for iOS and JavaScript, 2026).
  package init(client: Client) {
    self.client = client
    let hasTimers = client == .javascript
    hidden = client == .ios ? .keep : .unsubscribe
    visibleShare = client == .javascript ? 0.35 : 0.3
    immediate = .milliseconds(hasTimers ? 20 : 10)
    fast = .milliseconds(hasTimers ? 100 : 10)
    medium = .milliseconds(hasTimers ? 600 : 10)
    hiddenFrom = client == .javascript ? .max : 10
    reportedUnit = client == .guide ? .pixels : .points
  }

  package static let parameters: [ParameterDeclaration<Self>] = [
    ParameterDeclaration(
      "client", .choice(Client.allCases.map(\.rawValue)),
      "client that is modelled; sets the defaults of the parameters below",
      source: "guide on the video renderer, SDKs for iOS and JavaScript",
      get: { .word($0.client.rawValue) },
      set: { value, owner in
        guard case .word(let word) = value, let client = Client(rawValue: word) else { return }
        owner = StreamParameters(client: client)
      }),
    .choice(
      "hidden", \.hidden, "treatment of the track of a tile that is not visible",
      source: "iOS keeps it, JavaScript unsubscribes"),
    .number(
      "visible-share", \.visibleShare, in: 0...1, "visible share from which a tile counts as visible",
      source: "iOS: 0.30 along each axis; JavaScript: 0.35 of the area"),
    .choice(
      "reported-size", \.reportedUnit, "unit of the tile sizes that the client reports",
      source: "guide: bounds times the screen's scale; SDKs for iOS and JavaScript: points"),
    .duration(
      "immediate", \.immediate,
      "debounce from a growing tile, a new source or an override to the subscription update; later changes restart it",
      source: "guide and iOS: 10 ms, after which a view reports its size; JavaScript: 20 ms"),
    .duration(
      "fast", \.fast, "debounce from a source's stop to the subscription update",
      source: "guide and iOS: 10 ms; JavaScript: 100 ms"),
    .duration(
      "medium", \.medium,
      "debounce from a tile that shrinks, becomes visible or leaves the screen to the subscription update",
      source: "guide and iOS: 10 ms; JavaScript: 600 ms"),
    .integer(
      "hidden-from", \.hiddenFrom, in: 0...10_000,
      "participants who join when at least this many are known start hidden, until their tile is first visible",
      source: "iOS: 10; JavaScript: never"),
    .flag(
      "drop-smallest", \.dropsSmallest,
      "whether a capture with a long side up to 640 px goes without its quarter, and up to 320 px without its half, so "
        + "that 640x480 is sent at 240 and 480 lines; else at 120, 240 and 480",
      source:
        "stream-video-js, layers.ts, withSimulcastConstraints; iOS, capturingLayers; earlier iOS SDKs kept all"
    ),
    .flag(
      "peer-to-peer", \.peerToPeer,
      "whether two participants who are alone send their media to each other, and to the SFU once a third joins",
      source: "our model: nothing is published, the sequence is Jitsi's"),
    .duration(
      "back-to-peer-to-peer-delay", \.returnDelay, in: .zero ... .seconds(600),
      "after others have left, two who are alone connect this much later",
      source: "our model: Jitsi's"),
  ]
}
