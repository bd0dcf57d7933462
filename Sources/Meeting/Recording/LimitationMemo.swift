import Allocation
import Quantity
import SimulationKernel

/// Limitation of each tile, valid until its decision or its circumstances change.
struct LimitationMemo {
  private struct Entry {
    /// Value of ``SubscriptionTable/revisions``.
    let revision: UInt32
    let circumstances: GrantedTile.Circumstances
    let limitation: Limitation
  }

  /// Entries by track.
  private var entries: [Entry?]
  /// Times, by track, at which the sender's uplink last failed to carry the encoding that ample links would bring.
  private var cutOffAt: [SimTime?]
  /// Times at which the viewers' estimates last reached their links' capacities, by viewer.
  private var reachedAt: [SimTime?]
  /// Tile whose rows are kept, in a repeated run; `nil` otherwise.
  var watch: WatchedTile?

  init(tracks: Int, viewers: Int) {
    entries = Array(repeating: nil, count: tracks)
    cutOffAt = Array(repeating: nil, count: tracks)
    reachedAt = Array(repeating: nil, count: viewers)
  }

  /// Notes that a viewer's estimate has reached its link's capacity.
  mutating func noteReached(_ viewer: Int, at now: SimTime) { reachedAt[viewer] = now }

  func hasReached(_ viewer: Int, since beginning: SimTime) -> Bool {
    reachedAt[viewer].map { $0 >= beginning } ?? false
  }

  /// Notes whether the sender's uplink carries the encoding that ample links would bring, and whether that is granted.
  ///
  /// - Returns: `true` if the uplink has cut it off within the last `memory`, or since it was last granted.
  mutating func noteDesire(
    of track: Int, isGiven: Bool, isCarried: Bool, memory: SimDuration, at now: SimTime
  ) -> Bool {
    if !isCarried { cutOffAt[track] = now }
    if isGiven, let last = cutOffAt[track], now - last > memory { cutOffAt[track] = nil }
    return cutOffAt[track] != nil
  }

  /// Returns the limitation found earlier for the same decision in the same circumstances.
  func limitation(
    on track: Int, _ revision: UInt32, _ circumstances: GrantedTile.Circumstances
  ) -> Limitation? {
    guard entries[track]?.revision == revision, entries[track]?.circumstances == circumstances else {
      return nil
    }
    return entries[track]?.limitation
  }

  mutating func note(
    _ limitation: Limitation, on track: Int, _ revision: UInt32, _ circumstances: GrantedTile.Circumstances
  ) {
    entries[track] = Entry(revision: revision, circumstances: circumstances, limitation: limitation)
  }
}
