import Endpoint
import Plan
import Publishing
import Quantity
import SimulationKernel

/// The controllers' periodic work.
extension MeetingParts {
  /// Performs the controllers' periodic work, every 25 ms as in libwebrtc (`api/transport/goog_cc_factory.cc`).
  mutating func control(kernel: inout Kernel) {
    net.endpoints.scheduleControl(kernel: &kernel)
    for participant in people.indices where people.isJoined(participant) {
      for path in peerPath(of: participant) { net.endpoints.process(path, kernel: &kernel) }
      for path in Path.up(participant)...Path.down(participant) where net.links.exists(path) {
        net.endpoints.process(path, kernel: &kernel)
        if Path.isUp(path) { publishers.followTarget(of: participant, &net, kernel: &kernel) }
      }
    }
  }

  /// Passes the capacities of a participant's paths to the controllers that know them.
  mutating func observeCapacities(of participant: Int, at now: SimTime) {
    for path in [Path.up(participant), Path.down(participant)] + peerPath(of: participant)
    where net.endpoints.observesCapacity(of: path) {
      net.endpoints.observe(path, capacity: net.links.fairCapacity(of: path, at: now), at: now)
    }
  }

  /// Returns the path of a participant's media to a peer; none to the server.
  private func peerPath(of participant: Int) -> [Int] {
    net.endpoints.peers.peer(of: participant) == nil ? [] : [net.endpoints.sendingPath(of: participant)]
  }
}
