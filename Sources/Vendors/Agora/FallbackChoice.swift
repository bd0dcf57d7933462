import Quantity
import Systems

/// Choice of the users who fall back: no high-priority users while others suffice, then as few as possible, then the
/// last to join [our model].
struct FallbackChoice {
  struct Candidate {
    var user: AgoraFallback.User
    /// Reduction of the user's bit rate.
    var saving: BitRate
  }

  private let candidates: [Candidate]

  init(_ candidates: [Candidate]) { self.candidates = candidates }

  /// Returns participants who together save a rate, or all of them if that is not enough.
  func fewest(saving rate: BitRate) -> [Int] {
    let normal = candidates.filter { !$0.user.isPreferred }
    let chosen = Self.fewest(of: normal, saving: rate)
    let saved = chosen.reduce(BitRate.zero) { $0 + $1.saving }
    let rest =
      saved < rate ? Self.fewest(of: candidates.filter(\.user.isPreferred), saving: rate - saved) : []
    return (chosen + rest).map(\.user.participant)
  }

  private static func fewest(of candidates: [Candidate], saving rate: BitRate) -> [Candidate] {
    let lastFirst = candidates.sorted { a, b in
      (a.user.joinedAt, a.user.participant) > (b.user.joinedAt, b.user.participant)
    }
    guard let count = (0...lastFirst.count).first(where: { most(lastFirst[...], $0) >= rate }) else {
      return lastFirst
    }
    var chosen: [Candidate] = []
    var saved = BitRate.zero
    for (place, candidate) in lastFirst.enumerated() where chosen.count < count {
      let others = most(lastFirst[(place + 1)...], count - chosen.count - 1)
      guard saved + candidate.saving + others >= rate else { continue }
      chosen.append(candidate)
      saved += candidate.saving
    }
    return chosen
  }

  /// Returns the maximum that a number of candidates save together.
  private static func most(_ candidates: ArraySlice<Candidate>, _ count: Int) -> BitRate {
    candidates.map(\.saving).sorted(by: >).prefix(count).reduce(.zero, +)
  }
}
