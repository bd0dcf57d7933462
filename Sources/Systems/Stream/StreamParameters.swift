package import Parameters
package import Quantity

/// GetStream parameters.
package struct StreamParameters: Parameterized {
  /// Treatment of the track of a tile that is not visible.
  package enum Hidden: String, Hashable, Sendable, CaseIterable {
    /// As the JavaScript SDK.
    case unsubscribe
    /// Stays subscribed at the last size, as in the iOS SDK.
    case keep
  }

  /// The client that is modelled; it sets the defaults of all other parameters.
  package enum Client: String, Hashable, Sendable, CaseIterable {
    /// As in the video renderer guide: the iOS SDK's tiles, with hidden ones unsubscribed, and the JavaScript SDK's
    /// timing.
    case guide
    /// The actual iOS SDK: hidden tiles stay subscribed, and changes are sent without a timer.
    case ios
    /// The JavaScript SDK.
    case javascript
  }

  package var client: Client
  package var hidden: Hidden
  package var visibleShare: Double
  package var immediate: SimDuration
  package var fast: SimDuration
  package var medium: SimDuration
  package var hiddenFrom: Int

  package init() { self.init(client: .guide) }

  /// The defaults of a client (GetStream's SDKs for iOS and JavaScript, 2026).
  package init(client: Client) {
    self.client = client
    let hasTimers = client != .ios
    hidden = client == .ios ? .keep : .unsubscribe
    visibleShare = client == .javascript ? 0.35 : 0.3
    immediate = .milliseconds(hasTimers ? 20 : 10)
    fast = .milliseconds(hasTimers ? 100 : 10)
    medium = .milliseconds(hasTimers ? 600 : 10)
    hiddenFrom = client == .javascript ? .max : 10
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
    .duration(
      "immediate", \.immediate,
      "debounce from a growing tile, a new source or an override to the subscription update; later changes restart it",
      source: "JavaScript: 20 ms; iOS: 10 ms, after which a view reports its size"),
    .duration("fast", \.fast, "the same for a source that stops", source: "JavaScript: 100 ms; iOS: 10 ms"),
    .duration(
      "medium", \.medium, "the same for a tile that shrinks, becomes visible or leaves the screen",
      source: "JavaScript: 600 ms; iOS: 10 ms"),
    .integer(
      "hidden-from", \.hiddenFrom, in: 0...10_000,
      "participants who join when at least this many are known start hidden",
      source: "iOS: 10; JavaScript: never"),
  ]
}
