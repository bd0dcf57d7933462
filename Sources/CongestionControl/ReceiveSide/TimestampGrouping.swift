import Quantity

/// Grouping of packets sent together by wrapping 32-bit timestamps, with a measurement of the differences between
/// consecutive groups (libwebrtc's `inter_arrival.cc`).
///
/// ``InterArrivalGrouping`` is its counterpart on the send side, which has exact send times and ignores sizes.
package struct TimestampGrouping: Sendable {
  /// Differences between the ends of two consecutive groups.
  package struct Delta: BitwiseCopyable, Hashable, Sendable {
    /// Send time difference [timestamp units].
    package var sent: UInt32
    /// Arrival time difference [ms].
    package var received: Int64
    /// Size difference [byte].
    package var size: Int64
  }

  private struct Group: BitwiseCopyable, Sendable {
    var firstTimestamp: UInt32
    var lastTimestamp: UInt32
    /// Arrival time of the first packet [ms].
    var firstArrival: Int64
    /// Arrival time of the last packet [ms].
    var lastArrival: Int64
    /// Processing time of the last packet [ms].
    var lastProcessed: Int64
    /// Total size [byte].
    var size: Int64
  }

  private let parameters: InterArrivalParameters
  private let ticksPerMillisecond: Double
  private let groupLength: UInt32
  private var current: Group?
  private var previous: Group?
  private var reorderedGroups = 0

  /// - Parameter ticksPerMillisecond: timestamp units per millisecond.
  package init(parameters: InterArrivalParameters = .init(), ticksPerMillisecond: Double) {
    self.parameters = parameters
    self.ticksPerMillisecond = ticksPerMillisecond
    groupLength = UInt32(parameters.groupLength.milliseconds * ticksPerMillisecond)
  }

  /// Adds the next packet in order of arrival; returns the differences of the two groups before the one it starts.
  ///
  /// - Parameters:
  ///   - arrival: arrival time [ms].
  ///   - now: processing time [ms].
  ///   - size: [byte]
  package mutating func add(timestamp: UInt32, arrival: Int64, now: Int64, size: Int64) -> Delta? {
    let fresh = Group(
      firstTimestamp: timestamp, lastTimestamp: timestamp, firstArrival: arrival, lastArrival: arrival,
      lastProcessed: now, size: size)
    guard var group = current else {
      current = fresh
      return nil
    }
    // Sent before the start of the group.
    guard timestamp &- group.firstTimestamp < 1 << 31 else { return nil }
    guard startsGroup(after: group, timestamp: timestamp, arrival: arrival) else {
      if timestamp &- group.lastTimestamp < 1 << 31 { group.lastTimestamp = timestamp }
      group.lastArrival = arrival
      group.lastProcessed = now
      group.size += size
      current = group
      return nil
    }
    var delta: Delta?
    if let before = previous {
      let received = group.lastArrival - before.lastArrival
      let clockJump = SimDuration.milliseconds(received - (group.lastProcessed - before.lastProcessed))
      if clockJump >= parameters.clockJump {
        reset()
        return nil
      }
      if received < 0 {
        reorderedGroups += 1
        if reorderedGroups >= parameters.reorderedGroupsBeforeReset { reset() }
        return nil
      }
      reorderedGroups = 0
      delta = Delta(
        sent: group.lastTimestamp &- before.lastTimestamp, received: received, size: group.size - before.size)
    }
    previous = group
    current = fresh
    return delta
  }

  private func startsGroup(after group: Group, timestamp: UInt32, arrival: Int64) -> Bool {
    let received = arrival - group.lastArrival
    let sent = Int64((Double(timestamp &- group.lastTimestamp) / ticksPerMillisecond + 0.5).rounded(.down))
    if sent == 0 { return false }
    let isBurst =
      received < sent && .milliseconds(received) <= parameters.burstSpacing
      && .milliseconds(arrival - group.firstArrival) < parameters.burstLength
    return !isBurst && timestamp &- group.firstTimestamp > groupLength
  }

  private mutating func reset() {
    current = nil
    previous = nil
    reorderedGroups = 0
  }
}
