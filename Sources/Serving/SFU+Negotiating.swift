import Allocation
import Endpoint
import Ladder
import Quantity
import SimulationKernel
import Systems

/// Negotiation of tracks before they are forwarded.
extension SFU {
  /// Takes the next step in negotiating a viewer's requested sources.
  mutating func negotiate(with viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    switch negotiations?.takeStep(viewer, at: kernel.now) {
    case nil, .nothing: break
    case .wait(let until): reallocations.schedule(viewer, for: .negotiation, at: until, kernel: &kernel)
    case .answer(let sources):
      send(negotiations?.answer(sources, to: viewer), to: viewer, &net, kernel: &kernel)
      negotiate(with: viewer, &net, kernel: &kernel)
    case .requestOffer:
      send(negotiations?.offerRequest(to: viewer), to: viewer, &net, kernel: &kernel)
    }
  }

  private func send(
    _ message: SignallingMessage?, to viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) { if let message { net.send(message, on: Path.down(viewer), kernel: &kernel) } }

  /// Answers a viewer's offer that has reached the SFU: the sources it has room for are forwarded from now on.
  mutating func answer(_ viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard let sources = negotiations?.takeOffer(by: viewer), !sources.isEmpty else { return }
    send(negotiations?.answer(sources, to: viewer), to: viewer, &net, kernel: &kernel)
    allocate(viewer: viewer, &net, kernel: &kernel)
  }

  /// Handles a viewer's request for its next track.
  mutating func offerTrack(to viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    negotiations?.ask(by: viewer)
    negotiate(with: viewer, &net, kernel: &kernel)
  }

  /// Handles a viewer's ICE candidates: it is reachable, and will be connected soon.
  mutating func connect(_ viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard let connectedAt = negotiations?.connect(viewer, at: kernel.now) else { return }
    reallocations.schedule(viewer, for: .connection, at: connectedAt, kernel: &kernel)
  }

  /// Handles a viewer's track settings that have reached the SFU.
  mutating func receive(
    _ settings: TrackSettings, of source: Int, from viewer: Int, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    guard let time = servers.receive(settings, of: source, viewer, at: kernel.now) else { return }
    reallocations.schedule(viewer, for: .settings(source: source), at: time, kernel: &kernel)
  }
}
