package import Endpoint
import Media
import Network
package import Plan
package import Quantity
package import SimulationKernel
import Systems
import Transport

/// Presence and voices of all participants, and their microphones' packets.
package struct People {
  private(set) var persons: [Person]

  package init(_ plan: MeetingPlan, seed: RunSeed) {
    persons = plan.participants.map { participant in
      Person(
        hasMicrophone: participant.publishesAudio,
        talkSpurts: TalkSpurtModel(durations: seed.stream("voice/\(participant.id)/talk-spurt")),
        voice: VoiceStream(participant.voice))
    }
  }

  package var indices: Range<Int> { persons.indices }

  package func isJoined(_ number: Int) -> Bool { persons[number].isJoined }

  /// Returns how often a participant has joined.
  package func stay(of number: Int) -> Int { persons[number].stay }

  package func isMuted(_ number: Int) -> Bool { persons[number].isMuted }

  package func hasMicrophone(_ number: Int) -> Bool { persons[number].hasMicrophone }

  package func joinedAt(_ number: Int) -> SimTime { persons[number].joinedAt }

  package func isSpeaking(_ number: Int, at now: SimTime) -> Bool { persons[number].isSpeaking(at: now) }

  /// Returns the start of a participant's current turn of speech; `nil` for one who is silent or has no microphone.
  package func spokenSince(_ number: Int, at now: SimTime) -> SimTime? {
    persons[number].isSpeaking(at: now) ? persons[number].lastSpokeAt : nil
  }

  /// Returns the participants with a microphone who speak now.
  package func speakers(at now: SimTime) -> [Int] {
    indices.filter { persons[$0].isSpeaking(at: now) }
  }

  package mutating func join(_ number: Int, at now: SimTime) {
    persons[number].isJoined = true
    persons[number].wasThere = true
    persons[number].stay += 1
    persons[number].joinedAt = now
    persons[number].lastSpokeAt = nil
    persons[number].silentSince = nil
  }

  package mutating func leave(_ number: Int, kernel: inout Kernel) {
    persons[number].isJoined = false
    persons[number].isInTalkSpurt = false
    if let turn = persons[number].talkSpurtTurn { kernel.cancel(turn) }
    persons[number].talkSpurtTurn = nil
  }

  /// Checks whether a participant has been in the meeting since the last call, at the end of each interval.
  package mutating func takePresence(of number: Int) -> Bool {
    defer { persons[number].wasThere = persons[number].isJoined }
    return persons[number].wasThere
  }

  /// Returns the state of a participant that others may know.
  package func presence(of number: Int, at now: SimTime) -> Directory.Presence {
    let person = persons[number]
    return Directory.Presence(
      isJoined: person.isJoined, stay: person.stay, joinedAt: person.joinedAt,
      isSpeaking: person.isSpeaking(at: now),
      lastSpokeAt: person.lastSpokeAt, silentSince: person.silentSince, isHeard: person.isHeard)
  }

  /// Returns `true` if a participant has begun to speak since the last call, `false` if the participant has fallen
  /// silent; `nil` if neither.
  package mutating func takeSpeechChange(of number: Int, at now: SimTime) -> Bool? {
    let isSpeaking = persons[number].isSpeaking(at: now)
    guard isSpeaking != persons[number].isNotedSpeaking else { return nil }
    persons[number].isNotedSpeaking = isSpeaking
    if isSpeaking { persons[number].lastSpokeAt = now }
    persons[number].silentSince = isSpeaking ? nil : now
    return isSpeaking
  }

  // MARK: Voices

  /// Sends a microphone's packet when it is due: speech, or comfort noise of a silent one.
  package mutating func speak(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let now = kernel.now
    guard persons[number].voice.dueAt == now else { return }
    guard persons[number].isJoined, !persons[number].isMuted else {
      persons[number].voice.dueAt = nil
      return
    }
    let isSpeaking = persons[number].isSpeaking(at: now)
    let sequence = persons[number].voice.sequence
    persons[number].voice.sequence = sequence &+ 1
    let voice = persons[number].voice.settings
    let path = net.endpoints.sendingPath(of: number)
    let follows = persons[number].voice.spokenAt.map { now - $0 == voice.packetTime } ?? false
    let hasFEC = voice.fec && net.endpoints.paths[path].reports.lossFraction >= VoiceSettings.leastLossForFEC
    persons[number].voice.spokenAt = isSpeaking ? now : nil
    var packet = Packet.voice(
      stream: number, sequence: sequence,
      size: isSpeaking ? voice.wireSize(repeating: follows) : voice.silenceWireSize, isSilent: !isSpeaking,
      isRepeating: isSpeaking && follows && (voice.red || hasFEC), at: now)
    packet.destination = UInt16(Path.participant(of: path))
    net.endpoints.send(packet, .audio, on: path, links: &net.links, kernel: &kernel)
    let wait = isSpeaking || !voice.dtx ? voice.packetTime : OpusVoice.silencePacketTime
    scheduleVoice(of: number, after: wait, kernel: &kernel)
  }

  package mutating func scheduleVoice(of number: Int, after wait: SimDuration, kernel: inout Kernel) {
    persons[number].voice.dueAt = kernel.now + wait
    kernel.schedule(after: wait, tag: MeetingEvent(.voice, number).tag)
  }

  /// Makes a participant speak for a time, from now on.
  package mutating func speak(_ number: Int, for duration: SimDuration, kernel: inout Kernel) {
    persons[number].speaksUntil = kernel.now + duration
    kernel.schedule(after: duration, tag: MeetingEvent(.speechEnd, number).tag)
    beginTurn(of: number, kernel: &kernel)
  }

  /// Begins a turn of speech, which does not wait for a pending comfort packet.
  private mutating func beginTurn(of number: Int, kernel: inout Kernel) {
    // A packet that is due now is about to leave.
    guard persons[number].isHeard, persons[number].voice.dueAt != kernel.now else { return }
    scheduleVoice(of: number, after: .zero, kernel: &kernel)
  }

  /// Mutes or unmutes a microphone.
  package mutating func setMuted(_ isMuted: Bool, of number: Int, kernel: inout Kernel) {
    persons[number].isMuted = isMuted
    guard !isMuted, persons[number].voice.dueAt == nil, persons[number].hasMicrophone else { return }
    scheduleVoice(of: number, after: .zero, kernel: &kernel)
  }

  /// Changes from speech to silence or back by the talk-spurt model.
  package mutating func turnTalkSpurt(of number: Int, kernel: inout Kernel) {
    persons[number].isInTalkSpurt.toggle()
    if persons[number].isInTalkSpurt { beginTurn(of: number, kernel: &kernel) }
    scheduleTalkSpurt(of: number, kernel: &kernel)
  }

  package mutating func scheduleTalkSpurt(of number: Int, kernel: inout Kernel) {
    persons[number].talkSpurtTurn = kernel.schedule(
      after: persons[number].talkSpurts.next(isTalking: persons[number].isInTalkSpurt),
      tag: MeetingEvent(.talkSpurt, number).tag)
  }
}
