/// BBR's detection of a full path in Startup: the rate has not grown by a quarter in three rounds
/// (`bbr_full_bw_thresh`, `bbr_full_bw_cnt`; draft-ietf-ccwg-bbr section 5.3.1.2).
struct FullPipe: BitwiseCopyable, Sendable {
  private static let growth = 1.25
  private static let flatRounds = 3

  /// Set once the path is full (`full_bw_reached`).
  private(set) var isReached = false
  private var rate = 0.0
  private var flatCount = 0

  /// Processes the rate at the start of a round [segment/s].
  mutating func note(_ rate: Double) {
    guard rate < self.rate * Self.growth else {
      self.rate = rate
      flatCount = 0
      return
    }
    flatCount += 1
    isReached = flatCount >= Self.flatRounds
  }

  /// Marks the path as full for another reason.
  mutating func reach() { isReached = true }

  /// Makes any rate count as growth again, as after a timeout.
  mutating func restart() { rate = 0 }
}
