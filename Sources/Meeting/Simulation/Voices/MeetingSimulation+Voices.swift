import Media
import Network
import Quantity
import SimulationKernel
import Transport

/// The SFU's way with voices: all of them, the loudest, or a mix.
extension MeetingSimulation {
  mutating func forwardVoice(_ packet: Packet, kernel: inout Kernel) {
    let speaker = Int(packet.stream)
    var copy = packet
    switch plan.audioForwarding {
    case .mixed: return
    case .loudest:
      guard isForwardedVoice[speaker], packet.flags == 0 else {
        voices.leftOut[speaker] &+= 1
        return
      }
      // Numbers run on over what is left out; what the uplink lost stays a gap.
      copy.sequence = packet.sequence &- voices.leftOut[speaker]
    case .all: break
    }
    for listener in listeners where Int(listener) != speaker {
      copy.destination = listener
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
      let number = Int(listener)
      if now - voices.mixedAt[number] > OpusVoice.packetTime { voices.mixedSince[number] = now }
      voices.mixedAt[number] = now
      var packet = Packet.voice(
        stream: number, sequence: voices.mixedPackets[number], isSilent: false, at: now)
      voices.mixedPackets[number] &+= 1
      packet.destination = listener
      sendMedia(packet, .audio, on: Path.down(number), kernel: &kernel)
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
    let chosen = ranked.prefix(limit)
    for participant in chosen where !isForwardedVoice[participant] {
      voices.forwardedSince[participant] = now
    }
    for participant in participants.indices { isForwardedVoice[participant] = false }
    for participant in chosen { isForwardedVoice[participant] = true }
  }
}
