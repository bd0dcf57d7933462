import Quantity
import Systems

/// Remote users in the order in which their video started, with the state of their tiles.
///
/// Users already present when the viewer joins are in the order in which they joined [our model: the guide's order is
/// that of their first decoded frames]. In the guide's grid the viewer's own tile precedes them.
struct AgoraVideoUsers {
  /// Tile of a user.
  struct Cell {
    var participant: Int
    /// Set if it was on the screen at any moment since the last update.
    var passes: Bool
    /// Set if it is on the screen now.
    var stays: Bool
  }

  /// Start or end of a tile's display (`willDisplay`, `didEndDisplaying`).
  enum Change: Hashable {
    case displayed(Int)
    case ended(Int)
  }

  private(set) var list: [Int] = []
  /// Participants whose tiles are displayed now.
  private var displayed: Set<Int> = []
  /// Participants whose tiles have ever been displayed.
  private var everDisplayed: Set<Int> = []

  /// Appends the users whose video has started, earliest joined first.
  ///
  /// - Parameter others: all participants whose video can be received, in the order of the file.
  mutating func append(_ others: [Int], _ roster: Roster) {
    let new = others.filter { roster.isCapturing($0) && !list.contains($0) }
    guard !new.isEmpty else { return }
    list += new.sorted { a, b in
      let (aJoined, bJoined) = (roster.members[a].joinedAt, roster.members[b].joinedAt)
      return aJoined == bJoined ? a < b : aJoined < bJoined
    }
  }

  mutating func remove(_ participant: Int) {
    list.removeAll { $0 == participant }
    displayed.remove(participant)
    everDisplayed.remove(participant)
  }

  func isDisplayed(_ participant: Int) -> Bool { displayed.contains(participant) }

  /// Checks whether a user's tile was displayed earlier but no longer is.
  func hasEnded(_ participant: Int) -> Bool {
    everDisplayed.contains(participant) && !displayed.contains(participant)
  }

  /// Updates the displayed tiles and returns the changes, in the order of the list.
  ///
  /// - Parameter cells: tiles of the view; a user without one has none.
  mutating func update(_ cells: [Cell]) -> [Change] {
    var changes: [Change] = []
    for participant in list {
      let cell = cells.first { $0.participant == participant }
      let isNow = cell?.stays ?? false
      if !displayed.contains(participant), isNow || cell?.passes ?? false {
        changes.append(.displayed(participant))
        displayed.insert(participant)
        everDisplayed.insert(participant)
      }
      if !isNow, displayed.remove(participant) != nil { changes.append(.ended(participant)) }
    }
    return changes
  }
}
