import Allocation

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

  init(tracks: Int) { entries = Array(repeating: nil, count: tracks) }

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
