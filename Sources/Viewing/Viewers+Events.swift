import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
package import Systems

/// The exchange with viewers' clients: their inputs, and the execution of their actions.
extension Viewers {
  /// Sends a client's current subscriptions to the SFU when they are due.
  package mutating func requestDue(viewer number: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard isViewer[number] else { return }
    states[number].pendingRequest = nil
    let roster = roster(of: number, &net, at: kernel.now)
    carryOut(clients[number]?.handle(.requestDue, roster) ?? [], of: number, &net, kernel: &kernel)
    guard let client = clients[number] else { return }
    let wishes = client.wishes(roster)
    noteShown(wishes, of: number)
    if states[number].isScreenDue { lookAtScreen(of: number, roster, kernel: &kernel) }
    let request = SubscriptionRequest(wishes: wishes, demand: client.demand(roster))
    let isNews = noteRequest(request, by: number)
    guard isJoined(number), isNews else { return }
    net.send(.subscriptions(request), on: Path.up(number), kernel: &kernel)
  }

  /// Returns the current knowledge of a viewer's client.
  mutating func roster(of viewer: Int, _ net: inout Connections, at now: SimTime) -> Roster {
    var announced: Directory?
    if let position = knowledge[viewer].position {
      announced = net.signalling.announcements.directory(at: position)
    }
    var roster = roster(of: viewer, announced, net.sizes, at: now)
    roster.earlierSpeakers = earlierSpeakers
    roster.sendsVideo = states[viewer].sendsVideo
    roster.lossShare = net.endpoints.lossShare(on: Path.down(viewer), at: now)
    return roster
  }

  package mutating func perform(
    _ call: ClientCall, by number: Int, _ net: inout Connections, kernel: inout Kernel
  ) -> ClientResponse {
    let isJoined = isJoined(number)
    guard isJoined || call.worksOutsideMeeting else { return ClientResponse(.notInMeeting) }
    let roster = roster(of: number, &net, at: kernel.now)
    let isUnchanged = clients[number]?.screen.isAsAsked(by: call) ?? false
    guard var response = clients[number]?.perform(call, roster) else { return ClientResponse(.noView) }
    if isUnchanged, response.result == CallResult.ok.name {
      response.result = CallResult.unchanged.name
    }
    if isJoined {
      carryOut(response.actions, of: number, &net, kernel: &kernel)
      lookAtScreen(of: number, roster, kernel: &kernel)
    }
    return response
  }

  /// Notifies clients of pictures that have started, changed size or ended.
  package mutating func tellStreamChanges(_ net: inout Connections, kernel: inout Kernel) {
    for change in receptions.takeStreamChanges() where !streams.sources[change.source].isScreen {
      notify(
        .streamChanged(
          participant: streams.sources[change.source].participant,
          from: change.from == .max ? nil : net.sizes[change.from],
          to: change.to == .max ? nil : net.sizes[change.to]
        ), change.viewer, &net, kernel: &kernel)
    }
  }

  /// Notifies a client of an event.
  package mutating func notify(
    _ event: ClientEvent, _ viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    guard let actions = clients[viewer]?.notice(event) else { return }
    carryOut(actions, of: viewer, &net, kernel: &kernel)
  }

  /// Wakes a client at the time it has asked for.
  package mutating func wakeClient(of number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let roster = roster(of: number, &net, at: kernel.now)
    guard let actions = clients[number]?.wakeUp(roster) else { return }
    carryOut(actions, of: number, &net, kernel: &kernel)
    if states[number].isScreenDue { lookAtScreen(of: number, roster, kernel: &kernel) }
  }

  mutating func carryOut(
    _ actions: [ClientAction], of number: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    for action in actions {
      switch action {
      case .request(let delay): scheduleRequest(number, after: delay, kernel: &kernel)
      case .debounce(let delay): debounceRequest(number, by: delay, kernel: &kernel)
      case .postpone(let delay):
        guard isRequestPending(number) else { continue }
        debounceRequest(number, by: delay, kernel: &kernel)
      case .wake(let delay):
        let connection = net.links.connection(of: number)
        kernel.schedule(after: delay, tag: MeetingEvent(.wakeClient, of: number, connection: connection).tag)
      case .tell(let source, let settings):
        net.send(.settings(source: source, settings), on: Path.up(number), kernel: &kernel)
      case .record(let event, let detail, let result):
        records.append(.event(event, detail: detail, result: result, viewer: number))
      case .resize(let source, let tile):
        states[number].isScreenDue = true
        knowledge[number].receptions[source].tile = tile
      }
    }
  }

  /// Passes an input to a client.
  mutating func pass(_ input: ClientInput, to number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let roster = roster(of: number, &net, at: kernel.now)
    guard let actions = clients[number]?.handle(input, roster) else { return }
    carryOut(actions, of: number, &net, kernel: &kernel)
  }
}
