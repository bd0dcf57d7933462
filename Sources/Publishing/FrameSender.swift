import CongestionControl
package import Endpoint
import Ladder
package import Media
package import Network
package import Plan
package import Quantity
package import SimulationKernel
package import Transport

/// The packets of encoded frames on their publishers' uplinks: packetization, retransmission and protection.
package struct FrameSender: ~Copyable {
  /// Way from the encoder to the link.
  package enum Pacing: Equatable {
    /// Through the uplink's pacer.
    case pacer
    /// Through the pacer at a rate of the frame's own.
    case spread(BitRate)
    /// Past the pacer.
    case none
  }

  private let streams: StreamNumbering
  /// Sent packets of each encoding, for retransmission.
  package private(set) var histories: Table<RetransmissionHistory>

  /// - Parameter histories: one for each encoding.
  package init(_ streams: StreamNumbering, histories: consuming Table<RetransmissionHistory>) {
    self.streams = streams
    self.histories = histories
  }

  deinit {
    for encoding in 0..<histories.count { histories[encoding].deallocate() }
  }

  /// Sends the packets of a frame.
  ///
  /// - Parameter place: place of the frame in a scalable stream; `nil` for any other.
  package mutating func send(
    _ frame: EncodedFrame, _ packets: Packetization, of encoding: Int, in place: PicturePlace? = nil,
    by publisher: Int, _ pacing: Pacing, protection: ForwardErrorCorrection,
    _ encoders: inout Table<EncoderState>, _ net: inout Connections, kernel: inout Kernel
  ) {
    let stream = streams.encodings[encoding].stream
    var header = FrameHeader(
      temporalLayer: frame.temporalLayer, groupPosition: frame.groupPosition, isKeyFrame: frame.isKeyFrame)
    if let place { header = FrameHeader(place.frame, endsPicture: place.isLast) }
    var packet = Packet(
      sentAt: kernel.now, size: 0, stream: UInt16(encoding), kind: PacketKind.video.rawValue,
      flags: header.flags, frame: place?.frame.number ?? encoders[encoding].output.nextFrame,
      count: UInt16(packets.count),
      format: encoders[encoding].output.size)
    let path = net.endpoints.sendingPath(of: publisher)
    packet.destination = UInt16(Path.participant(of: path))
    encoders[encoding].output.nextFrame &+= 1
    encoders[encoding].output.counts.frames += 1
    if frame.isKeyFrame { encoders[encoding].output.counts.keyFrames += 1 }
    encoders[encoding].output.counts.size = packet.format
    var waiting = net.endpoints.waitingPackets(on: path)
    for index in 0..<packets.count {
      packet.index = UInt16(index)
      packet.size = UInt16(packets.wireSize(of: index))
      packet.sequence = encoders[stream].output.nextSequence
      encoders[stream].output.nextSequence &+= 1
      let bytes = packet.rtpBytes
      encoders[encoding].output.bytes += bytes
      histories[stream].append(packet, at: kernel.now)
      switch pacing {
      case .spread(let rate): net.endpoints.spread(packet, at: rate, on: path, kernel: &kernel)
      case .pacer: net.endpoints.send(packet, .video, on: path, links: &net.links, kernel: &kernel)
      case .none: net.endpoints.sendUnpaced(packet, on: path, links: &net.links, kernel: &kernel)
      }
      let left = waiting == net.endpoints.waitingPackets(on: path)
      if left { encoders[encoding].output.counts.bytes += bytes } else { waiting += 1 }
    }
    if protection != .none, pacing != .none {
      packet.size = UInt16(packets.wireSize(of: 0))
      protect(packet, by: protection, isKeyFrame: frame.isKeyFrame, &encoders, &net, kernel: &kernel)
    }
  }

  /// Notes that a packet has left its uplink's pacer.
  package mutating func noteDeparture(
    _ packet: Packet, _ encoders: inout Table<EncoderState>, at now: SimTime
  ) {
    if packet.kind == PacketKind.video.rawValue {
      encoders[Int(packet.stream)].output.counts.bytes += packet.rtpBytes
    }
    histories[streams.encodings[Int(packet.stream)].stream].noteDeparture(of: packet.sequence, at: now)
  }

  /// Retransmits packets that the SFU is missing from an encoding that is on: libwebrtc resends none of other encodings
  /// (`rtp_rtcp_impl2.cc`, TrySendPacket).
  package mutating func retransmit(
    _ request: Packet, _ encoders: inout Table<EncoderState>, _ net: inout Connections, kernel: inout Kernel
  ) {
    let number = Int(request.stream)
    encoders[number].output.counts.negativeAcknowledgements += 1
    guard encoders[number].isSending else { return }
    let path = Path.up(Int(request.destination))
    for sequence in request.acknowledgedSequences
    where net.endpoints.retransmit(
      sequence, of: &histories[number], on: path, links: &net.links, kernel: &kernel)
    {
      encoders[number].output.hasRepaired = true
      encoders[number].output.counts.retransmitted += 1
    }
  }

  /// Protects the frames gathered since the last group, once there are enough.
  ///
  /// - Parameter last: the last frame's packet, with the size of its largest.
  private mutating func protect(
    _ last: Packet, by protection: ForwardErrorCorrection, isKeyFrame: Bool,
    _ encoders: inout Table<EncoderState>, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    let encoding = Int(last.stream)
    let path = Path.up(Int(last.destination))
    let rule = encoders[encoding].protection.rule
    let count = encoders[encoding].protection.group.add(
      packets: Int(last.count), largest: last.size,
      factor: isKeyFrame ? rule.keyFactor : rule.deltaFactor, frames: rule.frames)
    guard count > 0 else { return }
    let group = encoders[encoding].protection.group
    let isSeparate = protection == .flexfec
    var packet = last
    packet.kind = PacketKind.protection.rawValue
    packet.size =
      group.largest
      + (isSeparate
        ? Packet.separateProtectionHeader(packets: group.packets) : Packet.protectionHeader)
    packet.count = UInt16(group.packets)
    packet.format = UInt16(count)
    for index in 0..<count {
      packet.index =
        Packet.protectionIndex | (isSeparate ? Packet.separateProtection : 0) | UInt16(index)
      packet.sequence = encoders[encoding].output.nextSequence
      if !isSeparate { encoders[encoding].output.nextSequence &+= 1 }
      net.endpoints.noteProtection(bytes: Int(packet.size), on: path, at: kernel.now)
      net.endpoints.send(packet, .video, on: path, links: &net.links, kernel: &kernel)
    }
    encoders[encoding].protection.group.reset()
  }
}

/// Place of a frame in its scalable stream.
package struct PicturePlace: BitwiseCopyable {
  var frame: LayerFrame
  /// Set for the last frame of the picture.
  var isLast: Bool
}
