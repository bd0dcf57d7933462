import Allocation
import Ladder
import Media
import Metrics
import Quantity
import SimulationKernel
import Systems

/// Between viewers' clients and the meeting: what they are told, and what is done of what they want.
extension MeetingSimulation {
  /// What a viewer's client knows now.
  func roster(for viewer: Int, at now: SimTime) -> Roster {
    roster(for: viewer, members: members(at: now), sources: rosterSources, at: now)
  }

  /// The same, where several viewers' clients are asked at once.
  func roster(
    for viewer: Int, members: [Roster.Member], sources: [Roster.Source], at now: SimTime
  ) -> Roster {
    Roster(
      now: now, viewer: viewer, members: members, sources: sources,
      receptions: self.sources.indices.map { source in
        let track = trackNumber(viewer: viewer, source: source)
        return Roster.Reception(
          isGiven: tracks[track].target != .none, picture: picture(on: track),
          limitation: grants[track]?.limitation, tile: wishes.tile(track)?.size)
      })
  }

  func members(at now: SimTime) -> [Roster.Member] {
    participants.indices.map { number in
      let participant = participants[number]
      return Roster.Member(
        id: plan.participants[number].id, isModerator: plan.participants[number].isModerator,
        isJoined: participant.isJoined, joinedAt: participant.joinedAt,
        isSpeaking: participant.isSpeaking(at: now), lastSpokeAt: participant.lastSpokeAt,
        camera: cameraOf[number], screen: screenOf[number])
    }
  }

  var rosterSources: [Roster.Source] {
    sources.indices.map { number in
      Roster.Source(
        participant: sources[number].participant, isScreen: sources[number].isScreen,
        isCapturing: sources[number].isCapturing, capture: sources[number].plan.capture,
        ladder: sources[number].ladder, offers: offers(of: number),
        sendsLow: sources[number].publisher.sendsLow)
    }
  }

  /// The layers that viewers may take.
  private func offers(of source: Int) -> [Layer] {
    sources[source].isCapturing ? sources[source].publisher.offers(of: sources[source].offers) : []
  }

  /// The picture that a viewer decodes now.
  private func picture(on track: Int) -> Resolution? {
    guard tracks[track].target != .none, tracks[track].status.isDecodable, tracks[track].format != .max
    else { return nil }
    return formats[Int(tracks[track].format)]
  }

  mutating func perform(_ call: ClientCall, by number: Int, kernel: inout Kernel) -> String {
    let roster = roster(for: number, at: kernel.now)
    guard let response = viewers[number]?.client.perform(call, roster) else { return "noView" }
    carryOut(response.actions, of: number, kernel: &kernel)
    return response.result
  }

  /// Tells clients what happened.
  mutating func notify(_ event: ClientEvent, _ viewer: Int, kernel: inout Kernel) {
    guard let actions = viewers[viewer]?.client.notice(event) else { return }
    carryOut(actions, of: viewer, kernel: &kernel)
  }

  mutating func notifyAll(_ event: ClientEvent, kernel: inout Kernel) {
    for viewer in viewers.indices where isViewer[viewer] { notify(event, viewer, kernel: &kernel) }
  }

  /// The time that a client asked to be woken at has come.
  mutating func wakeClient(of number: Int, kernel: inout Kernel) {
    let roster = roster(for: number, at: kernel.now)
    guard let actions = viewers[number]?.client.wake(roster) else { return }
    carryOut(actions, of: number, kernel: &kernel)
  }

  mutating func carryOut(_ actions: [ClientAction], of number: Int, kernel: inout Kernel) {
    for action in actions {
      switch action {
      case .allocate(let delay): allocate(number, after: delay, kernel: &kernel)
      case .debounce(let delay): debounce(number, by: delay, kernel: &kernel)
      case .postpone(let delay):
        if viewers[number]?.pendingAllocation != nil { debounce(number, by: delay, kernel: &kernel) }
      case .wake(let delay): kernel.schedule(after: delay, tag: MeetingEvent(.wakeClient, number).tag)
      case .record(let event, let detail, let result):
        recorder.record(
          EventRow(participant: number, event: event, detail: detail, result: result), at: kernel.now)
      case .resize(let source, let tile):
        wishes[trackNumber(viewer: number, source: source)]?.tile = tile
      }
    }
  }

  /// Tells a client the budget, where it acts on that by itself.
  mutating func followBudget(of number: Int, budget: BitRate, kernel: inout Kernel) {
    guard viewers[number]?.client.followsBudget == true else { return }
    let roster = roster(for: number, at: kernel.now)
    let wanted = sources.indices.compactMap { wishes[trackNumber(viewer: number, source: $0)] }
    guard let actions = viewers[number]?.client.follow(budget: budget, wishes: wanted, roster) else { return }
    carryOut(actions, of: number, kernel: &kernel)
  }

  // MARK: Publishers

  /// Sets what a source sends by itself.
  mutating func refreshAlwaysSent(of source: Int) {
    sources[source].alwaysSent = sources[source].publisher.alwaysSent(of: sources[source].encodings)
  }

  /// The senders learn who asks for their low streams. Whoever sends something is a host, the rest is audience.
  ///
  /// - Returns: whether a low stream begins, so that there is more to choose from.
  mutating func askForLowStreams(_ wishes: [Wish], by viewer: Int, kernel: inout Kernel) -> Bool {
    let isHost = plan.participants[viewer].publishesVideo || plan.participants[viewer].publishesAudio
    var begins = false
    for wish in wishes where wish.wantsLowStream {
      guard sources[wish.source].publisher.viewerAsksForLow(isHost: isHost) else { continue }
      begins = true
      refreshAlwaysSent(of: wish.source)
      refreshSending(source: wish.source)
    }
    // Others may have asked in vain.
    if begins { markViewersDirty(kernel: &kernel) }
    return begins
  }
}
