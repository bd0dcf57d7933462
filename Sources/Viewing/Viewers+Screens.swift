import Allocation
package import Endpoint
import Ladder
import Layout
import Plan
import Quantity
package import SimulationKernel
import Systems

/// Looks at the viewers' screens.
extension Viewers {
  /// Time between two looks at a scrolling screen.
  private static let scrollLookPeriod = SimDuration.milliseconds(50)

  /// Examines a viewer's screen and records the changes since the last look.
  package mutating func lookAtScreen(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard isViewer[viewer] else { return }
    lookAtScreen(of: viewer, roster(of: viewer, &net, at: kernel.now), kernel: &kernel)
  }

  mutating func lookAtScreen(of viewer: Int, _ roster: Roster, kernel: inout Kernel) {
    guard let layout = clients[viewer]?.screenLayout(roster) else { return }
    states[viewer].isScreenDue = false
    var tiles = layout.tiles[...]
    for source in streams.sources.indices where streams.sources[source].participant != viewer {
      while let tile = tiles.first, tile.source < source { tiles.removeFirst() }
      let isVisible = tiles.first.map { $0.source == source && $0.visibleTenThousandths > 0 } ?? false
      receptions[streams.track(viewer: viewer, source: source)]
        .noteScreen(showsTile: isVisible, at: kernel.now)
    }
    records.append(.screen(layout, viewer: viewer))
    guard layout.isScrolling, !states[viewer].isScreenFollowed else { return }
    states[viewer].isScreenFollowed = true
    kernel.schedule(after: Self.scrollLookPeriod, tag: MeetingEvent(.screenLook, viewer).tag)
  }

  /// Examines a scrolling screen again.
  package mutating func followScroll(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    states[viewer].isScreenFollowed = false
    lookAtScreen(of: viewer, &net, kernel: &kernel)
  }

  /// Notes a viewer's subscriptions, from which a view without its own geometry is drawn; the screen is due for another
  /// look when a digest of their sources, sizes and visibility has changed.
  mutating func noteShown(_ wishes: [Subscription], of viewer: Int) {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for wish in wishes {
      let size = wish.tile.map { $0.width << 24 | $0.height } ?? -1
      for part in [wish.source << 1 | (wish.visibility == .onScreen ? 1 : 0), size] {
        digest = (digest ^ UInt64(bitPattern: Int64(part))) &* 0x100_0000_01b3
        digest ^= digest >> 32
      }
    }
    guard digest != states[viewer].shownDigest else { return }
    states[viewer].shownDigest = digest
    states[viewer].isScreenDue = true
  }
}
