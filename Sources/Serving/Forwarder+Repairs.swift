package import Endpoint
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Systems
import Transport

/// Packets that are sent to viewers again: as repairs, or as probes.
extension Forwarder {
  /// Sends again the packets that a viewer misses of the forwarded encoding. The key frame with which that began makes
  /// those of the previous encoding superfluous, and would have to wait behind them [our model; servers with limits of
  /// their own send all of them].
  package mutating func retransmit(
    _ request: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let viewer = Int(request.destination)
    let track = streams.track(viewer: viewer, source: Int(request.stream))
    if let limit = rules.repairs {
      return retransmit(
        request, on: track, within: limit, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    for sequence in request.acknowledgedSequences
    where Int32(bitPattern: sequence &- tracks[track].firstSequence) >= 0 {
      _ = endpoints.retransmit(
        sequence, of: &histories[track], on: Path.down(viewer), links: &links, kernel: &kernel)
    }
  }

  /// Notes that a packet has left its viewer's pacer.
  package mutating func noteDeparture(_ packet: Packet, at now: SimTime) {
    let source = Int(ingress[Int(packet.stream)].source)
    histories[streams.track(viewer: Int(packet.destination), source: source)]
      .noteDeparture(of: packet.sequence, at: now)
  }

  /// Sends missing packets again with a limit for each, except while the viewer waits for a key frame that it has
  /// requested.
  private mutating func retransmit(
    _ request: Packet, on track: Int, within limit: ForwardingRules.RepairLimit, endpoints: inout Endpoints,
    links: inout PathLinks, kernel: inout Kernel
  ) {
    guard !tracks[track].awaitsKeyFrame else { return }
    let viewer = Int(request.destination)
    let path = Path.down(viewer)
    let spacing =
      endpoints.knownRoundTrip(on: path, links, at: kernel.now).map { min(limit.spacing, $0 * 2) }
      ?? limit.spacing
    for sequence in request.acknowledgedSequences {
      guard
        let (packet, count) = histories[track].take(
          sequence, at: kernel.now.nanoseconds, spacing: spacing.nanoseconds, limit: limit.count)
      else { continue }
      if count > 1, meter.isOn { sent[viewer].repeatedNACKs += 1 }
      repeatPacket(packet, to: viewer, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
  }

  /// Repeats the last packets of a viewer's tracks until enough was sent.
  ///
  /// - Returns: bytes sent, of whole RTP packets.
  package mutating func sendProbe(
    bytes: Int, to viewer: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> Int {
    var sentBytes = 0
    let packets = UInt32(rules.probePackets)
    for source in streams.sources.indices where sentBytes < bytes {
      let track = streams.track(viewer: viewer, source: source)
      let next = tracks[track].sequence
      for place in stride(from: packets, to: 0, by: -1) where sentBytes < bytes && next >= place {
        guard let packet = histories[track].packet(next - place) else { continue }
        let size = Int(packet.size) + PacketOverhead.retransmission - PacketOverhead.aroundRTP
        sentBytes += size
        repeatPacket(packet, to: viewer, endpoints: &endpoints, links: &links, kernel: &kernel)
      }
    }
    return sentBytes
  }

  private mutating func repeatPacket(
    _ packet: Packet, to viewer: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let copy = packet.repeated
    sent[viewer].bytes += Int64(copy.size) - Int64(PacketOverhead.aroundRTP)
    endpoints.send(copy, .videoRetransmission, on: Path.down(viewer), links: &links, kernel: &kernel)
  }
}

/// Video sent to a viewer since the beginning.
package struct SentVideo: BitwiseCopyable {
  /// Bytes of whole RTP packets: media, repairs, probes.
  package var bytes: Int64 = 0
  /// Number of media packets.
  package var packets = 0
  /// Number of retransmissions beyond the first of a packet.
  package var repeatedNACKs = 0

  package mutating func note(_ packet: Packet) {
    bytes += Int64(packet.size) - Int64(PacketOverhead.aroundRTP)
    packets += 1
  }
}
