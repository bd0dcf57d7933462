import Metrics

/// Freezes of tiles that show next to nothing.
extension ScalarTable {
  /// Frame rate [Hz] and share of the tile's pixels below which a tile shows next to nothing [our model].
  private static let leastRate = 0.5
  private static let leastShare = 0.01

  /// Share of its time on the screen for which a tile that shows next to nothing is frozen, not dark [our model].
  private static let frozenShare = 0.5

  /// Removes the freezes of tiles that showed next to nothing while on the screen, and of their viewers: a freeze is that
  /// of a picture, so a black tile has none. A picture that stood still for most of the time is no black tile, and the value
  /// of a viewer with a tile that was frozen for so long is kept.
  mutating func removeUnseenFreezes() {
    var dark: [String: Set<Int>] = [:]
    let length = keys.firstIndex { $0.scope == "meeting" && $0.metric == "simulated_time" }
    for (key, own) in keys.enumerated() where own.scope == "tile" && own.metric.hasPrefix("freeze") {
      guard let rate = companion(of: key, metric: "frames_per_second"),
        let share = companion(of: key, metric: "pixels_of_screen")
      else { continue }
      let frozen = companion(of: key, metric: "freezes_duration")
      let hidden = companion(of: key, metric: "time_off_screen")
      for run in values[key].indices
      where values[rate][run] < Self.leastRate && values[share][run] < Self.leastShare {
        if let frozen, let hidden, let length {
          let seen = values[length][run] - values[hidden][run]
          if values[frozen][run] >= Self.frozenShare * seen { continue }
        }
        values[key][run] = .nan
        dark[own.viewer, default: []].insert(run)
      }
    }
    for (key, own) in keys.enumerated() where own.scope == "participant" && own.metric.hasPrefix("freeze") {
      for run in dark[own.viewer] ?? [] {
        let isFrozen =
          own.metric == "freezes_duration"
          && length.map { values[key][run] >= Self.frozenShare * values[$0][run] } ?? false
        if !isFrozen { values[key][run] = .nan }
      }
    }
  }

  /// Returns the index of another metric of the same tile; a tile's rows of a run are adjacent.
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
