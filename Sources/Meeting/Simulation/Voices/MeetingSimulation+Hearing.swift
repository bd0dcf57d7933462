import Media
import Metrics
import Network
import Quantity
import SimulationKernel

/// What listeners make of the voices that reach them.
extension MeetingSimulation {
  @inline(__always)
  mutating func receiveVoice(_ packet: Packet, at now: SimTime) {
    let listener = Int(packet.destination)
    participants[listener].audioBytes += Int64(packet.size)
    voices.receivers[listener * participants.count + Int(packet.stream)].receive(
      VoicePacket(sequence: packet.sequence, capturedAt: packet.sentAt, isSilent: packet.flags != 0), at: now)
  }

  /// Closes the interval that ends now: a row for each voice that was heard, or should have been.
  mutating func sampleVoices(at now: SimTime) {
    let count = participants.count
    let spokenSince = participants.indices.map { voiceSent(by: $0, at: now) }
    for listener in participants.indices {
      voices.intervals[listener] = AudioReception()
      for speaker in participants.indices {
        let place = listener * count + speaker
        if participants[listener].isJoined {
          let since = speaker == listener ? mixSent(to: listener, at: now) : spokenSince[speaker]
          if let since { voices.receivers[place].conceal(until: now, spokenSince: since) }
        }
        guard voices.receivers[place].hasNews else { continue }
        let reception = voices.receivers[place].takeReception()
        voices.intervals[listener] += reception
        guard reception.hasSpeech else { continue }
        record(
          reception, of: speaker == listener ? nil : speaker, by: listener,
          targetDelay: voices.receivers[place].targetDelay, at: now)
      }
      voices.totals[listener] += voices.intervals[listener]
    }
  }

  private mutating func record(
    _ reception: AudioReception, of speaker: Int?, by listener: Int, targetDelay: SimDuration, at now: SimTime
  ) {
    let played = Int64(reception.packetsPlayed)
    recorder.record(
      AudioRow(
        viewer: listener, source: speaker, packetsReceived: Int64(reception.packetsReceived),
        packetsLost: Int64(reception.packetsLost), packetsDiscarded: Int64(reception.packetsDiscarded),
        concealedSamples: reception.concealedSamples,
        concealmentEvents: Int64(reception.concealmentEvents),
        insertedSamples: reception.insertedSamplesForDeceleration,
        removedSamples: reception.removedSamplesForAcceleration,
        delay: played > 0
          ? SimDuration(nanoseconds: reception.jitterBufferDelay.nanoseconds / played) : nil,
        targetDelay: targetDelay,
        concealedTenThousandths: reception.concealedSamples * 10_000 / max(reception.speechSamples, 1)),
      at: now)
  }

  /// Since when listeners are to get a voice without a pause; `nil` for one that is silent.
  private func voiceSent(by speaker: Int, at now: SimTime) -> SimTime? {
    guard plan.participants[speaker].publishesAudio, participants[speaker].isSpeaking(at: now) else {
      return nil
    }
    switch plan.audioForwarding {
    case .mixed: return nil
    case .all: return participants[speaker].lastSpokeAt
    case .loudest: return isForwardedVoice[speaker] ? voices.forwardedSince[speaker] : nil
    }
  }

  private func mixSent(to listener: Int, at now: SimTime) -> SimTime? {
    now - voices.mixedAt[listener] <= OpusVoice.packetTime ? voices.mixedSince[listener] : nil
  }

  /// Writes the whole-run values of everybody's hearing.
  mutating func recordVoices() {
    var all = AudioReception()
    for listener in participants.indices {
      all += voices.totals[listener]
      guard voices.totals[listener].hasSpeech else { continue }
      recordVoices(
        scope: "participant", viewer: plan.participants[listener].id, voices.totals[listener])
    }
    if all.hasSpeech { recordVoices(scope: "meeting", viewer: "", all) }
  }

  private mutating func recordVoices(scope: StaticString, viewer: String, _ reception: AudioReception) {
    func row(
      _ metric: StaticString, _ stat: StaticString, _ unit: StaticString, _ value: Int64?, _ decimals: Int
    )
      -> ScalarRow
    {
      ScalarRow(
        scope: scope, viewer: viewer, metric: metric, stat: stat, unit: unit, direction: .smaller,
        value: value, decimals: decimals)
    }
    let played = Int64(reception.packetsPlayed)
    recorder.record(
      row(
        "audio_concealed_frac", "mean", "1",
        reception.concealedSamples * 1_000_000 / max(reception.speechSamples, 1), 6))
    recorder.record(
      row("audio_packets_discarded", "total", "1", Int64(reception.packetsDiscarded) * 10, 1))
    recorder.record(
      row(
        "audio_jitter_buffer_delay", "mean", "s",
        played > 0 ? reception.jitterBufferDelay.nanoseconds / played / 1_000 : nil, 6))
  }
}
