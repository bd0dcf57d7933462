import Quantity

/// Pacing rate from a model of the path: a multiple of the path's rate that does not fall until the path is full.
struct ModelPacing: BitwiseCopyable, Sendable {
  /// Share of the rate at which segments are paced (`bbr_pacing_margin_percent`, 1 % below).
  private static let margin = 0.99

  /// Pacing rate [segment/s].
  private(set) var rate: Double
  private let startGain: Double
  private var hasRoundTrip = false

  /// - Parameters:
  ///   - startGain: multiple used until the rate has been measured.
  ///   - window: initial window [segment]; the round trip counts as 1 ms until it has been measured.
  init(startGain: Double, window: Int) {
    self.startGain = startGain
    rate = startGain * Double(window) * 1000
  }

  /// - Parameters:
  ///   - gain: multiple of the path's rate [segment/s].
  ///   - window: current window [segment].
  mutating func follow(_ pathRate: Double, gain: Double, of path: PathModel, window: Int, isFull: Bool) {
    if !hasRoundTrip, let roundTrip = path.leastRoundTrip, roundTrip > .zero {
      hasRoundTrip = true
      rate = Self.paced(Double(window) / roundTrip.seconds, gain: startGain)
    }
    let wanted = Self.paced(pathRate, gain: gain)
    if isFull || wanted > rate { rate = wanted }
  }

  private static func paced(_ rate: Double, gain: Double) -> Double { rate * gain * margin }

  /// Number of segments in a burst: those of about a millisecond, at least one, or two from 1.2 Mbit/s
  /// (`bbr_tso_segs_goal`).
  var burst: Int {
    let bytes = rate * 1448
    return min(max(Int(bytes / 1024 / 1448), bytes < 150_000 ? 1 : 2), 127)
  }
}
