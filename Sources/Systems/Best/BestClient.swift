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

  func tileWish(of participant: Int, size: Resolution, visibleShare: Double, _ roster: Roster) -> Wish? {
    guard let source = roster.members[participant].camera else { return nil }
    let requested = VideoFormat(size, framesPerSecond: 30)
    let capture = roster.sources[source].capture
    let maximum = VideoFormat(
      capture.resolution.lines > size.lines ? capture.resolution : size,
      milliFramesPerSecond: max(capture.milliFramesPerSecond, requested.milliFramesPerSecond))
    let isShown = visibleShare > 0 && !screen.appliedHidden.contains(participant)
    return roster.wish(
      for: source, requested, maximum: maximum, tile: size, visibility: isShown ? .onScreen : .offScreen)
  }
}
