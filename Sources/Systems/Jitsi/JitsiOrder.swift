import Allocation

/// A source as the bridge orders it.
struct JitsiSource: BitwiseCopyable {
  /// Whether its publisher sends video; without it, it comes last.
  var isEnabled: Bool
  var isScreen: Bool
  var isOnStage: Bool
  /// Place among those on the stage, then those selected; `nil` for the others.
  var place: Int?
  /// Place of its publisher in the order of speech; `nil` for who has not spoken.
  var speechRank: Int?
  /// The receiver's constraint: most lines, 0 for none, `nil` for any.
  var lines: Int?

  init(_ wish: Wish) {
    isEnabled = wish.absence == nil
    isScreen = wish.isScreenShare
    isOnStage = wish.demand.isOnStage
    place = wish.demand.place
    speechRank = wish.demand.speechRank
    lines = wish.visibility == .onScreen ? wish.demand.maximumLines : 0
  }
}

/// The order in which the bridge serves a receiver's sources, and their constraints after last-N (`Prioritize.kt`).
///
/// Stage and selection come first, as the client lists them, then who spoke last. Who has not spoken, and the sources of
/// one participant, are in the order of the scenario [our model: the bridge's is that of joining].
struct JitsiOrder {
  /// Indices of the sources, the first to be served first.
  let indices: [Int]
  /// By source: its constraint, 0 too for those that are disabled or beyond last-N.
  private(set) var lines: [Int?]
  /// By source: whether last-N leaves it out.
  private(set) var isLeftOut: [Bool]

  /// Largest place that an order tells apart; a meeting has fewer sources.
  private static let limit = 1 << 20 - 1

  /// - Parameter limit: most sources with a constraint other than 0.
  init(_ sources: [JitsiSource], limit: Int) {
    var keys = sources.indices.map { index in
      let source = sources[index]
      let place = source.isEnabled ? min(source.place ?? Self.limit, Self.limit) : Self.limit
      let speech = min(source.speechRank ?? Self.limit, Self.limit)
      return (source.isEnabled ? 0 : 1) << 60 | place << 40 | speech << 20 | min(index, Self.limit)
    }
    keys.sort()
    indices = keys.map { $0 & Self.limit }
    lines = sources.map { $0.isEnabled ? $0.lines : 0 }
    isLeftOut = Array(repeating: false, count: sources.count)
    var count = 0
    for index in indices where lines[index] != 0 {
      if count < limit {
        count += 1
      } else {
        lines[index] = 0
        isLeftOut[index] = true
      }
    }
  }
}
