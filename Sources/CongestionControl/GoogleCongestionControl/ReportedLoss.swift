/// Share of packets lost according to receiver reports, over enough packets at a time (libwebrtc
/// `send_side_bandwidth_estimation.cc`, UpdatePacketsLost).
package struct ReportedLoss: BitwiseCopyable, Sendable {
  /// Minimum number of packets for a share.
  private let requiredPackets: Int
  private var lost = 0
  private var expected = 0
  /// Loss in the last reports with enough packets [1/256], at most 255.
  package private(set) var fraction = 0

  package init(requiredPackets: Int = 20) { self.requiredPackets = requiredPackets }

  /// Adds a report.
  ///
  /// - Returns: `true` if there are enough packets for a new ``fraction``.
  package mutating func add(lost: Int, of packets: Int) -> Bool {
    self.lost += lost
    expected += packets
    guard expected >= requiredPackets else { return false }
    fraction = min(max(self.lost, 0) * 256 / expected, 255)
    self.lost = 0
    expected = 0
    return true
  }
}
