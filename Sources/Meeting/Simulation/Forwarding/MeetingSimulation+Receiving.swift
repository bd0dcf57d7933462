import Ladder
import Media
import Network
import Quantity
import SimulationKernel
import Transport

/// What viewers make of the packets that reach them.
extension MeetingSimulation {
  mutating func receiveVideo(_ packet: Packet, kernel: inout Kernel) {
    let number = Int(packet.stream)
    let viewer = Int(packet.destination)
    let track = trackNumber(viewer: viewer, source: encodings[number].source)
    tracks[track].bytes += Int64(packet.size)
    tracks[track].packets += 1
    guard tracks[track].target != .none else { return }
    let arrival = follow(packet, on: track, kernel: &kernel)
    guard arrival != .useless else { return }
    let header = FrameHeader(flags: packet.flags)
    receivers[track].receive(
      FramePacket(
        stream: packet.stream, frame: packet.frame, count: packet.count, format: packet.format,
        size: packet.size, temporalLayer: header.temporalLayer, groupPosition: header.groupPosition,
        isKeyFrame: header.isKeyFrame, groupLength: UInt8(encodings[number].groupLength),
        capturedAt: packet.sentAt),
      repairTime: arrival == .repaired ? knownRoundTrip(on: Path.up(viewer)) ?? .zero : nil, at: kernel.now)
    while let frame = receivers[track].takeFrame(at: kernel.now) {
      tracks[track].frames += 1
      tracks[track].format = frame.format
      participants[viewer].decodedPixels += Int64(formats[Int(frame.format)].pixels)
      let delay = (frame.renderedAt - frame.capturedAt).nanoseconds
      tracks[track].frameDelaySum += delay
      tracks[track].frameDelayMaximum = max(tracks[track].frameDelayMaximum, delay)
      if tracks[track].firstFrameAt < 0 { tracks[track].firstFrameAt = frame.renderedAt.nanoseconds }
      tracks[track].status = receivers[track].status
    }
  }

  private enum Arrival {
    case expected
    /// It was missing, and had been asked for.
    case repaired
    /// It has come before, or nobody waits for it any more.
    case useless
  }

  /// Follows the sequence numbers: a gap is asked for, a late packet must be one that was missing.
  private mutating func follow(_ packet: Packet, on track: Int, kernel: inout Kernel) -> Arrival {
    guard tracks[track].hasSequence else {
      tracks[track].hasSequence = true
      tracks[track].highestSequence = packet.sequence
      tracks[track].packetsNumbered += 1
      return .expected
    }
    let next = tracks[track].highestSequence &+ 1
    let gap = packet.sequence &- next
    guard gap < 1 << 31 else {
      guard tracks[track].hasMissing, repairs.missingOfTrack[track].remove(packet.sequence) else {
        return .useless
      }
      return .repaired
    }
    tracks[track].highestSequence = packet.sequence
    tracks[track].packetsNumbered += Int64(gap) + 1
    if gap > 0 {
      tracks[track].packetsLost &+= gap
      tracks[track].hasMissing = repairs.missingOfTrack[track].add(next, count: gap)
      if !tracks[track].hasMissing {
        receivers[track].giveUp()
        tracks[track].status = receivers[track].status
      }
      attend(to: track, kernel: &kernel)
    }
    return .expected
  }
}
