package import Endpoint
import Media
package import Network
import Plan
import Quantity
package import SimulationKernel
import Systems
import Transport

/// The packet path: packets from a publisher are forwarded to each viewer of their encoding.
extension Forwarder {
  /// Results of forwarding a packet.
  package struct News: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Completion of switches, so that other encodings may be wanted.
    package static let switched = News(rawValue: 1)
    /// First packet with which its encoding counts as arriving.
    package static let layerBegan = News(rawValue: 2)
    /// Packet that tells of more or fewer spatial layers of its stream than before.
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

    // The first packet tells where a stream's sequence numbers begin.
    if !ingress[number].hasBegun {
      ingress[number].hasBegun = true
      ingress[number].expectedSequence = packet.sequence
    }
    // A gap on the uplink must stay a gap for the viewers, or they could not detect the loss.
    let expected = ingress[number].expectedSequence
    let gap = packet.sequence &- expected
    guard gap < 1 << 31 else {
      return forwardLate(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    ingress[number].expectedSequence = packet.sequence &+ 1
    if gap > 0 {
      noteGap(of: number, first: expected, count: gap, endpoints: &endpoints, links: &links, kernel: &kernel)
    }

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
      if gap > 0 {
        rewritings[track].leaveRoom(
          stream: packet.stream, first: expected, count: gap, rewritten: tracks[track].sequence)
        tracks[track].sequence &+= gap
      }
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
      bytes: Int(packet.size) - PacketOverhead.aroundRTP, at: now)
    return hasBegun ? .layerBegan : []
  }

  // MARK: Repairs

  /// Forwards a packet that was repaired or reordered to the viewers for whom room was left.
  package mutating func forwardLate(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    if streams.sources[Int(ingress[number].source)].isScalable {
      return forwardLateLayer(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    guard missing[number].remove(packet.sequence) else { return [] }
    let news = meter.isOn ? measure(packet, at: kernel.now) : []
    if FrameHeader(flags: packet.flags).isKeyFrame, packet.index == 0 {
      ingress[number].requests.isPending = false
    }
    for position in 0..<Int(ingress[number].viewers) {
      let viewer = viewer(position, of: number)
      let track = streams.track(viewer: Int(viewer), source: Int(ingress[number].source))
      guard let sequence = rewritings[track].number(stream: packet.stream, sequence: packet.sequence)
      else { continue }
      var copy = packet
      copy.destination = viewer
      copy.sequence = sequence
      if tracks[track].current.thinning != nil {
        // A frame that is left out still fills its place in the numbering.
        let base = ingress[number].base
        copy.frame = tracks[track].thinnedNumber(of: packet.frame, after: base) ?? base.past
      }
      if packet.kind == PacketKind.videoRetransmission.rawValue {
        copy.kind = PacketKind.video.rawValue
        copy.size -= Packet.retransmissionHeader
      }
      histories[track].append(copy, at: kernel.now)
      if meter.isOn { sent[Int(viewer)].note(copy) }
      endpoints.send(
        copy, .videoRetransmission, on: Path.down(Int(viewer)), links: &links, kernel: &kernel)
    }
    return news
  }

  /// Handles a gap in an encoding: every viewer's numbering leaves room for packets that may still arrive.
  mutating func noteGap(
    of number: Int, first: UInt32, count: UInt32, endpoints: inout Endpoints, links: inout PathLinks,
    kernel: inout Kernel
  ) {
    ingress[number].hasMissing = missing[number].add(first, count: count)
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
    let wait = (known ?? RepairTiming.unknownRoundTrip).nanoseconds
    while let request = missing[number].takeRequest(at: kernel.now.nanoseconds, roundTrip: wait) {
      endpoints.sendControl(
        .negativeAcknowledgement(
          stream: number, sequence: request.sequence, following: request.following, at: kernel.now),
        against: Path.up(publisher), links: &links, kernel: &kernel)
    }
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
