package import Endpoint
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Transport

/// Reception over a peer-to-peer connection, whose streams a viewer receives as their publisher numbers them.
extension VideoReceptions {
  /// Receives a peer's sources over a connection to it; `nil` to receive everything from the server. Each source goes
  /// on with a key frame, until which its last picture stands.
  package mutating func changeConnection(of viewer: Int, to peer: Int?, at now: SimTime) {
    guard let sender = peer ?? viewers[viewer].peer.map(Int.init) else { return }
    viewers[viewer].peer = peer.map { UInt16($0) }
    for source in streams.cameraFirst(of: sender) {
      let track = streams.track(viewer: viewer, source: source)
      tracks[track].stop()
      missing[track].removeAll()
      guard tracks[track].isExpected else { continue }
      if let mode = modes[source] { receivers.beginAssembly(of: track, mode) }
      receivers[track].restart(at: now)
      followStatus(of: track, viewer, at: now)
    }
  }

  /// Checks whether a viewer receives a source without the server.
  package func receivesDirectly(_ source: Int, _ viewer: Int) -> Bool {
    viewers[viewer].peer.map { Int($0) == streams.sources[source].participant } ?? false
  }

  /// Handles a video packet from a peer. One of another encoding is expected from its key frame on.
  ///
  /// - Returns: `false` for a packet that the viewer does not take.
  package mutating func expectsFromPeer(_ packet: Packet) -> Bool {
    let encoding = streams.encodings[Int(packet.stream)]
    let viewer = Int(packet.destination)
    guard receivesDirectly(encoding.source, viewer) else { return false }
    let track = streams.track(viewer: viewer, source: encoding.source)
    let stream = UInt16(encoding.stream)
    guard tracks[track].sequence.hasBegun, tracks[track].sequence.stream != stream else {
      tracks[track].sequence.stream = stream
      return true
    }
    guard FrameHeader(flags: packet.flags).isKeyFrame else { return false }
    tracks[track].stop()
    missing[track].removeAll()
    tracks[track].sequence.stream = stream
    return true
  }

  /// Handles a protection packet from a peer.
  ///
  /// - Returns: the number of the packet that it recovers from those received; `nil` for none.
  package mutating func receiveProtectionFromPeer(
    _ packet: Packet, _ net: inout Connections, kernel: inout Kernel
  ) -> UInt32? {
    let source = streams.encodings[Int(packet.stream)].source
    let track = streams.track(viewer: Int(packet.destination), source: source)
    if packet.isSeparateProtection {
      tracks[track].interval.bytes += Int64(packet.size)
      tracks[track].interval.packets += 1
    } else {
      receiveProtection(packet, &net, kernel: &kernel)
    }
    guard tracks[track].sequence.hasBegun else { return nil }
    return missing[track].recovered(by: packet, expecting: tracks[track].sequence.highest &+ 1)
  }

  /// Returns the number by which a viewer's RTCP names a track: the source, or its publisher's stream to a peer.
  func requestedStream(of track: Int) -> Int {
    let source = track % streams.sourceCount
    guard receivesDirectly(source, track / streams.sourceCount) else { return source }
    return tracks[track].sequence.hasBegun
      ? Int(tracks[track].sequence.stream) : streams.sources[source].encodings.lowerBound
  }

  /// Returns the path on which a viewer receives a source.
  func receivingPath(of source: Int, _ viewer: Int, _ links: borrowing PathLinks) -> Int {
    receivesDirectly(source, viewer)
      ? Path.up(links.peerConnection(of: streams.sources[source].participant)) : Path.down(viewer)
  }
}
