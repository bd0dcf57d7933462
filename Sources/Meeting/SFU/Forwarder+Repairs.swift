import Media
import Network
import Quantity
import SimulationKernel
import Systems
import Transport

/// Packets that viewers are sent again: because they miss them, or to probe.
extension Forwarder {
  /// Sends again what a viewer misses of the encoding that it is forwarded. The key frame with which that began makes what
  /// is missing of the one before superfluous, and would have to wait behind it [our model; servers with limits of their own
  /// send all of it].
  mutating func retransmit(
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

  /// A packet has left its viewer's pacer.
  mutating func noteDeparture(_ packet: Packet, at now: SimTime) {
    let source = Int(ingress[Int(packet.stream)].source)
    histories[streams.track(viewer: Int(packet.destination), source: source)]
      .noteDeparture(of: packet.sequence, at: now)
  }

  /// The same with a limit for each packet; not while the viewer waits for a key frame that it has asked for.
  private mutating func retransmit(
    _ request: Packet, on track: Int, within limit: ForwardingRules.RepairLimit, endpoints: inout Endpoints,
    links: inout PathLinks, kernel: inout Kernel
  ) {
    guard !tracks[track].awaitsKeyFrame else { return }
    let viewer = Int(request.destination)
    let path = Path.down(viewer)
    let spacing =
      endpoints.knownRoundTrip(on: path, links).map { min(limit.spacing, $0 * 2) } ?? limit.spacing
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
  mutating func sendProbe(
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

/// What a viewer was sent of video since the beginning.
struct SentVideo: BitwiseCopyable {
  /// Whole RTP packets: media, repairs, probes.
  var bytes: Int64 = 0
  /// Media.
  var packets = 0
  /// Packets sent again that had been sent again before.
  var repeatedNACKs = 0

  mutating func note(_ packet: Packet) {
    bytes += Int64(packet.size) - Int64(PacketOverhead.aroundRTP)
    packets += 1
  }
}
