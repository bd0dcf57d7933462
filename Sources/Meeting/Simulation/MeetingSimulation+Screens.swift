import Endpoint
import Layout
import Quantity
import SimulationKernel
import Systems
import Viewing

/// Layouts of viewers' screens, for `layout.csv`.
extension MeetingSimulation {
  /// Time between two looks at a scrolling screen.
  private static let scrollLookPeriod = SimDuration.milliseconds(50)

  /// Examines a viewer's screen and records the changes since the last look.
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

  /// Examines a screen again that was scrolling.
  mutating func followScroll(of viewer: Int, kernel: inout Kernel) {
    recording.screens.endFollowing(viewer)
    lookAtScreen(of: viewer, kernel: &kernel)
  }
}
