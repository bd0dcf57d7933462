import Parameters
import Systems

/// What a view says in another system's words.
extension PlanBuilder {
  /// Warns of keys that the meeting's system does not have, and says what becomes of them.
  func warnOfForeignKeys(_ view: Fields) {
    let quality = "the qualities count as sizes of tiles; write 'tiles' or 'everybody' for sizes"
    warn(
      "request", of: .requests, "stream requests", view, effect: "priorities have no effect, and \(quality)")
    warn("layout", of: .layouts, "built-in layouts", view, effect: "of this one, \(quality)")
    warn("default-stream", of: .dualStreams, "dual streams", view, effect: "the key has no effect")
    warn("follow-screen", of: .dualStreams, "dual streams", view, effect: "the key has no effect")
  }

  private func warn(_ key: String, of feature: ViewFeature, _ name: String, _ view: Fields, effect: String) {
    let own = type(of: system).description
    guard !own.features.contains(feature), let node = view.take(key) else { return }
    let able = catalogue.systems.entries.filter { $0.description.features.contains(feature) }
    let names = able.map { "'\($0.name)'" }.joined(separator: " and ")
    reading.warn(
      node,
      "\(key): policy '\(own.name)' has no \(name), only \(names) \(able.count == 1 ? "has" : "have"): \(effect)"
    )
  }
}
