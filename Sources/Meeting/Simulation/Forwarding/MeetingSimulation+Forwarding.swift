import Media
import Network
import Quantity
import SimulationKernel
import Transport

/// The SFU's packet path: what comes in from a publisher goes out to each viewer of its encoding.
extension MeetingSimulation {
  mutating func forwardVideo(_ packet: Packet, kernel: inout Kernel) {
    let number = Int(packet.stream)
    let header = FrameHeader(flags: packet.flags)
    let source = encodings[number].source

    // A gap on the uplink must stay a gap for the viewers, or they would not know that something is missing.
    let expected = encodings[number].expectedSequence
    let gap = packet.sequence &- expected
    guard gap < 1 << 31 else { return forwardLate(packet, kernel: &kernel) }
    encodings[number].expectedSequence = packet.sequence &+ 1
    if gap > 0 { noteGap(of: number, first: expected, count: gap, kernel: &kernel) }

    let isNewFrame = packet.frame != encodings[number].frameAtSFU
    if isNewFrame {
      encodings[number].frameAtSFU = packet.frame
      if header.isKeyFrame, packet.index == 0, encodings[number].waiting > 0 {
        completeSwitches(to: number, kernel: &kernel)
      }
    }

    let viewers = encodings[number].viewers
    let list = number * participants.count
    var position = 0
    while position < viewers {
      let viewer = viewersOfEncoding[list + position]
      position += 1
      let track = trackNumber(viewer: Int(viewer), source: source)
      if isNewFrame { tracks[track].openFrame(packet.frame, header) }
      if gap > 0 {
        repairs.rewritings[track].leaveRoom(
          stream: packet.stream, first: expected, count: gap, rewritten: tracks[track].sequence)
        tracks[track].sequence &+= gap
      }
      guard tracks[track].isOpen(packet.frame) else { continue }
      var copy = packet
      copy.destination = viewer
      copy.sequence = tracks[track].sequence
      tracks[track].sequence &+= 1
      repairs.sentTracks[track].append(copy)
      sendMedia(copy, .video, on: Path.down(Int(viewer)), kernel: &kernel)
    }
  }

  /// A key frame of this encoding begins: every viewer that waits for it changes over.
  private mutating func completeSwitches(to number: Int, kernel: inout Kernel) {
    let source = encodings[number].source
    let first = sources[source].firstEncoding
    for viewer in participants.indices {
      let track = trackNumber(viewer: viewer, source: source)
      guard tracks[track].isWaiting, Int(tracks[track].target.encoding) == encodings[number].rung else {
        continue
      }
      tracks[track].isWaiting = false
      encodings[number].waiting -= 1
      let previous = Int(tracks[track].current.encoding)
      if previous >= 0 { stopForwarding(encoding: first + previous, to: viewer) }
      startForwarding(encoding: number, to: viewer)
      tracks[track].current = tracks[track].target
    }
    updateWanted(source: source, kernel: &kernel)
  }

  mutating func startForwarding(encoding number: Int, to viewer: Int) {
    viewersOfEncoding[number * participants.count + encodings[number].viewers] = UInt16(viewer)
    encodings[number].viewers += 1
  }

  mutating func stopForwarding(encoding number: Int, to viewer: Int) {
    let list = number * participants.count
    let count = encodings[number].viewers
    var position = 0
    while position < count, viewersOfEncoding[list + position] != UInt16(viewer) { position += 1 }
    guard position < count else { return }
    // The order of the others stays, so that who comes first on a shared link does not depend on who left.
    while position + 1 < count {
      viewersOfEncoding[list + position] = viewersOfEncoding[list + position + 1]
      position += 1
    }
    encodings[number].viewers = count - 1
  }
}
