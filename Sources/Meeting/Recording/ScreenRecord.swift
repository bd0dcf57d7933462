import Ladder
import Layout
import Metrics
import Quantity

/// All viewers' screens, as recorded in `layout.csv`.
struct ScreenRecord {
  private struct Screen {
    /// Layout recorded last; viewers with identical screens share its storage.
    var layout: ScreenLayout?
    /// Time until which each tile was visible under earlier layouts, by source.
    var seenUntil: [Int: SimTime] = [:]
    /// Time at which each tile last became visible, by source.
    var seenSince: [Int: SimTime] = [:]
  }

  /// Screens by participant.
  private var screens: [Screen]
  /// Layout recorded last for any viewer, for sharing its storage.
  private var latest: ScreenLayout?

  init(participants: Int) { screens = Array(repeating: Screen(), count: participants) }

  /// Checks whether any part of a source's tile is visible to a viewer, as of the last look at its screen.
  func shows(_ source: Int, to viewer: Int) -> Bool {
    screens[viewer].layout?.tiles.contains { $0.source == source && $0.visibleTenThousandths > 0 } ?? false
  }

  /// Returns the sources with a visible tile, as of the last look at a viewer's screen.
  func shown(to viewer: Int) -> [Int] {
    (screens[viewer].layout?.tiles ?? []).filter { $0.visibleTenThousandths > 0 }.map(\.source)
  }

  /// Checks whether any part of a source's tile is visible to a viewer, or was at some time after the given one.
  func shows(_ source: Int, to viewer: Int, after time: SimTime) -> Bool {
    shows(source, to: viewer) || screens[viewer].seenUntil[source].map { $0 > time } ?? false
  }

  /// Returns the time at which a source's tile last became visible to a viewer; `nil` if it never has.
  func lastShown(_ source: Int, to viewer: Int) -> SimTime? { screens[viewer].seenSince[source] }

  /// Returns the size of a source's tile on a viewer's screen [px]; `nil` if it has none.
  func size(of source: Int, to viewer: Int) -> Resolution? {
    screens[viewer].layout?.tiles.first { $0.source == source }
      .map { Resolution(width: $0.frame.width, height: $0.frame.height) }
  }

  // MARK: Changes

  /// Records the layout of a screen from now on.
  ///
  /// - Returns: rows for the changes: the screen, then tiles in the order of the sources.
  mutating func changes(to layout: ScreenLayout, of viewer: Int, at now: SimTime) -> [LayoutRow] {
    let before = screens[viewer].layout
    guard layout != before else { return [] }
    for tile in before?.tiles ?? [] where tile.visibleTenThousandths > 0 {
      screens[viewer].seenUntil[tile.source] = now
    }
    for tile in layout.tiles where tile.visibleTenThousandths > 0 && !shows(tile.source, to: viewer) {
      screens[viewer].seenSince[tile.source] = now
    }
    if layout != latest { latest = layout }
    screens[viewer].layout = latest
    var rows: [LayoutRow] = []
    if layout.screen != before?.screen {
      rows.append(
        LayoutRow(
          viewer: viewer, source: nil, area: nil, frame: layout.screen.fields, z: nil,
          visibleTenThousandths: nil))
    }
    var old = (before?.tiles ?? [])[...]
    for tile in layout.tiles {
      while let gone = old.first, gone.source < tile.source {
        rows.append(Self.row(ofGone: gone, viewer))
        old.removeFirst()
      }
      let previous = old.first?.source == tile.source ? old.popFirst() : nil
      guard tile != previous else { continue }
      rows.append(
        LayoutRow(
          viewer: viewer, source: tile.source, area: tile.area.rawValue, frame: tile.frame.fields, z: tile.z,
          visibleTenThousandths: tile.visibleTenThousandths))
    }
    return rows + old.map { Self.row(ofGone: $0, viewer) }
  }

  private static func row(ofGone tile: ScreenLayout.Tile, _ viewer: Int) -> LayoutRow {
    LayoutRow(
      viewer: viewer, source: tile.source, area: nil, frame: nil, z: nil, visibleTenThousandths: 0)
  }
}

extension PixelFrame {
  fileprivate var fields: (x: Int, y: Int, width: Int, height: Int) { (x, y, width, height) }
}
