package import Endpoint
import Media
package import Network
import Plan
import Quantity
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

  package mutating func forward(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    let header = FrameHeader(flags: packet.flags)
    let source = Int(ingress[number].source)
    if streams.hasScalableSources, streams.sources[source].isScalable {
      return forwardLayer(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    }

    guard
      let gap = follow(
        packet.sequence, of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    else { return forwardLate(packet, endpoints: &endpoints, links: &links, kernel: &kernel) }

    if rules.fallback != nil { endSubstitutes(at: number) }
    let isMeasuring = meter.isOn
    var news = isMeasuring ? measure(packet, at: kernel.now) : []
    let isMedia = packet.kind == PacketKind.video.rawValue
    let isNewFrame = isMedia && packet.frame != ingress[number].frame
    if isNewFrame, ingress[number].protectedEnd != nil { noteProtectedFrame(packet) }
    if isNewFrame {
      ingress[number].frame = packet.frame
      if header.isKeyFrame {
        ingress[number].base.keyFrame = packet.frame
        if rules.keyFrames.early == .deferredUnlessAnswered { ingress[number].requests.isDeferred = false }
      }
      if header.isKeyFrame, packet.index == 0,
        noteKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
      {
        news.insert(.switched)
      }
    }
    if let fallback = rules.fallback {
      fallBack(at: number, fallback, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    ingress[number].arrivedAt = LastTime(kernel.now)

    let viewers = Int(ingress[number].viewers)
    var position = 0
    while position < viewers {
      let viewer = viewer(position, of: number)
      position += 1
      let track = streams.track(viewer: Int(viewer), source: source)
      if isNewFrame { tracks[track].openFrame(packet.frame, header, after: ingress[number].base) }
      leaveRoom(for: gap, of: number, on: track)
      guard tracks[track].isOpen(packet.frame) else { continue }
      var copy = packet
      copy.destination = viewer
      copy.frame = tracks[track].frameNumber
      copy.sequence = tracks[track].sequence
      tracks[track].sequence &+= 1
      if isMedia { histories[track].append(copy, at: kernel.now) }
      if isMeasuring { sent[Int(viewer)].note(copy) }
      if header.isKeyFrame { tracks[track].awaitsKeyFrame = false }
      endpoints.send(copy, .video, on: Path.down(Int(viewer)), links: &links, kernel: &kernel)
    }
    return news
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
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    if streams.sources[Int(ingress[number].source)].isScalable {
      return forwardLateLayer(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    guard takeMissing(packet, of: number) else { return [] }
    let news = meter.isOn ? measure(packet, at: kernel.now) : []
    for position in 0..<Int(ingress[number].viewers) {
      let viewer = viewer(position, of: number)
      let track = streams.track(viewer: Int(viewer), source: Int(ingress[number].source))
      guard let sequence = rewritings[track].number(stream: packet.stream, sequence: packet.sequence)
      else { continue }
      var copy = packet
      copy.destination = viewer
      copy.sequence = sequence
      if tracks[track].current.thinning != nil {
        // A dropped frame still takes a place in the numbering.
        let base = ingress[number].base
        copy.frame = tracks[track].thinnedNumber(of: packet.frame, after: base) ?? base.past
      }
      sendLate(copy, on: track, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    return news
  }

  /// Takes a missing packet of a stream that has now arrived; a packet of a key frame answers its request.
  ///
  /// - Returns: `false` for a packet that is no longer expected.
  mutating func takeMissing(_ packet: Packet, of stream: Int) -> Bool {
    guard missing[stream].remove(packet.sequence) else { return false }
    ingress[stream].hasMissing = !missing[stream].isEmpty
    if FrameHeader(flags: packet.flags).isKeyFrame, packet.index == 0 {
      ingress[stream].requests.isPending = false
    }
    return true
  }

  /// Sends a viewer a packet that was repaired or reordered on the uplink.
  mutating func sendLate(
    _ packet: Packet, on track: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    var packet = packet
    if packet.kind == PacketKind.videoRetransmission.rawValue {
      packet.kind = PacketKind.video.rawValue
      packet.size -= Packet.retransmissionHeader
    }
    let viewer = Int(packet.destination)
    histories[track].append(packet, at: kernel.now)
    if meter.isOn { sent[viewer].note(packet) }
    endpoints.send(packet, .videoRetransmission, on: Path.down(viewer), links: &links, kernel: &kernel)
  }

  // MARK: Numbering

  /// Skipped sequence numbers of a stream.
  struct Gap {
    let first: UInt32
    let count: UInt32
  }

  /// Tracks a stream's sequence numbers, which begin with those of its first packet.
  ///
  /// - Returns: the numbers skipped before this one; `nil` for a late packet.
  @inline(__always)
  mutating func follow(
    _ sequence: UInt32, of stream: Int, endpoints: inout Endpoints, links: inout PathLinks,
    kernel: inout Kernel
  ) -> Gap? {
    if !ingress[stream].hasBegun {
      ingress[stream].hasBegun = true
      ingress[stream].expectedSequence = sequence
    }
    let first = ingress[stream].expectedSequence
    let gap = Gap(first: first, count: sequence &- first)
    guard gap.count < 1 << 31 else { return nil }
    ingress[stream].expectedSequence = sequence &+ 1
    if gap.count > 0 { note(gap, of: stream, endpoints: &endpoints, links: &links, kernel: &kernel) }
    return gap
  }

  /// Leaves a gap in a viewer's numbering for a gap on the uplink: the viewer could not detect the loss otherwise, and
  /// packets that still arrive need the room.
  @inline(__always)
  mutating func leaveRoom(for gap: Gap, of stream: Int, on track: Int) {
    guard gap.count > 0 else { return }
    rewritings[track].leaveRoom(
      stream: UInt16(stream), first: gap.first, count: gap.count, rewritten: tracks[track].sequence)
    tracks[track].sequence &+= gap.count
  }

  /// Requests the packets of a gap, or a key frame if there are too many.
  private mutating func note(
    _ gap: Gap, of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    ingress[number].hasMissing = missing[number].add(gap.first, count: gap.count)
    if !ingress[number].hasMissing {
      requestKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    requestMissing(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
  }

  /// Requests missing packets from a publisher.
  private mutating func requestMissing(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let publisher = streams.sources[Int(ingress[number].source)].participant
    let known = endpoints.knownRoundTrip(on: Path.down(publisher), links, at: kernel.now)
    _ = missing[number].request(
      of: number, against: Path.up(publisher), roundTrip: known, endpoints: &endpoints, links: &links,
      kernel: &kernel)
    ingress[number].hasMissing = !missing[number].isEmpty
  }

  /// Repeats the requests for packets that publishers have not repaired yet.
  package mutating func repair(endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel) {
    for number in 0..<ingress.count where ingress[number].hasMissing {
      guard isActive(Int(ingress[number].source)) else {
        missing[number].removeAll()
        ingress[number].hasMissing = false
        continue
      }
      requestMissing(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
  }
}
