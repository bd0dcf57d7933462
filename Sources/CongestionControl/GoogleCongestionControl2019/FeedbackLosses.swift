package import Quantity

/// Losses in transport feedback, summed up for the rule of loss reports (`goog_cc_network_control.cc` of 2019).
package struct FeedbackLosses: Sendable {
  /// Minimum time between two reports.
  private let interval = SimDuration.seconds(1)
  private var lost = 0
  private var expected = 0
  private var reportedAt: SimTime?

  package init() {}

  /// Adds the results of a feedback message.
  ///
  /// - Returns: the packets lost and expected since the last report, when one is due.
  package mutating func add(_ feedback: [PacketResult], at now: SimTime) -> (lost: Int, expected: Int)? {
    for result in feedback where !result.isReceived { lost += 1 }
    expected += feedback.count
    if let reportedAt, now - reportedAt <= interval { return nil }
    reportedAt = now
    defer { (lost, expected) = (0, 0) }
    return (lost, expected)
  }
}
