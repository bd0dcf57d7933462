package import Quantity

/// A bit rate at which a source can be encoded, with its value to a viewer.
///
/// A publisher sends at most one level of each size.
package struct QualityLevel: Hashable, Sendable {
  /// Frame size.
  package var size: Resolution
  /// Bit rate of the payload, above zero.
  package var bitrate: BitRate
  /// Quality of experience, 1 to ``maximumQoE``, dimensionless.
  package var qoe: Int

  package static let maximumQoE = 100_000

  package init(size: Resolution, bitrate: BitRate, qoe: Int) {
    self.size = size
    self.bitrate = bitrate
    self.qoe = qoe
  }
}

extension [QualityLevel] {
  /// Distinct sizes, smallest first: the encodings of a source that sends these levels.
  package var sizes: [Resolution] {
    var sizes: [Resolution] = []
    for size in map(\.size).sorted(by: { ($0.pixels, $0.width) < ($1.pixels, $1.width) })
    where sizes.last != size {
      sizes.append(size)
    }
    return sizes
  }
}

extension Ladder {
  /// Creates one encoding per size, without temporal layers; the highest level of a size is its target, the lowest its
  /// minimum.
  package init(levels: [QualityLevel], milliFramesPerSecond: Int) {
    let sizes = levels.sizes
    let names = sizes.count <= 3 ? ["q", "h", "f"] : sizes.indices.map { "s\($0)" }
    self.init(
      encodings: zip(names, sizes).map { rid, size in
        let rates = levels.filter { $0.size == size }.map(\.bitrate)
        var encoding = Encoding(
          rid: rid, format: VideoFormat(size, milliFramesPerSecond: milliFramesPerSecond),
          cumulativeBitrates: [rates.max() ?? .zero])
        encoding.minimum = rates.min()
        encoding.maximum = rates.max()
        return encoding
      })
  }
}
