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
  mutating func forwardLayer(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) -> News {
    let number = Int(packet.stream)
    let source = Int(ingress[number].source)
    let stream = streams.encodings[number].stream
    guard
      let gap = follow(packet.sequence, of: stream, &net, kernel: &kernel)
    else { return forwardLateLayer(packet, &net, kernel: &kernel) }
    var news = meter.isOn ? measure(packet, at: kernel.now) : []
    let frame = LayerFrame(packet, spatial: Int(ingress[number].index))
    let isNewFrame = packet.frame != ingress[number].frame
    if isNewFrame {
      if meter.isOn, meter.declare(Int(frame.activeLayers), of: source) { news.insert(.layersDeclared) }
      ingress[number].frame = packet.frame
      if frame.isKeyPicture {
        ingress[number].base.keyFrame = packet.frame
        keyFrames.noteKeyFrame(of: stream, isStart: true)
      }
    }
    ingress[number].arrivedAt = LastTime(kernel.now)
    for place in 0..<switching.viewers.count(of: stream) {
      let viewer = switching.viewers[place, of: stream]
      let track = streams.track(viewer: Int(viewer), source: source)
      if isNewFrame {
        let waited = switching.tracks[track].isWaiting
        if switching.decide(on: frame, track, of: source, at: kernel.now) { news.insert(.switched) }
        // Some filters only discover at a frame that nothing but a key picture leads to their target.
        if !waited, switching.tracks[track].isWaiting {
          beginRequests(of: stream, for: track, &net, kernel: &kernel)
        }
      }
      egress.leaveRoom(for: gap, of: stream, on: track, next: &switching.tracks[track].sequence)
      guard switching.tracks[track].admits(packet.frame, spatial: frame.spatial) else { continue }
      var copy = forwarded(packet, frame, to: viewer, track)
      copy.sequence = switching.tracks[track].sequence
      switching.tracks[track].sequence &+= 1
      if frame.isKeyPicture { switching.tracks[track].awaitsKeyFrame = false }
      egress.send(copy, on: track, &net, kernel: &kernel)
    }
    return news
  }

  /// Forwards a repaired or reordered packet to the viewers of its frame, as far as they are known.
  mutating func forwardLateLayer(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) -> News {
    let number = Int(packet.stream)
    let stream = streams.encodings[number].stream
    guard takeMissing(packet, of: stream) else { return [] }
    let news = meter.isOn ? measure(packet, at: kernel.now) : []
    let frame = LayerFrame(packet, spatial: Int(ingress[number].index))
    for place in 0..<switching.viewers.count(of: stream) {
      let viewer = switching.viewers[place, of: stream]
      let track = streams.track(viewer: Int(viewer), source: Int(ingress[number].source))
      guard
        let sequence = egress.numberLeft(for: packet.sequence, of: UInt16(stream), on: track),
        Int8(frame.spatial) <= switching.tracks[track].current.encoding,
        Int8(frame.temporal) <= switching.tracks[track].current.temporal
      else { continue }
      var copy = forwarded(packet, frame, to: viewer, track)
      copy.sequence = sequence
      egress.sendLate(copy, on: track, &net, kernel: &kernel)
    }
    return news
  }

  /// Returns a packet as sent to a viewer, whose pictures end with the highest layer it gets.
  private func forwarded(_ packet: Packet, _ frame: LayerFrame, to viewer: UInt16, _ track: Int) -> Packet {
    var copy = packet
    copy.destination = viewer
    let top =
      frame.isKeyPicture
      ? min(switching.tracks[track].target.encoding, Int8(frame.activeLayers) - 1)
      : switching.tracks[track].current.encoding
    if Int8(frame.spatial) == top {
      var header = FrameHeader(flags: packet.flags)
      header.endsPicture = true
      copy.flags = header.flags
    }
    return copy
  }
}
