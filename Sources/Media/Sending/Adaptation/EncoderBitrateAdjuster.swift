package import Quantity

/// Lowers an encoder's target by what its frames could not be paced out at, as libwebrtc does
/// (`video/encoder_bitrate_adjuster.cc`, `encoder_overshoot_detector.cc`).
///
/// Each temporal layer has a bucket that leaks at the layer's rate. A frame that finds bits in it, and together with them
/// exceeds a mean frame, counts as overshoot; the mean of these over some seconds is the utilization of the link, 1 to 2,
/// and divides the target. Where the link has more than the target, only what is spent on the long run counts.
///
/// libwebrtc averages over the last 3 s; here older frames fade with a time constant of 1.5 s, which has the same mean
/// age and keeps no list (our model).
package struct EncoderBitrateAdjuster: BitwiseCopyable, Sendable {
  /// Utilization before enough frames have come.
  package static let defaultUtilization = 1.2
  /// Frames since an encoding of the source was switched on or off, below which the default holds.
  package static let leastFrames = 30
  /// The target is at least halved before the encoder has to drop frames.
  package static let greatestUtilization = 2.0
  private static let memory = 1.5

  private struct Layer: BitwiseCopyable, Sendable {
    /// Bits waiting.
    var level = 0.0
    var sum = 0.0
    var weight = 0.0
    var updatedAt: SimTime?
  }

  private let pattern: TemporalPattern
  private var layers = InlineArray<3, Layer>(repeating: Layer())
  private var frames = 0
  /// Bits made and bits allowed of late.
  private var made = 0.0
  private var allowed = 0.0
  private var countedAt: SimTime?

  package init(pattern: TemporalPattern) { self.pattern = pattern }

  /// Forgets what it knows: an encoding of the source was switched on or off, or changed its size.
  package mutating func restart() { self = EncoderBitrateAdjuster(pattern: pattern) }

  /// What the target is divided by.
  ///
  /// - Parameters:
  ///   - target: what was allocated [bit/s].
  ///   - headroom: what the link has beyond that [bit/s].
  package func utilization(target: Double, headroom: Double) -> Double {
    guard frames >= Self.leastFrames else { return Self.defaultUtilization }
    var link = 0.0
    for layer in 0..<pattern.layers {
      guard layers[layer].weight > 0 else { return Self.defaultUtilization }
      link += share(of: layer) * layers[layer].sum / layers[layer].weight
    }
    link = min(link, Self.greatestUtilization)
    let media = max(1, allowed > 0 ? made / allowed : Self.defaultUtilization)
    guard link > media, target > 0 else { return max(link, 1) }
    // What the link has to spare may be overshot into.
    let granted = min((link - media) * target, max(headroom, 0))
    return max(link * target / (target + granted), 1)
  }

  /// Takes a coded frame.
  ///
  /// - Parameters:
  ///   - target: what was allocated [bit/s].
  ///   - adjusted: what the encoder was given of it [bit/s].
  package mutating func add(
    _ frame: EncodedFrame, target: Double, adjusted: Double, framesPerSecond: Double, at now: SimTime
  ) {
    frames += 1
    let index = frame.temporalLayer
    let rate = adjusted * share(of: index)
    let ideal = rate / (framesPerSecond * frameShare(of: index))
    guard ideal > 0 else { return }
    let bits = Double(frame.bytes * 8)
    var layer = layers[index]
    if let before = layer.updatedAt {
      let elapsed = (now - before).seconds
      layer.level = max(0, layer.level - rate * elapsed)
      let kept = max(0, 1 - elapsed / Self.memory)
      layer.sum *= kept
      layer.weight *= kept
    }
    let isFirst = layer.weight == 0
    let overshoot = max(0, min(layer.level, bits + layer.level - ideal))
    layer.sum += isFirst ? max(1, bits / ideal) : 1 + overshoot / ideal
    layer.weight += 1
    layer.level += bits - overshoot
    layer.updatedAt = now
    layers[index] = layer
    count(bits, target: target, framesPerSecond: framesPerSecond, at: now)
  }

  private mutating func count(_ bits: Double, target: Double, framesPerSecond: Double, at now: SimTime) {
    let elapsed = countedAt.map { (now - $0).seconds } ?? 1 / framesPerSecond
    let kept = max(0, 1 - elapsed / Self.memory)
    made = made * kept + bits
    allowed = allowed * kept + target * elapsed
    countedAt = now
  }

  /// A layer's part of the rate.
  private func share(of layer: Int) -> Double {
    let below = layer == 0 ? 0 : TemporalShares.cumulativePercent(upTo: layer - 1, of: pattern.layers)
    return Double(TemporalShares.cumulativePercent(upTo: layer, of: pattern.layers) - below) / 100
  }

  /// A layer's part of the frames.
  private func frameShare(of layer: Int) -> Double {
    1 / Double(1 << (layer == 0 ? pattern.layers - 1 : pattern.layers - layer))
  }
}
