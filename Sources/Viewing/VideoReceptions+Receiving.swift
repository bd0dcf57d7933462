package import Endpoint
import Ladder
import Media
package import Network
import Plan
import Quantity
package import SimulationKernel
import Transport

/// Reception of packets: decoding, repairs and key frame requests.
extension VideoReceptions {
  package mutating func receive(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let encoding = encodings[Int(packet.stream)]
    let viewer = Int(packet.destination)
    let track = streams.track(viewer: viewer, source: Int(encoding.source))
    tracks[track].interval.bytes += Int64(packet.size)
    tracks[track].interval.packets += 1
    guard tracks[track].isExpected else { return }
    let arrival = follow(packet, on: track, &net, kernel: &kernel)
    guard arrival != .useless else { return }
    let header = FrameHeader(flags: packet.flags)
    if header.isKeyFrame { tracks[track].sequence.keyFrame = packet.sequence &- UInt32(packet.index) }
    if tracks[track].sequence.protectedFrame != nil {
      tracks[track].sequence.protectedFrame = packet.sequence &- UInt32(packet.index)
    }
    let repairTime =
      arrival == .repaired
      ? net.endpoints.knownRoundTrip(on: net.endpoints.sendingPath(of: viewer), net.links, at: kernel.now)
        ?? .zero : nil
    if encoding.spatial >= 0 {
      return receive(
        packet, spatial: Int(encoding.spatial), ends: header.endsPicture, on: track, repairTime: repairTime,
        net.sizes, at: kernel.now)
    }
    receivers[track].receive(
      FramePacket(
        stream: packet.stream, frame: packet.frame, count: packet.count, format: packet.format,
        size: packet.originalSize, temporalLayer: header.temporalLayer, groupPosition: header.groupPosition,
        isKeyFrame: header.isKeyFrame, groupLength: encoding.groupLength, capturedAt: packet.sentAt),
      repairTime: repairTime, at: kernel.now)
    show(track, viewer, net.sizes, at: kernel.now)
  }

  /// Receives a packet of a scalable stream, whose pictures are assembled from the frames of their layers.
  private mutating func receive(
    _ packet: Packet, spatial: Int, ends: Bool, on track: Int, repairTime: SimDuration?,
    _ sizes: PictureSizes, at now: SimTime
  ) {
    let viewer = Int(packet.destination)
    let stream = UInt16(streams.encodings[Int(packet.stream)].stream)
    let frame = LayerFrame(packet, spatial: spatial)
    receivers[track].noteArrival(at: now)
    receivers.withAssembly(of: track) {
      $0.receive(
        frame, ends: ends, count: packet.count, format: packet.format, size: packet.originalSize,
        capturedAt: packet.sentAt, isRepaired: repairTime != nil)
    }
    let hasMissing = tracks[track].sequence.hasMissing
    while let picture = receivers.takePicture(of: track, hasMissing: hasMissing) {
      tracks[track].interval.unusedBytes += Int64(picture.unusedBytes)
      receivers[track].receive(picture, stream: stream, repairTime: repairTime ?? .zero, at: now)
      show(track, viewer, sizes, at: now)
    }
  }

  /// Shows a track's frames that can be decoded now.
  @inline(__always)
  private mutating func show(_ track: Int, _ viewer: Int, _ sizes: PictureSizes, at now: SimTime) {
    while receivers[track].framesWaiting > 0, let frame = receivers[track].takeFrame(at: now) {
      tracks[track].note(frame)
      if frame.isKeyFrame {
        forgetMissing(of: track, before: tracks[track].sequence.keyFrame)
      } else if let start = tracks[track].sequence.protectedFrame {
        forgetMissing(of: track, before: start)
      }
      noteSize(frame.format, of: track)
      viewers[viewer].decodedPixels += Int64(sizes[frame.format].pixels)
      followStatus(of: track, viewer, at: now)
    }
  }

  /// Forgets packets missing before a decoded frame, which are no longer needed (libwebrtc's `nack_requester.cc`,
  /// ClearUpTo). Without protection only a key frame can leave any behind.
  private mutating func forgetMissing(of track: Int, before sequence: UInt32) {
    missing[track].removeAll(before: sequence)
    tracks[track].sequence.hasMissing = !missing[track].isEmpty
  }

  /// Counts a protection packet, which takes a sequence number; the server has already recovered what it protects.
  package mutating func receiveProtection(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let track = streams.track(
      viewer: Int(packet.destination), source: Int(encodings[Int(packet.stream)].source))
    tracks[track].interval.bytes += Int64(packet.size)
    tracks[track].interval.packets += 1
    guard tracks[track].isExpected else { return }
    if tracks[track].sequence.protectedFrame == nil { tracks[track].sequence.protectedFrame = 0 }
    _ = follow(packet, on: track, &net, kernel: &kernel)
  }

  private enum Arrival {
    case expected
    /// It was missing and had been requested.
    case repaired
    /// It has already arrived, or is no longer expected.
    case useless
  }

  /// Tracks sequence numbers: a gap is requested, and a late packet must be a missing one.
  private mutating func follow(
    _ packet: Packet, on track: Int, _ net: inout Connections, kernel: inout Kernel
  ) -> Arrival {
    guard tracks[track].sequence.hasBegun else {
      tracks[track].sequence.hasBegun = true
      tracks[track].sequence.highest = packet.sequence
      tracks[track].sequence.numbered += 1
      return .expected
    }
    let next = tracks[track].sequence.highest &+ 1
    let gap = packet.sequence &- next
    guard gap < 1 << 31 else {
      guard tracks[track].sequence.hasMissing, missing[track].remove(packet.sequence) else {
        return .useless
      }
      return .repaired
    }
    tracks[track].sequence.highest = packet.sequence
    tracks[track].sequence.numbered += Int64(gap) + 1
    if gap > 0 {
      tracks[track].sequence.lost &+= gap
      tracks[track].sequence.hasMissing = missing[track].add(next, count: gap)
      if !tracks[track].sequence.hasMissing {
        receivers[track].giveUp()
        receivers.withAssembly(of: track) { $0.invalidate() }
        followStatus(of: track, Int(packet.destination), at: kernel.now)
      }
      attend(to: track, &net, kernel: &kernel)
    }
    return .expected
  }

  /// Repeats the requests of every track that is missing packets or a key frame.
  package mutating func repair(_ net: inout Connections, kernel: inout Kernel) {
    for viewer in 0..<viewers.count where viewers[viewer].attendedAt.isDue(at: kernel.now) {
      var next = Deadline.never
      for source in streams.sources.indices {
        let track = streams.track(viewer: viewer, source: source)
        if tracks[track].sequence.hasMissing
          || tracks[track].status.keyFrameDueAt.isDue(at: kernel.now)
        {
          attend(to: track, &net, kernel: &kernel)
        }
        let due = tracks[track].status.keyFrameDueAt
        next = min(next, tracks[track].sequence.hasMissing ? Deadline(kernel.now) : due)
      }
      viewers[viewer].attendedAt = next
    }
  }

  /// Requests a track's missing packets, and a key frame if due.
  private mutating func attend(to track: Int, _ net: inout Connections, kernel: inout Kernel) {
    let viewer = track / streams.sourceCount
    let source = track % streams.sourceCount
    guard viewers[viewer].isJoined else { return }
    if tracks[track].sequence.hasMissing {
      viewers[viewer].attendedAt = min(viewers[viewer].attendedAt, Deadline(kernel.now))
      let known = net.endpoints.knownRoundTrip(
        on: net.endpoints.sendingPath(of: viewer), net.links, at: kernel.now)
      let requests = missing[track].request(
        of: requestedStream(of: track), against: receivingPath(of: source, viewer, net.links),
        roundTrip: known,
        &net, kernel: &kernel)
      tracks[track].interval.negativeAcknowledgements += requests
      tracks[track].sequence.hasMissing = !missing[track].isEmpty
      if requests > 0 {
        net.endpoints.repeatEstimate(with: source, by: viewer, links: &net.links, kernel: &kernel)
      }
    }
    guard tracks[track].isExpected, tracks[track].status.keyFrameDueAt.isDue(at: kernel.now) else {
      return
    }
    let asks = receivers[track].takeKeyFrameRequest(at: kernel.now)
    followStatus(of: track, viewer, at: kernel.now)
    guard asks else { return }
    if !keepsMissingPackets {
      missing[track].removeAll()
      tracks[track].sequence.hasMissing = false
    }
    tracks[track].noteKeyFrameRequest()
    net.endpoints.sendControl(
      .pictureLossIndication(stream: requestedStream(of: track), destination: viewer, at: kernel.now),
      against: receivingPath(of: source, viewer, net.links), links: &net.links, kernel: &kernel)
    net.endpoints.repeatEstimate(with: source, by: viewer, links: &net.links, kernel: &kernel)
  }
}
