import Layout
import Parameters
import Systems

/// Views and timeline actions in the terms of another system.
extension PlanBuilder {
  /// Warns of keys that the meeting's system does not have, and states their effect.
  func warnOfForeignKeys(_ view: Fields) {
    let quality = "the qualities count as sizes of tiles; write 'tiles' or 'everybody' for sizes"
    warn(
      "request", of: .requests, "stream requests", view, effect: "priorities have no effect, and \(quality)")
    warn("layout", of: .layouts, "built-in layouts", view, effect: "of this one, \(quality)")
    warnOfForeignGrid(view)
    warn("default-stream", of: .dualStreams, "dual streams", view, effect: "the key has no effect")
    warn("follow-screen", of: .dualStreams, "dual streams", view, effect: "the key has no effect")
  }

  /// Warns of timeline actions that the meeting's system does not have, and states their effect.
  func warnOfForeignAction(_ entry: Fields, of participant: Int) {
    let quality = "the qualities count as sizes of tiles"
    warn(
      "request", of: .requests, "stream requests", entry, effect: "priorities have no effect, and \(quality)")
    warn("layout", of: .layouts, "built-in layouts", entry, effect: "of this one, \(quality)")
    let isFutile = gate(of: participant) == nil
    warn(
      "receive-720p", of: .layouts, "720p gate", entry,
      effect: isFutile ? "cameras of one encoding come as they are" : "here it caps pictures all the same")
  }

  /// Warns of another system's grid, on which the clients of any system can show their tiles.
  private func warnOfForeignGrid(_ view: Fields) {
    guard !faults.system, let node = view.take("grid"), let name = view.text(of: node, "grid"),
      let owner = catalogue.systems.entries.first(where: { $0.description.has(name) }),
      !type(of: system).description.has(name)
    else { return }
    reading.warn(
      node,
      "grid: policy '\(system.name)' has no grid '\(name)', only '\(owner.description.name)' has: its places and sizes "
        + "of tiles count, and '\(system.name)' decides what they request")
  }

  private func warn(
    _ key: String, of feature: ViewFeature, _ name: String, _ fields: Fields, effect: String
  ) {
    guard !has(feature), let node = fields.take(key) else { return }
    let able = systems(with: feature)
    let names = able.enumeration
    reading.warn(
      node,
      "\(key): policy '\(system.name)' has no \(name), only \(names) \(able.count == 1 ? "has" : "have"): \(effect)"
    )
  }

  /// Checks whether the clients of the meeting's system have a feature; always `true` for an unknown system.
  func has(_ feature: ViewFeature) -> Bool {
    faults.system || type(of: system).description.features.contains(feature)
  }

  /// Lists the systems whose clients have a feature, in quotes.
  func systems(with feature: ViewFeature) -> [String] {
    catalogue.systems.entries.filter { $0.description.features.contains(feature) }.map { "'\($0.name)'" }
  }
}

extension SystemDescription {
  /// Checks whether the system defines a grid.
  fileprivate func has(_ grid: String) -> Bool { grids.contains { $0.name == grid } }
}

extension [String] {
  /// Elements as in a sentence: `a, b and c`.
  var enumeration: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
