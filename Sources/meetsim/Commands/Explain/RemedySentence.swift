import Scenario

/// A change to the scenario that improved the tile in most repetitions, in words.
struct RemedySentence: Equatable {
  /// Description of the change.
  let change: String
  let agreeing: Int
  /// Number of these repetitions in which only the freezes are shorter.
  var smoother = 0
  /// Number of repetitions by which the change is judged, and of all.
  let repetitions: Int
  let tried: Int
  /// Set if these are no better than the explained run, where others lack less.
  var isOfThoseAlike = false
  /// The next smaller change of the same kind, which did not help reliably; `nil` for none.
  var insufficient: String?
  /// Set if it shows fewer tiles at a time.
  var hidesTiles = false
  /// Other tiles that lose a layer in at least half of the repetitions.
  let losers: [Tile]

  /// Effect on the tile, in words.
  var effect: String {
    switch smoother {
    case 0: "has more"
    case agreeing: "is frozen for less than half as long"
    default: "has more, or is frozen for less than half as long,"
    }
  }

  /// Repetitions in which it has that effect, in words.
  var scope: String {
    guard repetitions < tried else { return "\(agreeing) of \(repetitions) repetitions" }
    let which = isOfThoseAlike ? "are no better" : "lack anything"
    return "\(agreeing) of the \(repetitions) repetitions of \(tried) that \(which)"
  }

  var text: String {
    let cost =
      losers.isEmpty
      ? "no other tile loses by it"
      : (hidesTiles ? "it takes off the screen " : "it takes a layer, or the picture, from ")
        + Self.list(of: losers)
    return "With \(change) the tile \(effect) in \(scope)"
      + (insufficient.map { ", not reliably with \($0)" } ?? "") + "; \(cost)."
  }

  /// Lists tiles in prose, grouped by viewer.
  private static func list(of tiles: [Tile]) -> String {
    var views: [(viewer: String, sources: [String])] = []
    for tile in tiles.prefix(3) {
      if views.last?.viewer == tile.viewer {
        views[views.count - 1].sources.append(tile.source)
      } else {
        views.append((tile.viewer, [tile.source]))
      }
    }
    var texts = views.map { "\($0.viewer)'s view of \($0.sources.enumeration)" }
    let rest = tiles.count - 3
    if rest > 0 { texts.append(rest == 1 ? "one more tile" : "\(rest) more tiles") }
    return texts.enumeration
  }

  /// A viewer's tile of a source, by name.
  struct Tile: Equatable {
    let viewer: String
    let source: String
  }
}

/// Changes tried on a tile.
struct Remedies {
  var helped: [RemedySentence] = []
  /// Changes that did not help, in words.
  var failed: [String] = []
  /// Number of repetitions in which the unchanged tile lacks nothing at the moment.
  var fine = 0
}
