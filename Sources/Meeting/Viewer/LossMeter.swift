import Quantity

/// The fraction of a viewer's video packets that its receivers miss, over periods of a second.
struct LossMeter: BitwiseCopyable {
  private static let period = SimDuration.seconds(1)

  private var lost: Int64 = 0
  private var numbered: Int64 = 0
  private var since = SimTime.zero
  private var share = 0.0

  /// Closes a period that is over; one without packets has no loss.
  ///
  /// - Parameters:
  ///   - lost: packets that sequence numbers have missed since the beginning.
  ///   - numbered: sequence numbers seen since the beginning.
  /// - Returns: the fraction over the last period.
  mutating func update(lost: Int64, numbered: Int64, at now: SimTime) -> Double {
    guard now - since >= Self.period else { return share }
    let count = numbered - self.numbered
    share = count > 0 ? Double(lost - self.lost) / Double(count) : 0
    self.lost = lost
    self.numbered = numbered
    since = now
    return share
  }
}
