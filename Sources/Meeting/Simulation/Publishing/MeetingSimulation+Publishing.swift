import Allocation
import CongestionControl
import Ladder
import Media
import Network
import Quantity
import SimulationKernel
import Statistics
import Systems
import Transport

/// What publishers send.
extension MeetingSimulation {
  /// A source captures a frame and every encoding that is due makes its own of it.
  mutating func capture(source number: Int, kernel: inout Kernel) {
    let now = kernel.now
    guard sources[number].isCapturing else {
      sources[number].hasCaptureEvent = false
      return
    }
    kernel.schedule(after: sources[number].period, tag: MeetingEvent(.capture, number).tag)
    guard now >= sources[number].silentUntil else { return }
    if sources[number].kind == .custom, now >= sources[number].pushesUntil { return }
    let captures = sources[number].captures
    sources[number].captures = captures + 1
    let first = sources[number].firstEncoding
    let publisher = sources[number].participant
    defer { _ = sources[number].content.next() }
    for encoding in first..<first + sources[number].encodings {
      guard encodings[encoding].isSending else { continue }
      guard captures % encodings[encoding].captureDivisor == 0 || encodings[encoding].isKeyFrameRequested
      else {
        continue
      }
      if let dropping = participants[publisher].frameDropping {
        // Counted for each encoding: one of half the frame rate would else lose all its frames or none.
        encodings[encoding].framesWhileDropping += 1
        if encodings[encoding].framesWhileDropping % dropping.interval == 0 { continue }
      }
      var content = sources[number].content
      guard let frame = encodings[encoding].encodeFrame(at: now, content: &content) else { continue }
      followSize(of: encoding)
      send(frame, of: encoding, from: publisher, kernel: &kernel)
    }
  }

  /// Notes the picture size that an encoding has taken.
  private mutating func followSize(of number: Int) {
    guard let size = encodings[number].model.resolution,
      size != formats[Int(encodings[number].format)]
    else { return }
    encodings[number].format = formatNumber(size)
  }

  private mutating func send(
    _ frame: EncodedFrame, of encoding: Int, from publisher: Int, kernel: inout Kernel
  ) {
    let packets = Packetization(frameBytes: frame.bytes)
    let header = FrameHeader(
      temporalLayer: frame.temporalLayer, groupPosition: frame.groupPosition, isKeyFrame: frame.isKeyFrame)
    var packet = Packet(
      sentAt: kernel.now, size: 0, stream: UInt16(encoding), kind: PacketKind.video.rawValue,
      flags: header.flags, frame: encodings[encoding].nextFrame, count: UInt16(packets.count),
      format: encodings[encoding].format)
    packet.destination = UInt16(publisher)
    encodings[encoding].nextFrame &+= 1
    for index in 0..<packets.count {
      packet.index = UInt16(index)
      packet.size = UInt16(packets.wireSize(of: index))
      packet.sequence = encodings[encoding].nextSequence
      encodings[encoding].nextSequence &+= 1
      encodings[encoding].sentBytes += Int64(packet.size) - Int64(PacketOverhead.aroundRTP)
      repairs.sentEncodings[encoding].append(packet)
      sendMedia(packet, .video, on: Path.up(publisher), kernel: &kernel)
    }
  }

  /// Brings a source in line with what its participant does: capturing or not.
  mutating func refreshCapture(source number: Int, kernel: inout Kernel) {
    let participant = participants[sources[number].participant]
    let capabilities = plan.participants[sources[number].participant].capabilities
    let isStopped =
      participant.isInBackground && !capabilities.multitaskingCamera && sources[number].kind == .camera
    let isOn = sources[number].isScreen ? participant.isSharingScreen : !participant.isVideoMuted
    let shouldCapture = participant.isJoined && isOn && !isStopped
    guard shouldCapture != sources[number].isCapturing else { return }
    sources[number].isCapturing = shouldCapture
    if shouldCapture {
      if kernel.now == participant.joinedAt { awaitAllocation(of: number) }
      refreshSending(source: number)
      if !sources[number].hasCaptureEvent {
        sources[number].hasCaptureEvent = true
        // Cameras are not in step: each has a phase of its own.
        let id = plan.participants[sources[number].participant].id
        var phase = RandomStream(
          seed: seed, repetition: repetition, name: "source/\(id)/\(sources[number].plan.kind.rawValue)/phase"
        )
        let delay = Int64(phase.uniform() * Double(sources[number].period.nanoseconds))
        kernel.schedule(
          after: SimDuration(nanoseconds: delay), tag: MeetingEvent(.capture, number).tag)
      }
    } else {
      for encoding in sources[number].firstEncoding..<sources[number].firstEncoding
        + sources[number].encodings
      {
        encodings[encoding].isSending = false
      }
      for viewer in participants.indices {
        let track = trackNumber(viewer: viewer, source: number)
        if tracks[track].target != .none { receivers[track].freezes.restart() }
      }
    }
    markViewersDirty(kernel: &kernel)
  }

  /// A source that begins with its participant's call races its set-up; an estimator that knows the capacity has none.
  private mutating func awaitAllocation(of number: Int) {
    guard usesFeedback, sources[number].encodings == 1 else { return }
    let publisher = sources[number].participant
    let own = plan.participants[publisher]
    var setUp = RandomStream(seed: seed, repetition: repetition, name: "uplink/\(own.id)/set-up")
    let videos = [cameraOf[publisher], screenOf[publisher]].compactMap { $0 }
      .filter { $0 == number || sources[$0].plan.startsOn }
    encodings[sources[number].firstEncoding].model.awaitAllocation(
      AllocationWait(
        frames: setUp.index(below: AllocationWait.frameCounts),
        estimate: controllers.estimate(Path.up(publisher)),
        tracks: videos.count + (own.publishesAudio && plan.voicesHaveFeedback ? 1 : 0),
        joined: participants[publisher].joinedAt))
  }

  /// Sends the encodings that are wanted and fit the uplink; one that begins does so with a key frame.
  mutating func refreshSending(source number: Int) {
    let first = sources[number].firstEncoding
    for rung in 0..<sources[number].encodings {
      let encoding = first + rung
      let shouldSend =
        sources[number].isCapturing && sources[number].wantedAtPublisher >> rung & 1 == 1
        && encodings[encoding].scale > 0
      if shouldSend, !encodings[encoding].isSending { encodings[encoding].isKeyFrameRequested = true }
      encodings[encoding].isSending = shouldSend
    }
  }

  /// The SFU tells the publisher which encodings somebody wants, reliably, after the path's propagation delay.
  mutating func updateWanted(source number: Int, kernel: inout Kernel) {
    let first = sources[number].firstEncoding
    var wanted = sources[number].publisher.alwaysWanted(of: sources[number].encodings)
    for rung in 0..<sources[number].encodings
    where encodings[first + rung].viewers > 0 || encodings[first + rung].waiting > 0 {
      wanted |= 1 << rung
    }
    guard wanted != sources[number].wantedAtSFU else { return }
    sources[number].wantedAtSFU = wanted
    kernel.schedule(
      after: participants[sources[number].participant].downDelay,
      tag: MeetingEvent(.encodingsWanted, number).tag)
  }

  mutating func learnWanted(source number: Int) {
    sources[number].wantedAtPublisher = sources[number].wantedAtSFU
    refreshSending(source: number)
  }

  /// A microphone's packet is due.
  mutating func speak(participant: Int, kernel: inout Kernel) {
    let now = kernel.now
    guard voiceDueAt[participant] == now else { return }
    guard participants[participant].isJoined, !participants[participant].isAudioMuted else {
      voiceDueAt[participant] = nil
      return
    }
    let isSpeaking = participants[participant].isSpeaking(at: now)
    let sequence = participants[participant].voiceSequence
    participants[participant].voiceSequence = sequence &+ 1
    var packet = Packet.voice(stream: participant, sequence: sequence, isSilent: !isSpeaking, at: now)
    packet.destination = UInt16(participant)
    sendMedia(packet, .audio, on: Path.up(participant), kernel: &kernel)
    let wait = isSpeaking ? OpusVoice.packetTime : OpusVoice.silencePacketTime
    scheduleVoice(of: participant, after: wait, kernel: &kernel)
  }

  mutating func scheduleVoice(of participant: Int, after wait: SimDuration, kernel: inout Kernel) {
    voiceDueAt[participant] = kernel.now + wait
    kernel.schedule(after: wait, tag: MeetingEvent(.voice, participant).tag)
  }

  /// Begins a turn of speech: the voice is packed from now on, and the order of speakers changes.
  mutating func beginTurn(of participant: Int, kernel: inout Kernel) {
    participants[participant].lastSpokeAt = kernel.now
    rankVoices(at: kernel.now)
    // A comfort packet may be pending for later: the voice does not wait for it.
    if plan.participants[participant].publishesAudio, participants[participant].isJoined,
      !participants[participant].isAudioMuted
    {
      // Already due: its event is about to run.
      if voiceDueAt[participant] != kernel.now {
        scheduleVoice(of: participant, after: .zero, kernel: &kernel)
      }
    }
    markSlotsDirty(kernel: &kernel)
  }

  mutating func turnTalkSpurt(of participant: Int, kernel: inout Kernel) {
    guard participants[participant].isJoined else { return }
    participants[participant].isInTalkSpurt.toggle()
    let isTalking = participants[participant].isInTalkSpurt
    if isTalking { beginTurn(of: participant, kernel: &kernel) } else { rankVoices(at: kernel.now) }
    scheduleTalkSpurt(of: participant, kernel: &kernel)
  }

  mutating func scheduleTalkSpurt(of participant: Int, kernel: inout Kernel) {
    participants[participant].talkSpurtTurn = kernel.schedule(
      after: talkSpurts[participant].next(isTalking: participants[participant].isInTalkSpurt),
      tag: MeetingEvent(.talkSpurt, participant).tag)
  }
}
