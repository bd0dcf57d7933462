/// A direction between a participant and the SFU, by number: two per participant.
public enum Path {
  /// Returns a participant's uplink.
  @inlinable public static func up(_ participant: Int) -> Int { 2 * participant }
  /// Returns a participant's downlink.
  @inlinable public static func down(_ participant: Int) -> Int { 2 * participant + 1 }
  /// Returns the participant of a direction.
  @inlinable public static func participant(of path: Int) -> Int { path >> 1 }
  /// Checks whether a direction is an uplink.
  @inlinable public static func isUp(_ path: Int) -> Bool { path & 1 == 0 }
  /// Returns the opposite direction.
  @inlinable public static func reverse(of path: Int) -> Int { path ^ 1 }
}
