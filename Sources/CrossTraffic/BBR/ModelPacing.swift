import Quantity

/// Rate of sending by a model of the path: a multiple of the path's rate, which does not fall before the path is full.
struct ModelPacing: BitwiseCopyable, Sendable {
  /// Share of the rate that is sent (`bbr_pacing_margin_percent`, 1 % below).
  private static let margin = 0.99

  /// [segment/s].
  private(set) var rate: Double
  private let startGain: Double
  private var hasRoundTrip = false

  /// - Parameters:
  ///   - startGain: multiple at the start, until there is a rate.
  ///   - window: first window [segment]; its round trip counts as 1 ms until there is a measurement.
  init(startGain: Double, window: Int) {
    self.startGain = startGain
    rate = startGain * Double(window) * 1000
  }

  /// - Parameters:
  ///   - gain: multiple of the path's rate [segment/s].
  ///   - window: present window [segment].
  mutating func follow(_ pathRate: Double, gain: Double, of path: PathModel, window: Int, isFull: Bool) {
    if !hasRoundTrip, let roundTrip = path.leastRoundTrip, roundTrip > .zero {
      hasRoundTrip = true
      rate = Self.paced(Double(window) / roundTrip.seconds, gain: startGain)
    }
    let wanted = Self.paced(pathRate, gain: gain)
    if isFull || wanted > rate { rate = wanted }
  }

  private static func paced(_ rate: Double, gain: Double) -> Double { rate * gain * margin }

  /// Number of segments that leave together: those of about a millisecond, at least one, two from 1.2 Mbit/s
  /// (`bbr_tso_segs_goal`).
  var burst: Int {
    let bytes = rate * 1448
    return min(max(Int(bytes / 1024 / 1448), bytes < 150_000 ? 1 : 2), 127)
  }
}
