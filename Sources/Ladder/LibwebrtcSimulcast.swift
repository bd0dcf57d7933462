package import Quantity

extension Encoding {
  /// Creates an encoding with libwebrtc's limits and three temporal layers that take 40, 20 and 40 % of the target.
  package init(rid: String, format: VideoFormat, rates: LayerRates) {
    self.init(
      rid: rid, format: format,
      cumulativeBitrates: [40, 60, 100].map { BitRate(bitsPerSecond: rates.target.bitsPerSecond / 100 * $0) })
    minimum = rates.minimum
    maximum = rates.maximum
  }
}

/// Size and rates of one encoding in libwebrtc's configuration.
package struct SimulcastEncoding: Hashable, Sendable, BitwiseCopyable {
  package var resolution: Resolution
  package var rates: LayerRates

  package init(resolution: Resolution, rates: LayerRates) {
    self.resolution = resolution
    self.rates = rates
  }
}

/// libwebrtc's simulcast configuration for a capture size (`video/config/simulcast.cc`).
package enum LibwebrtcSimulcast {
  /// Rate table by codec.
  package enum Table: Sendable, CaseIterable {
    /// VP8 and H.264.
    case vp8
    /// VP9, AV1 and H.265.
    case vp9
  }

  /// Minimum bit rate of the lowest encoding, whatever its size.
  package static let lowestMinimum = BitRate.kilobits(30)

  /// Relative distance below the upper of two rows within which a size takes that row's layer count.
  private static let roundUp = 0.1

  private struct Row {
    var pixels: Int
    var layers: Int
    var maximum: Int64
    var target: Int64
    var minimum: Int64

    init(_ size: Resolution, layers: Int, _ maximum: Int64, _ target: Int64, _ minimum: Int64) {
      pixels = size.pixels
      self.layers = layers
      self.maximum = maximum * 1000
      self.target = target * 1000
      self.minimum = minimum * 1000
    }
  }

  private static let vp8 = [
    Row(.p1080, layers: 3, 5000, 4000, 800), Row(.p720, layers: 3, 2500, 2500, 600),
    Row(.p540, layers: 3, 1200, 1200, 350), Row(.p360, layers: 2, 700, 500, 150),
    Row(.p270, layers: 2, 450, 350, 150), Row(.p180, layers: 1, 200, 150, 30),
  ]

  private static let vp9 = [
    Row(.p1080, layers: 3, 3367, 3367, 769), Row(.p720, layers: 3, 1524, 1524, 481),
    Row(.p540, layers: 3, 879, 879, 337), Row(.p360, layers: 2, 420, 420, 193),
    Row(.p270, layers: 2, 257, 257, 121), Row(.p180, layers: 1, 142, 142, 30),
    Row(Resolution(width: 240, height: 135), layers: 1, 101, 101, 30),
  ]

  private static func rows(_ table: Table) -> [Row] {
    switch table {
    case .vp8: vp8
    case .vp9: vp9
    }
  }

  /// Returns the rows around a size and its relative distance below the upper one, 0 to 1; sizes beyond either end
  /// use the outermost row, as upstream does with low-resolution interpolation disabled.
  private static func place(_ size: Resolution, _ table: Table) -> (upper: Row, lower: Row, below: Double) {
    let rows = rows(table)
    guard let index = rows.firstIndex(where: { size.pixels >= $0.pixels }) else {
      return (rows[rows.count - 1], rows[rows.count - 1], 0)
    }
    guard index > 0 else { return (rows[0], rows[0], 0) }
    let upper = rows[index - 1]
    let lower = rows[index]
    return (upper, lower, Double(upper.pixels - size.pixels) / Double(upper.pixels - lower.pixels))
  }

  /// Returns the bit rates for a frame size, interpolated linearly in pixels between the table's rows and rounded to
  /// kilobits.
  ///
  /// - Parameter isLowest: `true` for the lowest encoding, whose minimum is ``lowestMinimum``.
  package static func rates(
    of size: Resolution, table: Table = .vp8, isLowest: Bool = false
  ) -> LayerRates {
    let (upper, lower, below) = place(size, table)
    func between(_ value: (Row) -> Int64) -> BitRate {
      let rate = Double(value(upper)) + Double(value(lower) - value(upper)) * below
      return .kilobits(Int64((rate / 1000).rounded()))
    }
    return LayerRates(
      minimum: isLowest ? lowestMinimum : between { $0.minimum }, target: between { $0.target },
      maximum: between { $0.maximum })
  }

  /// Returns the maximum number of encodings for a capture size, 1 to 3.
  package static func layerLimit(of capture: Resolution, table: Table = .vp8) -> Int {
    let (upper, lower, below) = place(capture, table)
    return below < roundUp ? upper.layers : lower.layers
  }

  /// Returns the encodings of a capture, smallest first: each has half the width and height of the next.
  ///
  /// - Parameters:
  ///   - capture: capture size.
  ///   - requested: number of encodings that the application requests, at least 1.
  package static func encodings(
    of capture: Resolution, requested: Int = 3, table: Table = .vp8
  ) -> [SimulcastEncoding] {
    let count = max(1, min(requested, layerLimit(of: capture, table: table)))
    return (0..<count).map { index in
      let shift = count - 1 - index
      let size = Resolution(width: max(1, capture.width >> shift), height: max(1, capture.height >> shift))
      return SimulcastEncoding(
        resolution: size, rates: rates(of: size, table: table, isLowest: index == 0))
    }
  }
}
