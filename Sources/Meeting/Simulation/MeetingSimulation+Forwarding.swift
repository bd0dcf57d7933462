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

  mutating func forwardVoice(_ packet: Packet, kernel: inout Kernel) {
    let speaker = Int(packet.stream)
    switch plan.audioForwarding {
    case .mixed: return
    case .loudest: guard isForwardedVoice[speaker], packet.flags == 0 else { return }
    case .all: break
    }
    for listener in listeners where Int(listener) != speaker {
      var copy = packet
      copy.destination = listener
      participants[Int(listener)].audioPacketsExpected += 1
      sendMedia(copy, .audio, on: Path.down(Int(listener)), kernel: &kernel)
    }
  }

  /// Every 20 ms the mixer sends one packet to each listener that somebody else speaks to.
  mutating func mixVoices(kernel: inout Kernel) {
    let now = kernel.now
    let speakers = participants.indices.filter {
      plan.participants[$0].publishesAudio && participants[$0].isSpeaking(at: now)
    }
    for listener in listeners where speakers.contains(where: { $0 != Int(listener) }) {
      var packet = Packet.voice(stream: 0, sequence: 0, isSilent: false, at: now)
      packet.destination = listener
      participants[Int(listener)].audioPacketsExpected += 1
      sendMedia(packet, .audio, on: Path.down(Int(listener)), kernel: &kernel)
    }
    kernel.schedule(after: OpusVoice.packetTime, tag: MeetingEvent(.mix).tag)
  }

  /// Chooses the voices to forward: those who speak, the most recent turns first, as many as the setting allows.
  mutating func rankVoices(at now: SimTime) {
    guard case .loudest(let limit) = plan.audioForwarding else { return }
    let speaking = participants.indices.filter {
      plan.participants[$0].publishesAudio && participants[$0].isSpeaking(at: now)
    }
    let ranked = speaking.sorted { a, b in
      let aSince = participants[a].lastSpokeAt ?? .zero
      let bSince = participants[b].lastSpokeAt ?? .zero
      return aSince == bSince ? a < b : aSince > bSince
    }
    for participant in participants.indices { isForwardedVoice[participant] = false }
    for participant in ranked.prefix(limit) { isForwardedVoice[participant] = true }
  }
}
