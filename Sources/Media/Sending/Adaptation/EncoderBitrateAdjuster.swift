package import Quantity

/// Reduction of an encoder's target by its overshoot relative to a leaky-bucket pacer, as in libwebrtc
/// (`video/encoder_bitrate_adjuster.cc`, `encoder_overshoot_detector.cc`).
///
/// Each temporal layer has a bucket drained at the layer's rate. A frame that finds bits in the bucket and together
/// with them exceeds a mean frame counts as overshoot; its mean over a few seconds is the link utilization, 1 to 2, by
/// which the target is divided. If the link has headroom beyond the target, only long-term media overshoot counts.
///
/// libwebrtc averages over the last 3 s; here older frames decay with a time constant of 1.5 s, which has the same
/// mean age and needs no list (our model).
package struct EncoderBitrateAdjuster: BitwiseCopyable, Sendable {
  /// Utilization before there are enough frames.
  package static let defaultUtilization = 1.2
  /// Minimum number of frames since the active encodings changed, below which the default applies.
  package static let minimumFrames = 30
  /// Maximum utilization: the target is at most halved.
  package static let maximumUtilization = 2.0
  private static let memory = 1.5

  private struct Layer: BitwiseCopyable, Sendable {
    /// Bits in the bucket.
    var level = 0.0
    var sum = 0.0
    var weight = 0.0
    var updatedAt: SimTime?
  }

  private let pattern: TemporalPattern
  private var layers = InlineArray<3, Layer>(repeating: Layer())
  private var frames = 0
  /// Recently produced bits.
  private var made = 0.0
  /// Recently allowed bits.
  private var allowed = 0.0
  private var countedAt: SimTime?

  package init(pattern: TemporalPattern) { self.pattern = pattern }

  /// Resets after a change of active encodings or of the resolution.
  package mutating func restart() { self = EncoderBitrateAdjuster(pattern: pattern) }

  /// Returns the utilization by which the target is divided.
  ///
  /// - Parameters:
  ///   - target: allocated rate [bit/s].
  ///   - headroom: link headroom beyond it [bit/s].
  package func utilization(target: Double, headroom: Double) -> Double {
    guard frames >= Self.minimumFrames else { return Self.defaultUtilization }
    var link = 0.0
    for layer in 0..<pattern.layers {
      guard layers[layer].weight > 0 else { return Self.defaultUtilization }
      link += pattern.share(of: layer) * layers[layer].sum / layers[layer].weight
    }
    link = min(link, Self.maximumUtilization)
    let media = max(1, allowed > 0 ? made / allowed : Self.defaultUtilization)
    guard link > media, target > 0 else { return max(link, 1) }
    // Overshoot into the link's headroom is allowed.
    let granted = min((link - media) * target, max(headroom, 0))
    return max(link * target / (target + granted), 1)
  }

  /// Adds an encoded frame.
  ///
  /// - Parameters:
  ///   - target: allocated rate [bit/s].
  ///   - adjusted: the encoder's adjusted target [bit/s].
  package mutating func add(
    _ frame: EncodedFrame, target: Double, adjusted: Double, framesPerSecond: Double, at now: SimTime
  ) {
    frames += 1
    let index = frame.temporalLayer
    let rate = adjusted * pattern.share(of: index)
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

  /// Returns a layer's share of the frames.
  private func frameShare(of layer: Int) -> Double {
    1 / Double(1 << (layer == 0 ? pattern.layers - 1 : pattern.layers - layer))
  }
}
