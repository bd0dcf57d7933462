import Media
import Network
import Quantity
import SimulationKernel

/// Audio reception of every participant.
struct Listeners: ~Copyable {
  private let participantCount: Int
  /// By listener, then by speaker. A mixer's stream has the listener's own place, which is free.
  private var receivers: Table<AudioReceiver>
  /// By listener: bytes over the current interval.
  private var bytes: Table<Int64>
  /// By listener, over all voices: the last interval, and the whole run.
  private(set) var intervals: [AudioReception]
  private(set) var totals: [AudioReception]

  init(participants count: Int) {
    participantCount = count
    receivers = Table(repeating: AudioReceiver(), count: count * count)
    bytes = Table(repeating: 0, count: count)
    intervals = Array(repeating: AudioReception(), count: count)
    totals = Array(repeating: AudioReception(), count: count)
  }

  /// A participant joins: it has heard nobody, and nobody has heard it.
  mutating func join(_ participant: Int) {
    for other in 0..<participantCount {
      receivers[participant * participantCount + other].restart()
      receivers[other * participantCount + participant].restart()
    }
  }

  @inline(__always)
  mutating func receive(_ packet: Packet, at now: SimTime) {
    let listener = Int(packet.destination)
    bytes[listener] += Int64(packet.size)
    receivers[listener * participantCount + Int(packet.stream)].receive(
      VoicePacket(sequence: packet.sequence, capturedAt: packet.sentAt, isSilent: packet.flags != 0), at: now)
  }

  /// The bytes that a listener has received since the last call.
  mutating func takeBytes(of listener: Int) -> Int64 {
    defer { bytes[listener] = 0 }
    return bytes[listener]
  }

  // MARK: Intervals

  mutating func beginInterval(of listener: Int) { intervals[listener] = AudioReception() }

  /// What a listener heard of a speaker in the interval that ends now; `nil` for nothing at all.
  ///
  /// - Parameter spokenSince: since when the voice is sent without a pause: what has not come by now is concealed.
  mutating func takeReception(
    of speaker: Int, by listener: Int, spokenSince: SimTime?, at now: SimTime
  ) -> (reception: AudioReception, targetDelay: SimDuration)? {
    let place = listener * participantCount + speaker
    if let spokenSince { receivers[place].conceal(until: now, spokenSince: spokenSince) }
    guard receivers[place].hasNews else { return nil }
    let reception = receivers[place].takeReception()
    intervals[listener] += reception
    return (reception, receivers[place].targetDelay)
  }

  mutating func endInterval(of listener: Int) { totals[listener] += intervals[listener] }
}
