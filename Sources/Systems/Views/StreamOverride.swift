package import Ladder

/// An app's override of the size that a viewer's client requests.
package enum StreamOverride: Hashable, Sendable {
  /// This size [px] instead of the tile's.
  case size(Resolution)
  /// No video.
  case off
}
