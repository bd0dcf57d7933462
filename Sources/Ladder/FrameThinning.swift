import Quantity

/// Selection of the base layer frames that an SFU forwards to a viewer that requests a lower frame rate than the
/// layer's.
///
/// Of every n frames, where n is the layer's frame rate rounded up, the SFU forwards as many as are requested per
/// second, rounded down and evenly spaced, so no second has more. At 3.75 frames per second with 3 requested, it
/// forwards three of four, or 2.8 per second; at 7.5 with 1 requested, one of eight.
///
/// Our model. A base layer's frames depend on each other, so the sender has to make the forwarded frames reference one
/// that all of these viewers have, such as VP8's golden frame; here senders do so at no cost in bits.
package struct FrameThinning: Hashable, Sendable, BitwiseCopyable {
  /// Number of frames forwarded out of ``frames``; at least 1.
  private let kept: UInt8
  private let frames: UInt8

  /// Creates a thinning; `nil` if the layer's frame rate is within the limit.
  ///
  /// - Parameters:
  ///   - rate: frame rate of the base layer [1/1000 Hz], up to 120,000.
  ///   - limit: requested frame rate [1/1000 Hz].
  package init?(of rate: Int, to limit: Int) {
    guard rate > limit else { return nil }
    kept = UInt8(clamping: max(1, limit / 1000))
    frames = UInt8(clamping: (rate + 999) / 1000)
  }

  /// Share of frames that are forwarded, above 0 and at most 1.
  package var share: Double { Double(kept) / Double(frames) }

  /// Checks whether a frame of the base layer is forwarded; frames count from 0, the key frame.
  package func keeps(_ frame: UInt32) -> Bool {
    frame % UInt32(frames) * UInt32(kept) % UInt32(frames) < UInt32(kept)
  }

  /// Counts the forwarded frames before a frame.
  package func keptBefore(_ frame: UInt32) -> UInt32 {
    let (whole, rest) = frame.quotientAndRemainder(dividingBy: UInt32(frames))
    return whole * UInt32(kept) + (rest == 0 ? 0 : (rest - 1) * UInt32(kept) / UInt32(frames) + 1)
  }
}

extension [Layer] {
  /// Thins base layers whose frame rate exceeds the requested one [1/1000 Hz], which becomes theirs.
  package func thinned(to limit: Int) -> [Layer] {
    guard contains(where: { $0.id.temporal == 0 && $0.format.milliFramesPerSecond > limit }) else {
      return self
    }
    return map { layer in
      guard layer.id.temporal == 0,
        let thinning = FrameThinning(of: layer.format.milliFramesPerSecond, to: limit)
      else { return layer }
      var layer = layer
      layer.thinning = thinning
      layer.format.milliFramesPerSecond = limit
      layer.bitrate = layer.bitrate.scaled(by: thinning.share)
      return layer
    }
  }
}
