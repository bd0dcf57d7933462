import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// BlueJeans' client: a speaker moves to the main stage once a large picture arrives, and the app is notified of each
/// change in its list of streams (`videoStreams`).
struct BlueJeansClient: Client {
  var screen: ViewState
  private let parameters: BlueJeansParameters
  /// Names by participant.
  private let ids: [String]
  /// The app's current request; `nil` under a built-in layout.
  private var request: [StreamRequest]?
  /// Number of requests that the app has made.
  private var requestNumber = 0
  /// Set while a poll of the main stage is scheduled.
  private var isPollingStage = false

  init(_ setup: ClientSetup, _ parameters: BlueJeansParameters) {
    screen = ViewState(setup, isCustomLayout: true)
    self.parameters = parameters
    ids = setup.ids
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    traits.recentSpeakerWindow = parameters.recentSpeakerWindow
    return traits
  }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    let actions = noticeByDefault(event)
    switch event {
    case .leftMeeting: request = nil
    case .streamChanged(let participant, let old, let new):
      func words(_ picture: Resolution?) -> String { picture?.description ?? "absent" }
      return [
        .record(
          event: "video-streams", detail: "\(ids[participant]) \(words(old)) -> \(words(new))", result: "ok")
      ]
    default: break
    }
    return actions
  }

  // MARK: Subscriptions

  /// Returns the view's subscriptions, none of which gets a higher frame rate than requested. If more than 25 could be
  /// received, returns those of the most recent speakers.
  func viewWishes(_ roster: Roster) -> [Subscription] {
    var wishes = arrangedWishes(roster)
    for place in wishes.indices {
      wishes[place].keepFrameRate()
      if parameters.missing360p == .smaller, wishes[place].lacks360p {
        wishes[place].lower(by: "Missing360p", to: Resolution.p360.lines)
      }
    }
    let limit = StreamRequestCheck.limit
    let receivable = wishes.filter { $0.absence == nil && $0.visibility != .hidden }
    guard receivable.count > limit else { return wishes }
    let received = SpeakerOrder.sorted(
      receivable.map { roster.sources[$0.source].participant }, roster,
      window: parameters.recentSpeakerWindow
    ) { roster.picture(of: $0) != nil }.prefix(limit)
    return wishes.filter { wish in
      wish.absence != nil || wish.visibility == .hidden
        || received.contains(roster.sources[wish.source].participant)
    }
  }

  func demand(_ roster: Roster) -> ViewerDemand {
    var demand = ViewerDemand()
    demand.requestNumber = requestNumber
    if screen.background.current == nil, !screen.muted.cameras {
      demand.beyondLimit = Set(arrangedWishes(roster).map(\.source)).subtracting(
        viewWishes(roster).map(\.source))
    }
    return demand
  }

  private func dependsOnSpeakers(_ roster: Roster) -> Bool {
    switch screen.arrangement {
    case .request, .layout, .signals: break
    case .grid, .tiles, .everybody, .container:
      if roster.othersWithCamera.count > StreamRequestCheck.limit { return true }
    }
    return screen.dependsOnSpeakers(roster)
  }

  // MARK: Main stage

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    switch input {
    case .requestDue: return callForView(roster) + handleByDefault(input, roster) + followRequest(roster)
    case .timer:
      isPollingStage = false
      return updateStage(roster)
    case .speech: return dependsOnSpeakers(roster) ? [.request(after: parameters.reactionDelay)] : []
    case .scrolled, .downlink: return handleByDefault(input, roster)
    }
  }

  /// Calls the SDK with the view's request, which it may refuse like any other. An app whose call fails repeats it as
  /// participants come and go [our model: the web SDK does so with its stored request].
  ///
  /// - Returns: a row for a failure, and for a call that is accepted after a failure.
  private mutating func callForView(_ roster: Roster) -> [ClientAction] {
    let entries = screen.requests.wanted
    guard roster.isJoined, screen.builtIn.layout == nil, let resolved = entries.resolved(roster),
      resolved != screen.requests.taken
    else { return [] }
    let before = screen.requests.refusal
    let failure = screen.refusal(of: entries, roster)
    screen.requests.refusal = failure
    guard failure != before else { return [] }
    let call = ClientCall.request(entries)
    let response = ClientResponse(failure?.result ?? .ok, detail: failure?.detail(of: entries))
    let detail = response.detail(after: call.detail { roster.members[$0].id })
    return [.record(event: call.name, detail: detail, result: response.result)]
  }

  private mutating func followRequest(_ roster: Roster) -> [ClientAction] {
    let current = screen.builtIn.layout == nil ? screen.requests.sent : nil
    let isNewRequest = current != nil && current != request
    if isNewRequest { requestNumber += 1 }
    let before = request ?? []
    request = current
    return (isNewRequest ? absentStreams(since: before, roster) : []) + updateStage(roster)
  }

  /// Records the streams that a new request asks for and that do not exist yet: the first of a stream's updates, in
  /// which the app finds no stream (iOS custom layouts). The app only learns later whom a slot will show, but the table
  /// already names the participant.
  private func absentStreams(since before: [StreamRequest], _ roster: Roster) -> [ClientAction] {
    func asked(_ request: [StreamRequest]) -> [Int] {
      RequestAssignment.participants(
        for: request, roster, slots: screen.requests.slots, recentSpeakers: parameters.recentSpeakerWindow
      ).compactMap { $0 }
    }
    let known = asked(before)
    return asked(request ?? []).filter { !known.contains($0) && roster.picture(of: $0) == nil }.map {
      .record(event: "video-streams", detail: "\(ids[$0]) absent", result: "ok")
    }
  }

  /// Moves the top-ranked participant to the main stage if eligible; otherwise polls again.
  private mutating func updateStage(_ roster: Roster) -> [ClientAction] {
    let seating = screen.builtIn.seating
    guard let layout = seating.layout, layout.hasMainStage else { return [] }
    var actions: [ClientAction] = []
    let wanted = seating.seats.first ?? nil
    let stage = MainStage.next(
      current: seating.stage.flatMap { seating.seats.contains($0) ? $0 : nil },
      wanted: wanted.map {
        MainStage.Candidate(
          participant: $0, picture: roster.picture(of: $0), isPinned: screen.pins.contains($0))
      })
    if stage != seating.stage {
      screen.builtIn.seating.stage = stage
      if let stage {
        actions.append(.record(event: "main-stage", detail: roster.members[stage].id, result: "ok"))
      }
      let request = layout.request(roster, receives720p: screen.receives720p)
      for case let (seat, participant?) in seating.seats.enumerated() {
        guard let source = roster.members[participant].camera else { continue }
        actions.append(.resize(source: source, screen.builtIn.seating.tile(ofSeat: seat, request)))
      }
    }
    if stage != wanted, !isPollingStage {
      isPollingStage = true
      actions.append(.wake(after: parameters.mainStagePoll))
    }
    return actions
  }
}

extension Subscription {
  /// `true` for a request for 360 lines from a source that has at most 180 below 720.
  fileprivate var lacks360p: Bool {
    maximum.resolution.lines == Resolution.p360.lines
      && !ladder.contains {
        let lines = $0.format.resolution.lines
        return lines > Resolution.p180.lines && lines <= Resolution.p360.lines
      }
  }
}
