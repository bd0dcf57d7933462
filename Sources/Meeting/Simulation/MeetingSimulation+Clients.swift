import Allocation
import Ladder
import Metrics
import Quantity
import SimulationKernel
import Systems

/// Between viewers' clients and the meeting: what they are told, and what is done of what they want.
extension MeetingSimulation {
  /// What a viewer's client knows now.
  mutating func currentRoster(for viewer: Int, at now: SimTime) -> Roster {
    people.refreshSpeaking(at: now)
    return roster(for: viewer, at: now)
  }

  /// The same, where speakers have been refreshed.
  func roster(for viewer: Int, at now: SimTime) -> Roster {
    Roster(
      now: now, viewer: viewer, members: people.members, sources: publishers.announcements,
      receptions: streams.sources.indices.map { source in
        let track = streams.track(viewer: viewer, source: source)
        return Roster.Reception(
          isGiven: viewers.receptions[track].isExpected,
          picture: viewers.picture(of: track, publishers.sizes),
          limitation: allocator.subscriptions.grants[track]?.limitation,
          tile: allocator.subscriptions.tile(track)?.size)
      })
  }

  mutating func perform(_ call: ClientCall, by number: Int, kernel: inout Kernel) -> String {
    let roster = currentRoster(for: number, at: kernel.now)
    guard let response = viewers.clients[number]?.client.perform(call, roster) else { return "noView" }
    carryOut(response.actions, of: number, kernel: &kernel)
    return response.result
  }

  /// Tells a client what happened.
  mutating func notify(_ event: ClientEvent, _ viewer: Int, kernel: inout Kernel) {
    guard let actions = viewers.clients[viewer]?.client.notice(event) else { return }
    carryOut(actions, of: viewer, kernel: &kernel)
  }

  mutating func notifyAll(_ event: ClientEvent, kernel: inout Kernel) {
    for viewer in viewers.clients.indices where viewers.isViewer[viewer] {
      notify(event, viewer, kernel: &kernel)
    }
  }

  /// The time that a client asked to be woken at has come.
  mutating func wakeClient(of number: Int, kernel: inout Kernel) {
    let roster = currentRoster(for: number, at: kernel.now)
    guard let actions = viewers.clients[number]?.client.wake(roster) else { return }
    carryOut(actions, of: number, kernel: &kernel)
  }

  mutating func carryOut(_ actions: [ClientAction], of number: Int, kernel: inout Kernel) {
    for action in actions {
      switch action {
      case .allocate(let delay): viewers.scheduleAllocation(number, after: delay, kernel: &kernel)
      case .debounce(let delay): viewers.debounceAllocation(number, by: delay, kernel: &kernel)
      case .postpone(let delay):
        guard viewers.isAllocationPending(number) else { continue }
        viewers.debounceAllocation(number, by: delay, kernel: &kernel)
      case .wake(let delay): kernel.schedule(after: delay, tag: MeetingEvent(.wakeClient, number).tag)
      case .record(let event, let detail, let result):
        recording.record(
          EventRow(participant: number, event: event, detail: detail, result: result), at: kernel.now)
      case .resize(let source, let tile):
        allocator.subscriptions.resize(streams.track(viewer: number, source: source), to: tile)
      }
    }
  }

  /// Tells a client the budget, where it acts on that by itself.
  mutating func followBudget(of number: Int, budget: BitRate, kernel: inout Kernel) {
    guard viewers.clients[number]?.client.followsBudget == true else { return }
    let roster = currentRoster(for: number, at: kernel.now)
    let wishes = allocator.subscriptions(of: number)
    guard let actions = viewers.clients[number]?.client.follow(budget: budget, wishes: wishes, roster)
    else { return }
    carryOut(actions, of: number, kernel: &kernel)
  }

  /// Tells publishers who asks for their low streams. Whoever sends something is a host, the rest is audience.
  ///
  /// - Returns: whether a low stream begins, so that there is more to choose from.
  mutating func askForLowStreams(_ wishes: [Wish], by viewer: Int, kernel: inout Kernel) -> Bool {
    let isHost = plan.participants[viewer].publishesVideo || plan.participants[viewer].publishesAudio
    var begins = false
    for wish in wishes where wish.wantsLowStream {
      guard publishers.viewerAsksForLow(of: wish.source, isHost: isHost) else { continue }
      begins = true
      forwarder.setAlwaysWanted(publishers.alwaysWanted(of: wish.source), of: wish.source)
    }
    // Others may have asked in vain.
    if begins { viewers.markAllDirty(kernel: &kernel) }
    return begins
  }
}
