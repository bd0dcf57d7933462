import CongestionControl
import Quantity
import Systems

/// Signs of congestion in a path's transport-wide feedback, whatever the controller makes of it.
struct CongestionMeter {
  private struct Counts {
    var received = 0
    var lost = 0
  }

  /// Periods between two reports over which losses are counted: a second.
  private static let periods = 5
  /// Fewer packets tell nothing of losses, as with libwebrtc's loss reports (`send_side_bandwidth_estimation.cc`).
  private static let requiredPackets = 20
  /// A path that was empty so long ago counts no longer, since its delay may have changed [our model].
  private static let memory = SimDuration.seconds(10)

  private var current = Counts()
  private var past: [Counts] = []
  /// The shortest way of a packet: in the current period, and in the current and the previous span of memory.
  private var shortest: SimDuration?
  private var base: SimDuration?
  private var formerBase: SimDuration?
  private var baseSince = SimTime.zero
  private var queueDelay = SimDuration.zero

  /// Takes a feedback message.
  mutating func add(_ results: [PacketResult]) {
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

  /// The signs since the last report; a period without feedback leaves the queue as it was.
  mutating func takeSigns(at now: SimTime) -> Downlink.Signs {
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
