package import Quantity

/// Packet grouping parameters.
package struct InterArrivalParameters: Hashable, Sendable {
  /// Time after a group's first packet within which sent packets belong to the group (`delay_based_bwe.cc`).
  package var groupLength = SimDuration.milliseconds(5)
  /// Time after the previous arrival within which a packet whose gap has shrunk on the path belongs to the same burst
  /// (`inter_arrival_delta.cc`).
  package var burstSpacing = SimDuration.milliseconds(5)
  /// Maximum arrival span of a burst.
  package var burstLength = SimDuration.milliseconds(100)
  /// Number of consecutive reordered groups taken as a change of the receiver's clock.
  package var reorderedGroupsBeforeReset = 3
  /// Lead of the arrival clock over ours taken as a change of the receiver's clock.
  package var clockJump = SimDuration.seconds(3)

  package init() {}
}

/// Grouping of packets sent together, with a measurement of the inter-group delay variation.
///
/// Follows libwebrtc's `inter_arrival_delta.cc`.
package struct InterArrivalGrouping: Sendable {
  /// Send and arrival time differences between the ends of two consecutive groups.
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

  /// Adds the next packet in order of arrival; returns a delta if it completes a group.
  ///
  /// - Parameters:
  ///   - receivedAt: arrival by the receiver's clock, whose offset cancels out.
  ///   - now: arrival time of its feedback.
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
