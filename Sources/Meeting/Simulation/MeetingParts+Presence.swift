import Endpoint
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Viewing

/// Joining and leaving: the set-up and the end of a participant's own connection, which take no time.
extension MeetingParts {
  mutating func join(_ number: Int, kernel: inout Kernel) {
    let now = kernel.now
    people.join(number, at: now)
    publishers.join(number, at: now)
    net.links.join(number, stay: people.stay(of: number), at: now)
    viewers.join(number, connection: net.links.connection(of: number))
    listeners.join(number)
    net.endpoints.open(number, at: now)
    net.signalling.open(number, at: now)
    sfu.open(number, net, at: now)
    // It has new encoders, and gets the demand signalled again.
    for source in streams.cameraFirst(of: number) { publishers.restart(source, &net.sizes) }
    let up = Path.up(number)
    net.endpoints.observe(up, capacity: net.links.capacity(of: up, at: now), at: now)
    net.endpoints.beginReports(of: number, net.links, kernel: &kernel)
  }

  /// Begins the sources and the voice of a participant whose presence has been announced.
  mutating func beginSending(_ number: Int, kernel: inout Kernel) {
    publishers.refreshSources(of: number, &net, kernel: &kernel)
    guard plan.participants[number].publishesAudio else { return }
    people.scheduleVoice(of: number, after: .zero, kernel: &kernel)
    if plan.speech == .talkSpurts { people.scheduleTalkSpurt(of: number, kernel: &kernel) }
  }

  mutating func leave(_ number: Int, kernel: inout Kernel) {
    people.leave(number, kernel: &kernel)
    publishers.leave(number)
    viewers.leave(number, at: kernel.now)
    net.endpoints.close(number)
    if net.endpoints.peers.peer(of: number) != nil { net.endpoints.disconnect(number, net.links) }
    net.links.leave(number)
    publishers.refreshSources(of: number, &net, kernel: &kernel)
  }

  /// Ends the connection of a participant whose absence has been announced.
  mutating func close(_ number: Int, kernel: inout Kernel) {
    sfu.close(number, &net, kernel: &kernel)
    net.signalling.close(number)
  }
}
