package import Ladder

/// A change of a subscriber's preferred resolution and frame rate (Vonage's `preferredResolution` and
/// `preferredFrameRate`).
package struct StreamPreference: Hashable, Sendable {
  package enum Size: Hashable, Sendable {
    /// No limit.
    case any
    /// The size at which the tile is rendered (web SDK: `auto`).
    case tile
    /// At most this size [px].
    case atMost(Resolution)
  }

  package enum Rate: Hashable, Sendable {
    /// No limit.
    case any
    /// At most this frame rate [1/1000 Hz].
    case atMost(Int)
  }

  /// New size; `nil` to leave it unchanged.
  package var size: Size?
  /// New frame rate; `nil` to leave it unchanged.
  package var rate: Rate?

  package init(size: Size? = nil, rate: Rate? = nil) {
    self.size = size
    self.rate = rate
  }
}

extension StreamPreference: CustomStringConvertible {
  /// Text for the `detail` column of `events.csv`.
  package var description: String {
    var parts: [String] = []
    switch size {
    case .any: parts.append("none")
    case .tile: parts.append("auto")
    case .atMost(let size): parts.append("\(size.width)x\(size.height)")
    case nil: break
    }
    switch rate {
    case .any: parts.append("none fps")
    case .atMost(let rate):
      parts.append(rate % 1000 == 0 ? "\(rate / 1000) fps" : "\(Double(rate) / 1000) fps")
    case nil: break
    }
    return parts.joined(separator: " ")
  }
}
