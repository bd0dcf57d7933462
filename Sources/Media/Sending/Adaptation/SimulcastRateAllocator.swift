package import Quantity

/// Shares a rate among simulcast encodings, lowest first.
///
/// libwebrtc `modules/video_coding/utility/simulcast_rate_allocator.cc`: each gets up to its target; the first whose
/// minimum does not fit stops it, one that was off needs 1.2 times its minimum; what is left goes to the highest that is
/// on, up to its maximum; the first always has its minimum.
package enum SimulcastRateAllocator {
  /// The rates that an encoding may have.
  package struct Limits: Hashable, Sendable {
    package var minimum: BitRate
    package var target: BitRate
    package var maximum: BitRate

    package init(minimum: BitRate, target: BitRate, maximum: BitRate) {
      self.minimum = minimum
      self.target = target
      self.maximum = maximum
    }
  }

  /// An encoding that was off begins at so many times its minimum; screens at 1.35 times.
  package static let hysteresis = 1.2

  /// Rates in the encodings' order; zero for one that is off.
  package static func rates(
    within total: BitRate, limits: [Limits], wereOn: [Bool], hysteresis: Double = hysteresis
  ) -> [BitRate] {
    var rates = [BitRate](repeating: .zero, count: limits.count)
    guard let first = limits.first else { return rates }
    var left = max(total, first.minimum)
    var top = 0
    for (place, limit) in limits.enumerated() {
      let least =
        place == 0 || wereOn[place] ? limit.minimum : min(limit.minimum.scaled(by: hysteresis), limit.target)
      guard left >= least else { break }
      rates[place] = min(left, limit.target)
      left -= rates[place]
      top = place
    }
    rates[top] += min(left, max(limits[top].maximum, rates[top]) - rates[top])
    return rates
  }
}
