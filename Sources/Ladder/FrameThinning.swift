import Quantity

/// Which frames of a base layer an SFU passes on to a viewer that asks for fewer than the layer has.
///
/// Of as many frames as come in a second, rounded up, it passes on as many as are asked for in one, rounded down, spread
/// evenly: in no second are there more. Of 3.75 frames per second and 3 asked for, these are three of four, or 2.8 a
/// second; of 7.5 and 1, one of eight.
///
/// Our model. A base layer's frames build on each other, so a sender has to let those that are passed on build on one that
/// all of these viewers have, such as VP8's golden frame: here senders do so, at no cost in bits.
package struct FrameThinning: Hashable, Sendable, BitwiseCopyable {
  /// Passed on, of ``frames``; at least 1.
  private let kept: UInt8
  private let frames: UInt8

  /// - Parameters:
  ///   - rate: frame rate of the base layer [1/1000 Hz], up to 120,000.
  ///   - limit: the frame rate asked for [1/1000 Hz].
  ///
  /// `nil` where the layer has no more frames than that.
  package init?(of rate: Int, to limit: Int) {
    guard rate > limit else { return nil }
    kept = UInt8(clamping: max(1, limit / 1000))
    frames = UInt8(clamping: (rate + 999) / 1000)
  }

  /// The share of the frames that is passed on, above 0 and at most 1.
  package var share: Double { Double(kept) / Double(frames) }

  /// Whether a frame of the base layer is passed on, counted from 0, the key frame.
  package func keeps(_ frame: UInt32) -> Bool {
    frame % UInt32(frames) * UInt32(kept) % UInt32(frames) < UInt32(kept)
  }

  /// How many frames are passed on of those before a frame.
  package func keptBefore(_ frame: UInt32) -> UInt32 {
    let (whole, rest) = frame.quotientAndRemainder(dividingBy: UInt32(frames))
    return whole * UInt32(kept) + (rest == 0 ? 0 : (rest - 1) * UInt32(kept) / UInt32(frames) + 1)
  }
}

extension [Layer] {
  /// The layers with base layers of a higher frame rate thinned to the one asked for [1/1000 Hz], whose rate they then
  /// count as.
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
