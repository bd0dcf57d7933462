import Allocation
import Ladder
import Quantity

/// By track: what its viewer asks for, what it is granted, and what it would be granted if nothing were short.
struct SubscriptionTable {
  /// What is asked for of a tile.
  struct Tile: BitwiseCopyable {
    var requested: VideoFormat
    /// Size on the viewer's screen; `nil` when the app does not say.
    var size: Resolution?
  }

  private var wishes: [Wish?]
  // Beside the wishes: to look at a wish retains its lists.
  private var tiles: [Tile?]
  var grants: [Grant?]
  /// What would be granted if neither the downlink nor any uplink were short.
  var desires: [Layer?]
  /// When each track was first granted a layer.
  var grantedSince: [SimTime?]

  init(tracks: Int) {
    wishes = Array(repeating: nil, count: tracks)
    tiles = Array(repeating: nil, count: tracks)
    grants = Array(repeating: nil, count: tracks)
    desires = Array(repeating: nil, count: tracks)
    grantedSince = Array(repeating: nil, count: tracks)
  }

  subscript(track: Int) -> Wish? {
    get { wishes[track] }
    set {
      wishes[track] = newValue
      tiles[track] = newValue.map { Tile(requested: $0.requested, size: $0.tile) }
    }
  }

  func tile(_ track: Int) -> Tile? { tiles[track] }

  /// Notes another size of a wanted tile.
  mutating func resize(_ track: Int, to size: Resolution?) { self[track]?.tile = size }

  /// Forgets a track that is no longer wanted.
  mutating func remove(_ track: Int) {
    self[track] = nil
    grants[track] = nil
  }
}
