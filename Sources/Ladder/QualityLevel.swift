package import Quantity

/// A bit rate that a source can be encoded at, with what it is worth to a viewer.
///
/// Of levels of the same size a publisher sends one at most.
package struct QualityLevel: Hashable, Sendable {
  /// Frame size.
  package var size: Resolution
  /// Bit rate of the payload, above zero.
  package var bitrate: BitRate
  /// Quality of experience, 1 to ``maximumQoE``, without unit.
  package var qoe: Int

  package static let maximumQoE = 100_000

  package init(size: Resolution, bitrate: BitRate, qoe: Int) {
    self.size = size
    self.bitrate = bitrate
    self.qoe = qoe
  }
}

extension [QualityLevel] {
  /// The sizes, smallest first: the encodings of a source that sends these levels.
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
  /// One encoding for each size, without temporal layers: its highest level is the target, its lowest the minimum.
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
