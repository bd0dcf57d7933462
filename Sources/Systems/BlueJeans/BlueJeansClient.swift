import Allocation
import Ladder
import Quantity

/// BlueJeans' client: a speaker moves to the main stage once a large picture arrives, and new streams start small.
struct BlueJeansClient: Client {
  var screen: ViewState
  private let parameters: BlueJeansParameters
  /// End of each source's ramp-up.
  private var rampsUntil: [SimTime?]

  init(_ setup: ClientSetup, _ parameters: BlueJeansParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
    rampsUntil = Array(repeating: nil, count: setup.sourceCount)
  }

  var reactionDelay: SimDuration { parameters.reactionDelay }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    noticeByDefault(event)
    if event == .leftMeeting { rampsUntil = rampsUntil.map { _ in nil } }
    return []
  }

  func viewWishes(_ roster: Roster) -> [Wish] {
    arrangedWishes(roster, recentSpeakers: parameters.recentSpeakerWindow)
  }

  // MARK: Main stage

  mutating func arrange(_ roster: Roster) -> [ClientAction] {
    reseat(roster, recentSpeakers: parameters.recentSpeakerWindow)
    return updateStage(roster)
  }

  mutating func wake(_ roster: Roster) -> [ClientAction] {
    screen.seating.isPollingStage = false
    return updateStage(roster)
  }

  /// Moves the top-ranked participant to the main stage if eligible, else polls again.
  private mutating func updateStage(_ roster: Roster) -> [ClientAction] {
    let seating = screen.seating
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
      screen.seating.stage = stage
      if let stage {
        actions.append(.record(event: "main-stage", detail: roster.members[stage].id, result: "ok"))
      }
      let request = layout.request(roster, receives720p: screen.receives720p)
      for case let (seat, participant?) in seating.seats.enumerated() {
        guard let source = roster.members[participant].camera else { continue }
        actions.append(.resize(source: source, screen.seating.tile(ofSeat: seat, request)))
      }
    }
    if stage != wanted, !seating.isPollingStage {
      screen.seating.isPollingStage = true
      actions.append(.wake(after: parameters.mainStagePoll))
    }
    return actions
  }

  // MARK: Ramp-up

  /// A new stream is limited to 180p at first.
  mutating func hold(_ grant: inout Grant, of wish: Wish, at now: SimTime) -> SimTime? {
    guard parameters.rampTime > .zero else { return nil }
    guard let layer = grant.layer else {
      rampsUntil[wish.source] = nil
      return nil
    }
    let end = rampsUntil[wish.source] ?? now + parameters.rampTime
    rampsUntil[wish.source] = end
    guard now < end, layer.format.resolution.shorterSide > Resolution.p180.height else { return nil }
    let small = wish.offers.last {
      $0.format.resolution.shorterSide <= Resolution.p180.height && $0.bitrate <= layer.bitrate
        && $0.format.isWithin(wish.maximum)
    }
    if let small {
      grant.layer = small
      grant.limitation = .switching
    }
    return end
  }

  mutating func drop(source: Int) { rampsUntil[source] = nil }
}
