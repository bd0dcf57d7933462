import Allocation
import Ladder
import Layout
import Quantity

/// A client as in Agora's scalable-UI guide: it requests the high stream for a tile that becomes visible, and the low
/// stream once that tile leaves the screen; tiles that were never displayed keep their stream type.
struct AgoraClient: Client {
  var screen: ViewState
  private let parameters: AgoraParameters
  private let defaultIsLow: Bool
  private var users = AgoraVideoUsers()
  private var limit: AgoraUserLimit
  private var requests: AgoraRequests
  private var fallback: AgoraFallback
  /// Next frame of a scrolling grid: its due time, and the offset at the previous one [pt].
  private var frame: (due: SimTime, offset: Double)?

  init(_ setup: ClientSetup, _ parameters: AgoraParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
    fallback = AgoraFallback(parameters: parameters)
    limit = AgoraUserLimit(parameters.userLimit, order: setup.senderOrder)
    let isLow = setup.plan.defaultStreamIsLow ?? parameters.defaultIsLow
    defaultIsLow = isLow
    requests = AgoraRequests(low: isLow, pinned: screen.pins)
  }

  var reactionDelay: SimDuration { parameters.switchDelay }

  // MARK: Calls and events

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    let due = roster.now + parameters.switchDelay
    switch call {
    case .pin(let other): requests.setStreamType(of: other, low: false, due: due)
    case .unpin(let other):
      if screen.plan.followsScreen, users.hasEnded(other) {
        requests.setStreamType(of: other, low: true, due: due)
      }
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
      // A participant who joins again counts as a new user.
      requests.reset(participant, low: defaultIsLow && !screen.pins.contains(participant))
      return actions + (screen.leftOut.isEmpty ? [] : [.debounce(after: .zero)])
    case .leftMeeting:
      users = AgoraVideoUsers()
      requests = AgoraRequests(low: defaultIsLow, pinned: screen.pins)
      fallback = AgoraFallback(parameters: parameters)
      screen.scrolling = Scrolling(at: 0)
      screen.leftOut = []
      limit.leave()
      frame = nil
    case .sourceStopped: return actions + (screen.leftOut.isEmpty ? [] : [.debounce(after: .zero)])
    case .ownCameraChanged: return actions + (limit.isReached ? [.debounce(after: .zero)] : [])
    case .joined, .joinedMeeting, .streamChanged, .trackGiven: break
    }
    return actions
  }

  /// Applies a change in the meeting once its delay has passed.
  mutating func applyScreen(_ roster: Roster) {
    applyLimit(roster)
    applyTiles(roster)
    updateDisplay(roster, due: roster.now)
    requests.apply(at: roster.now)
  }

  private mutating func applyLimit(_ roster: Roster) {
    guard roster.isJoined else { return }
    screen.leftOut = limit.update(
      others: roster.othersWithCamera.filter(roster.isCapturing), sends: roster.sendsVideo)
    for participant in screen.leftOut { users.remove(participant) }
  }

  mutating func arrange(_ roster: Roster) -> [ClientAction] {
    let actions = reseat(roster)
    return actions + (requests.nextDue.map { [.request(after: max($0 - roster.now, .zero))] } ?? [])
  }

  // MARK: The grid

  func tileOrder(_ roster: Roster) -> [Int] {
    let others = screen.others(roster)
    let shown = users.list.filter(others.contains)
    return shown + others.filter { !shown.contains($0) }
  }

  /// Updates the displayed tiles from the screen's contents now and since a frame with another offset [pt].
  private mutating func updateDisplay(_ roster: Roster, since before: Double? = nil, due: SimTime) {
    guard screen.plan.followsScreen, case .grid(let grid) = screen.arrangement else { return }
    users.append(screen.others(roster), roster)
    let count = 1 + tileOrder(roster).count
    let tiles = tiles(of: grid, count: count)
    let offset = scrollOffset(in: grid, count: count, at: roster.now)
    let height = grid.visibleHeight(screen.plan.screen)
    let (list, hidden) = (users.list, screen.hidden)
    func isVisible(_ place: Int, _ top: Double, _ bottom: Double) -> Bool {
      place + 1 < tiles.count && tiles[place + 1].visibleShare(top: top, bottom: bottom) > 0
        && !hidden.contains(list[place])
    }
    let from = before ?? offset
    let changes = users.update(
      passes: { isVisible($0, min(from, offset), max(from, offset) + height) },
      stays: { isVisible($0, offset, offset + height) })
    for change in changes {
      switch change {
      case .displayed(let participant): requests.setStreamType(of: participant, low: false, due: due)
      case .ended(let participant) where !screen.pins.contains(participant):
        requests.setStreamType(of: participant, low: true, due: due)
      case .ended: break
      }
    }
  }

  private mutating func beginScroll(
    to points: Int, over duration: SimDuration, _ roster: Roster
  ) -> ClientResponse {
    updateDisplay(roster, due: roster.now + parameters.switchDelay)
    let before = screen.scrolling.offset(at: roster.now)
    guard scroll(to: points, over: duration, roster) else { return ClientResponse(Self.noGrid) }
    frame = nil
    guard duration > .zero else {
      updateDisplay(roster, due: roster.now + parameters.switchDelay)
      return ClientResponse(.ok, [.request(after: parameters.switchDelay)])
    }
    return ClientResponse(.ok, nextFrame(before, roster))
  }

  /// Schedules the next frame of a scroll; the screen shows 60 frames per second.
  private mutating func nextFrame(_ offset: Double, _ roster: Roster) -> [ClientAction] {
    let due = min(roster.now + SimDuration(nanoseconds: 16_666_667), screen.scrolling.endsAt)
    frame = (due, offset)
    return [.wake(after: due - roster.now)]
  }

  mutating func wake(_ roster: Roster) -> [ClientAction] {
    // A later call may have replaced the scroll that this frame belonged to.
    guard let current = frame, current.due == roster.now else { return [] }
    frame = nil
    updateDisplay(roster, since: current.offset, due: roster.now + parameters.switchDelay)
    let isOver = roster.now >= screen.scrolling.endsAt
    let next = isOver ? [] : nextFrame(screen.scrolling.offset(at: roster.now), roster)
    return next + [.request(after: parameters.switchDelay)]
  }

  // MARK: Subscriptions

  func tileWish(of participant: Int, size: Resolution, visibleShare: Double, _ roster: Roster) -> Wish? {
    guard let number = roster.members[participant].camera else { return nil }
    let source = roster.sources[number]
    let isOnScreen = visibleShare > 0 && !screen.appliedHidden.contains(participant)
    let requestsLow = requests.isLow(participant)
    let level = requests.level
    let fallsBack = level >= .low
    let high = source.ladder.last?.format ?? VideoFormat(.p360, framesPerSecond: 15)
    let low = source.ladder.first?.format ?? high
    var wish = roster.wish(
      for: number, requestsLow && source.sendsLow ? low : high, maximum: high, tile: size,
      visibility: level == .audioOnly ? .hidden : isOnScreen ? .onScreen : .offScreen,
      wantsLow: requestsLow || fallsBack,
      absence: fallsBack && !requestsLow || level == .audioOnly
        ? .bandwidth : requestsLow && isOnScreen ? Limitation.none : nil)
    if fallsBack { wish.withheld = requestedRate(wish, low: requestsLow) }
    return wish
  }

  /// Returns the bit rate of a stream without a fallback; zero while there is no stream.
  private func requestedRate(_ wish: Wish, low: Bool) -> BitRate {
    (low ? wish.offers.first : wish.offers.last)?.bitrate ?? .zero
  }

  // MARK: Fallback

  var followsDownlink: Bool { true }

  mutating func follow(_ downlink: Downlink, _ roster: Roster) -> [ClientAction] {
    var requested = BitRate.zero
    var low = BitRate.zero
    for wish in wishes(roster) {
      requested += requestedRate(wish, low: requests.isLow(roster.sources[wish.source].participant))
      low += requestedRate(wish, low: true)
    }
    let before = fallback.level
    let next = fallback.update(
      budget: downlink.budget, requested: requested, low: low,
      isCongested: fallback.isCongested(downlink.signs), now: roster.now)
    guard next != before else { return [] }
    requests.setLevel(next, due: roster.now + parameters.switchDelay)
    return [
      .record(event: "fallback", detail: "\(next)", result: "ok"),
      .request(after: parameters.switchDelay),
    ]
  }
}
