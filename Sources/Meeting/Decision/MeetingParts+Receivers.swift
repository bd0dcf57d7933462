import Allocation
import Plan
import Quantity
import Serving

extension MeetingParts {
  /// Returns the viewer that can receive least of a tile's source; the tile's own viewer if none is short any more.
  func slowestReceiver(of tile: TilePlace) -> Int {
    var slowest: (viewer: Int, rate: BitRate)?
    for viewer in plan.participants.indices {
      let track = streams.track(viewer: viewer, source: tile.source)
      guard let rate = sfu.allocator.subscriptions.grants[track]?.bearable else { continue }
      if slowest.map({ rate < $0.rate }) ?? true { slowest = (viewer, rate) }
    }
    return slowest?.viewer ?? tile.viewer
  }
}
