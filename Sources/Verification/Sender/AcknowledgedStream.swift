import CongestionControl
import Quantity

/// A controller driven by hand: packets at given times, arrivals through a single server, immediate feedback.
struct AcknowledgedStream: ~Copyable {
  private var controller: GoogleCongestionControl
  private(set) var now = SimTime.zero
  var capacity = RateLimit.unlimited
  /// Offset of the receiver's clock from the sender's.
  var clockOffset = SimDuration.zero
  private var freeAt = SimTime.zero
  private var sequence: Int64 = 0

  init(parameters: GoogleCongestionControlParameters) {
    controller = GoogleCongestionControl(parameters: parameters, at: .zero)
    controller.process(at: .zero)
  }

  /// Current estimate [kbps].
  var estimate: Double { Double(controller.target.rate.bitsPerSecond) / 1000 }

  /// Sends a packet that arrives after a delay, and advances the time.
  mutating func send(size: Int32, after step: SimDuration, delay: SimDuration) {
    let packet = next(size: size, cluster: -1)
    controller.send(packet)
    controller.receive([PacketResult(packet: packet, receivedAt: now + delay)], at: now + delay)
    now += step
    controller.process(at: now)
  }

  /// Sends a frame at the estimated rate, 30 per second, through the server; feedback arrives with its last packet.
  mutating func sendFrame() {
    var left = Int64(estimate * 1000 / 8 / 30)
    var results: [PacketResult] = []
    while left > 0 {
      let packet = next(size: Int32(min(left, 1200)), cluster: -1)
      controller.send(packet)
      let start = max(freeAt, now)
      let nanoseconds =
        capacity.rate.map { Int64(packet.size) * 8_000_000_000 / max($0.bitsPerSecond, 1) } ?? 0
      freeAt = start + SimDuration(nanoseconds: nanoseconds)
      results.append(PacketResult(packet: packet, receivedAt: freeAt + clockOffset))
      left -= 1200
    }
    controller.receive(results, at: max(now, freeAt))
    now += SimDuration(nanoseconds: 33_333_333)
    controller.process(at: now)
  }

  /// Sends the packets of the first probe cluster and returns the resulting target [kbps].
  mutating func probe(
    packets: Int, size: Int32, sentEvery send: SimDuration, receivedEvery receive: SimDuration
  ) -> Double {
    let cluster = controller.takeProbe()?.id ?? 0
    for place in 0..<Int64(packets) {
      let packet = next(size: size, cluster: cluster)
      controller.send(packet)
      let arrival = SimTime.zero + receive * place
      controller.receive([PacketResult(packet: packet, receivedAt: arrival)], at: max(now, arrival))
      now += send
    }
    return estimate
  }

  private mutating func next(size: Int32, cluster: Int32) -> SentPacket {
    defer { sequence += 1 }
    return SentPacket(sequence: sequence, sentAt: now, size: size, probeCluster: cluster)
  }
}
