import Allocation
import Ladder
import Layout
import Metrics

/// State of every viewer's screen as recorded in `layout.csv`, and the screens that are due for another look.
struct ScreenRecord {
  private struct Screen {
    /// Layout recorded last; viewers with equal screens share the storage.
    var layout: ScreenLayout?
    var isDue = false
    /// Set while a further look is scheduled during a scroll.
    var isFollowed = false
    /// Last subscriptions of the client: a digest of sources, sizes and visibility.
    var wishes: UInt64 = 0
  }

  /// Screens by participant.
  private var screens: [Screen]
  /// Layout recorded last of any viewer, for sharing its storage.
  private var latest: ScreenLayout?

  init(participants: Int) { screens = Array(repeating: Screen(), count: participants) }

  // MARK: Times

  func isDue(_ viewer: Int) -> Bool { screens[viewer].isDue }

  mutating func markDue(_ viewer: Int) { screens[viewer].isDue = true }

  /// Notes a viewer's subscriptions, from which a view without geometry of its own is drawn.
  mutating func note(_ wishes: [Wish], of viewer: Int) {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for wish in wishes {
      let size = wish.tile.map { $0.width << 24 | $0.height } ?? -1
      for part in [wish.source << 1 | (wish.visibility == .onScreen ? 1 : 0), size] {
        digest = (digest ^ UInt64(bitPattern: Int64(part))) &* 0x100_0000_01b3
        digest ^= digest >> 32
      }
    }
    guard digest != screens[viewer].wishes else { return }
    screens[viewer].wishes = digest
    screens[viewer].isDue = true
  }

  /// Notes that a scrolling screen is followed.
  ///
  /// - Returns: `true` if a look has to be scheduled.
  mutating func follow(_ viewer: Int) -> Bool {
    defer { screens[viewer].isFollowed = true }
    return !screens[viewer].isFollowed
  }

  mutating func endFollowing(_ viewer: Int) { screens[viewer].isFollowed = false }

  /// Checks whether a viewer sees any of a source's tile, as of the last look at its screen.
  func shows(_ source: Int, to viewer: Int) -> Bool {
    screens[viewer].layout?.tiles.contains { $0.source == source && $0.visibleTenThousandths > 0 } ?? false
  }

  // MARK: Changes

  /// Records the present layout of a screen.
  ///
  /// - Returns: rows for the changes: the screen, then tiles in the order of the sources.
  mutating func changes(to layout: ScreenLayout, of viewer: Int) -> [LayoutRow] {
    screens[viewer].isDue = false
    let before = screens[viewer].layout
    guard layout != before else { return [] }
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
