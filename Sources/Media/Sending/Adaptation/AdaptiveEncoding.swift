package import Ladder
package import Quantity
package import Statistics

/// Encoding of a source: a single stream with adaptive format, or a simulcast encoding with a fixed one.
///
/// The caller sets the target whenever it changes and passes in every captured frame.
package struct AdaptiveEncoding: BitwiseCopyable, Sendable {
  /// Cumulative counters (W3C webrtc-stats).
  package struct Counters: Equatable, BitwiseCopyable, Sendable {
    /// `framesEncoded`.
    package var encoded = 0
    /// `keyFramesEncoded`.
    package var keyFrames = 0
    /// Frames dropped by the rate control or by initial resolution steps.
    package var dropped = 0
    /// `qualityLimitationResolutionChanges`.
    package var resolutionChanges = 0
  }

  private var adaptation: SingleStreamAdaptation?
  private var encoder: AdaptiveEncoderModel
  private var adjuster: EncoderBitrateAdjuster
  private var pacer: FrameRateLimit
  private let temporalLayers: Int
  private let content: ContentComplexity
  private let codec: CodecModel
  private let minimum: BitRate
  private let maximum: RateLimit?
  private let fixed: VideoFormat
  private let adjustsRate: Bool
  /// Allocated payload rate; 0 is off.
  package private(set) var target = BitRate.zero
  /// Link headroom beyond the target.
  private var headroom = BitRate.zero
  package private(set) var counters = Counters()

  /// Creates the only encoding of a source.
  ///
  /// - Parameters:
  ///   - capture: capture format.
  ///   - preference: degradation preference.
  ///   - maximum: the application's maximum rate; `nil` for libwebrtc's default by resolution.
  ///   - codec: parameters of its codec.
  ///   - adjustsRate: `true` if overshoot lowers the target (``EncoderBitrateAdjuster``); `false` for targets already
  ///     adjusted, as browsers report them.
  package init(
    single capture: VideoFormat, preference: DegradationPreference = .maintainFramerate,
    content: ContentComplexity = .talkingHead, temporalLayers: Int = 1, maximum: BitRate? = nil,
    codec: CodecModel = .vp8, adjustsRate: Bool = true
  ) {
    self.init(
      fixed: capture,
      adaptation: SingleStreamAdaptation(capture: capture, preference: preference, codec: codec.limits),
      content: content, temporalLayers: temporalLayers, minimum: SinglecastLimits.least,
      maximum: maximum.map(RateLimit.init), codec: codec, adjustsRate: adjustsRate)
  }

  /// Creates a simulcast encoding. The rate allocator decides, not the quality scaler, which libwebrtc disables while
  /// more than one encoding is active.
  ///
  /// - Parameters:
  ///   - minimum: rate below which the allocator does not send the encoding; overshoot lowers no target below it
  ///     (`encoder_bitrate_adjuster.cc`).
  ///   - codec: parameters of its codec.
  package init(
    simulcast format: VideoFormat, content: ContentComplexity = .talkingHead, temporalLayers: Int = 3,
    minimum: BitRate = SinglecastLimits.least, codec: CodecModel = .vp8
  ) {
    // The rate allocator enforces the encoding's maximum.
    self.init(
      fixed: format, adaptation: nil, content: content, temporalLayers: temporalLayers, minimum: minimum,
      maximum: .unlimited, codec: codec, adjustsRate: true)
  }

  private init(
    fixed: VideoFormat, adaptation: SingleStreamAdaptation?, content: ContentComplexity, temporalLayers: Int,
    minimum: BitRate, maximum: RateLimit?, codec: CodecModel, adjustsRate: Bool
  ) {
    let content = codec.coded(content)
    self.codec = codec
    self.adjustsRate = adjustsRate
    self.minimum = minimum
    self.fixed = fixed
    self.adaptation = adaptation
    self.content = content
    self.temporalLayers = temporalLayers
    self.maximum = maximum
    pacer = FrameRateLimit(captureMilliFramesPerSecond: fixed.milliFramesPerSecond)
    adjuster = EncoderBitrateAdjuster(
      pattern: TemporalPattern(layers: temporalLayers, isScalable: codec.isScalable))
    encoder = AdaptiveEncoderModel(
      format: fixed, temporalLayers: temporalLayers, content: content, codec: codec)
  }

  /// Current format.
  package var format: VideoFormat { adaptation?.format ?? fixed }

  /// `true` while ``format`` is smaller or slower than that of the capture.
  package var isReduced: Bool { adaptation.map { $0.format != fixed } ?? false }

  /// Application's maximum rate, or libwebrtc's default for the current format.
  package var formatMaximum: RateLimit {
    maximum ?? RateLimit(SinglecastLimits.defaultMaximum(of: format.resolution))
  }

  /// Target, capped at the format's maximum.
  package var encoderRate: BitRate { formatMaximum.confining(target) }

  /// Maximum rate that the current format can use: its maximum, or the content ceiling if lower.
  package var usableRate: BitRate {
    formatMaximum.confining(BitRate(rounding: encoder.ceiling.rounded(.towardZero)))
  }

  /// Sets the payload rate.
  ///
  /// - Parameters:
  ///   - payload: allocated payload rate; 0 turns the encoding off, and it resumes with a key frame.
  ///   - headroom: link headroom beyond it.
  package mutating func setTarget(_ payload: BitRate, headroom: BitRate = .zero) {
    self.headroom = headroom
    if payload == .zero, target > .zero { adjuster.restart() }
    target = payload
    updateEncoderRate()
  }

  /// Handles frames captured before the transport is connected; no effect on simulcast encodings.
  package mutating func awaitAllocation(_ wait: AllocationWait) { adaptation?.awaitAllocation(wait) }

  /// Handles a change in the set of the source's active encodings.
  package mutating func noteLayoutChange() { adjuster.restart() }

  /// Makes the next encoded frame a key frame.
  package mutating func requestKeyFrame() { encoder.requestKeyFrame() }

  /// Notes a captured frame that never reaches the encoder.
  package mutating func skip() { encoder.skip() }

  /// Sets the place of the next frame in its temporal group, which the layers of a scalable stream share.
  package mutating func place(at position: Int) { encoder.place(at: position) }

  /// Decides whether the rate control drops the next frame, where layers drop frames together.
  package mutating func dropsFrame() -> Bool { encoder.dropsFrame() }

  /// Leaves out a frame because another one of its picture is dropped.
  package mutating func leaveOut() {
    encoder.leaveOut()
    encoder.skip()
  }

  /// Encodes a captured frame; `nil` if it exceeds the stream's frame rate, is dropped, or the encoding is off.
  ///
  /// - Parameters:
  ///   - sizes: random stream of frame size variations, shared by all encodings of a source; an encoded delta frame
  ///     takes one draw.
  ///   - mayDrop: `false` for a frame already decided on by ``dropsFrame()``.
  package mutating func encode(
    at now: SimTime, sizes: inout RandomStream, mayDrop: Bool = true
  ) -> AdaptedFrame? {
    guard target > .zero else { return nil }
    var rate = encoderRate
    if adaptation?.adapt(at: now, rate: rate) == true {
      applyFormat()
      // The allocator still has the old size's maximum, with which the first frame of a larger size is coded
      // (`video/video_send_stream_impl.cc`, OnEncoderConfigurationChanged), and its overshoot is not known yet.
      rate = min(rate, encoderRate)
      encoder.setRate(Double(rate.bitsPerSecond) / EncoderBitrateAdjuster.defaultUtilization)
    }
    guard pacer.isDue(at: now) else { return nil }
    if adaptation?.admits(at: now, rate: rate) == false {
      counters.dropped += 1
      applyFormat()
      return nil
    }
    guard let coded = encoder.encode(sizes: &sizes, mayDrop: mayDrop) else {
      counters.dropped += 1
      adaptation?.reportDrop()
      return nil
    }
    counters.encoded += 1
    if coded.frame.isKeyFrame { counters.keyFrames += 1 }
    adjuster.add(
      coded.frame, target: Double(rate.bitsPerSecond), adjusted: encoder.rate,
      framesPerSecond: format.framesPerSecond, at: now)
    adaptation?.report(quantizer: coded.quantizer, at: now)
    if rate < encoderRate { updateEncoderRate() }
    return coded
  }

  /// Applies the adapted format: a new resolution needs a new encoder, a new frame rate does not.
  private mutating func applyFormat() {
    let format = format
    pacer.set(milliFramesPerSecond: format.milliFramesPerSecond)
    if format.resolution != encoder.format.resolution {
      counters.resolutionChanges += 1
      adjuster.restart()
      encoder = AdaptiveEncoderModel(
        format: format, temporalLayers: temporalLayers, content: content, codec: codec)
    } else {
      encoder.setFrameRate(format.milliFramesPerSecond)
    }
    updateEncoderRate()
  }

  /// Encoder's target after overshoot adjustment [bit/s].
  private var adjustedRate: Double {
    let rate = encoderRate
    let target = Double(rate.bitsPerSecond)
    guard adjustsRate else { return target }
    let spare = Double((headroom + (self.target - rate)).bitsPerSecond)
    let adjusted = target / adjuster.utilization(target: target, headroom: spare)
    return max(adjusted, min(target, Double(minimum.bitsPerSecond)))
  }

  private mutating func updateEncoderRate() { encoder.setRate(adjustedRate) }
}

/// Even decimation of captured frames to a lower rate.
private struct FrameRateLimit: BitwiseCopyable {
  private let captureInterval: SimDuration
  private var interval: SimDuration
  private var due = SimTime.zero

  init(captureMilliFramesPerSecond: Int) {
    captureInterval = SimDuration(milliFramesPerSecond: captureMilliFramesPerSecond)
    interval = captureInterval
  }

  mutating func set(milliFramesPerSecond: Int) {
    interval = SimDuration(milliFramesPerSecond: max(1, milliFramesPerSecond))
  }

  mutating func isDue(at now: SimTime) -> Bool {
    guard interval > captureInterval else { return true }
    // A frame up to half a capture interval early is closer than the next one.
    guard now + captureInterval / 2 >= due else { return false }
    let late = now - due > interval
    due = (late ? now : due) + interval
    return true
  }
}
