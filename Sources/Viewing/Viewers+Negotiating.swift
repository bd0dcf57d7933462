import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// The viewer's side of track negotiation.
extension Viewers {
  /// Has a viewer prepare the offer that the SFU has asked for.
  mutating func prepareOffer(tracks: Int, by viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard let due = negotiated?.prepareOffer(tracks: tracks, by: viewer, at: kernel.now) else { return }
    scheduleNegotiation(of: viewer, at: due, net, kernel: &kernel)
  }

  private func scheduleNegotiation(
    of viewer: Int, at time: SimTime, _ net: borrowing Connections, kernel: inout Kernel
  ) {
    let connection = net.links.connection(of: viewer)
    kernel.schedule(at: time, tag: MeetingEvent(.negotiation, of: viewer, connection: connection).tag)
  }

  /// Sends a viewer's offer, or starts receiving its first tracks, when due.
  package mutating func negotiationDue(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard isJoined(viewer) else { return }
    if let tracks = negotiated?.takeOffer(by: viewer, at: kernel.now),
      let bytes = negotiated?.rules.sizes.description(tracks: tracks)
    {
      net.send(.offer(bytes: bytes), on: Path.up(viewer), kernel: &kernel)
    }
    noteArrivals(negotiated?.takeConnection(of: viewer, at: kernel.now) ?? [], viewer, &net, kernel: &kernel)
  }

  private mutating func noteArrivals(
    _ sources: [Int], _ viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) { for source in sources { notify(.trackGiven(source: source), viewer, &net, kernel: &kernel) } }

  /// Handles an answer that has reached a viewer: its tracks are received from now on.
  mutating func accept(_ sources: [Int], by viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    if let connectedAt = negotiated?.takeFirst(of: viewer, at: kernel.now) {
      net.send(.candidates, on: Path.up(viewer), kernel: &kernel)
      scheduleNegotiation(of: viewer, at: connectedAt, net, kernel: &kernel)
    }
    for source in sources { receptions.expect(true, source: source, by: viewer, at: kernel.now) }
    if negotiated?.rules.isOneByOne == true { net.send(.trackRequest, on: Path.up(viewer), kernel: &kernel) }
    noteArrivals(negotiated?.accept(sources, by: viewer, at: kernel.now) ?? [], viewer, &net, kernel: &kernel)
  }
}
