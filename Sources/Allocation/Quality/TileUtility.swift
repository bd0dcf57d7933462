package import Ladder
import Quantity

/// Utility of a picture in a tile to its viewer: weight x (MOS - 1) / 4, zero without a picture.
///
/// In millionths, rounded to the nearest, halves away from zero, so that sums are exact and comparisons do not depend
/// on the order of additions. The score is ``MeanOpinionScore``, for screen shares as for cameras: P.1203 was made for
/// moving pictures and penalises a share's low frame rate more than a reader of slides would [our choice: one scale
/// for all].
package enum TileUtility {
  /// Utility of a picture of the best score in a tile of weight 1.
  package static let unit: Int64 = 1_000_000
  /// Maximum weight, which keeps sums far from overflow; larger weights are capped.
  package static let greatestWeight = 10_000.0

  /// Returns the utility of a score.
  ///
  /// - Parameter score: a mean opinion score, 1 to 5; `nil` for no picture.
  package static func millionths(score: Double?, weight: Double) -> Int64 {
    guard let score, weight > 0 else { return 0 }
    let worth = min(weight, greatestWeight) * (score - 1) / 4 * Double(unit)
    return max(0, Int64(worth.rounded()))
  }

  /// Returns the utility of a layer at its bit rate and frame rate.
  ///
  /// - Parameter tile: size of the tile [px]; `nil` for the layer's own size.
  package static func millionths(of layer: Layer, in tile: Resolution?, weight: Double) -> Int64 {
    guard weight > 0 else { return 0 }
    return millionths(score: score(of: layer, in: tile), weight: weight)
  }

  fileprivate static func score(of layer: Layer, in tile: Resolution?) -> Double? {
    MeanOpinionScore.video(
      coded: layer.format.resolution, tile: tile ?? layer.format.resolution, bitrate: layer.bitrate,
      framesPerSecond: layer.format.framesPerSecond)
  }
}

/// Cache of the scores of layers in tiles, numbered by the caller; entries whose inputs change are recomputed.
package struct TileUtilityMemo: Sendable {
  private struct Entry: Sendable {
    var layer: Layer
    var tile: Resolution?
    var score: Double?
  }

  private var entries: [Entry?] = []

  package init() {}

  /// Returns ``TileUtility/millionths(of:in:weight:)`` from the cache.
  ///
  /// - Parameter number: number of the tile's layer, from 0.
  package mutating func millionths(of layer: Layer, in tile: Resolution?, weight: Double, number: Int)
    -> Int64
  {
    if number >= entries.count {
      entries.append(contentsOf: repeatElement(nil, count: number + 1 - entries.count))
    }
    if let known = entries[number], known.layer == layer, known.tile == tile {
      return TileUtility.millionths(score: known.score, weight: weight)
    }
    let score = TileUtility.score(of: layer, in: tile)
    entries[number] = Entry(layer: layer, tile: tile, score: score)
    return TileUtility.millionths(score: score, weight: weight)
  }
}
