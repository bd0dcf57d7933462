import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// The SFU beside a peer-to-peer connection: it sets the connection up and ends it, and meanwhile neither forwards nor
/// decides. Its connections to the two participants stay open.
extension SFU {
  /// Name of the rule by which a viewer gets what it would get on ample links, for `decisions.csv`.
  private static let rule = "peer-to-peer"

  /// Follows who is in the meeting.
  mutating func followPeers(hasLeft: Bool, _ net: inout Connections, kernel: inout Kernel) {
    let (ended, due) = peers.follow(directory, hasLeft: hasLeft, at: kernel.now)
    if let due { schedulePeers(at: due, kernel: &kernel) }
    for number in ended?.members ?? [] where participants[number].isConnected {
      net.send(.peerEnd, on: Path.down(number), kernel: &kernel)
      serve(number, &net, kernel: &kernel)
    }
  }

  private func schedulePeers(at time: SimTime, kernel: inout Kernel) {
    kernel.schedule(at: time, tag: MeetingEvent(.connectionTimer, MeetingEvent.peerConnection).tag)
  }

  /// Handles the event of a peer-to-peer connection.
  ///
  /// - Returns: the two participants who are connected now; `nil` if there are none.
  package mutating func peersDue(_ net: inout Connections, kernel: inout Kernel) -> PeerCall.Pair? {
    guard let (pair, isConnected) = peers.takeStep(at: kernel.now) else { return nil }
    guard !isConnected else { return pair }
    let canConnect = net.links.canConnect(pair.first, pair.second)
    let time =
      canConnect ? net.links.connectionTime(between: pair.first, and: pair.second, at: kernel.now) : nil
    peers.connect(at: time)
    if let time { schedulePeers(at: time, kernel: &kernel) }
    return nil
  }

  /// Stops serving two participants who have connected to each other.
  package mutating func release(_ pair: PeerCall.Pair, _ net: inout Connections, kernel: inout Kernel) {
    for number in pair.members {
      voices.removeListener(number)
      servers.close(number)
      stopForwarding(to: number, &net, kernel: &kernel)
      allocate(viewer: number, &net, kernel: &kernel)
    }
  }

  /// Serves a participant again, as if it had just joined.
  private mutating func serve(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    if net.links.exists(Path.down(number)) { voices.addListener(number) }
    servers.open(number, forwarder.egress.sent[number], at: kernel.now)
    // Its streams are numbered on from those that it has sent to its peer.
    for source in allocator.streams.cameraFirst(of: number) {
      for encoding in allocator.streams.sources[source].encodings { forwarder.restart(encoding) }
    }
    allocate(viewer: number, &net, kernel: &kernel)
  }

  /// Grants a viewer what it would get on ample links: the sender alone limits what its peer receives.
  mutating func grantDirectly(
    _ wishes: [Subscription], to viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let ample = wishes.map(\.withWholeLadder)
    var grants = allocator.policy.allocate(
      budget: .unlimited, cap: allocator.receiveCaps[viewer], wishes: ample,
      within: participants[viewer].decode)
    allocator.budgets[viewer].decided = VideoBudget(estimate: nil)
    grants.complete(ranks: allocator.policy.ranks(of: wishes))
    allocator.note(grants, for: wishes, of: viewer)
    let rules = wishes.map { _ in Self.rule }
    apply(grants, by: rules, to: wishes, viewer: viewer, &net, kernel: &kernel)
    endOthers(than: wishes, of: viewer, &net, kernel: &kernel)
  }
}
