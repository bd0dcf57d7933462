import Media
import Network
import Quantity
import SimulationKernel
import Systems
import Transport

/// Everybody's presence and voice, and the microphones that pack it.
struct People {
  var persons: [Person]
  /// What everybody may know of them; ``Systems/Roster/Member/isSpeaking`` holds for the time of the last refresh.
  private(set) var members: [Roster.Member]

  init(_ plan: MeetingPlan, streams: StreamNumbering, seed: RunSeed) {
    persons = plan.participants.map { participant in
      Person(
        hasMicrophone: participant.publishesAudio,
        talkSpurts: TalkSpurtModel(durations: seed.stream("voice/\(participant.id)/talk-spurt")))
    }
    members = plan.participants.enumerated().map { number, participant in
      Roster.Member(
        id: participant.id, isModerator: participant.isModerator, isJoined: false, joinedAt: .zero,
        isSpeaking: false, lastSpokeAt: nil, camera: streams.cameraOf[number],
        screen: streams.screenOf[number])
    }
  }

  var indices: Range<Int> { persons.indices }

  func isJoined(_ number: Int) -> Bool { persons[number].isJoined }

  func isSpeaking(_ number: Int, at now: SimTime) -> Bool { persons[number].isSpeaking(at: now) }

  var joinedCount: Int { persons.count { $0.isJoined } }

  /// Those with a microphone who speak now.
  func speakers(at now: SimTime) -> [Int] {
    indices.filter { persons[$0].hasMicrophone && persons[$0].isSpeaking(at: now) }
  }

  /// How many others could be heard by a participant.
  func voices(besides number: Int) -> Int {
    var count = 0
    for other in indices where other != number && persons[other].isHeard { count += 1 }
    return count
  }

  mutating func join(_ number: Int, at now: SimTime) {
    persons[number].isJoined = true
    persons[number].joinedAt = now
    members[number].isJoined = true
    members[number].joinedAt = now
  }

  mutating func leave(_ number: Int, kernel: inout Kernel) {
    persons[number].isJoined = false
    persons[number].isInTalkSpurt = false
    if let turn = persons[number].talkSpurtTurn { kernel.cancel(turn) }
    persons[number].talkSpurtTurn = nil
    members[number].isJoined = false
  }

  /// Brings everybody's ``Systems/Roster/Member/isSpeaking`` up to date.
  mutating func refreshSpeaking(at now: SimTime) {
    for number in indices {
      let isSpeaking = persons[number].isSpeaking(at: now)
      if members[number].isSpeaking != isSpeaking { members[number].isSpeaking = isSpeaking }
    }
  }

  // MARK: Voices

  /// A microphone's packet is due: speech, or comfort noise of a silent one.
  mutating func speak(
    _ number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) {
    let now = kernel.now
    guard persons[number].voiceDueAt == now else { return }
    guard persons[number].isJoined, !persons[number].isMuted else {
      persons[number].voiceDueAt = nil
      return
    }
    let isSpeaking = persons[number].isSpeaking(at: now)
    let sequence = persons[number].voiceSequence
    persons[number].voiceSequence = sequence &+ 1
    var packet = Packet.voice(stream: number, sequence: sequence, isSilent: !isSpeaking, at: now)
    packet.destination = UInt16(number)
    endpoints.send(packet, .audio, on: Path.up(number), links: &links, kernel: &kernel)
    let wait = isSpeaking ? OpusVoice.packetTime : OpusVoice.silencePacketTime
    scheduleVoice(of: number, after: wait, kernel: &kernel)
  }

  mutating func scheduleVoice(of number: Int, after wait: SimDuration, kernel: inout Kernel) {
    persons[number].voiceDueAt = kernel.now + wait
    kernel.schedule(after: wait, tag: MeetingEvent(.voice, number).tag)
  }

  /// Notes that a turn of speech begins.
  mutating func beginTurn(of number: Int, at now: SimTime) {
    persons[number].lastSpokeAt = now
    members[number].lastSpokeAt = now
  }

  /// Packs the voice from now on: it does not wait for a comfort packet that is pending.
  mutating func startVoice(of number: Int, kernel: inout Kernel) {
    // One that is already due is about to run.
    guard persons[number].isHeard, persons[number].voiceDueAt != kernel.now else { return }
    scheduleVoice(of: number, after: .zero, kernel: &kernel)
  }

  /// Mutes or unmutes a microphone.
  mutating func setMuted(_ isMuted: Bool, of number: Int) { persons[number].isMuted = isMuted }

  /// Turns from speech to silence or back by the talk-spurt model.
  ///
  /// - Returns: whether the person talks from now on.
  mutating func turnTalkSpurt(of number: Int) -> Bool {
    persons[number].isInTalkSpurt.toggle()
    return persons[number].isInTalkSpurt
  }

  mutating func scheduleTalkSpurt(of number: Int, kernel: inout Kernel) {
    persons[number].talkSpurtTurn = kernel.schedule(
      after: persons[number].talkSpurts.next(isTalking: persons[number].isInTalkSpurt),
      tag: MeetingEvent(.talkSpurt, number).tag)
  }
}
