package import Parameters
package import Quantity

/// GetStream parameters.
package struct StreamParameters: Parameterized {
  /// What happens to the track of a tile that is not visible.
  package enum Hidden: String, Hashable, Sendable, CaseIterable {
    /// The JavaScript SDK's way.
    case unsubscribe
    /// The iOS SDK's way: still subscribed at the last size.
    case keep
  }

  /// Whose client is modelled; it sets all that follows, and each value can be set by itself.
  package enum Client: String, Hashable, Sendable, CaseIterable {
    /// What the guide on the video renderer describes: the iOS SDK's tiles, with hidden ones unsubscribed, and the
    /// JavaScript SDK's timing.
    case guide
    /// The iOS SDK as it is: hidden tiles are kept, and changes are sent without a timer.
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

  /// The values of a client (GetStream's SDKs for iOS and JavaScript, in 2026).
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
      "whose client is modelled; sets the values below unless they are set themselves",
      source: "guide on the video renderer, SDKs for iOS and JavaScript",
      get: { .word($0.client.rawValue) },
      set: { value, owner in
        guard case .word(let word) = value, let client = Client(rawValue: word) else { return }
        owner = StreamParameters(client: client)
      }),
    .choice(
      "hidden", \.hidden, "what becomes of the track of a tile that is not visible",
      source: "iOS keeps it, JavaScript unsubscribes"),
    .number(
      "visible-share", \.visibleShare, in: 0...1, "share of a tile that must be on the screen",
      source: "iOS: 0.30 along each axis; JavaScript: 0.35 of the area"),
    .duration(
      "immediate", \.immediate,
      "from a growing tile, a new source or an override to a new subscription; a later change restarts the time",
      source: "JavaScript: 20 ms; iOS: 10 ms, after which a view reports its size"),
    .duration("fast", \.fast, "the same from a source that stops", source: "JavaScript: 100 ms; iOS: 10 ms"),
    .duration(
      "medium", \.medium, "the same from a tile that shrinks, comes on the screen or leaves it",
      source: "JavaScript: 600 ms; iOS: 10 ms"),
    .integer(
      "hidden-from", \.hiddenFrom, in: 0...10_000, "who joins when so many are known starts hidden",
      source: "iOS: 10; JavaScript: never"),
  ]
}
