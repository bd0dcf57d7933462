package import Ladder
package import Statistics

/// Encoded frame with its resolution and quantizer.
package struct AdaptedFrame: Equatable, BitwiseCopyable, Sendable {
  package var frame: EncodedFrame
  /// Coded resolution.
  package var resolution: Resolution
  /// VP8 quantizer index, 2 to 106.
  package var quantizer: Int
}

/// VP8 encoder at a fixed resolution with a variable target rate.
///
/// Delta frame sizes vary around the rate control's target as in ``VideoEncoderModel`` (Laplace, RFC 8593 section
/// 5.1). Near the content ceiling, where the content limits the size, they have the measured deviation and are
/// correlated (AR(1), 0.6 at the ceiling; measured 0.4 to 0.6); where the target limits it, they are independent with
/// ``rateLimitedDeviation`` of that deviation. A key frame's size depends on the content only, up to libwebrtc's cap
/// (300 % or 0.5 x 600 ms x frame rate / 10 percent of a mean frame). Like libvpx, a fresh encoder sizes its first
/// frames blindly (``VP8Quantizer/firstFrameIndex(bits:macroblocks:)``, ``VP8SizePrediction``); the size at a quantizer
/// is our model (``ContentDemand``).
package struct AdaptiveEncoderModel: BitwiseCopyable, Sendable {
  /// Automatic key frame interval in frames (libwebrtc's VP8 `keyFrameInterval`).
  package static let automaticKeyInterval = 3000

  /// Relative deviation of rate-limited frame sizes at one quantizer: our model, chosen so that libwebrtc's adjuster
  /// (``EncoderBitrateAdjuster``) finds the utilization seen in recorded Chromium calls of 500 to 2600 kbps, a mean of
  /// 1.06 to 1.08. Rates over one second then deviate by 5 %, as recorded.
  package static let rateLimitedDeviation = 0.49

  /// Coded resolution, and the frame rate passed to ``encode(sizes:)``.
  package private(set) var format: VideoFormat
  private let content: ContentComplexity
  private let codec: CodecModel
  private var demand: ContentDemand
  private let pattern: TemporalPattern
  private var rateControl: VP8RateControl
  private var prediction: VP8SizePrediction
  /// Target [bit/s].
  package private(set) var rate = 0.0
  private var position = 0
  private var isFresh = true
  private var needsKeyFrame = true
  private var framesSinceKey = 0
  /// Captured frames since the last coded one, this one included.
  private var interval = 1
  /// Last relative deviation from the expected size.
  private var deviation = 0.0
  /// Quantizer of the last coded frame.
  package private(set) var quantizer = VP8Quantizer.coarsest

  /// - Parameters:
  ///   - format: coded resolution, and the frame rate passed to ``encode(sizes:)``, above 0.
  ///   - temporalLayers: 1 to 3.
  ///   - content: complexity of the content.
  ///   - codec: parameters of its codec.
  package init(
    format: VideoFormat, temporalLayers: Int = 1, content: ContentComplexity, codec: CodecModel = .vp8
  ) {
    self.format = format
    pattern = TemporalPattern(layers: temporalLayers, isScalable: codec.isScalable)
    self.content = content
    self.codec = codec
    demand = ContentDemand(format, content: content)
    rateControl = VP8RateControl(parameters: codec.rateControl)
    prediction = VP8SizePrediction(macroblocks: demand.macroblocks)
  }

  /// Sets the payload rate [bit/s]; 0 stops the encoder, which resumes with a key frame.
  package mutating func setRate(_ bitsPerSecond: Double) {
    guard bitsPerSecond != rate else { return }
    if bitsPerSecond <= 0 { needsKeyFrame = true }
    rate = max(bitsPerSecond, 0)
    if rate > 0 { rateControl.set(rate: rate, framesPerSecond: format.framesPerSecond) }
  }

  /// Sets the frame rate passed to ``encode(sizes:)`` [1/1000 Hz], above 0.
  package mutating func setFrameRate(_ milliFramesPerSecond: Int) {
    format.milliFramesPerSecond = milliFramesPerSecond
    demand = ContentDemand(format, content: content)
    if rate > 0 { rateControl.set(rate: rate, framesPerSecond: format.framesPerSecond) }
  }

  /// Makes the next encoded frame a key frame.
  package mutating func requestKeyFrame() { needsKeyFrame = true }

  /// Content ceiling: the rate above which the content needs no more bits [bit/s].
  package var ceiling: Double { demand.ceiling }

  /// `true` while the target rate is above zero.
  package var isRunning: Bool { rate > 0 }

  /// Notes a captured frame that never reaches the encoder: its changes are left to the next one.
  package mutating func skip() { interval += 1 }

  /// Sets the place of the next frame in its temporal group, which the layers of a scalable stream share.
  package mutating func place(at position: Int) { self.position = position & (pattern.groupLength - 1) }

  /// Decides whether the rate control drops the next frame, where layers drop frames together; if not, the frame is
  /// encoded with `mayDrop: false` or, if another layer drops its own, left out by ``leaveOut()``.
  package mutating func dropsFrame() -> Bool { isRunning && !needsKeyFrame && rateControl.dropsFrame() }

  /// Leaves out a frame that the rate control would have encoded; its share of the rate is saved.
  package mutating func leaveOut() { rateControl.spend(0) }

  /// Encodes a captured frame; `nil` if the rate control drops it or the encoder is stopped.
  package mutating func encode(sizes: inout RandomStream, mayDrop: Bool = true) -> AdaptedFrame? {
    guard isRunning else { return nil }
    if needsKeyFrame || framesSinceKey == Self.automaticKeyInterval && !codec.isScalable { return keyFrame() }
    if mayDrop, rateControl.dropsFrame() {
      skip()
      return nil
    }
    let layer = pattern.layer(at: position)
    let mean = rate / format.framesPerSecond
    let nominal = mean * weight(of: layer)
    let wanted = rateControl.targetBits(nominal: nominal)
    quantizer = prediction.index(bits: wanted * mean / nominal)
    let step = VP8Quantizer.step(quantizer)
    let expected = demand.bits(atStep: step, after: interval) * nominal / mean
    let utilisation = min(ContentDemand.finestStep / step, 1)
    let contentLimited = max(0, 2 * utilisation - 1)
    let memory = 0.6 * contentLimited
    // Preserves the standard deviation of the draws.
    let fresh = (1 - memory * memory).squareRoot()
    let least = Self.rateLimitedDeviation
    let scale = demand.deviation * (least + (1 - least) * contentLimited)
    deviation = memory * deviation + fresh * min(max(sizes.laplace(scale: scale), -0.9), 3)
    let bytes = max((expected * max(1 + deviation, 0.1) / 8).rounded(), 10)
    rateControl.spend(bytes * 8)
    prediction.learn(bits: bytes * 8 * mean / nominal, index: quantizer)
    interval = 1
    framesSinceKey += 1
    let frame = EncodedFrame(
      bytes: Int(bytes), temporalLayer: layer, groupPosition: position, isKeyFrame: false)
    position = (position + 1) & (pattern.groupLength - 1)
    return AdaptedFrame(frame: frame, resolution: format.resolution, quantizer: quantizer)
  }

  private mutating func keyFrame() -> AdaptedFrame {
    let cap = codec.largestKeyFrame(framesPerSecond: format.framesPerSecond) * rate / format.framesPerSecond
    let scale = demand.keyFrameBits * ContentDemand.keyFrameStep
    let smallest = scale / VP8Quantizer.step(VP8Quantizer.coarsest)
    var bits: Double
    if isFresh {
      quantizer = VP8Quantizer.firstFrameIndex(
        bits: rateControl.firstFrameBits, macroblocks: demand.macroblocks)
      bits = max(min(scale / VP8Quantizer.step(quantizer), cap), smallest)
    } else {
      bits = max(min(demand.keyFrameBits, cap), smallest)
      quantizer = VP8Quantizer.index(step: scale / bits)
    }
    bits = (bits / 8).rounded() * 8
    isFresh = false
    needsKeyFrame = false
    framesSinceKey = 1
    interval = 1
    deviation = 0
    rateControl.spend(bits)
    position = 1 & (pattern.groupLength - 1)
    let frame = EncodedFrame(bytes: Int(bits / 8), temporalLayer: 0, groupPosition: 0, isKeyFrame: true)
    return AdaptedFrame(frame: frame, resolution: format.resolution, quantizer: quantizer)
  }

  /// Returns a layer's nominal frame size relative to the mean frame: its share of the rate over its share of the
  /// frames.
  private func weight(of layer: Int) -> Double {
    pattern.share(of: layer) * Double(1 << (layer == 0 ? pattern.layers - 1 : pattern.layers - layer))
  }
}
