package import Quantity

/// Split of a stream's target bit rate among its layers (libwebrtc `modules/video_coding/svc/svc_rate_allocator.cc`,
/// limits of `vp9/svc_config.cc` and `av1_svc_config.cc`).
///
/// The kind of prediction makes no difference: lower layers keep their small share even where upper layers are not
/// predicted from them. As many spatial layers are active as the target suffices for, without hysteresis.
package struct ScalableRateSplit: Hashable, Sendable {
  /// Mode with as many spatial layers as the capture allows.
  package let mode: ScalabilityMode
  private let sizes: [Resolution]
  private let limits: [LayerRates]
  /// Lowest totals at which 1, 2 and 3 layers are active.
  private let starts: [BitRate]
  /// Application's bit rate limit for the stream; `nil` for none.
  private var maximum: BitRate?
  /// Set if each layer gets its target, from the lowest up, and the highest one the rest.
  private let hasFixedRates: Bool

  /// Creates the split of a source.
  ///
  /// - Parameters:
  ///   - size: capture size; a small capture gets fewer spatial layers than its mode names.
  ///   - isScreen: `true` for a screen share, whose lower layers get fixed rates and the highest one the rest.
  ///   - maximum: application's bit rate limit for the stream; `nil` for none.
  package init(
    codec: VideoCodec, size: Resolution, mode: ScalabilityMode, isScreen: Bool, maximum: BitRate?
  ) {
    let fitted = mode.fitted(to: size)
    let sizes = (0..<fitted.spatialLayers).map { fitted.size(of: $0, capture: size, codec: codec) }
    self.init(
      fitted, sizes, Self.limits(sizes, codec: codec), maximum: maximum, hasFixedRates: isScreen)
  }

  /// Creates the split of layers whose sizes and rates are listed: each gets its own rate, from the lowest up; the
  /// highest runs from libwebrtc's minimum for its size on, at most its own rate [our model].
  ///
  /// - Parameter layers: at least one, lowest first.
  package init(codec: VideoCodec, listed layers: [Encoding], mode: ScalabilityMode) {
    let sizes = layers.map(\.format.resolution)
    let limits = zip(Self.limits(sizes, codec: codec), layers).map { usual, layer in
      LayerRates(
        minimum: min(usual.minimum, layer.bitrate), target: layer.bitrate, maximum: layer.bitrate)
    }
    self.init(mode, sizes, limits, maximum: nil, hasFixedRates: true)
  }

  private init(
    _ mode: ScalabilityMode, _ sizes: [Resolution], _ limits: [LayerRates], maximum: BitRate?,
    hasFixedRates: Bool
  ) {
    self.mode = mode
    self.sizes = sizes
    self.limits = limits
    self.maximum = maximum
    self.hasFixedRates = hasFixedRates
    starts = limits.indices.map { Self.start(of: $0 + 1, limits, hasFixedRates: hasFixedRates) }
  }

  /// Caps the stream's bit rate.
  package mutating func limit(to most: BitRate) { maximum = min(maximum ?? most, most) }

  package var layerCount: Int { limits.count }
  package func size(of spatial: Int) -> Resolution { sizes[spatial] }
  package func limits(of spatial: Int) -> LayerRates { limits[spatial] }

  /// Returns the lowest total at which a number of spatial layers, at least 1, is active.
  package func start(of count: Int) -> BitRate { starts[count - 1] }

  /// Total beyond which no layer gets more.
  package var usefulMaximum: BitRate {
    let all = limits.reduce(BitRate.zero) { $0 + $1.maximum }
    return maximum.map { min($0, all) } ?? all
  }

  /// Rates on an uplink that carries all of the stream; the application's limit may leave upper layers off.
  package var fullRates: ScalableRates { rates(usefulMaximum) }

  /// Splits a total among the spatial layers.
  package func rates(_ total: BitRate) -> ScalableRates {
    let total = maximum.map { min($0, total) } ?? total
    var enabled = 1
    while enabled < limits.count, starts[enabled] <= total { enabled += 1 }
    var rates = InlineArray<3, BitRate>(repeating: .zero)
    if hasFixedRates {
      enabled = splitFixed(total, enabled, into: &rates)
    } else if total < starts[0] || !Self.adjust(total, limits, count: enabled, into: &rates) {
      // The base layer gets the whole of a total below its minimum.
      rates = InlineArray(repeating: .zero)
      rates[0] = total
      enabled = 1
    }
    return ScalableRates(enabled: enabled, rates)
  }

  // MARK: Limits

  private static func limits(_ sizes: [Resolution], codec: VideoCodec) -> [LayerRates] {
    var limits = sizes.map { size in
      let side = Double(size.pixels).squareRoot()
      let floor: Int64 = codec == .av1 ? 20 : 30
      let minimum = max(floor, Int64(((codec == .av1 ? 480 : 600) * side - 95_000) / 1000))
      let maximum = Int64((1.6 * Double(size.pixels) + 50_000) / 1000)
      return LayerRates(
        minimum: .kilobits(minimum), target: .kilobits((minimum + maximum) / 2), maximum: .kilobits(maximum))
    }
    if codec != .av1 { limits[0].minimum = .kilobits(30) }
    return limits
  }

  // MARK: Spatial layers

  /// Ratio of a layer's share to that of the next one up, with libwebrtc's single precision.
  private static let ratio = Double(Float(0.55))

  /// Returns the shares of 1, 2 or 3 layers, lowest first: each is 0.55 of the next one up; the highest absorbs the
  /// rounding error.
  private static func shares(of total: BitRate, _ count: Int) -> InlineArray<3, BitRate> {
    var denominator = 0.0
    var power = 1.0
    for layer in 0..<count {
      denominator += power
      if layer < count - 1 { power *= ratio }
    }
    var numerator = power
    var rates = InlineArray<3, BitRate>(repeating: .zero)
    var sum = BitRate.zero
    for layer in 0..<count {
      let share = (numerator * Double(total.bitsPerSecond)).rounded()
      rates[layer] = BitRate(rounding: share / denominator)
      sum += rates[layer]
      numerator /= ratio
    }
    rates[count - 1] += total - sum
    return rates
  }

  /// Splits a total among a number of layers; any excess over a layer's maximum goes to the next one up.
  ///
  /// - Returns: `false` if a layer gets less than its minimum.
  private static func adjust(
    _ total: BitRate, _ limits: [LayerRates], count: Int, into rates: inout InlineArray<3, BitRate>
  ) -> Bool {
    rates = shares(of: total, count)
    var excess = BitRate.zero
    for layer in 0..<count {
      let rate = rates[layer] + excess
      guard rate >= limits[layer].minimum else { return false }
      rates[layer] = min(rate, limits[layer].maximum)
      excess = rate - rates[layer]
    }
    return true
  }

  private static func start(of count: Int, _ limits: [LayerRates], hasFixedRates: Bool) -> BitRate {
    guard count > 1 else { return limits[0].minimum }
    let lower = limits[..<(count - 1)]
    let top = limits[count - 1].minimum
    if hasFixedRates { return lower.reduce(top) { $0 + $1.target } }
    var infeasible = lower.reduce(BitRate.zero) { $0 + $1.minimum }
    var feasible = lower.reduce(top) { $0 + $1.maximum }
    var rates = InlineArray<3, BitRate>(repeating: .zero)
    while feasible.bitsPerSecond - infeasible.bitsPerSecond > 1 {
      let middle = BitRate(bitsPerSecond: (infeasible.bitsPerSecond + feasible.bitsPerSecond) / 2)
      if adjust(middle, limits, count: count, into: &rates) { feasible = middle } else { infeasible = middle }
    }
    return feasible
  }

  /// Gives each layer its target, and the highest one the rest, up to its maximum.
  private func splitFixed(
    _ total: BitRate, _ count: Int, into rates: inout InlineArray<3, BitRate>
  ) -> Int {
    var left = total
    var enabled = 0
    while enabled < count, enabled == 0 || limits[enabled].minimum <= left {
      rates[enabled] = min(limits[enabled].target, left)
      left -= rates[enabled]
      enabled += 1
    }
    let top = enabled - 1
    rates[top] = min(rates[top] + left, max(rates[top], limits[top].maximum))
    return enabled
  }

  // MARK: Temporal layers

  /// Returns the bit rate of each of a spatial layer's temporal layers by itself, base first: 64.5 and 35.5 %, or 54.0,
  /// 16.3 and 29.7 %, since the highest of three has two frames in four.
  package static func temporalRates(of rate: BitRate, layers: Int) -> InlineArray<3, BitRate> {
    let shares = shares(of: rate, layers)
    return switch layers {
    case 1: shares
    case 2: [shares[1], shares[0], .zero]
    default: [shares[2], shares[0], shares[1]]
    }
  }
}
