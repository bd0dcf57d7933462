import Allocation
import Ladder
import Quantity
import Systems

/// A client that subscribes to the sources on its screen. Its subscriptions for tiles do not limit the picture size:
/// the server weighs the utility of a larger picture in a tile. A quality that an app requests remains the maximum.
struct BestClient: Client {
  var screen: ViewState
  let traits: ClientTraits

  init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    traits = ClientTraits(reactionDelay: reactionDelay)
  }

  func viewWishes(_ roster: Roster) -> [Subscription] { arrangedWishes(roster).keepingFrameRates }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    guard case .tile(let participant, let size, let visibleShare) = place else {
      return plainWish(for: place, roster)
    }
    guard let source = roster.members[participant].camera else { return nil }
    let capture = roster.sources[source].capture
    let requested = VideoFormat(size, milliFramesPerSecond: max(capture.milliFramesPerSecond, 30_000))
    var maximum = requested
    if capture.resolution.lines > size.lines { maximum.resolution = capture.resolution }
    let isShown = visibleShare > 0 && !screen.appliedTiles.hidden.contains(participant)
    return roster.wish(
      for: source, requested, maximum: maximum, tile: size, visibility: isShown ? .onScreen : .offScreen)
  }
}
