import Endpoint
import Plan
import Publishing
import Serving
import SimulationKernel

/// The controllers' periodic work, and its effects on publisher rates and viewer budgets.
extension MeetingSimulation {
  /// Passes on all estimates.
  mutating func followEstimates(kernel: inout Kernel) {
    parts.sfu.voices.noteSpeakers(parts.sfu.directory, at: kernel.now)
    for number in parts.people.indices where parts.people.isJoined(number) {
      let paths = [Path.up(number), Path.down(number)] + peerPath(of: number)
      for path in paths where parts.net.endpoints.observesCapacity(of: path) {
        parts.net.endpoints.observe(
          path, capacity: parts.net.links.fairCapacity(of: path, at: kernel.now), at: kernel.now)
      }
      if let camera = parts.streams.cameraOf[number] {
        PushingApp(camera, parts.streams).followRate(&parts, kernel: &kernel)
      }
      parts.publishers.followUplink(of: number, &parts.net, kernel: &kernel)
      parts.sfu.followDownlink(of: number, &parts.net, kernel: &kernel)
      settle(kernel: &kernel)
    }
    if parts.sfu.controller != nil { parts.sfu.followController(&parts.net, kernel: &kernel) }
  }

  /// Returns the path of a participant's media to a peer; none to the server.
  private func peerPath(of participant: Int) -> [Int] {
    parts.net.endpoints.peers.peer(of: participant) == nil
      ? [] : [parts.net.endpoints.sendingPath(of: participant)]
  }

  /// Performs the controllers' periodic work, every 25 ms as in libwebrtc (`api/transport/goog_cc_factory.cc`).
  mutating func control(kernel: inout Kernel) {
    parts.net.endpoints.scheduleControl(kernel: &kernel)
    for participant in parts.people.indices where parts.people.isJoined(participant) {
      for path in peerPath(of: participant) { parts.net.endpoints.process(path, kernel: &kernel) }
      for path in Path.up(participant)...Path.down(participant) where parts.net.links.exists(path) {
        parts.net.endpoints.process(path, kernel: &kernel)
        if Path.isUp(path) { parts.publishers.followTarget(of: participant, &parts.net, kernel: &kernel) }
      }
    }
  }
}
