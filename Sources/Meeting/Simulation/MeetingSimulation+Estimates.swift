import Endpoint
import Plan
import Publishing
import Serving
import SimulationKernel

/// The pass over the estimates, and its effects on publisher rates and viewer budgets.
extension MeetingSimulation {
  /// Passes on all estimates.
  mutating func followEstimates(kernel: inout Kernel) {
    parts.sfu.voices.noteSpeakers(parts.sfu.directory, at: kernel.now)
    for number in parts.people.indices where parts.people.isJoined(number) {
      parts.observeCapacities(of: number, at: kernel.now)
      if let camera = parts.streams.cameraOf[number] {
        PushingApp(camera, parts.streams).followRate(&parts, kernel: &kernel)
      }
      parts.publishers.followUplink(of: number, &parts.net, kernel: &kernel)
      parts.sfu.followDownlink(of: number, &parts.net, kernel: &kernel)
      settle(kernel: &kernel)
    }
    if parts.sfu.controller != nil { parts.sfu.followController(&parts.net, kernel: &kernel) }
  }
}
