package import Allocation
package import Ladder
import Quantity

/// Viewers' subscriptions by track, with the layers granted and those desired if no resource were short.
package struct SubscriptionTable {
  /// Request for a tile.
  package struct Tile: BitwiseCopyable {
    package var requested: VideoFormat
    /// Size on the viewer's screen; `nil` if the app does not state it.
    package var size: Resolution?
    /// Most lines that the viewer's client takes; 0 while the tile is not shown.
    package private(set) var lines: Int

    /// Creates the tile of a subscription that the SFU does not know.
    package init(unanswered size: Resolution, at capture: VideoFormat) {
      requested = VideoFormat(size, milliFramesPerSecond: capture.milliFramesPerSecond)
      self.size = size
      lines = 0
    }

    init(requested: VideoFormat, size: Resolution?, lines: Int) {
      self.requested = requested
      self.size = size
      self.lines = lines
    }
  }

  private var wishes: [Subscription?]
  // Kept beside the subscriptions, because reading a subscription retains its arrays.
  private var tiles: [Tile?]
  package private(set) var grants: [Grant?]
  /// Layers that would be granted if neither the downlink nor any uplink were short.
  package private(set) var desires: [Layer?]
  /// Revision numbers, which change whenever the other columns may have changed, to spare readers the comparison.
  package private(set) var revisions: [UInt32]

  package init(tracks: Int) {
    wishes = Array(repeating: nil, count: tracks)
    tiles = Array(repeating: nil, count: tracks)
    grants = Array(repeating: nil, count: tracks)
    desires = Array(repeating: nil, count: tracks)
    revisions = Array(repeating: 0, count: tracks)
  }

  package subscript(track: Int) -> Subscription? { wishes[track] }

  package func contains(_ track: Int) -> Bool { tiles[track] != nil }

  package func tile(_ track: Int) -> Tile? { tiles[track] }

  package mutating func grant(_ grant: Grant, to wish: Subscription, on track: Int) {
    set(wish, on: track)
    grants[track] = grant
  }

  package mutating func desire(_ layer: Layer?, on track: Int) {
    desires[track] = layer
    revisions[track] &+= 1
  }

  /// Removes a track that is no longer wanted.
  package mutating func remove(_ track: Int) {
    set(nil, on: track)
    grants[track] = nil
  }

  private mutating func set(_ wish: Subscription?, on track: Int) {
    wishes[track] = wish
    tiles[track] = wish.map {
      Tile(
        requested: $0.requested, size: $0.tile,
        lines: $0.exclusion == nil ? $0.maximum.resolution.lines : 0)
    }
    revisions[track] &+= 1
  }
}
