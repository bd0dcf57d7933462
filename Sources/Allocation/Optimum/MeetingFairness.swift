/// Evenness of service among a meeting's viewers, by the share of its own optimum that each has received.
///
/// Shares, not utilities, because viewers with more tiles and better links have more to receive; Jain's index is
/// defined for such fractions of a demand (Jain, Chiu and Hawe, DEC-TR-301, 1984).
package struct MeetingFairness: Hashable, Sendable {
  /// Jain's index, (sum x)² / (n sum x²), 1/n to 1; `nil` without a share above zero.
  package var index: Double?
  /// Viewer with the least share, the first of several, and its share; `nil` without viewers.
  package var worst: Seat?

  package struct Seat: Hashable, Sendable {
    package var viewer: Int
    package var share: Double

    package init(viewer: Int, share: Double) {
      self.viewer = viewer
      self.share = share
    }
  }

  /// - Parameter viewers: mean utility and mean optimum by viewer [millionths]; viewers without an optimum above zero
  ///   have nothing to receive and do not count.
  package init(_ viewers: [(utility: Int64, optimum: Int64)]) {
    let shares = viewers.map { $0.optimum > 0 ? Double($0.utility) / Double($0.optimum) : nil }
    var sum = 0.0
    var squares = 0.0
    var count = 0.0
    for (viewer, share) in shares.enumerated() {
      guard let share else { continue }
      sum += share
      squares += share * share
      count += 1
      if worst.map({ share < $0.share }) ?? true { worst = Seat(viewer: viewer, share: share) }
    }
    if squares > 0 { index = sum * sum / (count * squares) }
  }
}
