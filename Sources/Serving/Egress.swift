import Endpoint
import Media
package import Network
import Plan
import Quantity
package import SimulationKernel
package import Systems
package import Transport

/// Video packets sent to the viewers: the gaps in their numbering, their histories, and what is sent again.
package struct Egress: ~Copyable {
  private let rules: ForwardingRules
  /// Set where the SFU measures what it sends.
  private let isMeasured: Bool
  /// Rewritten sequence numbers, by track.
  private var rewritings: Table<SequenceRewriting>
  /// Forwarded packets of each track, for retransmission.
  private var histories: Table<RetransmissionHistory>
  /// Video sent to each viewer; of media packets only where the SFU measures.
  package private(set) var sent: Table<SentVideo>

  /// - Parameter histories: one for each track.
  package init(
    _ rules: ForwardingRules, isMeasured: Bool, histories: consuming Table<RetransmissionHistory>,
    viewers: Int
  ) {
    self.rules = rules
    self.isMeasured = isMeasured
    rewritings = Table(repeating: SequenceRewriting(), count: histories.count)
    self.histories = histories
    sent = Table(repeating: SentVideo(), count: viewers)
  }

  deinit {
    for track in 0..<histories.count { histories[track].deallocate() }
  }

  /// Sends a packet to its viewer.
  ///
  /// - Parameter isKept: `true` for a packet that may be sent again.
  @inline(__always)
  mutating func send(
    _ packet: Packet, on track: Int, isKept: Bool = true, _ net: inout Connections, kernel: inout Kernel
  ) {
    if isKept { histories[track].append(packet, at: kernel.now) }
    let viewer = Int(packet.destination)
    if isMeasured { sent[viewer].note(packet) }
    net.endpoints.send(packet, .video, on: Path.down(viewer), links: &net.links, kernel: &kernel)
  }

  /// Sends a viewer a packet that was repaired or reordered on the uplink.
  mutating func sendLate(_ packet: Packet, on track: Int, _ net: inout Connections, kernel: inout Kernel) {
    var packet = packet
    if packet.kind == PacketKind.videoRetransmission.rawValue {
      packet.kind = PacketKind.video.rawValue
      packet.size -= Packet.retransmissionHeader
    }
    let viewer = Int(packet.destination)
    histories[track].append(packet, at: kernel.now)
    if isMeasured { sent[viewer].note(packet) }
    net.endpoints.send(
      packet, .videoRetransmission, on: Path.down(viewer), links: &net.links, kernel: &kernel)
  }

  /// Notes that a packet has left its viewer's pacer.
  mutating func noteDeparture(_ packet: Packet, on track: Int, at now: SimTime) {
    histories[track].noteDeparture(of: packet.sequence, at: now)
  }

  // MARK: Numbering

  /// Leaves a gap in a viewer's numbering for a gap on the uplink: the viewer could not detect the loss otherwise, and
  /// packets that still arrive need the room.
  ///
  /// - Parameter next: the track's next sequence number.
  @inline(__always)
  mutating func leaveRoom(for gap: IngressSequences.Gap, of stream: Int, on track: Int, next: inout UInt32) {
    guard gap.count > 0 else { return }
    rewritings[track].leaveRoom(stream: UInt16(stream), first: gap.first, count: gap.count, rewritten: next)
    next &+= gap.count
  }

  /// Returns the number left for a late packet of a stream on a track; `nil` if none was left.
  func numberLeft(for sequence: UInt32, of stream: UInt16, on track: Int) -> UInt32? {
    rewritings[track].number(stream: stream, sequence: sequence)
  }

  // MARK: Packets sent again

  /// Retransmits the packets of a track that its viewer reports missing, by the server's rule.
  ///
  /// - Parameter first: stream of the source's lowest encoding.
  mutating func retransmit(
    _ request: Packet, on track: Int, _ state: ForwardedTrack, first: Int, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    let path = Path.down(Int(request.destination))
    switch rules.repairs {
    case .oncePerRoundTrip:
      // The key frame with which the encoding began makes earlier packets superfluous, and would queue behind them.
      for sequence in request.acknowledgedSequences
      where Int32(bitPattern: sequence &- state.firstSequence) >= 0 {
        _ = net.endpoints.retransmit(
          sequence, of: &histories[track], on: path, links: &net.links, kernel: &kernel)
      }
    case .limited(let count, let spacing):
      guard !state.awaitsKeyFrame, !state.isBeingRelieved else { return }
      let known = net.endpoints.knownRoundTrip(on: path, net.links, at: kernel.now)
      retransmit(
        request, on: track, .init(spacing: known.map { min(spacing, $0 * 2) } ?? spacing, count: count),
        upTo: state.highestRepaired(first: first), &net, kernel: &kernel)
    case .oncePerReportedRoundTrip(let unknown, let age):
      let known = state.beganAt.flatMap { net.endpoints.reportedRoundTrip(on: path, since: $0) }
      // Whole milliseconds; the elapsed time must exceed them.
      let spacing = SimDuration.milliseconds((known ?? unknown).nanoseconds / 1_000_000 + 1)
      retransmit(
        request, on: track, .init(spacing: spacing, age: age), upTo: state.highestRepaired(first: first),
        &net,
        kernel: &kernel)
    case .afterRoundTrip(let percent, let margin):
      let known = net.endpoints.knownRoundTrip(on: path, net.links, at: kernel.now)
      let spacing = known.map { min($0 * percent / 100, $0 - margin) } ?? .zero
      retransmit(
        request, on: track, .init(spacing: spacing, includesFirst: true), upTo: nil, &net, kernel: &kernel)
    }
  }

  /// - Parameter highest: highest stream whose packets are sent again; `nil` for all.
  private mutating func retransmit(
    _ request: Packet, on track: Int, _ limit: RetransmissionHistory.Limit, upTo highest: Int?,
    _ net: inout Connections, kernel: inout Kernel
  ) {
    let viewer = Int(request.destination)
    for sequence in request.acknowledgedSequences {
      if let highest, let packet = histories[track].packet(sequence), packet.stream > highest { continue }
      guard let (packet, count) = histories[track].take(sequence, within: limit, at: kernel.now) else {
        continue
      }
      if count > 1, isMeasured { sent[viewer].repeatedNACKs += 1 }
      repeatPacket(packet, to: viewer, &net, kernel: &kernel)
    }
  }

  /// Retransmits a track's last packets as a probe until enough has been sent.
  ///
  /// - Parameter next: the track's next sequence number.
  /// - Returns: bytes sent, as whole RTP packets.
  mutating func sendProbe(
    bytes: Int, to viewer: Int, on track: Int, next: UInt32, _ net: inout Connections, kernel: inout Kernel
  ) -> Int {
    var sentBytes = 0
    let packets = UInt32(rules.probePackets)
    for place in stride(from: packets, to: 0, by: -1) where sentBytes < bytes && next >= place {
      guard let packet = histories[track].packet(next - place) else { continue }
      sentBytes += Int(packet.repeated.rtpBytes)
      repeatPacket(packet, to: viewer, &net, kernel: &kernel)
    }
    return sentBytes
  }

  private mutating func repeatPacket(
    _ packet: Packet, to viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let copy = packet.repeated
    sent[viewer].bytes += copy.rtpBytes
    net.endpoints.send(copy, .videoRetransmission, on: Path.down(viewer), links: &net.links, kernel: &kernel)
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
