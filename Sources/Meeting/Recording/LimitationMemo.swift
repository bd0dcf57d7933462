import Allocation
import Quantity
import SimulationKernel

/// What limits each tile, for as long as neither its decision nor what surrounds it changes.
struct LimitationMemo {
  private struct Entry {
    /// ``SubscriptionTable/revisions``
    let revision: UInt32
    let circumstances: DecidedTile.Circumstances
    let limitation: Limitation
  }

  /// By track.
  private var entries: [Entry?]
  /// When each viewer's estimate last reached what its link carries.
  private var reachedAt: [SimTime?]
  /// A tile whose rows are kept; `nil` in runs.
  var watch: WatchedTile?

  init(tracks: Int, viewers: Int) {
    entries = Array(repeating: nil, count: tracks)
    reachedAt = Array(repeating: nil, count: viewers)
  }

  /// A viewer's estimate is at what its link carries.
  mutating func noteReached(_ viewer: Int, at now: SimTime) { reachedAt[viewer] = now }

  func hasReached(_ viewer: Int, since beginning: SimTime) -> Bool {
    reachedAt[viewer].map { $0 >= beginning } ?? false
  }

  /// What was found before for the same decision in the same circumstances.
  func limitation(
    on track: Int, _ revision: UInt32, _ circumstances: DecidedTile.Circumstances
  ) -> Limitation? {
    guard entries[track]?.revision == revision, entries[track]?.circumstances == circumstances else {
      return nil
    }
    return entries[track]?.limitation
  }

  mutating func note(
    _ limitation: Limitation, on track: Int, _ revision: UInt32, _ circumstances: DecidedTile.Circumstances
  ) {
    entries[track] = Entry(revision: revision, circumstances: circumstances, limitation: limitation)
  }
}
