import Endpoint
package import Ladder
import Plan
import Systems

/// A change to a meeting that may bring a source's tile onto a viewer's screen.
package enum SubscriptionChange: Sendable {
  /// Leaves out entries of the timeline, given by index.
  case without(entries: [Int])
  /// Turns on a source's video, given by its index, from the beginning.
  case on(source: Int)
  /// Keeps a page of the view, counted from 1, on the screen.
  case page(Int)
  /// Shows all tiles on one page.
  case onePage
  /// Shows screen shares.
  case shares
  /// Adds a tile of a source, given by its name, to the tiles that the view lists [pt].
  case tile(String, Resolution)
  /// Shows everybody in tiles of one size, instead of the view's own arrangement [pt].
  case everybody(Resolution)

  /// Returns the changed meeting; `nil` if there is nothing to change.
  func applied(to plan: MeetingPlan, viewer: Int) -> MeetingPlan? {
    var changed = plan
    guard var view = plan.participants[viewer].view else { return nil }
    switch self {
    case .without(let entries):
      for entry in entries.sorted(by: >) { changed.timeline.remove(at: entry) }
      return changed
    case .on(let source):
      let stream = StreamNumbering(plan).sources[source]
      let own =
        stream.isScreen
        ? plan.participants[stream.participant].screen : plan.participants[stream.participant].camera
      guard var own, !own.startsOn else { return nil }
      own.startsOn = true
      if stream.isScreen {
        changed.participants[stream.participant].screen = own
      } else {
        changed.participants[stream.participant].camera = own
      }
      return changed
    case .page(let page):
      guard view.tilesPerPage != nil else { return nil }
      view.page = page
      changed.timeline.removeAll { entry in
        if case .client(.page) = entry.action { entry.participant == viewer } else { false }
      }
    case .onePage:
      guard view.tilesPerPage != nil else { return nil }
      view.tilesPerPage = nil
    case .shares:
      guard !view.showsShares else { return nil }
      view.showsShares = true
    case .tile(let name, let size):
      guard case .tiles(var tiles) = view.arrangement, view.tileSize(of: name) == nil else { return nil }
      var tile = ViewPlan.TileSize(participant: String(name.prefix { $0 != "/" }), size: size)
      tile.isScreenShare = name.contains("/")
      tiles.append(tile)
      view.arrangement = .tiles(tiles)
    case .everybody(let size):
      switch view.arrangement {
      case .everybody, .tiles: return nil
      case .request, .layout, .grid, .container, .signals: view.arrangement = .everybody(size)
      }
    }
    changed.participants[viewer].view = view
    return changed
  }
}
