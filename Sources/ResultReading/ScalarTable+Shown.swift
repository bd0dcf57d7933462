import Metrics

/// Freezes of tiles that show nothing.
extension ScalarTable {
  /// Below this frame rate [Hz] and share of the tile's pixels a tile shows next to nothing [our model].
  private static let leastRate = 0.5
  private static let leastShare = 0.01

  /// Returns a run's value; NaN for freezes of a tile that showed next to nothing while it was on the screen: a
  /// freeze counts when it ends, and a black tile has none.
  package func shownValue(of key: Int, in run: Int) -> Double {
    let value = values[key][run]
    let (own, metric) = (keys[key], keys[key].metric)
    guard !value.isNaN, own.scope == "tile", metric.hasPrefix("freeze"),
      let rate = companion(of: key, metric: "frames_per_second"),
      let share = companion(of: key, metric: "pixels_of_screen")
    else { return value }
    return values[rate][run] < Self.leastRate && values[share][run] < Self.leastShare ? .nan : value
  }

  /// Finds another metric of the same tile; a run's rows of a tile are neighbours.
  private func companion(of key: Int, metric: String) -> Int? {
    let own = keys[key]
    func isOwn(_ place: Int) -> Bool { keys[place].viewer == own.viewer && keys[place].source == own.source }
    var place = key
    while place > 0, isOwn(place - 1) { place -= 1 }
    while place < keys.count, isOwn(place) {
      if keys[place].metric == metric, keys[place].scope == own.scope { return place }
      place += 1
    }
    return nil
  }
}
