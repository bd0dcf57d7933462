import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// A client as in Agora's scalable-UI guide: it requests the high stream for a tile that becomes visible, and the low
/// stream once that tile leaves the screen; tiles that were never displayed keep their stream type.
struct AgoraClient: Client {
  var screen: ViewState
  let parameters: AgoraParameters
  private let defaultIsLow: Bool
  /// Set if the viewer itself sends audio or video.
  private let isHost: Bool
  /// High-priority remote user.
  private let preferred: Int?
  var users = AgoraVideoUsers() { didSet { screen.people.onGrid = users.list } }
  private var limit: AgoraUserLimit
  var requests: AgoraRequests
  private var fallback: AgoraFallback
  /// Next frame of a scrolling view: its due time, and the offset at the previous one [pt].
  var frame: (due: SimTime, offset: Double)?

  init(_ setup: ClientSetup, _ parameters: AgoraParameters) {
    screen = ViewState(setup)
    screen.people.onGrid = []
    self.parameters = parameters
    isHost = setup.isHost
    preferred = setup.plan.highPriority.flatMap { setup.names[$0] }
    fallback = AgoraFallback(parameters: parameters)
    limit = AgoraUserLimit(parameters.userLimit, order: setup.senderOrder)
    let isLow = setup.plan.defaultStreamIsLow ?? parameters.defaultIsLow
    defaultIsLow = isLow
    requests = AgoraRequests(low: isLow, pinned: screen.pins)
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.switchDelay)
    traits.followsDownlink = true
    return traits
  }

  // MARK: Calls and events

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    let due = roster.now + parameters.switchDelay
    switch call {
    case .pin(let other): requests.setStreamType(of: other, low: false, due: due)
    case .unpin(let other) where screen.pins.contains(other) && !users.isDisplayed(other):
      requests.setStreamType(of: other, low: users.hasEnded(other) || defaultIsLow, due: due)
    case .streamType(let other, let low): requests.setStreamType(of: other, low: low, due: due)
    case .scroll(let points, let duration): return beginScroll(to: points, over: duration, roster)
    default: break
    }
    let response = performByDefault(call, roster)
    if case .screen = call { frame = nil }
    updateDisplay(roster, due: due)
    return response
  }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    let actions = noticeByDefault(event)
    switch event {
    case .left(let participant):
      users.remove(participant)
      fallback.remove(participant)
      // A participant who rejoins counts as a new user.
      requests.reset(participant, low: defaultIsLow && !screen.pins.contains(participant))
      return actions + (screen.people.leftOut.isEmpty ? [] : [.debounce(after: .zero)])
    case .leftMeeting:
      users = AgoraVideoUsers()
      requests = AgoraRequests(low: defaultIsLow, pinned: screen.pins)
      fallback = AgoraFallback(parameters: parameters)
      screen.scroll.course = Scrolling(at: 0)
      screen.people.leftOut = []
      limit.leave()
      frame = nil
    case .sourceStopped: return actions + (screen.people.leftOut.isEmpty ? [] : [.debounce(after: .zero)])
    case .ownCameraChanged: return actions + (limit.isReached ? [.debounce(after: .zero)] : [])
    case .joined, .joinedMeeting, .streamChanged, .trackGiven, .subscriptionEnded: break
    }
    return actions
  }

  /// Applies changes in the meeting once their delay has passed.
  private mutating func applyScreen(_ roster: Roster) {
    applyLimit(roster)
    screen.applyTiles(roster)
    updateDisplay(roster, due: roster.now)
    requests.apply(at: roster.now)
  }

  private mutating func applyLimit(_ roster: Roster) {
    guard roster.isJoined else { return }
    screen.people.leftOut = limit.update(
      others: roster.othersWithCamera.filter(roster.isCapturing), sends: roster.sendsVideo)
    for participant in screen.people.leftOut { users.remove(participant) }
  }

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    switch input {
    case .requestDue:
      applyScreen(roster)
      screen.reseat(roster, recentSpeakers: traits.recentSpeakerWindow)
      return requests.nextDue.map { [.request(after: max($0 - roster.now, .zero))] } ?? []
    case .timer: return showFrame(roster)
    case .downlink(let downlink): return follow(downlink, roster)
    case .scrolled, .speech: return handleByDefault(input, roster)
    }
  }

  // MARK: Subscriptions

  func demand(_ roster: Roster) -> ViewerDemand {
    var demand = ViewerDemand()
    demand.beyondLimit = leftOutSources(roster)
    return demand
  }

  /// Returns the cameras that the view would show if the system's limit did not exclude their senders. In a grid or a
  /// container, these have no tile, whatever the scroll offset.
  private func leftOutSources(_ roster: Roster) -> Set<Int> {
    let screen = screen
    guard !screen.people.leftOut.isEmpty, screen.background.current == nil, !screen.muted.cameras else {
      return []
    }
    let shown = roster.othersWithCamera.filter { participant in
      guard screen.people.leftOut.contains(participant), !screen.appliedTiles.hidden.contains(participant)
      else {
        return false
      }
      return switch screen.arrangement {
      case .grid, .container, .everybody: true
      case .tiles:
        screen.appliedTiles.sizes[participant] != nil || screen.stagedParticipant(roster) == participant
      case .request, .layout, .signals: false
      }
    }
    return Set(shown.compactMap { roster.members[$0].camera })
  }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    guard case .tile(let participant, let size, let visibleShare) = place else {
      return plainWish(for: place, roster)
    }
    guard let number = roster.members[participant].camera else { return nil }
    let source = roster.sources[number]
    let isOnScreen = visibleShare > 0 && !screen.appliedTiles.hidden.contains(participant)
    let requestsLow = requests.isLow(participant)
    let level = requests.level(of: participant)
    let fallsBack = level != .asWished
    let high = highFormat(of: source)
    let low = source.requestable.first?.format ?? high
    // If no low stream is sent, an app cannot request it for a tile that leaves the screen, and requests no video.
    let isStopped = requestsLow && !isOnScreen && !source.sendsLow && users.hasEnded(participant)
    var wish = roster.wish(
      for: number, requestsLow && source.sendsLow ? low : high, maximum: high, tile: size,
      visibility: level == .audioOnly || isStopped ? .hidden : isOnScreen ? .onScreen : .offScreen,
      wantsLow: requestsLow || fallsBack,
      absence: isStopped
        ? .offScreen
        : fallsBack && !requestsLow || level == .audioOnly
          ? .bandwidth : requestsLow && isOnScreen ? Limitation.none : nil)
    if fallsBack { wish.clientRule = .decision("AgoraFallback") }
    if requests.hasFallbacks, !isStopped { wish.withheld = requestedRate(wish, low: requestsLow) }
    return wish
  }

  /// Returns the format of a source's high stream, which its app may have turned off.
  private func highFormat(of source: Roster.Source) -> VideoFormat {
    source.requestable.last?.format ?? VideoFormat(.p360, framesPerSecond: 15)
  }

  /// Returns the bit rate of a stream without fallback; zero while there is no stream.
  private func requestedRate(_ wish: Subscription, low: Bool) -> BitRate {
    (low ? wish.offers.first : wish.offers.last)?.bitrate ?? .zero
  }

  // MARK: Fallback

  private mutating func follow(_ downlink: Downlink, _ roster: Roster) -> [ClientAction] {
    var remote: [AgoraFallback.User] = []
    var fixed = BitRate.zero
    for wish in wishes(roster) {
      let source = roster.sources[wish.source]
      let requestsLow = requests.isLow(source.participant)
      let wished = wish.absence == .offScreen ? .zero : requestedRate(wish, low: requestsLow)
      guard !source.isScreen else {
        fixed += wished
        continue
      }
      remote.append(
        AgoraFallback.User(
          participant: source.participant, wished: wished, low: lowRate(of: source),
          isPreferred: source.participant == preferred,
          joinedAt: roster.members[source.participant].joinedAt))
    }
    let outcome = fallback.update(
      budget: downlink.budget, repairs: downlink.signs == nil ? downlink.repairs : .zero, users: remote,
      fixed: fixed,
      isCongested: fallback.isCongested(downlink.signs), now: roster.now)
    screen.people.recovering = fallback.recovering
    var actions: [ClientAction] = []
    if outcome.hasNoStream {
      actions.append(.record(event: "fallback", detail: "low", result: CallResult.noLowStream.name))
    }
    guard !outcome.changes.isEmpty else { return actions }
    let due = roster.now + parameters.switchDelay
    for change in outcome.changes {
      requests.setLevel(of: change.participant, change.level, due: due)
      let id = roster.members[change.participant].id
      actions.append(.record(event: "fallback", detail: "\(id) \(change.level)", result: "ok"))
    }
    return actions + [.request(after: parameters.switchDelay)]
  }

  /// Returns the bit rate of a user's low stream; `nil` if none is sent and a request from this client would not start
  /// one.
  private func lowRate(of source: Roster.Source) -> BitRate? {
    guard source.sendsLow || isHost && parameters.dualStream == .auto, source.ladder.count > 1 else {
      return nil
    }
    return source.ladder.first?.bitrate
  }
}
