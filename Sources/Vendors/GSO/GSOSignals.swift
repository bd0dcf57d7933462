package import Ladder
package import Systems

/// Subscriptions of a GSO-Simulcast client.
package struct GSOSignals: Hashable, Sendable {
  package struct Limit: Hashable, Sendable {
    package var source: SignalledSource
    package var limit: Resolution
  }

  /// Subscriptions in the order of the request.
  package let subscriptions: [Limit]

  package init(_ signals: ViewSignals) {
    subscriptions = (signals.list("subscriptions") ?? []).compactMap { entry in
      guard let source = entry.fields?.source("source"), let limit = entry.fields?.size("up-to") else {
        return nil
      }
      return Limit(source: source, limit: limit)
    }
  }

  package static let declarations = [
    SignalDeclaration(
      "subscriptions",
      .list(
        .fields([
          SignalDeclaration("source", .source, "the source", isRequired: true),
          SignalDeclaration("up-to", .size, "largest size that is sent to the viewer [px]", isRequired: true),
        ])),
      "sources and their largest sizes; a source may be named twice, for a large and a small picture of it",
      isRequired: true)
  ]
}
