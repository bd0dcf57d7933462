import Allocation
import Ladder
import Quantity

/// Viewers' subscriptions by track, with the layers granted and the layers desired if no resource were short.
struct SubscriptionTable {
  /// Request for a tile.
  struct Tile: BitwiseCopyable {
    var requested: VideoFormat
    /// Size on the viewer's screen; `nil` when the app does not state it.
    var size: Resolution?
  }

  private var wishes: [Wish?]
  // Kept beside the subscriptions because access to a subscription retains its lists.
  private var tiles: [Tile?]
  private(set) var grants: [Grant?]
  /// Layers that would be granted if neither the downlink nor any uplink were short.
  private(set) var desires: [Layer?]
  /// Revision numbers, which change whenever the other columns may have, so that readers need not compare these.
  private(set) var revisions: [UInt32]
  /// Times at which the tracks were first granted a layer.
  var grantedSince: [SimTime?]

  init(tracks: Int) {
    wishes = Array(repeating: nil, count: tracks)
    tiles = Array(repeating: nil, count: tracks)
    grants = Array(repeating: nil, count: tracks)
    desires = Array(repeating: nil, count: tracks)
    revisions = Array(repeating: 0, count: tracks)
    grantedSince = Array(repeating: nil, count: tracks)
  }

  subscript(track: Int) -> Wish? { wishes[track] }

  func tile(_ track: Int) -> Tile? { tiles[track] }

  mutating func grant(_ grant: Grant, to wish: Wish, on track: Int) {
    set(wish, on: track)
    grants[track] = grant
  }

  mutating func desire(_ layer: Layer?, on track: Int) {
    desires[track] = layer
    revisions[track] &+= 1
  }

  /// Removes a track that is no longer wanted.
  mutating func remove(_ track: Int) {
    set(nil, on: track)
    grants[track] = nil
  }

  private mutating func set(_ wish: Wish?, on track: Int) {
    wishes[track] = wish
    tiles[track] = wish.map { Tile(requested: $0.requested, size: $0.tile) }
    revisions[track] &+= 1
  }
}
