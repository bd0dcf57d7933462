import Layout
import Parameters
import Plan
import Systems
import Vendors
import YAML

/// View options that the meeting's system lacks or ignores.
extension ViewReader {
  /// Warns of keys that the meeting's system does not have, and says what happens instead.
  func warnOfForeignKeys(_ own: Entry<ViewSection>) {
    let quality = "the qualities count as sizes of tiles; write 'tiles' or 'everybody' for sizes"
    warn("request", "stream requests", own.fields, effect: "priorities have no effect, and \(quality)")
    warn("layout", "built-in layouts", own.fields, effect: "of this one, \(quality)")
    warnOfForeignGrid(own)
    for key in ["default-stream", "high-priority", "follow-screen"] {
      warn(key, of: "stream-type", "dual streams", own.fields, effect: "the key has no effect")
    }
  }

  /// Warns of another system's grid, on which the clients of any system can show their tiles.
  private func warnOfForeignGrid(_ own: Entry<ViewSection>) {
    guard !draft.faults.system, let name = own.arrangement.grid,
      let owner = catalogue.systems.entries.first(where: { $0.description.has(name) }),
      !type(of: system).description.has(name)
    else { return }
    reading.warn(
      own.fields["grid"],
      "grid: policy '\(system.name)' has no grid '\(name)', only '\(owner.description.name)' has: its places and sizes "
        + "of tiles count, and '\(system.name)' decides what they request")
  }

  /// Warns of a stage and of pages without effect, and notes pins and containers to be checked once all participants
  /// are known.
  func noteNotions(of view: ViewPlan, pinning pinned: [Int], _ own: Entry<ViewSection>) {
    if let node = own.fields["pin"], !pinned.isEmpty {
      draft.statements.pins.append((node, viewers, pinned))
    }
    if case .signals = view.arrangement, !view.showsShares {
      reading.warn(
        own.fields["share"], "share: has no effect beside 'signals', which say what is asked for")
    }
    guard !draft.faults.system else { return }
    if let stage = view.stage, isLikeAnyTile(stage, in: view) {
      reading.warn(
        own.fields["stage"],
        "stage: policy '\(system.name)' has no stage: '\(stage.participant)' is asked for like any tile")
    }
    if view.tilesPerPage != nil, ignores(.pages, view) {
      reading.warn(
        own.fields["per-page"],
        "per-page: policy '\(system.name)' has no pages: tiles of other pages are asked for all the same")
    }
    if let node = own.fields["container"] { draft.statements.containers.append((node, viewers)) }
  }

  /// Checks whether a stage makes no difference.
  ///
  /// If pins have an effect, a pin may take the stage's place; a viewer with a preferred resolution may prefer that of
  /// the tile.
  private func isLikeAnyTile(_ stage: ViewPlan.TileSize, in view: ViewPlan) -> Bool {
    system.traits.ignoredNotions.contains(.stage) && view.preferences.isEmpty
      && (system.traits.ignoredNotions.contains(.pins) || !view.pins.contains(stage.participant))
  }
}

extension PlanReader {
  /// Checks whether the system's clients ignore a view option. A dual-stream app that does not follow the screen
  /// ignores what is on the screen.
  func ignores(_ notion: ViewNotion, _ view: ViewPlan?) -> Bool {
    if system.traits.ignoredNotions.contains(notion) { return true }
    guard let view, !view.followsScreen, has(call: "stream-type") else { return false }
    return [.pages, .scrolling, .hiding].contains(notion)
  }

  /// Warns of a key whose call, by default the one of its name, the meeting's system does not declare.
  func warn(_ key: String, of call: String? = nil, _ name: String, _ fields: Fields, effect: String) {
    guard !has(call: call ?? key), let node = fields[key] else { return }
    let able = systems(calling: call ?? key)
    let verb = able.count == 1 ? "has" : "have"
    reading.warn(
      node, "\(key): policy '\(system.name)' has no \(name), only \(able.enumeration) \(verb): \(effect)")
  }
}

extension SystemDescription {
  /// Checks whether the system defines a grid.
  fileprivate func has(_ grid: String) -> Bool { grids.contains { $0.name == grid } }
}
