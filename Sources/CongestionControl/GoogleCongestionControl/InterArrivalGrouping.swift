package import Quantity

/// What can be set about the grouping of packets.
package struct InterArrivalParameters: Hashable, Sendable {
  /// Packets sent within this time of a group's first belong to it (`delay_based_bwe.cc`).
  package var groupLength = SimDuration.milliseconds(5)
  /// A packet that arrives at most this long after the previous one, and less late than it was sent, came in one
  /// burst with it (`inter_arrival_delta.cc`).
  package var burstSpacing = SimDuration.milliseconds(5)
  /// A burst spans less than this at its arrival.
  package var burstLength = SimDuration.milliseconds(100)
  /// As many groups in a row that arrive before their predecessors mean that the receiver's clock changed.
  package var reorderedGroupsBeforeReset = 3
  /// The arrival clock ran ahead of ours by this much: it changed.
  package var clockJump = SimDuration.seconds(3)

  package init() {}
}

/// Joins packets that left together and measures how much later each group arrives than it was sent.
///
/// Follows libwebrtc's `inter_arrival_delta.cc`.
package struct InterArrivalGrouping: Sendable {
  /// The times between the ends of two groups in a row.
  package struct Delta: BitwiseCopyable, Hashable, Sendable {
    package var sent: SimDuration
    package var received: SimDuration
  }

  private struct Group: BitwiseCopyable, Sendable {
    var firstSentAt: SimTime
    var lastSentAt: SimTime
    var firstReceivedAt: SimTime
    var lastReceivedAt: SimTime
    var reportedAt: SimTime
  }

  private let parameters: InterArrivalParameters
  private var current: Group?
  private var previous: Group?
  private var reorderedGroups = 0

  package init(parameters: InterArrivalParameters = .init()) { self.parameters = parameters }

  /// Takes the next packet in the order of arrival; a delta when it is the first of a new group.
  ///
  /// - Parameters:
  ///   - receivedAt: by the receiver's clock, whose offset cancels out.
  ///   - now: when its feedback came.
  package mutating func add(sentAt: SimTime, receivedAt: SimTime, at now: SimTime) -> Delta? {
    let fresh = Group(
      firstSentAt: sentAt, lastSentAt: sentAt, firstReceivedAt: receivedAt, lastReceivedAt: receivedAt,
      reportedAt: now)
    guard var group = current else {
      current = fresh
      return nil
    }
    guard group.firstSentAt <= sentAt else { return nil }
    guard startsGroup(after: group, sentAt: sentAt, receivedAt: receivedAt) else {
      group.lastSentAt = max(group.lastSentAt, sentAt)
      group.lastReceivedAt = receivedAt
      group.reportedAt = now
      current = group
      return nil
    }
    var delta: Delta?
    if let before = previous {
      let received = group.lastReceivedAt - before.lastReceivedAt
      if received - (group.reportedAt - before.reportedAt) >= parameters.clockJump {
        reset()
        return nil
      }
      if received < .zero {
        reorderedGroups += 1
        if reorderedGroups >= parameters.reorderedGroupsBeforeReset { reset() }
        return nil
      }
      reorderedGroups = 0
      delta = Delta(sent: group.lastSentAt - before.lastSentAt, received: received)
    }
    previous = group
    current = fresh
    return delta
  }

  private func startsGroup(after group: Group, sentAt: SimTime, receivedAt: SimTime) -> Bool {
    let sent = sentAt - group.lastSentAt
    if sent == .zero { return false }
    let received = receivedAt - group.lastReceivedAt
    let isBurst =
      received < sent && received <= parameters.burstSpacing
      && receivedAt - group.firstReceivedAt < parameters.burstLength
    return !isBurst && sentAt - group.firstSentAt > parameters.groupLength
  }

  private mutating func reset() {
    current = nil
    previous = nil
    reorderedGroups = 0
  }
}
