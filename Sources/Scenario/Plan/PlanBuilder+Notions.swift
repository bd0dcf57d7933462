import Ladder
import Layout
import Plan
import Systems
import YAML

/// Elements of the neutral view that the meeting's system ignores.
extension PlanBuilder {
  /// Pins stated in a view or in an action of the timeline.
  struct StatedPins {
    var node: Node
    var viewers: Range<Int>
    /// Indices of the pinned participants.
    var pinned: [Int]
  }

  /// Warns of a stage and of pages without effect, and notes pins and containers for checks once all participants are
  /// known.
  func noteNotions(of view: ViewPlan, pinning pinned: [Int], _ fields: Fields, _ viewers: Range<Int>) {
    if let node = fields.take("pin"), !pinned.isEmpty {
      statedPins.append(StatedPins(node: node, viewers: viewers, pinned: pinned))
    }
    if case .signals = view.arrangement, !view.showsShares, let node = fields.take("share") {
      reading.warn(node, "share: has no effect beside 'signals', which say what is asked for")
    }
    guard !faults.system else { return }
    if let stage = view.stage, isLikeAnyTile(stage, in: view), let node = fields.take("stage") {
      reading.warn(
        node,
        "stage: policy '\(system.name)' has no stage: '\(stage.participant)' is asked for like any tile")
    }
    if view.tilesPerPage != nil, system.traits.ignoredNotions.contains(.pages),
      let node = fields.take("per-page")
    {
      reading.warn(
        node,
        "per-page: policy '\(system.name)' has no pages: tiles of other pages are asked for all the same")
    }
    if case .container = view.arrangement, let node = fields.take("container") {
      statedContainers.append((node, viewers))
    }
  }

  /// Warns of containers whose tiles are requested although they are initially off the screen.
  func checkContainers() {
    guard !faults.system, system.traits.ignoredNotions.contains(.scrolling) else { return }
    // Viewers that share a view are alike.
    for (node, viewers) in statedContainers where viewers.first.map(hasTilesOffScreen) ?? false {
      reading.warn(
        node,
        "container: policy '\(system.name)' takes no notice of scrolling: tiles off the screen are asked for all the same"
      )
    }
  }

  private func hasTilesOffScreen(_ viewer: Int) -> Bool {
    guard let view = participants[viewer].view, case .container(let container) = view.arrangement else {
      return false
    }
    let others = participants.indices.filter { $0 != viewer && participants[$0].camera != nil }
    let members = (container.hasOwnTile ? [viewer] : []) + others
    let sizes = members.map { member in
      view.ownSizes.first { $0.participant == participants[member].id }?.size ?? container.tile
    }
    let tiles = container.tiles(sizes.map { (Double($0.width), Double($0.height)) })
    return zip(members, tiles).contains { member, tile in
      member != viewer && (tile.x >= view.screen.width || tile.y >= view.screen.height)
    }
  }

  /// Checks whether a viewer's hidden tiles are still requested; `false` for a view that could not be read.
  func ignoresHiding(_ viewer: Int) -> Bool {
    guard !faults.system, !faults.views.contains(viewer) else { return false }
    if let view = participants[viewer].view, view.followsScreen, case .grid = view.arrangement {
      return system.traits.ignoredNotions.contains(.hidingInGrids)
    }
    return system.traits.ignoredNotions.contains(.hiding)
  }

  /// Checks whether a stage makes no difference.
  ///
  /// Where pins count, a pin may take its place; a viewer that prefers a resolution may prefer that of the tile.
  private func isLikeAnyTile(_ stage: ViewPlan.TileSize, in view: ViewPlan) -> Bool {
    system.traits.ignoredNotions.contains(.stage) && view.preferences.isEmpty
      && (system.traits.ignoredNotions.contains(.pins) || !view.pins.contains(stage.participant))
  }

  /// Warns of pins without effect, once for each view and once for the actions of each viewer. A participant on the
  /// stage needs no pin.
  func checkPins() {
    var told: Set<Int> = []
    for stated in statedPins {
      guard let viewer = stated.viewers.first(where: { !told.contains($0) && ignoresPins($0) }),
        let view = participants[viewer].view
      else { continue }
      let ids = stated.pinned.map { participants[$0].id }.filter { $0 != view.stage?.participant }
      guard !ids.isEmpty else { continue }
      told.formUnion(stated.viewers)
      if case .signals = view.arrangement {
        reading.warn(stated.node, "pin: has no effect beside 'signals', which say what is asked for")
        continue
      }
      let pins = has(.layouts) ? "has pins in built-in layouts only" : "has no pins"
      let names = ids.map { "'\($0)'" }.enumeration
      reading.warn(
        stated.node,
        "pin: policy '\(system.name)' \(pins): \(names) \(ids.count == 1 ? "is" : "are") asked for like any tile"
      )
    }
  }

  /// Checks whether a viewer's pins never count; they do in a built-in layout, to which an app without custom layouts
  /// falls back.
  private func ignoresPins(_ viewer: Int) -> Bool {
    guard !faults.system, let view = participants[viewer].view else { return false }
    switch view.arrangement {
    case .signals: return true
    case .layout: return false
    case .request, .grid, .tiles, .everybody, .container: break
    }
    guard system.traits.ignoredNotions.contains(.pins), participants[viewer].capabilities.customLayout else {
      return false
    }
    return !timeline.contains { entry in
      guard entry.participant == viewer, case .client(.layout(.some)) = entry.action else { return false }
      return true
    }
  }
}
