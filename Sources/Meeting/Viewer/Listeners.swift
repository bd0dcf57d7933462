import Media
import Network
import Quantity
import SimulationKernel

/// Audio reception of every participant.
struct Listeners: ~Copyable {
  private let participantCount: Int
  private let hearsMixes: Bool
  /// Those who have been heard or should have been, and the mixes, in no order.
  private var voices = Table<Voice>()
  /// By speaker: where its voice stands; -1 for one who has never been sent.
  private var voiceOf: [Int32]
  /// By listener: bytes over the current interval.
  private var bytes: Table<Int64>
  /// By listener, over all voices: the last interval, and the whole run.
  private(set) var intervals: [AudioReception]
  private(set) var totals: [VoiceTotals]

  /// One speaker at every listener.
  struct Voice: ~Copyable {
    var receivers: Table<AudioReceiver>
  }

  /// - Parameter hearsMixes: whether everybody is sent a mix of their own instead of voices.
  init(participants count: Int, hearsMixes: Bool) {
    participantCount = count
    self.hearsMixes = hearsMixes
    voiceOf = Array(repeating: -1, count: count)
    bytes = Table(repeating: 0, count: count)
    intervals = Array(repeating: AudioReception(), count: count)
    totals = Array(repeating: VoiceTotals(), count: count)
    // All mixes are as one voice: a listener's mix has the listener's own number.
    guard hearsMixes else { return }
    voices.append(Voice(receivers: Table(repeating: AudioReceiver(), count: count)))
    voiceOf = Array(repeating: 0, count: count)
  }

  private mutating func voice(of speaker: Int) -> Int {
    if voiceOf[speaker] >= 0 { return Int(voiceOf[speaker]) }
    voices.append(Voice(receivers: Table(repeating: AudioReceiver(), count: participantCount)))
    voiceOf[speaker] = Int32(voices.count - 1)
    return voices.count - 1
  }

  /// Whether a speaker has been heard or should have been.
  func hasVoice(_ speaker: Int) -> Bool { voiceOf[speaker] >= 0 }

  /// A participant joins: it has heard nobody, and nobody has heard it.
  mutating func join(_ participant: Int) {
    for voice in 0..<voices.count { voices[voice].receivers[participant].restart() }
    guard hasVoice(participant), !hearsMixes else { return }
    let own = voice(of: participant)
    for listener in 0..<participantCount { voices[own].receivers[listener].restart() }
  }

  @inline(__always)
  mutating func receive(_ packet: Packet, at now: SimTime) {
    let listener = Int(packet.destination)
    bytes[listener] += Int64(packet.size)
    voices[voice(of: Int(packet.stream))].receivers[listener].receive(
      VoicePacket(sequence: packet.sequence, capturedAt: packet.sentAt, isSilent: packet.flags != 0), at: now)
  }

  /// The bytes that a listener has received since the last call.
  mutating func takeBytes(of listener: Int) -> Int64 {
    defer { bytes[listener] = 0 }
    return bytes[listener]
  }

  // MARK: Intervals

  mutating func beginInterval(of listener: Int) { intervals[listener] = AudioReception() }

  /// What a listener heard of a speaker in the interval that ends now; `nil` for nothing at all. A mix has the number of
  /// its listener.
  ///
  /// - Parameter spokenSince: since when the voice is sent without a pause: what has not come by now is concealed.
  mutating func takeReception(
    of speaker: Int, by listener: Int, spokenSince: SimTime?, at now: SimTime
  ) -> (reception: AudioReception, targetDelay: SimDuration)? {
    guard spokenSince != nil || voiceOf[speaker] >= 0 else { return nil }
    let voice = voice(of: speaker)
    if let spokenSince { voices[voice].receivers[listener].conceal(until: now, spokenSince: spokenSince) }
    guard let heard = voices[voice].receivers[listener].takeReception() else { return nil }
    intervals[listener] += heard.reception
    return heard
  }

  mutating func endInterval(of listener: Int) { totals[listener] += intervals[listener] }
}
