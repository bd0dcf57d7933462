import Allocation
import Systems

/// Properties of a source that determine the bridge's order.
struct JitsiSource: BitwiseCopyable {
  /// Set if the publisher sends video; otherwise the source comes last.
  var isEnabled: Bool
  var isScreen: Bool
  var isOnStage: Bool
  /// Rank among the sources on the stage, then those selected; `nil` for the others.
  var place: Int?
  /// Rank of the publisher in the order of speech; `nil` for a participant who has not spoken.
  var speechRank: Int?
  /// Receiver's constraint: maximum lines, 0 for none, `nil` for any.
  var lines: Int?

  init(_ wish: Subscription) {
    isEnabled = wish.absence == nil
    isScreen = wish.isScreenShare
    isOnStage = wish.demand.isOnStage
    place = wish.demand.place
    speechRank = wish.demand.speechRank
    lines = wish.visibility == .onScreen ? wish.demand.maximumLines : 0
  }
}

/// Order in which the bridge serves a receiver's sources, and their constraints after last-N (`Prioritize.kt`).
///
/// Stage and selected sources come first, as the client lists them, then the others by last speech. Participants who
/// have not spoken, and the sources of one participant, are in the order of the scenario [our model: the bridge uses
/// the order of joining].
struct JitsiOrder {
  /// Indices of the sources, in the order of service.
  let indices: [Int]
  /// Constraints by source, also 0 for those that are disabled or beyond last-N.
  private(set) var lines: [Int?]
  /// Flags of the sources that last-N leaves out.
  private(set) var isLeftOut: [Bool]

  /// Largest rank that an order can distinguish; a meeting has fewer sources.
  private static let limit = 1 << 20 - 1

  /// Orders sources.
  ///
  /// - Parameter limit: maximum number of sources with a constraint other than 0.
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
