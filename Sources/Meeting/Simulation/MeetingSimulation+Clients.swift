import Allocation
import Endpoint
import Ladder
import Metrics
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// The exchange between viewers' clients and the meeting: events to the clients, and their actions.
extension MeetingSimulation {
  /// Sends a client's present subscriptions to the SFU when they are due.
  mutating func requestDue(viewer number: Int, kernel: inout Kernel) {
    guard viewers.isViewer[number] else { return }
    viewers.states[number].pendingRequest = nil
    let roster = roster(for: number, at: kernel.now)
    carryOut(viewers.clients[number]?.handle(.requestDue, roster) ?? [], of: number, kernel: &kernel)
    guard let client = viewers.clients[number] else { return }
    let wishes = client.wishes(roster)
    recording.screens.note(wishes, of: number)
    if recording.screens.isDue(number) { lookAtScreen(of: number, roster, kernel: &kernel) }
    let request = SubscriptionRequest(wishes: wishes, demand: client.demand(roster))
    let isNews = viewers.noteRequest(request, by: number)
    guard people.isJoined(number), isNews else { return }
    signalling.send(.subscriptions(request), on: Path.up(number), &links, kernel: &kernel)
  }

  /// Returns the present knowledge of a viewer's client.
  mutating func roster(for viewer: Int, at now: SimTime) -> Roster {
    let announced = viewers.position(of: viewer).map { signalling.announcements.directory(at: $0) }
    var roster = viewers.roster(of: viewer, announced, publishers.sizes, at: now)
    roster.earlierSpeakers = plan.speechOrder
    roster.sendsVideo = streams.cameraOf[viewer].map { publishers.sources[$0].capture.isOn } ?? false
    roster.lossShare = endpoints.lossShare(on: Path.down(viewer), at: now)
    return roster
  }

  mutating func perform(_ call: ClientCall, by number: Int, kernel: inout Kernel) -> ClientResponse {
    let isJoined = people.isJoined(number)
    guard isJoined || call.worksOutsideMeeting else { return ClientResponse(.notInMeeting) }
    let roster = roster(for: number, at: kernel.now)
    guard let response = viewers.clients[number]?.perform(call, roster) else {
      return ClientResponse(.noView)
    }
    if isJoined {
      carryOut(response.actions, of: number, kernel: &kernel)
      lookAtScreen(of: number, roster, kernel: &kernel)
    }
    return response
  }

  /// Notifies clients of the pictures that have begun, changed their size or ended.
  mutating func tellStreamChanges(kernel: inout Kernel) {
    for change in viewers.takeStreamChanges() where !streams.sources[change.source].isScreen {
      notify(
        .streamChanged(
          participant: streams.sources[change.source].participant,
          from: change.from == .max ? nil : publishers.sizes[change.from],
          to: change.to == .max ? nil : publishers.sizes[change.to]),
        change.viewer, kernel: &kernel)
    }
  }

  /// Notifies a client of an event.
  mutating func notify(_ event: ClientEvent, _ viewer: Int, kernel: inout Kernel) {
    guard let actions = viewers.clients[viewer]?.notice(event) else { return }
    carryOut(actions, of: viewer, kernel: &kernel)
  }

  /// Wakes a client at the time it has asked for.
  mutating func wakeClient(of number: Int, kernel: inout Kernel) {
    let roster = roster(for: number, at: kernel.now)
    guard let actions = viewers.clients[number]?.wakeUp(roster) else { return }
    carryOut(actions, of: number, kernel: &kernel)
    if recording.screens.isDue(number) { lookAtScreen(of: number, roster, kernel: &kernel) }
  }

  mutating func carryOut(_ actions: [ClientAction], of number: Int, kernel: inout Kernel) {
    for action in actions {
      switch action {
      case .request(let delay): viewers.scheduleRequest(number, after: delay, kernel: &kernel)
      case .debounce(let delay): viewers.debounceRequest(number, by: delay, kernel: &kernel)
      case .postpone(let delay):
        guard viewers.isRequestPending(number) else { continue }
        viewers.debounceRequest(number, by: delay, kernel: &kernel)
      case .wake(let delay):
        let connection = links.connection(of: number)
        kernel.schedule(
          after: delay, tag: MeetingEvent(.wakeClient, of: number, connection: connection).tag)
      case .tell(let source, let settings):
        signalling.send(.settings(source: source, settings), on: Path.up(number), &links, kernel: &kernel)
      case .record(let event, let detail, let result):
        recording.record(
          EventRow(participant: number, event: event, detail: detail, result: result), at: kernel.now)
      case .resize(let source, let tile):
        recording.screens.markDue(number)
        viewers.setTile(tile, of: source, number)
      }
    }
  }

  /// Passes an input to a client.
  mutating func pass(_ input: ClientInput, to number: Int, kernel: inout Kernel) {
    let roster = roster(for: number, at: kernel.now)
    guard let actions = viewers.clients[number]?.handle(input, roster) else { return }
    carryOut(actions, of: number, kernel: &kernel)
  }

  /// Requests the low stream of sources of which a viewer's device takes no layer, if that stream is not sent yet.
  mutating func askForSmallerStreams(
    _ grants: [Grant], _ wishes: [Wish], by viewer: Int, kernel: inout Kernel
  ) {
    guard plan.participants[viewer].capabilities.decode?.pixelsPerSecond != nil else { return }
    var refused: [Wish] = []
    for (wish, grant) in zip(wishes, grants) where grant.layer == nil && grant.limitation == .device {
      refused.append(wish)
      refused[refused.count - 1].wantsLowStream = true
    }
    askForLowStreams(refused, by: viewer, kernel: &kernel)
  }

  /// Signals viewers' requests for low streams to their publishers. A viewer who sends something is a host, all others
  /// are audience; requests of a window or a gate count as a host's, since they precede any rule for the audience [our
  /// model].
  mutating func askForLowStreams(_ wishes: [Wish], by viewer: Int, kernel: inout Kernel) {
    let isHost = plan.participants[viewer].publishesVideo || plan.participants[viewer].publishesAudio
    for wish in wishes where wish.wantsLowStream && !sfu.directory.sources[wish.source].sendsLow {
      let path = Path.down(streams.sources[wish.source].participant)
      let counts = isHost || wish.window != nil || wish.gate != nil
      signalling.send(.lowStream(source: wish.source, isHost: counts), on: path, &links, kernel: &kernel)
    }
  }
}
