import Allocation
import Endpoint
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Messages between participants and the SFU, and their handling.
extension MeetingSimulation {
  // MARK: Sending

  /// Signals a participant's presence and voice to the SFU.
  mutating func announcePresence(of number: Int, kernel: inout Kernel) {
    let presence = people.presence(of: number, at: kernel.now)
    if let begins = people.takeSpeechChange(of: number, at: kernel.now) {
      note(number, begins ? "speech-start" : "speech-end", "", "ok", kernel.now)
    }
    viewers.noteOwn(presence, number)
    signalling.send(.presence(number, presence), on: Path.up(number), &links, kernel: &kernel)
  }

  /// Signals a source's state to the SFU, if it has changed.
  mutating func announceSource(_ source: Int, kernel: inout Kernel) {
    guard let announcement = publishers.takeAnnouncement(of: source) else { return }
    let publisher = streams.sources[source].participant
    signalling.send(.source(source, announcement), on: Path.up(publisher), &links, kernel: &kernel)
    if !streams.sources[source].isScreen { notify(.ownCameraChanged, publisher, kernel: &kernel) }
  }

  mutating func announceSources(of number: Int, kernel: inout Kernel) {
    for source in streams.cameraFirst(of: number) { announceSource(source, kernel: &kernel) }
  }

  /// Signals the requested encodings of a source to its publisher, if they have changed.
  mutating func tellDemand(for source: Int, kernel: inout Kernel) {
    let news = sfu.takeDemand(of: source, at: kernel.now)
    if let due = sfu.pauses?.takeDueTime(of: source) {
      kernel.schedule(at: due, tag: MeetingEvent(.encodingPause, source).tag)
    }
    guard let demand = news else { return }
    let path = Path.down(streams.sources[source].participant)
    signalling.send(.demand(source: source, demand), on: path, &links, kernel: &kernel)
  }

  /// Signals a viewer's allocation of a source to it, if it has changed.
  mutating func tellTrack(
    _ source: Int, to viewer: Int, _ grant: Grant?, after previous: Grant?, kernel: inout Kernel
  ) {
    let isGiven = grant?.layer != nil
    guard isGiven != (previous?.layer != nil) || grant?.limitation != previous?.limitation else { return }
    signalling.send(
      .track(source: source, isGiven: isGiven, limitation: grant?.limitation), on: Path.down(viewer), &links,
      kernel: &kernel)
  }

  /// Makes the SFU meter the downlinks whose viewers' clients follow them.
  mutating func watchDownlinks() {
    for viewer in people.indices where viewers.states[viewer].traits.followsDownlink {
      endpoints.watch(Path.down(viewer))
    }
  }

  /// Signals the SFU's report on a downlink to its viewer, if its client follows it.
  mutating func reportDownlink(
    to viewer: Int, budget: BitRate, repairs: BitRate, kernel: inout Kernel
  ) {
    guard viewers.states[viewer].traits.followsDownlink else { return }
    let path = Path.down(viewer)
    let downlink = Downlink(
      budget: budget, repairs: repairs, signs: endpoints.takeSigns(on: path, at: kernel.now))
    signalling.send(.downlink(downlink), on: path, &links, kernel: &kernel)
  }

  /// Announces a change to all participants present except its sender.
  private mutating func tellOthers(_ number: Int, but sender: Int, kernel: inout Kernel) {
    for viewer in people.indices
    where viewer != sender && viewers.isViewer[viewer] && sfu.directory.members[viewer].isJoined {
      signalling.send(.announcement(number), on: Path.down(viewer), &links, kernel: &kernel)
    }
    guard signalling.announcements.isLong else { return }
    signalling.announcements.forget(before: viewers.leastPosition ?? signalling.announcements.end)
  }

  /// Checks whether the SFU announces a participant: one who sends nothing and is no moderator is counted with the next
  /// announcement, since a message to everybody for each of thousands of watchers would outweigh their video [our
  /// model: servers batch or suppress such updates].
  private func isAnnounced(_ number: Int) -> Bool {
    let plan = plan.participants[number]
    return plan.publishesVideo || plan.publishesAudio || plan.isModerator
  }

  // MARK: Receiving

  /// Handles a message that has reached the end of a path.
  mutating func receiveSignal(on path: Int, kernel: inout Kernel) {
    guard let message = signalling.receive(on: path, links) else { return }
    receive(message, on: path, kernel: &kernel)
  }

  /// Handles a packet of signalling that has reached the end of a path.
  mutating func receiveSignals(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    for message in signalling.receive(packet, on: path, &links, kernel: &kernel) {
      receive(message, on: path, kernel: &kernel)
    }
  }

  private mutating func receive(_ message: SignallingMessage, on path: Int, kernel: inout Kernel) {
    let participant = Path.participant(of: path)
    // Whoever has left has no connection on which anything else could arrive.
    guard people.isJoined(participant) || message.outlivesStay else { return }
    if Path.isUp(path) {
      learnAtSFU(message, from: participant, kernel: &kernel)
    } else {
      learn(message, participant, kernel: &kernel)
    }
  }

  private mutating func learnAtSFU(
    _ message: SignallingMessage, from sender: Int, kernel: inout Kernel
  ) {
    switch message {
    case .presence(let number, let presence):
      endEarlierStay(than: presence, of: number, kernel: &kernel)
      let before = sfu.directory.presence(of: number)
      let announcement = signalling.announcements.append(
        .presence(number, presence, before: before, known: sfu.directory.joinedCount))
      sfu.directory.set(presence, of: number)
      sfu.voices.rank(sfu.directory, at: kernel.now)
      if !presence.isJoined { for source in streams.cameraFirst(of: number) { sfu.pauses?.end(source) } }
      if !before.isJoined, presence.isJoined, viewers.isViewer[number] {
        signalling.send(.directory(announcement + 1), on: Path.down(number), &links, kernel: &kernel)
        if let opensAt = sfu.negotiations.open(number, at: kernel.now) {
          sfu.reallocations.schedule(number, for: .negotiation, at: opensAt, kernel: &kernel)
        }
      }
      if isAnnounced(number) { tellOthers(announcement, but: sender, kernel: &kernel) }
    case .source(let number, let source):
      let before = sfu.directory.sources[number]
      let announcement = signalling.announcements.append(
        .source(number, source, wasCapturing: before.isCapturing))
      sfu.directory.set(source, at: number)
      sfu.forwarder.setActive(source.isCapturing, number)
      sfu.forwarder.expect(source.ladder, of: number, at: kernel.now)
      if source.isCapturing {
        sfu.pauses?.begin(number, encodings: streams.sources[number].encodings.count, at: kernel.now)
      }
      tellDemand(for: number, kernel: &kernel)
      if before.ladder != source.ladder { reallocateViewers(of: number, kernel: &kernel) }
      tellOthers(announcement, but: sender, kernel: &kernel)
    case .offer: answer(sender, kernel: &kernel)
    case .candidates: connect(sender, kernel: &kernel)
    case .trackRequest: offerTrack(to: sender, kernel: &kernel)
    case .subscriptions(let request):
      sfu.requests[sender] = request
      allocate(viewer: sender, kernel: &kernel)
    case .settings(let source, let settings): receive(settings, of: source, from: sender, kernel: &kernel)
    case .uplink(let budget): sfu.controller?.uplinks[sender] = budget
    case .announcement, .directory, .demand, .lowStream, .track, .downlink, .offerRequest, .answer: return
    }
  }

  /// Ends a participant's earlier stay when the participant has come back: the message of leaving was lost with that
  /// connection.
  private mutating func endEarlierStay(
    than presence: Directory.Presence, of number: Int, kernel: inout Kernel
  ) {
    var last = sfu.directory.presence(of: number)
    guard last.isJoined, presence.stay != last.stay else { return }
    for source in streams.cameraFirst(of: number) where sfu.directory.sources[source].isCapturing {
      var stopped = sfu.directory.sources[source]
      stopped.isCapturing = false
      stopped.offers = []
      learnAtSFU(.source(source, stopped), from: number, kernel: &kernel)
    }
    last.isJoined = false
    last.isSpeaking = false
    last.isHeard = false
    learnAtSFU(.presence(number, last), from: number, kernel: &kernel)
  }

  private mutating func learn(
    _ message: SignallingMessage, _ participant: Int, kernel: inout Kernel
  ) {
    switch message {
    case .presence, .source, .subscriptions, .uplink, .trackRequest, .offer, .candidates, .settings: return
    case .offerRequest(let tracks): prepareOffer(tracks: tracks, by: participant, kernel: &kernel)
    case .answer(let sources, _): accept(sources, by: participant, kernel: &kernel)
    case .announcement(let number): hear(number, participant, kernel: &kernel)
    case .directory(let position):
      viewers.setPosition(signalling.announcements.position(from: position), of: participant)
      recording.screens.markDue(participant)
      viewers.markDirty(participant, kernel: &kernel)
    case .demand(let source, let demand):
      if publishers.setDemand(demand, of: source) { fitUplink(of: participant, kernel: &kernel) }
    case .lowStream(let source, let isHost):
      publishers.viewerAsksForLow(of: source, isHost: isHost)
      announceSource(source, kernel: &kernel)
    case .track(let source, let isGiven, let limitation):
      // A negotiated track is received whenever its packets arrive, until it is no longer subscribed to.
      if isGiven || limitation == nil || !viewers.negotiated.areUsed {
        viewers.expect(isGiven, source: source, by: participant, at: kernel.now)
      }
      viewers.learn(limitation: limitation, of: source, participant)
      if limitation != nil, !viewers.negotiated.areUsed {
        notify(.trackGiven(source: source), participant, kernel: &kernel)
      }
      tellStreamChanges(kernel: &kernel)
    case .downlink(let downlink): follow(downlink, by: participant, kernel: &kernel)
    }
  }

  /// Handles an announcement that has reached a viewer.
  private mutating func hear(_ number: Int, _ viewer: Int, kernel: inout Kernel) {
    guard let position = viewers.position(of: viewer), position <= number,
      let change = signalling.announcements[number]
    else { return }
    viewers.setPosition(number + 1, of: viewer)
    switch change {
    case .presence(let other, let presence, let before, let known):
      if before.isJoined != presence.isJoined {
        recording.screens.markDue(viewer)
        notify(
          presence.isJoined ? .joined(participant: other, known: known) : .left(participant: other), viewer,
          kernel: &kernel)
        viewers.markDirty(viewer, kernel: &kernel)
      }
      if before.lastSpokeAt != presence.lastSpokeAt { noticeSpeech(viewer, kernel: &kernel) }
    case .source(let source, let state, let wasCapturing):
      let hasStopped = wasCapturing && !state.isCapturing
      if hasStopped { viewers.noteStop(of: source, to: viewer) }
      recording.screens.markDue(viewer)
      viewers.markDirty(viewer, kernel: &kernel)
      if hasStopped { notify(.sourceStopped, viewer, kernel: &kernel) }
    }
  }

  /// Handles the start of another participant's speech.
  private mutating func noticeSpeech(_ viewer: Int, kernel: inout Kernel) {
    guard !viewers.isRequestPending(viewer) else { return }
    let roster = roster(for: viewer, at: kernel.now)
    guard viewers.clients[viewer]?.dependsOnSpeakers(roster) == true else { return }
    viewers.markDirty(viewer, kernel: &kernel)
  }
}
