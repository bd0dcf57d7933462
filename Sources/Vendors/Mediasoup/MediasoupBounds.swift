import CongestionControl
import Quantity

/// Bounds of the estimate, which follow the bit rate that a viewer's consumers could use
/// (`TransportCongestionControlClient::SetDesiredBitrate`, `TrendCalculator`).
struct MediasoupBounds: Hashable, Sendable {
  /// Share of the peak by which the trend of a desired bit rate that has fallen decays per second.
  private static let decay = 0.05
  /// Share by which the maximum may differ from a new one without being updated.
  private static let tolerance = 0.1
  private static let minimum = BitRate.kilobits(30)

  private let initial: BitRate
  private let factor: Double
  private var trend = BitRate.zero
  /// Last desired bit rate that was not below the trend, from which the trend decays.
  private var peak = BitRate.zero
  private var peakedAt = SimTime.zero
  private var maximum: BitRate?

  init(_ parameters: MediasoupParameters) {
    initial = parameters.initialEstimate
    factor = parameters.maximumTargetFactor
  }

  /// Follows the desired bit rate.
  ///
  /// - Parameter isForced: `true` if a lower rate takes effect at once, as when a consumer has ended.
  mutating func follow(desired: BitRate, isForced: Bool, at now: SimTime) -> SenderCommand {
    update(desired, isForced: isForced, at: now)
    let wanted = trend == .zero ? initial : max(initial, trend.scaled(by: factor))
    let isNear =
      maximum.map {
        $0 > wanted.scaled(by: 1 - Self.tolerance) && $0 < wanted.scaled(by: 1 + Self.tolerance)
      } ?? false
    if trend == .zero || !isNear { maximum = wanted }
    return .bound(minimum: Self.minimum, maximum: RateLimit(maximum ?? wanted))
  }

  private mutating func update(_ desired: BitRate, isForced: Bool, at now: SimTime) {
    guard isForced || desired >= trend else {
      let lost = peak.scaled(by: Self.decay * (now - peakedAt).seconds)
      trend = max(desired, lost < peak ? peak - lost : .zero)
      return
    }
    trend = desired
    peak = desired
    peakedAt = now
  }
}
