package import Ladder
package import Quantity
import Systems

/// Bit rates that GSO-Simulcast chooses from.
///
/// Table 1 of the paper (Lin et al., SIGCOMM 2022) has nine for a 720p capture; their dependence on the capture is not
/// published. Our model: each size of the table becomes the largest of the capture's aspect ratio within it; a size
/// that the capture does not fill has rates and QoE interpolated by pixels between those of the size below and the
/// table's. A screen share has one size, its capture's, with the levels of 720p.
package enum GSOLevels {
  private struct Row {
    var size: Resolution
    var kilobits: Int64
    var qoe: Int

    init(_ size: Resolution, _ kilobits: Int64, _ qoe: Int) {
      self.size = size
      self.kilobits = kilobits
      self.qoe = qoe
    }
  }

  /// Levels of table 1, by ascending rate.
  private static let table = [
    Row(.p180, 100, 100), Row(.p180, 300, 300), Row(.p360, 400, 360), Row(.p360, 500, 440),
    Row(.p360, 600, 530),
    Row(.p360, 800, 700), Row(.p720, 1000, 750), Row(.p720, 1300, 1050), Row(.p720, 1500, 1200),
  ]

  package static func camera(capture: VideoFormat) -> [QualityLevel] {
    let boxes = [Resolution.p180, .p360, .p720]
    let ladder = Ladder(
      encodings: boxes.map {
        Encoding(rid: "", format: VideoFormat($0, framesPerSecond: 30), cumulativeBitrates: [])
      })
    let sizes = ladder.sizes(carrying: capture.resolution)
    var levels: [QualityLevel] = []
    var below = (pixels: 0, level: QualityLevel(size: .p180, bitrate: .zero, qoe: 0))
    for (box, size) in zip(boxes, sizes) {
      guard let size else { break }
      // Number of pixels that the table's row is meant for, in the capture's aspect ratio.
      let planned = max(size.pixels, filling(box, with: capture.resolution).pixels)
      let (part, whole) = (size.pixels - below.pixels, planned - below.pixels)
      levels += table.filter { $0.size == box }.map { row in
        let rate = row.kilobits * 1000
        let (rest, value) = (rate - below.level.bitrate.bitsPerSecond, row.qoe - below.level.qoe)
        return QualityLevel(
          size: size,
          bitrate: below.level.bitrate + BitRate(bitsPerSecond: rest * Int64(part) / Int64(max(1, whole))),
          qoe: below.level.qoe + value * part / max(1, whole))
      }
      if let last = levels.last { below = (size.pixels, last) }
    }
    return levels
  }

  package static func screen(capture: VideoFormat) -> [QualityLevel] {
    table.filter { $0.size == .p720 }.map {
      QualityLevel(size: capture.resolution, bitrate: .kilobits($0.kilobits), qoe: $0.qoe)
    }
  }

  /// Returns one level for each encoding, at its full frame rate, valued by ``qoe(at:)`` [our model].
  package static func levels(of ladder: Ladder) -> [QualityLevel] {
    ladder.encodings.filter { $0.bitrate > .zero }.map {
      QualityLevel(size: $0.format.resolution, bitrate: $0.bitrate, qoe: qoe(at: $0.bitrate))
    }
  }

  /// Returns the QoE at a rate, at least 1: interpolated linearly between the table's rates, from zero below the first,
  /// and extrapolated from the last two beyond the last.
  package static func qoe(at rate: BitRate) -> Int {
    var lower = (bits: Int64(0), qoe: 0)
    var upper = (bits: Int64(0), qoe: 0)
    for row in table {
      (lower, upper) = (upper, (row.kilobits * 1000, row.qoe))
      if rate.bitsPerSecond <= upper.bits { break }
    }
    let rise = Int64(upper.qoe - lower.qoe) * (rate.bitsPerSecond - lower.bits) / (upper.bits - lower.bits)
    return min(max(1, lower.qoe + Int(rise)), QualityLevel.maximumQoE)
  }

  /// Returns the largest size of an aspect ratio that fits a box [px], enlarged if need be.
  private static func filling(_ box: Resolution, with size: Resolution) -> Resolution {
    let box = box.turned(like: size)
    let isWide = size.width * box.height >= size.height * box.width
    return isWide
      ? Resolution(width: box.width, height: size.height * box.width / size.width)
      : Resolution(width: size.width * box.height / size.height, height: box.height)
  }
}

extension NamedLadder {
  static let gso = NamedLadder(
    name: "gso",
    summary:
      "from a 720p capture 180p30 100 to 300, 360p30 400 to 800, 720p30 1000 to 1500 kbps, ordered in steps",
    source: "GSO-Simulcast (SIGCOMM 2022), table 1; other captures are our model",
    ladder: .gso(capture: VideoFormat(.p720, framesPerSecond: 30)), fitted: { .gso(capture: $0) })
}

extension Ladder {
  static func gso(capture: VideoFormat) -> Ladder {
    Ladder(
      levels: GSOLevels.camera(capture: capture), milliFramesPerSecond: capture.milliFramesPerSecond)
  }
}
