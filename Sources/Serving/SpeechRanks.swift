import Systems

/// Ranks of the publishers in the order of speech.
struct SpeechRanks {
  /// Publishers by source.
  private let publishers: [Int]
  /// Participants who spoke before the meeting, most recent first.
  private let earlier: [Int]
  /// Ranks by source, 0 for the current or last speaker; `nil` for one who has not spoken.
  private(set) var ranks: [Int?]

  init(publishers: [Int], earlier: [Int]) {
    self.publishers = publishers
    self.earlier = earlier
    ranks = publishers.map { earlier.firstIndex(of: $0) }
  }

  /// Follows the participants' speech.
  ///
  /// - Returns: `true` if a rank has changed.
  mutating func follow(_ members: [Roster.Member]) -> Bool {
    let order = members.speechOrder(after: earlier)
    let before = ranks
    ranks = publishers.map { order.firstIndex(of: $0) }
    return ranks != before
  }
}
