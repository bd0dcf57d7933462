import Quantity

/// Groups packets into bursts and gives the differences between consecutive ones.
///
/// libwebrtc `inter_arrival_delta.cc`: a group holds packets sent within 5 ms of its first; a packet also joins when it
/// arrives right behind the group although it was sent later, as after a queue.
package struct InterArrivalGrouping: Sendable {
  /// Differences between two complete groups [ms].
  package struct Deltas: Equatable, Sendable {
    package var send: Double
    package var arrival: Double

    package init(send: Double, arrival: Double) {
      self.send = send
      self.arrival = arrival
    }
  }

  private static let groupLength: Int64 = 5_000_000
  private static let burstArrivalDelta: Int64 = 5_000_000
  private static let longestBurst: Int64 = 100_000_000
  private static let clockJump: Int64 = 3_000_000_000
  private static let reorderedGroupLimit = 3

  /// Times in nanoseconds; `arrived` by the receiver's clock, `noted` by the sender's.
  private struct Group {
    var firstSent: Int64
    var sent: Int64
    var firstArrived: Int64
    var arrived: Int64
    var noted: Int64
  }

  private var current: Group?
  private var previous: Group?
  private var reorderedGroups = 0

  package init() {}

  /// Takes a received packet; gives the differences when it begins a new group and two complete ones are known.
  package mutating func add(sentAt sent: Int64, receivedAt arrived: Int64, at now: Int64) -> Deltas? {
    guard var group = current else {
      current = Group(firstSent: sent, sent: sent, firstArrived: arrived, arrived: arrived, noted: now)
      return nil
    }
    if group.firstSent > sent { return nil }
    var deltas: Deltas?
    if sent - group.firstSent > Self.groupLength, !isBurst(group, sent, arrived) {
      if let previous {
        let arrival = group.arrived - previous.arrived
        if arrival - (group.noted - previous.noted) >= Self.clockJump {
          reset()
          return nil
        }
        if arrival < 0 {
          reorderedGroups += 1
          if reorderedGroups >= Self.reorderedGroupLimit { reset() }
          return nil
        }
        reorderedGroups = 0
        deltas = Deltas(send: Double(group.sent - previous.sent) / 1e6, arrival: Double(arrival) / 1e6)
      }
      previous = group
      group = Group(firstSent: sent, sent: sent, firstArrived: arrived, arrived: arrived, noted: now)
    } else {
      group.sent = max(group.sent, sent)
    }
    group.arrived = arrived
    group.noted = now
    current = group
    return deltas
  }

  private func isBurst(_ group: Group, _ sent: Int64, _ arrived: Int64) -> Bool {
    let arrival = arrived - group.arrived
    let send = sent - group.sent
    if send == 0 { return true }
    return arrival - send < 0 && arrival <= Self.burstArrivalDelta
      && arrived - group.firstArrived < Self.longestBurst
  }

  private mutating func reset() { self = Self() }
}
