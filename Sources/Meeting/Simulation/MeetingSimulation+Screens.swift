import Layout
import Quantity
import SimulationKernel
import Systems

/// What viewers' screens show, for `layout.csv`.
extension MeetingSimulation {
  /// Between two looks at a screen that scrolls.
  private static let scrollLookPeriod = SimDuration.milliseconds(50)

  /// Looks at a viewer's screen and records what has changed since the last look.
  mutating func lookAtScreen(of viewer: Int, kernel: inout Kernel) {
    guard viewers.isViewer[viewer] else { return }
    lookAtScreen(of: viewer, roster(for: viewer, at: kernel.now), kernel: &kernel)
  }

  mutating func lookAtScreen(of viewer: Int, _ roster: Roster, kernel: inout Kernel) {
    guard let layout = viewers.clients[viewer]?.screenLayout(roster) else { return }
    recording.record(layout, of: viewer, at: kernel.now)
    guard layout.isScrolling, recording.screens.follow(viewer) else { return }
    kernel.schedule(after: Self.scrollLookPeriod, tag: MeetingEvent(.screenLook, viewer).tag)
  }

  /// A screen that was scrolling is looked at again.
  mutating func followScroll(of viewer: Int, kernel: inout Kernel) {
    recording.screens.endFollowing(viewer)
    lookAtScreen(of: viewer, kernel: &kernel)
  }
}
