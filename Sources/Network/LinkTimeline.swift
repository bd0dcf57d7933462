import Quantity

/// Timed changes of a link, with a cursor for each kind.
///
/// Packet arrivals and transmission starts are each in order of time, so the cursors only move forward.
struct LinkTimeline {
  /// Changes of delay, jitter and loss, applied at the start of a transmission.
  private let pathSteps: [LinkChangeStep]
  private let queueSteps: [(at: Int64, limit: QueueLimit)]
  /// Disjoint outages, in order [ns].
  private let outages: [Range<Int64>]
  private var pathCursor = 0
  private var queueCursor = 0
  private var outageCursor = 0

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

  /// `true` if delay, jitter or loss ever changes.
  var changesPath: Bool { !pathSteps.isEmpty }

  /// Returns the next change of delay, jitter or loss due by a time [ns], each once.
  mutating func takePathChange(by time: Int64) -> LinkChange? {
    guard pathCursor < pathSteps.count, pathSteps[pathCursor].at.nanoseconds <= time else { return nil }
    pathCursor += 1
    return pathSteps[pathCursor - 1].change
  }

  /// Returns the next queue limit due by a time [ns], each once.
  mutating func takeQueueLimit(by time: Int64) -> QueueLimit? {
    guard queueCursor < queueSteps.count, queueSteps[queueCursor].at <= time else { return nil }
    queueCursor += 1
    return queueSteps[queueCursor - 1].limit
  }

  /// Checks whether the link is down at a time [ns]; the end of an outage is excluded.
  mutating func isDown(at time: Int64) -> Bool {
    while outageCursor < outages.count, outages[outageCursor].upperBound <= time { outageCursor += 1 }
    return outageCursor < outages.count && outages[outageCursor].lowerBound <= time
  }
}
