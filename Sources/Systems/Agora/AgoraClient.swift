import Allocation
import Ladder
import Quantity

/// A client of Agora's scalable-UI guide: a tile that comes on the screen asks for the high stream, one that was on the
/// screen and leaves it asks for the low one; one that was never displayed stays as it is.
struct AgoraClient: Client {
  var screen: ViewState
  private let parameters: AgoraParameters
  /// By participant.
  private var wasDisplayed: [Bool]
  private var wantsLow: [Bool]
  private var fallback: AgoraFallback
  private var level = AgoraFallback.Level.asWished
  /// What the streams would take without a fallback.
  private var rateWithoutFallback = BitRate.zero

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
    return performOnScreen(call, roster)
  }

  mutating func applyScreen(_ roster: Roster) {
    applyTiles()
    guard screen.plan.followsScreen, case .grid(let grid) = screen.plan.arrangement else { return }
    for place in places(in: grid, roster) {
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
    let asksForLow = wantsLow[participant]
    let fallsBack = level >= .low
    let high = source.ladder.last?.format ?? VideoFormat(.p360, framesPerSecond: 15)
    let low = source.ladder.first?.format ?? high
    return roster.wish(
      for: number, asksForLow && source.sendsLow ? low : high, maximum: high, tile: size,
      visibility: level == .audioOnly ? .hidden : isOnScreen ? .onScreen : .offScreen,
      wantsLow: asksForLow || fallsBack,
      absence: fallsBack && !asksForLow || level == .audioOnly
        ? .bandwidth : asksForLow && isOnScreen ? Limitation.none : nil)
  }

  /// Of a dual stream the high one: its viewers ask for a stream and not for a size.
  func windowFormat(of source: Roster.Source, in window: PictureInPicture) -> VideoFormat {
    source.ladder.last?.format ?? VideoFormat(window.size, framesPerSecond: 30)
  }

  var followsBudget: Bool { true }

  mutating func follow(budget: BitRate, wishes: [Wish], _ roster: Roster) -> [ClientAction] {
    var wished = BitRate.zero
    var low = BitRate.zero
    for wish in wishes {
      guard let least = wish.offers.first, let most = wish.offers.last else { continue }
      wished += wantsLow[roster.sources[wish.source].participant] ? least.bitrate : most.bitrate
      low += least.bitrate
    }
    rateWithoutFallback = wished
    let next = fallback.update(budget: budget, wished: wished, low: low, now: roster.now)
    guard next != level else { return [] }
    level = next
    return [
      .record(event: "fallback", detail: "\(next)", result: "ok"), .allocate(after: reactionDelay),
    ]
  }

  func rateHeldBack(from given: BitRate) -> BitRate? {
    level != .asWished && given < rateWithoutFallback ? rateWithoutFallback : nil
  }
}
