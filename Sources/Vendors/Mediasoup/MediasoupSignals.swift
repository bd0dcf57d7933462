package import Ladder
package import Systems

/// An app's settings for its consumers, in mediasoup-client's terms.
package struct MediasoupSignals: Hashable, Sendable {
  package struct Consumer: Hashable, Sendable {
    package var source: SignalledSource
    /// Highest preferred layer; `nil` for all layers.
    package var preferred: LayerID?
    /// Priority, 1 to 255; `nil` for the server's default.
    package var priority: Int?
    package var isPaused = false
  }

  /// Consumers in the order of the view. A source without an entry is not consumed.
  package let consumers: [Consumer]

  package init(_ signals: ViewSignals) {
    consumers = (signals.bySource("consumers") ?? []).map { entry in
      let fields = entry.value.fields
      var consumer = Consumer(source: entry.source)
      if let layers = fields?["preferred-layers"]?.fields, let spatial = layers.integer("spatial") {
        consumer.preferred = LayerID(encoding: spatial, temporal: layers.integer("temporal") ?? .max)
      }
      consumer.priority = fields?.integer("priority")
      consumer.isPaused = fields?.flag("paused") ?? false
      return consumer
    }
  }

  package static let declarations = [
    SignalDeclaration(
      "consumers",
      .bySource(
        .fields([
          SignalDeclaration(
            "preferred-layers",
            .fields([
              SignalDeclaration(
                "spatial", .integer(0...15), "the highest encoding, 0 is the lowest", isRequired: true),
              SignalDeclaration(
                "temporal", .integer(0...15), "of that encoding the highest layer; by default all"),
            ]), "the highest layers that the consumer gets; by default all"),
          SignalDeclaration("priority", .integer(1...255), "priority, 255 first; by default 1"),
          SignalDeclaration("paused", .flag, "whether the consumer is paused; by default it isn't"),
        ])), "consumers; a source without an entry is not consumed", isRequired: true)
  ]
}
