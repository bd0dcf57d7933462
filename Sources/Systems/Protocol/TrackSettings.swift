package import Ladder

/// Settings that a client sends for one remote track (`UpdateTrackSettings` in LiveKit's protocol). A track without
/// settings is received at its highest quality, or with adaptive stream at its lowest.
package struct TrackSettings: Hashable, Sendable {
  /// `VideoQuality`: encodings from the lowest up; where there are fewer, the highest replaces the missing ones.
  package enum Quality: String, Hashable, Sendable, CaseIterable { case low, medium, high }

  /// Size of the tile [px]; takes precedence over ``quality``.
  package var size: Resolution?
  package var quality: Quality?
  /// Maximum frame rate [1/1000 Hz]; `nil` for any.
  package var milliFramesPerSecond: Int?
  /// Priority, 1 to 255, where 255 is the most important; `nil` for the server's default.
  package var priority: Int?
  /// Set to forward nothing, as for a tile that is off screen.
  package var isDisabled = false
  /// Set if the server considers the track's publisher muted.
  package var isMuted = false

  package init(size: Resolution? = nil, quality: Quality? = nil) {
    self.size = size
    self.quality = quality
  }
}
