import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel
import Systems
import Transport

/// The packet path of scalable streams: every viewer gets the frames that its filter lets through, in one numbering.
extension Forwarder {
  /// Returns the layers requested of a scalable source: all of them as soon as anybody wants one. Servers do not switch
  /// off single layers of a stream.
  func wantedLayers(of source: Int) -> UInt32 {
    let stream = streams.sources[source].encodings.lowerBound
    let isWanted =
      alwaysWanted[source] != 0 || ingress[stream].viewers > 0 || ingress[stream].waiting > 0
    return isWanted ? streams.sources[source].allEncodings : 0
  }

  mutating func forwardLayer(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    let source = Int(ingress[number].source)
    let stream = streams.encodings[number].stream
    if !ingress[stream].hasBegun {
      ingress[stream].hasBegun = true
      ingress[stream].expectedSequence = packet.sequence
    }
    let expected = ingress[stream].expectedSequence
    let gap = packet.sequence &- expected
    guard gap < 1 << 31 else {
      return forwardLateLayer(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    ingress[stream].expectedSequence = packet.sequence &+ 1
    if gap > 0 {
      noteGap(of: stream, first: expected, count: gap, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    var news = meter.isOn ? measure(packet, at: kernel.now) : []
    let frame = LayerFrame(packet, spatial: Int(ingress[number].index))
    if meter.isOn, meter.declare(Int(frame.activeLayers), of: source) { news.insert(.layersDeclared) }
    let isNewFrame = packet.frame != ingress[number].frame
    if isNewFrame {
      ingress[number].frame = packet.frame
      if frame.isKeyPicture { noteKeyPicture(of: stream) }
    }
    ingress[number].arrivedAt = LastTime(kernel.now)
    for position in 0..<Int(ingress[stream].viewers) {
      let viewer = viewer(position, of: stream)
      let track = streams.track(viewer: Int(viewer), source: source)
      if isNewFrame, decide(on: frame, track, of: source, at: kernel.now) { news.insert(.switched) }
      if gap > 0 {
        rewritings[track].leaveRoom(
          stream: UInt16(stream), first: expected, count: gap, rewritten: tracks[track].sequence)
        tracks[track].sequence &+= gap
      }
      guard tracks[track].admits(packet.frame, spatial: frame.spatial) else { continue }
      var copy = forwarded(packet, frame, to: viewer, track)
      copy.sequence = tracks[track].sequence
      tracks[track].sequence &+= 1
      histories[track].append(copy, at: kernel.now)
      if meter.isOn { sent[Int(viewer)].note(copy) }
      if frame.isKeyPicture { tracks[track].awaitsKeyFrame = false }
      endpoints.send(copy, .video, on: Path.down(Int(viewer)), links: &links, kernel: &kernel)
    }
    return news
  }

  /// Forwards a packet that was repaired or reordered to those viewers who get its frame, as far as that is known.
  mutating func forwardLateLayer(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    let stream = streams.encodings[number].stream
    guard missing[stream].remove(packet.sequence) else { return [] }
    ingress[stream].hasMissing = !missing[stream].isEmpty
    let news = meter.isOn ? measure(packet, at: kernel.now) : []
    let frame = LayerFrame(packet, spatial: Int(ingress[number].index))
    for position in 0..<Int(ingress[stream].viewers) {
      let viewer = viewer(position, of: stream)
      let track = streams.track(viewer: Int(viewer), source: Int(ingress[number].source))
      guard
        let sequence = rewritings[track].number(stream: UInt16(stream), sequence: packet.sequence),
        Int8(frame.spatial) <= tracks[track].current.encoding,
        Int8(frame.temporal) <= tracks[track].current.temporal
      else { continue }
      var copy = forwarded(packet, frame, to: viewer, track)
      copy.sequence = sequence
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

  /// Returns a packet as it goes to a viewer, whose pictures end with the highest layer that it gets.
  private func forwarded(_ packet: Packet, _ frame: LayerFrame, to viewer: UInt16, _ track: Int) -> Packet {
    var copy = packet
    copy.destination = viewer
    let top =
      frame.isKeyPicture
      ? min(tracks[track].target.encoding, Int8(frame.activeLayers) - 1) : tracks[track].current.encoding
    if Int8(frame.spatial) == top {
      var header = FrameHeader(flags: packet.flags)
      header.endsPicture = true
      copy.flags = header.flags
    }
    return copy
  }

  private mutating func noteKeyPicture(of stream: Int) {
    ingress[stream].requests.isPending = false
    if rules.keyFrames.early == .deferredUnlessAnswered { ingress[stream].requests.isDeferred = false }
  }

  // MARK: Decisions

  /// Decides, once per frame, whether a track gets it.
  ///
  /// - Returns: `true` if its spatial layer has changed.
  private mutating func decide(on frame: LayerFrame, _ track: Int, of source: Int, at now: SimTime) -> Bool {
    let isAdmitted = filters?.admits(frame, of: track) ?? false
    tracks[track].open(frame, isAdmitted: isAdmitted)
    return followFilter(of: track, source, at: now)
  }

  /// Takes over the layer that a track's filter forwards, and whether it waits for a key picture.
  private mutating func followFilter(of track: Int, _ source: Int, at now: SimTime) -> Bool {
    guard let filters else { return false }
    let before = tracks[track].current
    let current = filters.current(of: track)
    tracks[track].current = current.map {
      CompactLayer(encoding: Int8($0.spatial), temporal: Int8($0.temporal))
    } ?? .none
    let waits = filters.needsKeyPicture(of: track)
    if waits != (tracks[track].awaited >= 0) {
      wait(for: waits ? tracks[track].target.encoding : -1, track, of: source)
    }
    guard before.encoding != tracks[track].current.encoding else { return false }
    if tracks[track].beganAt == nil { tracks[track].beganAt = now }
    tracks[track].firstSequence = tracks[track].sequence
    if meter.isOn { switched.append(track) }
    return true
  }

  /// Sets a track's target in a scalable stream.
  ///
  /// - Returns: the stream whose key picture is needed now; `nil` for none.
  mutating func retargetLayers(
    _ track: Int, of source: Int, viewer: Int, to layer: CompactLayer
  ) -> Int? {
    let before = tracks[track].target
    guard layer != before, let filters else { return nil }
    let stream = streams.sources[source].encodings.lowerBound
    tracks[track].target = layer
    tracks[track].request = layer.encoding
    if layer == .none {
      wait(for: -1, track, of: source)
      filters.retarget(track, to: nil)
      tracks[track].current = .none
      stopForwarding(stream, to: viewer)
      return nil
    }
    if before == .none, let mode = modes[source] {
      filters.reset(track, mode: mode.mode, codec: mode.codec)
      startForwarding(stream, to: viewer)
    }
    filters.retarget(
      track, to: LayerID(encoding: Int(layer.encoding), temporal: Int(layer.temporal)))
    let waits = filters.needsKeyPicture(of: track)
    wait(for: waits ? layer.encoding : -1, track, of: source)
    return waits ? stream : nil
  }
}
