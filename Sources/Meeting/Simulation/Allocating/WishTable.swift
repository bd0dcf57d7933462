import Allocation
import Ladder

/// The last wish of every track.
///
/// What each interval's rows need of a wish stands beside it: to look at a wish retains its lists.
struct WishTable {
  /// What is asked for of a tile.
  struct Tile: BitwiseCopyable {
    var requested: VideoFormat
    /// Size on the viewer's screen; `nil` when the app does not say.
    var size: Resolution?
  }

  private var wishes: [Wish?]
  private var tiles: [Tile?]

  init(tracks: Int) {
    wishes = Array(repeating: nil, count: tracks)
    tiles = Array(repeating: nil, count: tracks)
  }

  subscript(track: Int) -> Wish? {
    get { wishes[track] }
    set {
      wishes[track] = newValue
      tiles[track] = newValue.map { Tile(requested: $0.requested, size: $0.tile) }
    }
  }

  func tile(_ track: Int) -> Tile? { tiles[track] }
}
