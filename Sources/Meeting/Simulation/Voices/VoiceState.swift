import Media
import Quantity
import SimulationKernel

/// What the SFU and the listeners keep of voices.
struct VoiceState: ~Copyable {
  /// By listener, then by speaker. Where a mixer serves, its stream has the listener's own place, which is free.
  var receivers: Table<AudioReceiver>
  /// By speaker: packets that the SFU did not forward, and since when it forwards.
  var leftOut: Table<UInt32>
  var forwardedSince: [SimTime]
  /// By listener: packets that the mixer has sent it, when it sent the last one, and since when without a pause.
  var mixedPackets: Table<UInt32>
  var mixedAt: [SimTime]
  var mixedSince: [SimTime]
  /// By listener, over all voices: the interval that was closed last, and the run.
  var intervals: [AudioReception]
  var totals: [AudioReception]

  init(participants count: Int) {
    receivers = Table(repeating: AudioReceiver(), count: count * count)
    leftOut = Table(repeating: 0, count: count)
    forwardedSince = Array(repeating: .zero, count: count)
    mixedPackets = Table(repeating: 0, count: count)
    mixedAt = Array(repeating: SimTime(nanoseconds: -1_000_000_000), count: count)
    mixedSince = Array(repeating: .zero, count: count)
    intervals = Array(repeating: AudioReception(), count: count)
    totals = Array(repeating: AudioReception(), count: count)
  }

  /// A participant comes: it has heard nobody, and nobody has heard it.
  mutating func begin(_ participant: Int) {
    let count = totals.count
    for other in 0..<count {
      receivers[participant * count + other] = AudioReceiver()
      receivers[other * count + participant] = AudioReceiver()
    }
  }
}
