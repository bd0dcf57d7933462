/// Measurements of talking-head video: 59 H.264 traces of the syncodecs collection (Cisco, Apache-2.0), 30 fps, 7200
/// frames each.
package enum TalkingHead {
  private struct Row {
    var pixels: Double
    /// Bytes of a key frame.
    var keyFrameBytes: Double
    /// Mean absolute deviation of a delta frame's size, relative to its mean.
    var deviation: Double
    /// Rate used at a target of 2000 kbps [bit/s].
    var ceiling: Double
  }

  private static let measured = [
    // 160x90: key frame extrapolated from the bits per pixel at 180p.
    Row(pixels: 14_400, keyFrameBytes: 1_500, deviation: 0.28, ceiling: 77_000),
    Row(pixels: 57_600, keyFrameBytes: 3_423, deviation: 0.28, ceiling: 247_000),
    Row(pixels: 230_400, keyFrameBytes: 7_130, deviation: 0.26, ceiling: 639_000),
    Row(pixels: 518_400, keyFrameBytes: 12_167, deviation: 0.20, ceiling: 1_289_000),
    Row(pixels: 921_600, keyFrameBytes: 14_220, deviation: 0.13, ceiling: 1_754_000),
    // 1920x1080: limited by the target; ceiling extrapolated from 540p and 720p as a power of pixels.
    Row(pixels: 2_073_600, keyFrameBytes: 23_890, deviation: 0.11, ceiling: 2_700_000),
  ]

  /// Returns the bytes of a key frame.
  package static func keyFrameBytes(pixels: Double) -> Double { interpolate(pixels, \.keyFrameBytes) }

  /// Returns the mean absolute deviation of a delta frame's size, relative to its mean.
  package static func deviation(pixels: Double) -> Double { interpolate(pixels, \.deviation) }

  /// Returns the content ceiling at 30 fps: the rate above which the content needs no more bits [bit/s].
  package static func ceiling(pixels: Double) -> Double { interpolate(pixels, \.ceiling) }

  private static func interpolate(_ pixels: Double, _ value: (Row) -> Double) -> Double {
    SizeTable.interpolate(measured.map { ($0.pixels, value($0)) }, at: pixels)
  }
}

/// Values over the size of a picture.
enum SizeTable {
  /// Interpolates linearly between sizes in ascending order; beyond them the first or last value holds.
  static func interpolate(_ rows: [(pixels: Double, value: Double)], at pixels: Double) -> Double {
    guard let upper = rows.firstIndex(where: { $0.pixels >= pixels }) else {
      return rows[rows.count - 1].value
    }
    guard upper > 0 else { return rows[0].value }
    let (a, b) = (rows[upper - 1], rows[upper])
    return a.value + (b.value - a.value) * (pixels - a.pixels) / (b.pixels - a.pixels)
  }
}
