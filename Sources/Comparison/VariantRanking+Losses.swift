import Metrics
import ResultReading
import Statistics

/// Tiles that a variant makes worse.
extension VariantRanking {
  /// Tile metrics in which a loss counts.
  private static let costs = ["mos", "freezes_duration"]

  /// Finds tiles that lose quality, by Student's t-tests on the pairs, with Holm's correction over all of them.
  static func losses(
    _ pairs: [(base: Int, new: Int)], in results: Results, apartFrom subject: Subject, level: Double
  ) -> [Loss] {
    let keys = results.scalars.keys
    var tested: [(key: ScalarKey, difference: MeanDifference, base: Double)] = []
    var gone: [Loss] = []
    for place in keys.indices
    where keys[place].scope == "tile" && costs.contains(keys[place].metric) && !subject.keys.contains(place) {
      let values = results.scalars.values[place]
      let shown = pairs.filter { !values[$0.base].isNaN }
      let known = shown.filter { !values[$0.new].isNaN }
      if 2 * known.count < shown.count {
        let key = keys[place]
        if key.metric == costs[0], let base = Sample(shown.map { values[$0.base] }).mean {
          gone.append(
            Loss(
              viewer: key.viewer, source: key.source, metric: key.metric, unit: key.unit, base: base, new: nil
            ))
        }
        continue
      }
      guard let base = Sample(known.map { values[$0.base] }).mean,
        let difference = MeanDifference.paired(
          known.map { (first: values[$0.base], second: values[$0.new]) }, level: level),
        difference.pValue != nil,
        !isOfMorePictures(difference, keys[place], known, in: results)
      else { continue }
      tested.append((keys[place], difference, base))
    }
    let adjusted = HolmCorrection.adjusted(tested.map { $0.difference.pValue ?? 1 })
    return gone
      + zip(tested, adjusted).compactMap { one, p in
        let isLoss =
          one.key.direction == .bigger ? one.difference.difference < 0 : one.difference.difference > 0
        guard isLoss, p < 1 - level, abs(one.difference.difference) >= least(of: one.key.metric) else {
          return nil
        }
        return Loss(
          viewer: one.key.viewer, source: one.key.source, metric: one.key.metric, unit: one.key.unit,
          base: one.base, new: one.base + one.difference.difference)
      }
  }

  /// Checks whether freezes of a tile come with pictures that the base does not show: it is without frames for less time,
  /// by as much at least.
  private static func isOfMorePictures(
    _ difference: MeanDifference, _ key: ScalarKey, _ pairs: [(base: Int, new: Int)], in results: Results
  ) -> Bool {
    guard key.metric == costs[1],
      let place = results.scalars.keys.firstIndex(where: {
        $0.metric == darkness && $0.viewer == key.viewer && $0.source == key.source
      })
    else { return false }
    let values = results.scalars.values[place]
    let more = Sample(pairs.map { values[$0.base] - values[$0.new] }).mean ?? 0
    return more > 0 && more >= difference.difference
  }

  /// Minimum loss to report [our model]: a tenth of a score, half a second of freezes.
  private static func least(of metric: String) -> Double { metric == "mos" ? 0.1 : 0.5 }
}
