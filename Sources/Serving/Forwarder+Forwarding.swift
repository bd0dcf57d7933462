package import Endpoint
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Systems
import Transport

/// The packet path, from a publisher to each viewer of an encoding.
extension Forwarder {
  /// Results of forwarding a packet.
  package struct News: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A switch has completed, so other encodings may be wanted.
    package static let switched = News(rawValue: 1)
    /// The packet is the one with which its encoding counts as arriving.
    package static let layerBegan = News(rawValue: 2)
    /// The packet signals a different number of spatial layers in its stream.
    package static let layersDeclared = News(rawValue: 4)
  }

  package mutating func forward(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) -> News {
    let number = Int(packet.stream)
    let header = FrameHeader(flags: packet.flags)
    let source = Int(ingress[number].source)
    if streams.hasScalableSources, streams.sources[source].isScalable {
      return forwardLayer(packet, &net, kernel: &kernel)
    }

    guard let gap = follow(packet.sequence, of: number, &net, kernel: &kernel) else {
      return forwardLate(packet, &net, kernel: &kernel)
    }

    if rules.fallback != nil { switching.endSubstitutes(at: number, of: source) }
    var news = meter.isOn ? measure(packet, at: kernel.now) : []
    let isMedia = packet.kind == PacketKind.video.rawValue
    let isNewFrame = isMedia && packet.frame != ingress[number].frame
    if isNewFrame {
      sequences.noteFrame(packet, after: ingress[number].frame)
      ingress[number].frame = packet.frame
      if header.isKeyFrame {
        ingress[number].base.keyFrame = packet.frame
        keyFrames.noteKeyFrame(of: number, isStart: packet.index == 0)
        if packet.index == 0, switchAtKeyFrame(of: number, &net, kernel: &kernel) { news.insert(.switched) }
      }
    }
    if let fallback = rules.fallback { fallBack(at: number, fallback, &net, kernel: &kernel) }
    ingress[number].arrivedAt = LastTime(kernel.now)

    let viewerCount = switching.viewers.count(of: number)
    var place = 0
    while place < viewerCount {
      let viewer = switching.viewers[place, of: number]
      place += 1
      let track = streams.track(viewer: Int(viewer), source: source)
      if isNewFrame { switching.tracks[track].openFrame(packet.frame, header, after: ingress[number].base) }
      egress.leaveRoom(for: gap, of: number, on: track, next: &switching.tracks[track].sequence)
      guard switching.tracks[track].isOpen(packet.frame) else { continue }
      var copy = packet
      copy.destination = viewer
      copy.frame = switching.tracks[track].frameNumber
      copy.sequence = switching.tracks[track].sequence
      switching.tracks[track].sequence &+= 1
      if header.isKeyFrame { switching.tracks[track].awaitsKeyFrame = false }
      egress.send(copy, on: track, isKept: isMedia, &net, kernel: &kernel)
    }
    return news
  }

  /// Tracks a stream's sequence numbers, and requests the packets of a gap, or a key frame if there are too many.
  ///
  /// - Returns: the numbers skipped before this one; `nil` for a late packet.
  @inline(__always)
  mutating func follow(
    _ sequence: UInt32, of stream: Int, _ net: inout Connections, kernel: inout Kernel
  ) -> IngressSequences.Gap? {
    let gap = sequences.follow(sequence, of: stream)
    if let gap, gap.count > 0 { request(gap, of: stream, &net, kernel: &kernel) }
    return gap
  }

  private mutating func request(
    _ gap: IngressSequences.Gap, of stream: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    if !sequences.add(gap, of: stream) { requestKeyFrame(of: stream, &net, kernel: &kernel) }
    sequences.request(of: stream, from: publisher(of: stream), &net, kernel: &kernel)
  }

  /// Measures a packet on arrival.
  mutating func measure(_ packet: Packet, at now: SimTime) -> News {
    let hasBegun = meter.note(
      Int(packet.stream), temporal: Int(FrameHeader(flags: packet.flags).temporalLayer),
      bytes: Int(packet.rtpBytes), at: now)
    return hasBegun ? .layerBegan : []
  }

  // MARK: Repairs

  /// Forwards a repaired or reordered packet to the viewers for whom a gap was left in the numbering.
  package mutating func forwardLate(
    _ packet: Packet, _ net: inout Connections, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    if streams.sources[Int(ingress[number].source)].isScalable {
      return forwardLateLayer(packet, &net, kernel: &kernel)
    }
    guard takeMissing(packet, of: number) else { return [] }
    let news = meter.isOn ? measure(packet, at: kernel.now) : []
    for place in 0..<switching.viewers.count(of: number) {
      let viewer = switching.viewers[place, of: number]
      let track = streams.track(viewer: Int(viewer), source: Int(ingress[number].source))
      guard let sequence = egress.numberLeft(for: packet.sequence, of: packet.stream, on: track) else {
        continue
      }
      var copy = packet
      copy.destination = viewer
      copy.sequence = sequence
      if switching.tracks[track].current.thinning != nil {
        // A dropped frame still takes a place in the numbering.
        let base = ingress[number].base
        copy.frame = switching.tracks[track].thinnedNumber(of: packet.frame, after: base) ?? base.past
      }
      egress.sendLate(copy, on: track, &net, kernel: &kernel)
    }
    return news
  }

  /// Takes a missing packet of a stream that has now arrived; a packet of a key frame answers its request.
  ///
  /// - Returns: `false` for a packet that is no longer expected.
  mutating func takeMissing(_ packet: Packet, of stream: Int) -> Bool {
    guard sequences.take(packet.sequence, of: stream) else { return false }
    if FrameHeader(flags: packet.flags).isKeyFrame, packet.index == 0 { keyFrames.noteAnswer(of: stream) }
    return true
  }

  /// Repeats the requests for packets that publishers have not repaired yet.
  package mutating func repair(_ net: inout Connections, kernel: inout Kernel) {
    for number in 0..<ingress.count where sequences.hasMissing(number) {
      guard isActive(Int(ingress[number].source)) else {
        sequences.giveUp(number)
        continue
      }
      sequences.request(of: number, from: publisher(of: number), &net, kernel: &kernel)
    }
  }

  /// Forwards a protection packet that shares its video's stream, and finds the packet that it recovers (RFC 5109, RFC
  /// 8627).
  ///
  /// - Returns: the sequence number of the recovered packet; `nil` if none or several of its packets are missing.
  package mutating func protect(
    _ packet: Packet, _ net: inout Connections, kernel: inout Kernel
  ) -> (news: News, recovered: UInt32?) {
    guard !packet.isSeparateProtection else { return ([], sequences.recovered(by: packet)) }
    sequences.noteProtection(packet.sequence, of: Int(packet.stream))
    let news = forward(packet, &net, kernel: &kernel)
    return (news, sequences.recovered(by: packet))
  }

  /// Retransmits the packets that a viewer reports missing, by the server's rule.
  package mutating func retransmit(_ request: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let source = Int(request.stream)
    let track = streams.track(viewer: Int(request.destination), source: source)
    egress.retransmit(
      request, on: track, switching.tracks[track], first: streams.sources[source].encodings.lowerBound, &net,
      kernel: &kernel)
  }

  /// Notes that a packet has left its viewer's pacer.
  package mutating func noteDeparture(_ packet: Packet, at now: SimTime) {
    let source = Int(ingress[Int(packet.stream)].source)
    egress.noteDeparture(packet, on: streams.track(viewer: Int(packet.destination), source: source), at: now)
  }

  /// Retransmits the last packets of a viewer's tracks until enough has been sent.
  ///
  /// - Returns: bytes sent, as whole RTP packets.
  package mutating func sendProbe(
    bytes: Int, to viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) -> Int {
    var sentBytes = 0
    for source in streams.sources.indices where sentBytes < bytes {
      let track = streams.track(viewer: viewer, source: source)
      sentBytes += egress.sendProbe(
        bytes: bytes - sentBytes, to: viewer, on: track, next: switching.tracks[track].sequence, &net,
        kernel: &kernel)
    }
    return sentBytes
  }
}
