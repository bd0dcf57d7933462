package import Endpoint
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Systems
import Transport

/// Packets retransmitted to viewers, as repairs or as probes.
extension Forwarder {
  /// Retransmits the packets that a viewer reports missing, by the server's rule.
  package mutating func retransmit(
    _ request: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let viewer = Int(request.destination)
    let path = Path.down(viewer)
    let track = streams.track(viewer: viewer, source: Int(request.stream))
    switch rules.repairs {
    case .oncePerRoundTrip:
      // The key frame with which the encoding began makes earlier packets superfluous, and would queue behind them.
      for sequence in request.acknowledgedSequences
      where Int32(bitPattern: sequence &- tracks[track].firstSequence) >= 0 {
        _ = endpoints.retransmit(
          sequence, of: &histories[track], on: path, links: &links, kernel: &kernel)
      }
    case .limited(let count, let spacing):
      guard !tracks[track].awaitsKeyFrame, !tracks[track].isBeingRelieved else { return }
      let known = endpoints.knownRoundTrip(on: path, links, at: kernel.now)
      retransmit(
        request, on: track, .init(spacing: known.map { min(spacing, $0 * 2) } ?? spacing, count: count),
        endpoints: &endpoints, links: &links, kernel: &kernel)
    case .oncePerReportedRoundTrip(let unknown, let age):
      let known = tracks[track].beganAt.flatMap { endpoints.reportedRoundTrip(on: path, since: $0) }
      // Whole milliseconds; the elapsed time must exceed them.
      let spacing = SimDuration.milliseconds((known ?? unknown).nanoseconds / 1_000_000 + 1)
      retransmit(
        request, on: track, .init(spacing: spacing, age: age),
        endpoints: &endpoints, links: &links, kernel: &kernel)
    }
  }

  /// Notes that a packet has left its viewer's pacer.
  package mutating func noteDeparture(_ packet: Packet, at now: SimTime) {
    let source = Int(ingress[Int(packet.stream)].source)
    histories[streams.track(viewer: Int(packet.destination), source: source)]
      .noteDeparture(of: packet.sequence, at: now)
  }

  private mutating func retransmit(
    _ request: Packet, on track: Int, _ limit: RetransmissionHistory.Limit, endpoints: inout Endpoints,
    links: inout PathLinks, kernel: inout Kernel
  ) {
    let viewer = Int(request.destination)
    for sequence in request.acknowledgedSequences where !isSuperfluous(sequence, on: track) {
      guard let (packet, count) = histories[track].take(sequence, within: limit, at: kernel.now) else {
        continue
      }
      if count > 1, meter.isOn { sent[viewer].repeatedNACKs += 1 }
      repeatPacket(packet, to: viewer, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
  }

  /// Checks whether a packet is of an encoding above the forwarded one, of which a track that is short of bandwidth gets
  /// no repairs (LiveKit's forwarder.go, FilterRTX).
  private func isSuperfluous(_ sequence: UInt32, on track: Int) -> Bool {
    guard tracks[track].isShort, let packet = histories[track].packet(sequence) else { return false }
    let stream = Int(packet.stream)
    let first = streams.sources[Int(ingress[stream].source)].encodings.lowerBound
    return stream - first > Int(tracks[track].current.encoding)
  }

  /// Retransmits the last packets of a viewer's tracks until enough has been sent.
  ///
  /// - Returns: bytes sent, as whole RTP packets.
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
        sentBytes += Int(packet.repeated.rtpBytes)
        repeatPacket(packet, to: viewer, endpoints: &endpoints, links: &links, kernel: &kernel)
      }
    }
    return sentBytes
  }

  private mutating func repeatPacket(
    _ packet: Packet, to viewer: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let copy = packet.repeated
    sent[viewer].bytes += copy.rtpBytes
    endpoints.send(copy, .videoRetransmission, on: Path.down(viewer), links: &links, kernel: &kernel)
  }
}

/// Video sent to a viewer so far.
package struct SentVideo: BitwiseCopyable {
  /// Bytes of whole RTP packets: media, repairs and probes.
  package var bytes: Int64 = 0
  /// Number of media packets.
  package var packets = 0
  /// Number of repeated retransmissions of the same packet.
  package var repeatedNACKs = 0

  package mutating func note(_ packet: Packet) {
    bytes += packet.rtpBytes
    packets += 1
  }
}
