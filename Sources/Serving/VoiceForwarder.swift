package import Endpoint
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Systems
import Transport

/// The SFU's audio: it forwards all voices, the loudest ones, or a mix.
package struct VoiceForwarder {
  private let mode: AudioForwarding
  private let reserves: VoiceReserves
  /// Participants with a microphone, in order.
  private let microphones: [Int]
  /// Time at which each participant was last heard speaking.
  private var spokeAt: [SimTime?]
  /// Number of audible microphones.
  private var heardCount = 0
  /// Number of microphones that count as speaking.
  private var speakingCount = 0
  /// Participants that hear any voice, in order.
  package private(set) var listeners: [UInt16] = []
  /// Flags, by participant, set if its voice is among the forwarded loudest.
  private var isForwarded: [Bool]
  /// Participants whose voices are the forwarded loudest.
  private var forwarded: [Int] = []
  /// Number of packets not forwarded, by speaker.
  private var leftOut: [UInt32]
  /// Time since which each voice has been forwarded, by speaker.
  private var forwardedSince: [SimTime]
  /// Number of packets sent by the mixer, by listener.
  private var mixedPackets: [UInt32]
  /// Time of the mixer's last packet, by listener.
  private var mixedAt: [LastTime]
  /// Time since which the mixer has been sending without a break, by listener.
  private var mixedSince: [SimTime]

  init(_ plan: MeetingPlan) {
    let count = plan.participants.count
    mode = plan.audioForwarding
    reserves = VoiceReserves(plan)
    microphones = plan.participants.indices.filter { plan.participants[$0].publishesAudio }
    spokeAt = Array(repeating: nil, count: count)
    isForwarded = Array(repeating: false, count: count)
    leftOut = Array(repeating: 0, count: count)
    forwardedSince = Array(repeating: .zero, count: count)
    mixedPackets = Array(repeating: 0, count: count)
    mixedAt = Array(repeating: LastTime.never, count: count)
    mixedSince = Array(repeating: .zero, count: count)
  }

  package mutating func addListener(_ participant: Int) {
    let place = listeners.firstIndex { Int($0) >= participant } ?? listeners.count
    guard place == listeners.count || Int(listeners[place]) != participant else { return }
    listeners.insert(UInt16(participant), at: place)
  }

  package mutating func removeListener(_ participant: Int) {
    listeners.removeAll { Int($0) == participant }
  }

  /// Counts the audible and the speaking microphones, for ``reserve(for:_:at:)``.
  package mutating func noteSpeakers(_ directory: Directory, at now: SimTime) {
    (heardCount, speakingCount) = (0, 0)
    for speaker in microphones where directory.isHeard[speaker] {
      heardCount += 1
      if directory.speaks(speaker) { spokeAt[speaker] = now }
      if countsAsSpeaking(speaker, at: now) { speakingCount += 1 }
    }
  }

  private func countsAsSpeaking(_ speaker: Int, at now: SimTime) -> Bool {
    spokeAt[speaker].map { now - $0 <= reserves.rates.voiceHold } ?? false
  }

  /// Returns the reserve for voices on a listener's downlink, which take precedence over video: the rate of the voices
  /// that are speaking or were a moment ago, and the comfort noise of the other microphones.
  package func reserve(for listener: Int, _ directory: Directory, at now: SimTime) -> BitRate {
    var heard = heardCount
    var speaking = speakingCount
    if directory.isHeard[listener] {
      heard -= 1
      if countsAsSpeaking(listener, at: now) { speaking -= 1 }
    }
    let (voices, silent) =
      switch mode {
      case .loudest(let limit): (min(limit, speaking), min(limit, heard) - min(limit, speaking))
      case .all: (speaking, heard - speaking)
      case .mixed: (min(1, speaking), min(1, heard) - min(1, speaking))
      }
    let rate =
      Int64(voices) * reserves.speech.bitsPerSecond + Int64(silent) * reserves.silence.bitsPerSecond
    return BitRate(bitsPerSecond: rate).scaled(by: reserves.rates.voiceHeadroom)
  }

  package mutating func forward(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let speaker = Int(packet.stream)
    var copy = packet
    switch mode {
    case .mixed: return
    case .loudest:
      guard isForwarded[speaker], packet.flags & Packet.silentVoice == 0 else {
        leftOut[speaker] &+= 1
        return
      }
      // The numbering closes over packets not forwarded; those lost on the uplink still leave a gap.
      copy.sequence = packet.sequence &- leftOut[speaker]
    case .all: break
    }
    for listener in listeners where Int(listener) != speaker {
      copy.destination = listener
      net.endpoints.send(copy, .audio, on: Path.down(Int(listener)), links: &net.links, kernel: &kernel)
    }
  }

  /// Sends the mixer's packet, every 20 ms, to each listener with somebody else to hear.
  package mutating func mix(_ speakers: [Int], _ net: inout Connections, kernel: inout Kernel) {
    let now = kernel.now
    for listener in listeners where speakers.contains(where: { $0 != Int(listener) }) {
      let number = Int(listener)
      if mixedAt[number].isOlder(than: OpusVoice.packetTime, at: now) { mixedSince[number] = now }
      mixedAt[number] = LastTime(now)
      var packet = Packet.voice(stream: number, sequence: mixedPackets[number], isSilent: false, at: now)
      mixedPackets[number] &+= 1
      packet.destination = listener
      net.endpoints.send(packet, .audio, on: Path.down(number), links: &net.links, kernel: &kernel)
    }
    kernel.schedule(after: OpusVoice.packetTime, tag: MeetingEvent(.mix).tag)
  }

  /// Selects the voices to forward: the most recent turns of speech, up to the configured number.
  package mutating func rank(_ directory: Directory, at now: SimTime) {
    guard case .loudest(let limit) = mode else { return }
    let members = directory.members
    let ranked = microphones.filter(directory.speaks).sorted { a, b in
      let aSince = members[a].lastSpokeAt ?? .zero
      let bSince = members[b].lastSpokeAt ?? .zero
      return aSince == bSince ? a < b : aSince > bSince
    }
    let chosen = ranked.prefix(limit)
    for participant in chosen where !isForwarded[participant] { forwardedSince[participant] = now }
    for participant in forwarded { isForwarded[participant] = false }
    for participant in chosen { isForwarded[participant] = true }
    forwarded = Array(chosen)
  }

  // MARK: Expected voices

  /// Returns the time since which listeners have been sent a voice without a break.
  ///
  /// - Parameter spokenSince: start of the speaker's current turn; `nil` while silent.
  package func sentSince(_ speaker: Int, spokenSince: SimTime?) -> SimTime? {
    guard let spokenSince else { return nil }
    switch mode {
    case .mixed: return nil
    case .all: return spokenSince
    case .loudest: return isForwarded[speaker] ? forwardedSince[speaker] : nil
    }
  }

  /// Returns the time since which a listener has been sent the mix without a break; `nil` for none.
  package func mixSentSince(to listener: Int, at now: SimTime) -> SimTime? {
    mixedAt[listener].isOlder(than: OpusVoice.packetTime, at: now) ? nil : mixedSince[listener]
  }
}

/// Rates to reserve for voices on a downlink.
private struct VoiceReserves {
  let rates: RateParameters
  /// Highest rate on the wire of a speaking microphone.
  let speech: BitRate
  /// Highest rate on the wire of a silent microphone.
  let silence: BitRate

  init(_ plan: MeetingPlan) {
    rates = plan.rates
    // The mixer's own stream uses the default settings.
    let voices =
      plan.audioForwarding == .mixed ? [] : plan.participants.filter(\.publishesAudio).map(\.voice)
    speech = voices.map(\.wireRate).max() ?? OpusVoice.wireRate
    silence = voices.map(\.silenceWireRate).max() ?? OpusVoice.silenceWireRate
  }
}
