package import Ladder
import Quantity

extension [Layer] {
  /// Most lines and highest frame rate among the layers.
  var extent: VideoFormat { reduce(.nothing) { $0.union($1.format) } }

  /// Returns the layers that a test admits, except those that take no more bits than an earlier one.
  package func ascending(where isAdmitted: (Layer) -> Bool) -> [Layer] {
    var ascending: [Layer] = []
    ascending.reserveCapacity(count)
    var highest: BitRate?
    for layer in self where isAdmitted(layer) && highest.map({ layer.bitrate > $0 }) ?? true {
      ascending.append(layer)
      highest = layer.bitrate
    }
    return ascending
  }

  /// Returns the layers whose pictures fit a box; those of the lowest encoding if none does (our model).
  package func fitting(_ box: Resolution) -> [Layer] {
    var fitting: [Layer] = []
    fitting.reserveCapacity(count)
    for layer in self where layer.format.resolution.fits(in: box) { fitting.append(layer) }
    guard fitting.isEmpty, let lowest = first?.id.encoding else { return fitting }
    return filter { $0.id.encoding == lowest }
  }
}

extension VideoFormat {
  /// Format that no layer is within.
  package static let nothing = VideoFormat(Resolution(width: 0, height: 0), milliFramesPerSecond: 0)

  /// Returns the larger of two sizes at the higher of two frame rates.
  func union(_ other: VideoFormat) -> VideoFormat {
    VideoFormat(
      resolution.lines < other.resolution.lines ? other.resolution : resolution,
      milliFramesPerSecond: max(milliFramesPerSecond, other.milliFramesPerSecond))
  }

  /// Checks whether neither the lines nor the frame rate exceeds the limit's.
  package func isWithin(_ limit: VideoFormat) -> Bool {
    resolution.lines <= limit.resolution.lines
      && milliFramesPerSecond <= limit.milliFramesPerSecond
  }
}
