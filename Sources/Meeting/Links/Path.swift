/// A direction between a participant and the SFU, by number: two per participant.
enum Path {
  static func up(_ participant: Int) -> Int { 2 * participant }
  static func down(_ participant: Int) -> Int { 2 * participant + 1 }
  static func participant(of path: Int) -> Int { path >> 1 }
  static func isUp(_ path: Int) -> Bool { path & 1 == 0 }
  /// Returns the opposite direction.
  static func reverse(of path: Int) -> Int { path ^ 1 }
}
