import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel
import Systems
import Transport

/// The packet path of scalable streams: each viewer gets the frames that its filter passes, under one numbering.
extension Forwarder {
  mutating func forwardLayer(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    let source = Int(ingress[number].source)
    let stream = streams.encodings[number].stream
    guard
      let gap = follow(
        packet.sequence, of: stream, endpoints: &endpoints, links: &links, kernel: &kernel)
    else { return forwardLateLayer(packet, endpoints: &endpoints, links: &links, kernel: &kernel) }
    var news = meter.isOn ? measure(packet, at: kernel.now) : []
    let frame = LayerFrame(packet, spatial: Int(ingress[number].index))
    let isNewFrame = packet.frame != ingress[number].frame
    if isNewFrame {
      if meter.isOn, meter.declare(Int(frame.activeLayers), of: source) { news.insert(.layersDeclared) }
      ingress[number].frame = packet.frame
      if frame.isKeyPicture {
        ingress[number].base.keyFrame = packet.frame
        noteKeyPicture(of: stream)
      }
    }
    ingress[number].arrivedAt = LastTime(kernel.now)
    for position in 0..<Int(ingress[stream].viewers) {
      let viewer = viewer(position, of: stream)
      let track = streams.track(viewer: Int(viewer), source: source)
      if isNewFrame {
        let waited = tracks[track].isWaiting
        if decide(on: frame, track, of: source, at: kernel.now) { news.insert(.switched) }
        // Some filters only discover at a frame that nothing but a key picture leads to their target.
        if !waited, tracks[track].isWaiting {
          beginRequests(of: stream, for: track, endpoints: &endpoints, links: &links, kernel: &kernel)
        }
      }
      leaveRoom(for: gap, of: stream, on: track)
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

  /// Forwards a repaired or reordered packet to the viewers of its frame, as far as they are known.
  mutating func forwardLateLayer(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> News {
    let number = Int(packet.stream)
    let stream = streams.encodings[number].stream
    guard takeMissing(packet, of: stream) else { return [] }
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
      sendLate(copy, on: track, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    return news
  }

  /// Returns a packet as sent to a viewer, whose pictures end with the highest layer it gets.
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

  /// Decides, once per frame, whether it is forwarded on a track.
  ///
  /// - Returns: `true` if the track's spatial layer has changed.
  private mutating func decide(on frame: LayerFrame, _ track: Int, of source: Int, at now: SimTime) -> Bool {
    let isAdmitted = switching.filters?.admits(frame, of: track) ?? false
    tracks[track].open(frame, isAdmitted: isAdmitted)
    return followFilter(of: track, source, at: now)
  }

  /// Copies the layer that a track's filter forwards and whether the filter waits for a key picture.
  private mutating func followFilter(of track: Int, _ source: Int, at now: SimTime) -> Bool {
    guard let filters = switching.filters else { return false }
    let before = tracks[track].current
    let current = filters.current(of: track)
    tracks[track].current =
      current.isNone ? .none : CompactLayer(encoding: current.spatial, temporal: current.temporal)
    let waits = filters.needsKeyPicture(of: track)
    if waits != tracks[track].isWaiting {
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
  /// - Returns: the stream that needs a key picture now; `nil` for none.
  mutating func retargetLayers(
    _ track: Int, of source: Int, viewer: Int, to layer: CompactLayer
  ) -> Int? {
    let before = tracks[track].target
    guard layer != before, let filters = switching.filters else { return nil }
    let stream = streams.sources[source].encodings.lowerBound
    tracks[track].target = layer
    tracks[track].request = layer.encoding
    if layer == .none {
      wait(for: -1, track, of: source)
      filters.retarget(track, to: .none)
      tracks[track].current = .none
      stopForwarding(stream, to: viewer)
      return nil
    }
    if before == .none, let mode = traits[source].scalable {
      filters.reset(track, mode: mode.mode, codec: mode.codec)
      startForwarding(stream, to: viewer)
    }
    filters.retarget(track, to: DecodeTarget(spatial: layer.encoding, temporal: layer.temporal))
    let waits = filters.needsKeyPicture(of: track)
    wait(for: waits ? layer.encoding : -1, track, of: source)
    return waits ? stream : nil
  }
}
