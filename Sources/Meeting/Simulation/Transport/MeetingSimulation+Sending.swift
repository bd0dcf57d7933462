import CongestionControl
import Media
import Network
import Quantity
import SimulationKernel
import Transport

/// The senders' way from a finished packet to the link: pacing, numbering, padding.
extension MeetingSimulation {
  /// Sends a media packet: through the pacer where the path has a congestion controller.
  @inline(__always)
  mutating func sendMedia(
    _ packet: Packet, _ priority: PacketPriority, on path: Int, kernel: inout Kernel
  ) {
    guard usesFeedback else {
      network.send(packet, on: firstLink[path], kernel: &kernel)
      return
    }
    if priority == .audio {
      guard plan.voicesHaveFeedback || !Path.isUp(path) else {
        paths[path].sentBytes += Int64(packet.size)
        network.send(packet, on: firstLink[path], kernel: &kernel)
        return
      }
      paths[path].pacer.sendUnpaced(packet, at: kernel.now)
      transmit(packet, on: path, probe: -1, kernel: &kernel)
    } else if paths[path].pacer.passesAtOnce(packet, at: kernel.now) {
      transmit(packet, on: path, probe: -1, kernel: &kernel)
    } else {
      paths[path].pacer.enqueue(packet, priority, at: kernel.now)
      schedulePacer(path, kernel: &kernel)
    }
  }

  /// Numbers a packet for the path's feedback and puts it on the path's first link.
  private mutating func transmit(
    _ packet: Packet, on path: Int, probe: Int32, kernel: inout Kernel
  ) {
    var packet = packet
    let sequence = controllers.send(
      size: Int32(packet.size), probe: probe, on: path, at: kernel.now)
    packet.transportSequence = UInt16(truncatingIfNeeded: sequence)
    paths[path].sentBytes += Int64(packet.size)
    network.send(packet, on: firstLink[path], kernel: &kernel)
  }

  /// A publisher's padding counts for its camera's lowest encoding: libwebrtc repeats packets of the stream that it sent
  /// last, and hands a frame's encodings to its pacer from the largest down (`modules/pacing/packet_router.cc`,
  /// `libvpx_vp8_encoder.cc`).
  private mutating func notePadding(_ bytes: Int64, on path: Int) {
    paths[path].paddingBytes += bytes
    paths[path].paddingRTPBytes += bytes - Int64(PacketOverhead.aroundRTP)
    if Path.isUp(path), let camera = cameraOf[Path.participant(of: path)] {
      encodings[sources[camera].firstEncoding].hasRepaired = true
    }
  }

  mutating func schedulePacer(_ path: Int, kernel: inout Kernel) {
    guard let due = paths[path].pacer.nextSend(at: kernel.now) else { return }
    let pending = paths[path].pacerDueAt
    // An event that comes too early looks again; one that would come too late is overtaken by another.
    guard pending < 0 || due.nanoseconds < pending else { return }
    paths[path].pacerDueAt = due.nanoseconds
    kernel.schedule(at: due, tag: MeetingEvent(.pace, path).tag)
  }

  /// The pacer's event: everything that is due leaves.
  mutating func pace(_ path: Int, kernel: inout Kernel) {
    // An event that was overtaken has nothing to do.
    guard paths[path].pacerDueAt == kernel.now.nanoseconds else { return }
    paths[path].pacerDueAt = -1
    guard participants[Path.participant(of: path)].isJoined else { return }
    while let departure = paths[path].pacer.takeNext(at: kernel.now) {
      switch departure {
      case .packet(let packet, let probe): transmit(packet, on: path, probe: probe, kernel: &kernel)
      case .padding(let bytes, let probe):
        notePadding(bytes, on: path)
        let padding = Packet(
          sentAt: kernel.now, size: UInt16(bytes), destination: UInt16(Path.participant(of: path)),
          kind: PacketKind.padding.rawValue)
        transmit(padding, on: path, probe: probe, kernel: &kernel)
      }
    }
    schedulePacer(path, kernel: &kernel)
  }
}
