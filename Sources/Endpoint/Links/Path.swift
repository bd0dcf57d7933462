/// A direction between a participant and the SFU, by number: two per participant.
public enum Path {
  @inlinable public static func up(_ participant: Int) -> Int { 2 * participant }
  @inlinable public static func down(_ participant: Int) -> Int { 2 * participant + 1 }
  @inlinable public static func participant(of path: Int) -> Int { path >> 1 }
  @inlinable public static func isUp(_ path: Int) -> Bool { path & 1 == 0 }
  /// Returns the opposite direction.
  @inlinable public static func reverse(of path: Int) -> Int { path ^ 1 }
}
