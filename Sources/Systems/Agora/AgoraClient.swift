import Allocation
import Ladder
import Quantity

/// A client as in Agora's scalable-UI guide: it requests the high stream for a tile that becomes visible, and the low
/// stream once that tile leaves the screen; tiles that were never displayed keep their stream type.
struct AgoraClient: Client {
  var screen: ViewState
  private let parameters: AgoraParameters
  /// By participant.
  private var wasDisplayed: [Bool]
  private var wantsLow: [Bool]
  private var fallback: AgoraFallback
  private var level = AgoraFallback.Level.asWished
  /// Bit rate of the requested streams without a fallback.
  private var requestedRate = BitRate.zero

  init(_ setup: ClientSetup, _ parameters: AgoraParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
    fallback = AgoraFallback(parameters: parameters)
    wasDisplayed = setup.ids.map { _ in false }
    let isLow = setup.plan.defaultStreamIsLow ?? parameters.defaultIsLow
    wantsLow = screen.isPinned.map { isLow && !$0 }
  }

  var reactionDelay: SimDuration { parameters.switchDelay }

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .pin(let other): wantsLow[other] = false
    case .streamType(let other, let low): wantsLow[other] = low
    default: break
    }
    return performByDefault(call, roster)
  }

  mutating func applyScreen(_ roster: Roster) {
    applyTiles()
    guard screen.plan.followsScreen, case .grid(let grid) = screen.plan.arrangement else { return }
    for place in placements(in: grid, roster) {
      let participant = place.participant
      if place.visibleShare > 0, !screen.appliedHidden[participant] {
        wasDisplayed[participant] = true
        wantsLow[participant] = false
      } else if wasDisplayed[participant], !screen.isPinned[participant] {
        wantsLow[participant] = true
      }
    }
  }

  func tileWish(of participant: Int, size: Resolution, visibleShare: Double, _ roster: Roster) -> Wish? {
    guard let number = roster.members[participant].camera else { return nil }
    let source = roster.sources[number]
    let isOnScreen = visibleShare > 0 && !screen.appliedHidden[participant]
    let requestsLow = wantsLow[participant]
    let fallsBack = level >= .low
    let high = source.ladder.last?.format ?? VideoFormat(.p360, framesPerSecond: 15)
    let low = source.ladder.first?.format ?? high
    return roster.wish(
      for: number, requestsLow && source.sendsLow ? low : high, maximum: high, tile: size,
      visibility: level == .audioOnly ? .hidden : isOnScreen ? .onScreen : .offScreen,
      wantsLow: requestsLow || fallsBack,
      absence: fallsBack && !requestsLow || level == .audioOnly
        ? .bandwidth : requestsLow && isOnScreen ? Limitation.none : nil)
  }

  var followsBudget: Bool { true }

  mutating func follow(budget: BitRate, wishes: [Wish], _ roster: Roster) -> [ClientAction] {
    var requested = BitRate.zero
    var low = BitRate.zero
    for wish in wishes {
      guard let lowest = wish.offers.first, let highest = wish.offers.last else { continue }
      requested += wantsLow[roster.sources[wish.source].participant] ? lowest.bitrate : highest.bitrate
      low += lowest.bitrate
    }
    requestedRate = requested
    let next = fallback.update(budget: budget, requested: requested, low: low, now: roster.now)
    guard next != level else { return [] }
    level = next
    return [
      .record(event: "fallback", detail: "\(next)", result: "ok"), .allocate(after: reactionDelay),
    ]
  }

  func rateHeldBack(from given: BitRate) -> BitRate? {
    level != .asWished && given < requestedRate ? requestedRate : nil
  }
}
