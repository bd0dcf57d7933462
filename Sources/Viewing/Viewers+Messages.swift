import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// Messages that reach viewers.
extension Viewers {
  /// Handles a message that has reached a viewer.
  package mutating func learn(
    _ message: SignallingMessage, _ participant: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    switch message {
    case .presence, .source, .subscriptions, .uplink, .trackRequest, .offer, .candidates, .settings, .demand,
      .lowStream, .peerEnd:
      return
    case .offerRequest(let tracks, _):
      prepareOffer(tracks: tracks, by: participant, &net, kernel: &kernel)
    case .answer(let sources, _): accept(sources, by: participant, &net, kernel: &kernel)
    case .announcement(let number, _): hear(number, participant, &net, kernel: &kernel)
    case .directory(let position):
      knowledge[participant].position = net.signalling.announcements.position(from: position)
      states[participant].isScreenDue = true
      markDirty(participant, kernel: &kernel)
    case .track(let source, let isGiven, let limitation):
      // A negotiated track is received whenever its packets arrive, until it is no longer subscribed to.
      if isGiven || limitation == nil || negotiated == nil {
        receptions.expect(isGiven, source: source, by: participant, at: kernel.now)
      }
      knowledge[participant].receptions[source].limitation = limitation
      if limitation != nil, negotiated == nil {
        notify(.trackGiven(source: source), participant, &net, kernel: &kernel)
      }
      tellStreamChanges(&net, kernel: &kernel)
    case .downlink(let downlink): pass(.downlink(downlink), to: participant, &net, kernel: &kernel)
    }
  }

  /// Handles an announcement that has reached a viewer.
  private mutating func hear(_ number: Int, _ viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard let position = knowledge[viewer].position, position <= number,
      let change = net.signalling.announcements[number]
    else { return }
    knowledge[viewer].position = number + 1
    switch change {
    case .presence(let other, let presence, let before, let known):
      if before.isJoined != presence.isJoined {
        states[viewer].isScreenDue = true
        notify(
          presence.isJoined ? .joined(participant: other, known: known) : .left(participant: other), viewer,
          &net, kernel: &kernel)
        markDirty(viewer, kernel: &kernel)
      }
      // While others speak, the order of speakers also changes with the end of a speech.
      let hasFallenSilent = before.isSpeaking && !presence.isSpeaking
      let isFollowed =
        hasFallenSilent
        && net.signalling.announcements.directory(at: number + 1).members.contains(where: \.isSpeaking)
      if before.lastSpokeAt != presence.lastSpokeAt || isFollowed, !isRequestPending(viewer) {
        pass(.speech, to: viewer, &net, kernel: &kernel)
      }
    case .source(let source, let state, let wasCapturing):
      let hasStopped = wasCapturing && !state.isCapturing
      if hasStopped { receptions.noteStop(of: source, to: viewer) }
      states[viewer].isScreenDue = true
      markDirty(viewer, kernel: &kernel)
      if hasStopped { notify(.sourceStopped, viewer, &net, kernel: &kernel) }
    }
  }
}
