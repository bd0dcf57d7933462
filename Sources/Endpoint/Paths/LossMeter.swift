import Quantity

/// The fraction of a path's packets that its receiver misses, over periods of a second.
///
/// Losses are counted by the numbers that the path's own sender assigns, so media lost on the way to that sender leaves
/// no gap.
struct LossMeter: BitwiseCopyable {
  private static let period = SimDuration.seconds(1)

  /// Number expected after the newest packet of the completed periods.
  private var next: UInt16 = 0
  /// Number of packets that had arrived at the end of the completed periods.
  private var arrivals = 0
  private var since = SimTime.zero
  private var share = 0.0

  /// Begins a new connection, which discards the counts of the old one.
  ///
  /// - Parameters:
  ///   - next: number of the first packet that will be sent on it.
  ///   - arrivals: number of packets that have arrived before.
  package mutating func beginConnection(from next: UInt16, arrivals: Int) {
    self.next = next
    self.arrivals = arrivals
    share = 0
  }

  /// Closes a completed period; one without packets has no loss, since a receiver cannot know of any.
  ///
  /// - Parameters:
  ///   - newest: number of the packet that arrived last, as on the wire.
  ///   - arrivals: number of packets that have arrived since the beginning.
  /// - Returns: the fraction over the last period, 0 to 1.
  package mutating func update(newest: UInt16, arrivals: Int, at now: SimTime) -> Double {
    guard now - since >= Self.period else { return share }
    since = now
    share = 0
    guard arrivals > self.arrivals else { return share }
    let sent = Int(Int16(bitPattern: newest &+ 1 &- next))
    if sent > 0 {
      share = Double(max(sent - (arrivals - self.arrivals), 0)) / Double(sent)
      next = newest &+ 1
    }
    self.arrivals = arrivals
    return share
  }
}
