import Ladder
import Media
import Network
import Quantity
import SimulationKernel

/// What viewers make of the packets that reach them.
extension MeetingSimulation {
  mutating func receiveVideo(_ packet: Packet, kernel: inout Kernel) {
    let number = Int(packet.stream)
    let viewer = Int(packet.destination)
    let track = trackNumber(viewer: viewer, source: encodings[number].source)
    let header = FrameHeader(flags: packet.flags)
    tracks[track].bytes += Int64(packet.size)
    tracks[track].packets += 1
    let isShown = tracks[track].receiver.receive(
      FramePacket(
        stream: packet.stream, frame: packet.frame, sequence: packet.sequence, index: packet.index,
        count: packet.count, temporalLayer: header.temporalLayer, groupPosition: header.groupPosition,
        isKeyFrame: header.isKeyFrame, groupLength: encodings[number].groupLength), at: kernel.now)
    if isShown {
      tracks[track].frames += 1
      tracks[track].format = packet.format
      participants[viewer].decodedPixels += Int64(formats[Int(packet.format)].pixels)
      let delay = (kernel.now - packet.sentAt).nanoseconds
      tracks[track].frameDelaySum += delay
      tracks[track].frameDelayMaximum = max(tracks[track].frameDelayMaximum, delay)
      if tracks[track].firstFrameAt < 0 { tracks[track].firstFrameAt = kernel.now.nanoseconds }
    } else if !tracks[track].receiver.isDecodable, !header.isKeyFrame, tracks[track].target != .none {
      askForKeyFrame(encoding: number, viewer: viewer, track: track, kernel: &kernel)
    }
  }
}
