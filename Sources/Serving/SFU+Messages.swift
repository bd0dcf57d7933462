import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// Messages that reach the SFU, and its announcements to participants.
extension SFU {
  /// Handles a message that has reached the SFU.
  package mutating func learn(
    _ message: SignallingMessage, from sender: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let sizes = negotiations?.sizes ?? .unshared
    switch message {
    case .presence(let number, let presence):
      endEarlierStay(than: presence, of: number, &net, kernel: &kernel)
      let before = directory.presence(of: number)
      let announcement = net.signalling.announcements.append(
        .presence(number, presence, before: before, known: directory.joinedCount))
      directory.set(presence, of: number)
      voices.rank(directory, at: kernel.now)
      for viewer in servers.hear(directory.members, at: kernel.now) {
        followServer(of: viewer, &net, kernel: &kernel)
      }
      if !presence.isJoined {
        for source in allocator.streams.cameraFirst(of: number) { demands.end(source) }
      }
      if !before.isJoined, presence.isJoined, participants[number].isViewer {
        net.send(.directory(announcement + 1), on: Path.down(number), kernel: &kernel)
        if let opensAt = negotiations?.open(number, at: kernel.now) {
          reallocations.schedule(number, for: .negotiation, at: opensAt, kernel: &kernel)
        }
      }
      if participants[number].isAnnounced {
        tellOthers(announcement, bytes: sizes.presence, but: sender, &net, kernel: &kernel)
      }
      followPeers(hasLeft: before.isJoined && !presence.isJoined, &net, kernel: &kernel)
    case .source(let number, let source):
      let before = directory.sources[number]
      let announcement = net.signalling.announcements.append(
        .source(number, source, wasCapturing: before.isCapturing))
      directory.set(source, at: number)
      forwarder.setActive(source.isCapturing, number)
      forwarder.expect(source.ladder, of: number, at: kernel.now)
      if source.isCapturing {
        let count = allocator.streams.sources[number].encodings.count
        demands.begin(number, encodings: count, at: kernel.now)
      }
      tellDemand(for: number, &net, kernel: &kernel)
      if before.ladder != source.ladder { reallocateViewers(of: number, &net, kernel: &kernel) }
      guard let bytes = sizes.change(from: before, to: source) else { return }
      tellOthers(announcement, bytes: bytes, but: sender, &net, kernel: &kernel)
    case .offer: answer(sender, &net, kernel: &kernel)
    case .candidates: connect(sender, &net, kernel: &kernel)
    case .trackRequest: offerTrack(to: sender, &net, kernel: &kernel)
    case .subscriptions(let request):
      participants[sender].request = request
      allocate(viewer: sender, &net, kernel: &kernel)
    case .settings(let source, let settings):
      receive(settings, of: source, from: sender, &net, kernel: &kernel)
    case .uplink(let budget): controller?.uplinks[sender] = budget
    case .announcement, .directory, .demand, .lowStream, .track, .downlink, .offerRequest, .answer, .peerEnd:
      return
    }
  }

  /// Ends a participant's earlier stay when it has come back: its leave message was lost with the old connection.
  private mutating func endEarlierStay(
    than presence: Directory.Presence, of number: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    var last = directory.presence(of: number)
    guard last.isJoined, presence.stay != last.stay else { return }
    for source in allocator.streams.cameraFirst(of: number) where directory.sources[source].isCapturing {
      var stopped = directory.sources[source]
      stopped.isCapturing = false
      stopped.offers = []
      learn(.source(source, stopped), from: number, &net, kernel: &kernel)
    }
    last.isJoined = false
    last.isSpeaking = false
    last.isHeard = false
    learn(.presence(number, last), from: number, &net, kernel: &kernel)
  }

  /// Announces a change to all present participants except its sender.
  private mutating func tellOthers(
    _ number: Int, bytes: Int, but sender: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    for viewer in participants.indices
    where viewer != sender && participants[viewer].isViewer && directory.members[viewer].isJoined {
      net.send(.announcement(number, bytes: bytes), on: Path.down(viewer), kernel: &kernel)
    }
  }
}
