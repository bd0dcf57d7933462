import Endpoint
package import Media
package import Network
package import Quantity
import SimulationKernel

/// Audio reception of every participant.
package struct Listeners: ~Copyable {
  private let participantCount: Int
  private let hearsMixes: Bool
  /// Durations of the audio in a packet, by speaker.
  private let packetTimes: [SimDuration]
  /// Voices that have been heard or should have been, and mixes, in no particular order.
  private var voices = Table<Voice>()
  /// Indices into the voices, by speaker; -1 for a speaker never sent.
  private var voiceOf: [Int32]
  /// Bytes in the current interval, by listener.
  private var bytes: Table<Int64>
  /// Reception of all voices over the last interval, by listener.
  package private(set) var intervals: [AudioReception]
  /// Reception of all voices over the whole run, by listener.
  package private(set) var totals: [VoiceTotals]

  /// One speaker at all listeners.
  struct Voice: ~Copyable {
    package var receivers: Table<AudioReceiver>
  }

  /// Creates the state in which nobody has been heard yet.
  ///
  /// - Parameters:
  ///   - packetTimes: durations of the audio in a packet, by participant.
  ///   - hearsMixes: `true` if participants are sent individual mixes instead of voices.
  package init(packetTimes: [SimDuration], hearsMixes: Bool) {
    let count = packetTimes.count
    participantCount = count
    self.packetTimes = packetTimes
    self.hearsMixes = hearsMixes
    voiceOf = Array(repeating: -1, count: count)
    bytes = Table(repeating: 0, count: count)
    intervals = Array(repeating: AudioReception(), count: count)
    totals = Array(repeating: VoiceTotals(), count: count)
    // All mixes are stored as one voice: a listener's mix has the listener's own number.
    guard hearsMixes else { return }
    voices.append(Voice(receivers: Table(repeating: AudioReceiver(), count: count)))
    voiceOf = Array(repeating: 0, count: count)
  }

  private mutating func voice(of speaker: Int) -> Int {
    if voiceOf[speaker] >= 0 { return Int(voiceOf[speaker]) }
    voices.append(
      Voice(
        receivers: Table(
          repeating: AudioReceiver(packetTime: packetTimes[speaker]), count: participantCount)))
    voiceOf[speaker] = Int32(voices.count - 1)
    return voices.count - 1
  }

  /// Checks whether a speaker has been heard or should have been.
  package func hasVoice(_ speaker: Int) -> Bool { voiceOf[speaker] >= 0 }

  /// Restarts the reception of a joining participant, which has heard nobody and has not been heard.
  package mutating func join(_ participant: Int) {
    for voice in 0..<voices.count { voices[voice].receivers[participant].restart() }
    guard hasVoice(participant), !hearsMixes else { return }
    let own = voice(of: participant)
    for listener in 0..<participantCount { voices[own].receivers[listener].restart() }
  }

  /// Restarts a listener's reception of a speaker, whose voice arrives over another connection from now on.
  package mutating func changeConnection(of listener: Int, to speaker: Int) {
    guard hasVoice(speaker) else { return }
    voices[voice(of: speaker)].receivers[listener].restart()
  }

  @inline(__always)
  package mutating func receive(_ packet: Packet, at now: SimTime) {
    let listener = Int(packet.destination)
    bytes[listener] += Int64(packet.size)
    voices[voice(of: Int(packet.stream))].receivers[listener].receive(
      VoicePacket(
        sequence: packet.sequence, capturedAt: packet.sentAt,
        isSilent: packet.flags & Packet.silentVoice != 0,
        isRepeating: packet.flags & Packet.repeatingVoice != 0), at: now)
  }

  /// Returns the bytes that a listener has received since the last call.
  package mutating func takeBytes(of listener: Int) -> Int64 {
    defer { bytes[listener] = 0 }
    return bytes[listener]
  }

  // MARK: Intervals

  package mutating func beginInterval(of listener: Int) { intervals[listener] = AudioReception() }

  /// Returns a listener's reception of a speaker in the interval that ends now; `nil` if there was none. A mix is
  /// numbered as its listener.
  ///
  /// - Parameter spokenSince: time since which the voice has been sent without a break; packets that have not arrived
  ///   by now are concealed.
  package mutating func takeReception(
    of speaker: Int, by listener: Int, spokenSince: SimTime?, at now: SimTime
  ) -> (reception: AudioReception, targetDelay: SimDuration)? {
    guard spokenSince != nil || voiceOf[speaker] >= 0 else { return nil }
    let voice = voice(of: speaker)
    if let spokenSince { voices[voice].receivers[listener].conceal(until: now, spokenSince: spokenSince) }
    guard let heard = voices[voice].receivers[listener].takeReception() else { return nil }
    intervals[listener] += heard.reception
    return heard
  }

  package mutating func endInterval(of listener: Int) { totals[listener] += intervals[listener] }
}
