import Allocation
import Ladder
import Quantity

/// A client that requests what its screen shows, of tiles without saying how large a picture they take: what a larger one
/// is worth in a tile is the server's to weigh. What an app requests by quality stays the most that it gets.
struct BestClient: Client {
  var screen: ViewState
  let reactionDelay: SimDuration

  init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    self.reactionDelay = reactionDelay
  }

  func viewWishes(_ roster: Roster) -> [Wish] { arrangedWishes(roster).keepingFrameRates }

  func tileWish(of participant: Int, size: Resolution, visibleShare: Double, _ roster: Roster) -> Wish? {
    guard let source = roster.members[participant].camera else { return nil }
    let capture = roster.sources[source].capture
    let requested = VideoFormat(size, milliFramesPerSecond: max(capture.milliFramesPerSecond, 30_000))
    var maximum = requested
    if capture.resolution.lines > size.lines { maximum.resolution = capture.resolution }
    let isShown = visibleShare > 0 && !screen.appliedHidden.contains(participant)
    return roster.wish(
      for: source, requested, maximum: maximum, tile: size, visibility: isShown ? .onScreen : .offScreen)
  }
}
