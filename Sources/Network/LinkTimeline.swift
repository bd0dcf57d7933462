import Quantity

/// A link's changes in the order of time, and how many of each kind have been applied.
///
/// Offers and the beginnings of transmissions each come in the order of time, so that its places only move forward.
struct LinkTimeline {
  /// What changes for packets whose transmission begins later: delay, jitter and loss.
  private let pathSteps: [LinkChangeStep]
  private let queueSteps: [(at: Int64, limit: QueueLimit)]
  /// Disjoint, in order [ns].
  private let outages: [Range<Int64>]
  private var pathPlace = 0
  private var queuePlace = 0
  private var outagePlace = 0

  init(_ parameters: LinkParameters) {
    var path: [LinkChangeStep] = []
    var queue: [(at: Int64, limit: QueueLimit)] = []
    for step in parameters.changes {
      switch step.change {
      case .capacity, .down: break
      case .delay, .jitter, .loss: path.append(step)
      case .queue(let limit): queue.append((step.at.nanoseconds, limit))
      }
    }
    pathSteps = path
    queueSteps = queue
    outages = parameters.outages.map { $0.lowerBound.nanoseconds..<$0.upperBound.nanoseconds }
  }

  /// Whether delay, jitter or loss ever change.
  var changesPath: Bool { !pathSteps.isEmpty }

  /// The next change of delay, jitter or loss that holds at a time [ns] and has not been taken yet.
  mutating func takePathChange(by time: Int64) -> LinkChange? {
    guard pathPlace < pathSteps.count, pathSteps[pathPlace].at.nanoseconds <= time else { return nil }
    pathPlace += 1
    return pathSteps[pathPlace - 1].change
  }

  /// The next queue limit that holds at a time [ns] and has not been taken yet.
  mutating func takeQueueLimit(by time: Int64) -> QueueLimit? {
    guard queuePlace < queueSteps.count, queueSteps[queuePlace].at <= time else { return nil }
    queuePlace += 1
    return queueSteps[queuePlace - 1].limit
  }

  /// Whether the link is down at a time [ns], the end of an outage excluded.
  mutating func isDown(at time: Int64) -> Bool {
    while outagePlace < outages.count, outages[outagePlace].upperBound <= time { outagePlace += 1 }
    return outagePlace < outages.count && outages[outagePlace].lowerBound <= time
  }
}
