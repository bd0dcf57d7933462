package import CongestionControl
package import Quantity
package import Systems

/// Signs of congestion in a path's transport-wide feedback, independent of its controller.
package struct CongestionMeter {
  private struct Counts {
    var received = 0
    var lost = 0
  }

  /// Number of periods between two reports over which losses are counted: a second.
  private static let periods = 5
  /// Number of packets below which no loss is reported, as with libwebrtc's loss reports
  /// (`send_side_bandwidth_estimation.cc`).
  private static let requiredPackets = 20
  /// Time after which an empty path no longer counts, since its delay may have changed [our model].
  private static let memory = SimDuration.seconds(10)

  private var current = Counts()
  private var past: [Counts] = []
  /// Shortest one-way delay in the current period.
  private var shortest: SimDuration?
  /// Shortest one-way delay in the current span of memory.
  private var base: SimDuration?
  /// Shortest one-way delay in the previous span of memory.
  private var formerBase: SimDuration?
  private var baseSince = SimTime.zero
  private var queueDelay = SimDuration.zero

  package init() {}

  /// Adds a feedback message.
  package mutating func add(_ results: [PacketResult]) {
    for result in results {
      if let receivedAt = result.receivedAt {
        current.received += 1
        let way = receivedAt - result.packet.sentAt
        shortest = min(shortest ?? way, way)
      } else {
        current.lost += 1
      }
    }
  }

  /// Returns the signs since the last report; a period without feedback leaves the queue delay unchanged.
  package mutating func takeSigns(at now: SimTime) -> Downlink.Signs {
    if now - baseSince >= Self.memory {
      baseSince = now
      formerBase = base
      base = nil
    }
    if let way = shortest {
      let least = min(base ?? way, way)
      base = least
      queueDelay = way - min(least, formerBase ?? least)
      shortest = nil
    }
    past.append(current)
    current = Counts()
    if past.count > Self.periods { past.removeFirst() }
    let lost = past.reduce(0) { $0 + $1.lost }
    let all = past.reduce(lost) { $0 + $1.received }
    return Downlink.Signs(
      loss: all < Self.requiredPackets ? 0 : Double(lost) / Double(all), queueDelay: queueDelay)
  }
}
