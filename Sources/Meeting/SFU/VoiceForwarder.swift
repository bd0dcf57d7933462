import Media
import Network
import Quantity
import SimulationKernel
import Systems
import Transport

/// Voices at the SFU: all of them are forwarded, or the loudest, or a mix.
struct VoiceForwarder {
  private let mode: AudioForwarding
  private let rates: RateParameters
  /// Participants with a microphone, in order.
  private let microphones: [Int]
  /// By participant: when it was last heard to speak.
  private var spokeAt: [SimTime?]
  /// Microphones that can be heard, and those whose voices count as speaking.
  private var heardCount = 0
  private var speakingCount = 0
  /// Participants that hear voices, in order.
  private(set) var listeners: [UInt16] = []
  private var isForwarded: [Bool]
  private var forwarded: [Int] = []
  /// By speaker: packets that were not forwarded, and since when they are.
  private var leftOut: [UInt32]
  private var forwardedSince: [SimTime]
  /// By listener: packets that the mixer has sent, when the last one, and since when without a pause.
  private var mixedPackets: [UInt32]
  private var mixedAt: [LastTime]
  private var mixedSince: [SimTime]

  init(_ plan: MeetingPlan) {
    let count = plan.participants.count
    mode = plan.audioForwarding
    rates = plan.rates
    microphones = plan.participants.indices.filter { plan.participants[$0].publishesAudio }
    spokeAt = Array(repeating: nil, count: count)
    isForwarded = Array(repeating: false, count: count)
    leftOut = Array(repeating: 0, count: count)
    forwardedSince = Array(repeating: .zero, count: count)
    mixedPackets = Array(repeating: 0, count: count)
    mixedAt = Array(repeating: LastTime.never, count: count)
    mixedSince = Array(repeating: .zero, count: count)
  }

  mutating func addListener(_ participant: Int) {
    let place = listeners.firstIndex { Int($0) >= participant } ?? listeners.count
    guard place == listeners.count || Int(listeners[place]) != participant else { return }
    listeners.insert(UInt16(participant), at: place)
  }

  mutating func removeListener(_ participant: Int) {
    listeners.removeAll { Int($0) == participant }
  }

  /// Notes who is heard and who speaks, for ``reserve(for:_:at:)``.
  mutating func noteSpeakers(_ directory: Directory, at now: SimTime) {
    (heardCount, speakingCount) = (0, 0)
    for speaker in microphones where directory.isHeard[speaker] {
      heardCount += 1
      if directory.speaks(speaker) { spokeAt[speaker] = now }
      if countsAsSpeaking(speaker, at: now) { speakingCount += 1 }
    }
  }

  private func countsAsSpeaking(_ speaker: Int, at now: SimTime) -> Bool {
    spokeAt[speaker].map { now - $0 <= rates.voiceHold } ?? false
  }

  /// The reserve for voices on a listener's downlink, which come before any video: what those take who speak or did so a
  /// moment ago, and the comfort noise of other microphones.
  func reserve(for listener: Int, _ directory: Directory, at now: SimTime) -> BitRate {
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
      Int64(voices) * OpusVoice.wireRate.bitsPerSecond + Int64(silent)
      * OpusVoice.silenceWireRate.bitsPerSecond
    return BitRate(bitsPerSecond: rate).scaled(by: rates.voiceHeadroom)
  }

  mutating func forward(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let speaker = Int(packet.stream)
    var copy = packet
    switch mode {
    case .mixed: return
    case .loudest:
      guard isForwarded[speaker], packet.flags == 0 else {
        leftOut[speaker] &+= 1
        return
      }
      // Numbers run on over what is left out; what the uplink lost stays a gap.
      copy.sequence = packet.sequence &- leftOut[speaker]
    case .all: break
    }
    for listener in listeners where Int(listener) != speaker {
      copy.destination = listener
      endpoints.send(copy, .audio, on: Path.down(Int(listener)), links: &links, kernel: &kernel)
    }
  }

  /// Every 20 ms the mixer sends one packet to each listener who has somebody else to hear.
  mutating func mix(
    _ speakers: [Int], endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let now = kernel.now
    for listener in listeners where speakers.contains(where: { $0 != Int(listener) }) {
      let number = Int(listener)
      if mixedAt[number].isOlder(than: OpusVoice.packetTime, at: now) { mixedSince[number] = now }
      mixedAt[number] = LastTime(now)
      var packet = Packet.voice(stream: number, sequence: mixedPackets[number], isSilent: false, at: now)
      mixedPackets[number] &+= 1
      packet.destination = listener
      endpoints.send(packet, .audio, on: Path.down(number), links: &links, kernel: &kernel)
    }
    kernel.schedule(after: OpusVoice.packetTime, tag: MeetingEvent(.mix).tag)
  }

  /// Chooses the voices to forward: of those who speak the most recent turns, as many as the setting allows.
  mutating func rank(_ directory: Directory, at now: SimTime) {
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

  // MARK: What should be heard

  /// Since when listeners are sent a voice without a pause; `nil` for a silent one.
  func sentSince(_ speaker: Int, _ people: People, at now: SimTime) -> SimTime? {
    guard people.persons[speaker].hasMicrophone, people.isSpeaking(speaker, at: now) else { return nil }
    switch mode {
    case .mixed: return nil
    case .all: return people.persons[speaker].lastSpokeAt
    case .loudest: return isForwarded[speaker] ? forwardedSince[speaker] : nil
    }
  }

  /// The same for the mix that a listener is sent.
  func mixSentSince(to listener: Int, at now: SimTime) -> SimTime? {
    mixedAt[listener].isOlder(than: OpusVoice.packetTime, at: now) ? nil : mixedSince[listener]
  }
}
