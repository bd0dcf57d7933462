package import Ladder
package import Quantity
package import Statistics

/// One encoding of a source: a single stream that adapts its format, or a simulcast encoding of a fixed one.
///
/// The caller sets the target whenever it changes and offers every captured frame.
package struct AdaptiveEncoding: BitwiseCopyable, Sendable {
  /// Counts since the beginning (W3C webrtc-stats).
  package struct Counters: Equatable, BitwiseCopyable, Sendable {
    /// `framesEncoded`.
    package var encoded = 0
    /// `keyFramesEncoded`.
    package var keyFrames = 0
    /// Frames that the rate control or the initial size steps dropped.
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
  private let minimum: BitRate
  private let maximum: BitRate?
  private let fixed: VideoFormat
  private let adjustsRate: Bool
  /// The payload rate that the encoding may use; 0 is off.
  package private(set) var target = BitRate.zero
  /// What the link has beyond the target.
  private var headroom = BitRate.zero
  package private(set) var counters = Counters()

  /// A source sent in one encoding.
  ///
  /// - Parameters:
  ///   - capture: what the camera delivers.
  ///   - preference: what to give up first.
  ///   - maximum: the application's limit; `nil` for libwebrtc's by size.
  ///   - adjustsRate: whether overshoot lowers the target (``EncoderBitrateAdjuster``); `false` for targets from which
  ///     it is taken already, as browsers report them.
  package init(
    single capture: VideoFormat, preference: DegradationPreference = .maintainFramerate,
    content: ContentComplexity = .talkingHead, temporalLayers: Int = 1, maximum: BitRate? = nil,
    adjustsRate: Bool = true
  ) {
    self.init(
      fixed: capture, adaptation: SingleStreamAdaptation(capture: capture, preference: preference),
      content: content, temporalLayers: temporalLayers, minimum: SinglecastLimits.least, maximum: maximum,
      adjustsRate: adjustsRate)
  }

  /// One of several simulcast encodings: the rate allocator decides, not the quality scaler, which libwebrtc switches
  /// off while more than one encoding is active.
  ///
  /// - Parameter minimum: below it the allocator does not send the encoding; overshoot lowers no target below it
  ///   (`encoder_bitrate_adjuster.cc`).
  package init(
    simulcast format: VideoFormat, content: ContentComplexity = .talkingHead, temporalLayers: Int = 3,
    minimum: BitRate = SinglecastLimits.least
  ) {
    // The rate allocator knows the encoding's maximum.
    self.init(
      fixed: format, adaptation: nil, content: content, temporalLayers: temporalLayers, minimum: minimum,
      maximum: .unlimited, adjustsRate: true)
  }

  private init(
    fixed: VideoFormat, adaptation: SingleStreamAdaptation?, content: ContentComplexity, temporalLayers: Int,
    minimum: BitRate, maximum: BitRate?, adjustsRate: Bool
  ) {
    self.adjustsRate = adjustsRate
    self.minimum = minimum
    self.fixed = fixed
    self.adaptation = adaptation
    self.content = content
    self.temporalLayers = temporalLayers
    self.maximum = maximum
    pacer = FrameRateLimit(captureMilliFramesPerSecond: fixed.milliFramesPerSecond)
    adjuster = EncoderBitrateAdjuster(pattern: TemporalPattern(layers: temporalLayers))
    encoder = AdaptiveEncoderModel(format: fixed, temporalLayers: temporalLayers, content: content)
  }

  /// What is being sent.
  package var format: VideoFormat { adaptation?.format ?? fixed }

  /// The quality scaler's slow average of quantizers, or the last one of a simulcast encoding.
  package var averageQuantizer: Double { adaptation?.averageQuantizer ?? Double(encoder.quantizer) }

  /// The application's maximum, or libwebrtc's for what is being sent.
  package var formatMaximum: BitRate {
    maximum ?? SinglecastLimits.defaultMaximum(of: format.resolution)
  }

  /// The target up to the format's maximum.
  package var encoderRate: BitRate { min(target, formatMaximum) }

  /// The most that the present format can use: its maximum, or less where the content has no more to spend bits on.
  package var usableRate: BitRate {
    min(formatMaximum, BitRate(bitsPerSecond: Int64(encoder.ceiling)))
  }

  /// Sets the payload rate.
  ///
  /// - Parameters:
  ///   - payload: the encoding's share; 0 turns it off, and it comes back with a key frame.
  ///   - headroom: what the link has beyond it.
  package mutating func setTarget(_ payload: BitRate, headroom: BitRate = .zero) {
    self.headroom = headroom
    if payload == .zero, target > .zero { adjuster.restart() }
    target = payload
    passRate()
  }

  /// The first frames come before the transport is up; of no effect on simulcast encodings.
  package mutating func awaitAllocation(_ wait: AllocationWait) { adaptation?.awaitAllocation(wait) }

  /// Another encoding of the source was switched on or off.
  package mutating func noteLayoutChange() { adjuster.restart() }

  /// Makes the next coded frame a key frame.
  package mutating func requestKeyFrame() { encoder.requestKeyFrame() }

  /// Codes a captured frame; `nil` where it is not due at the stream's frame rate, dropped, or the encoding is off.
  ///
  /// - Parameter sizes: how this picture differs from others, the same for all encodings of a source; a coded delta
  ///   frame takes one draw.
  package mutating func encode(at now: SimTime, sizes: inout RandomStream) -> AdaptedFrame? {
    guard target > .zero else { return nil }
    var rate = encoderRate
    if adaptation?.adapt(at: now, rate: rate) == true {
      refit()
      rate = encoderRate
    }
    guard pacer.isDue(at: now) else { return nil }
    if adaptation?.admits(at: now, rate: rate) == false {
      counters.dropped += 1
      refit()
      return nil
    }
    guard let coded = encoder.encode(sizes: &sizes) else {
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
    return coded
  }

  /// Follows the adaptation: another size is another encoder, another frame rate is not.
  private mutating func refit() {
    let format = format
    pacer.set(milliFramesPerSecond: format.milliFramesPerSecond)
    if format.resolution != encoder.format.resolution {
      counters.resolutionChanges += 1
      adjuster.restart()
      encoder = AdaptiveEncoderModel(format: format, temporalLayers: temporalLayers, content: content)
    } else {
      encoder.setFrameRate(format.milliFramesPerSecond)
    }
    passRate()
  }

  /// What the encoder works with [bit/s].
  private var adjustedRate: Double {
    let rate = encoderRate
    let target = Double(rate.bitsPerSecond)
    guard adjustsRate else { return target }
    let spare = Double((headroom + (self.target - rate)).bitsPerSecond)
    let adjusted = target / adjuster.utilization(target: target, headroom: spare)
    return max(adjusted, min(target, Double(minimum.bitsPerSecond)))
  }

  private mutating func passRate() { encoder.setRate(adjustedRate) }
}

/// Thins captured frames to a lower rate, evenly.
private struct FrameRateLimit: BitwiseCopyable {
  private let captureInterval: Int64
  private var interval: Int64
  private var due = SimTime.zero

  init(captureMilliFramesPerSecond: Int) {
    captureInterval = 1_000_000_000_000 / Int64(captureMilliFramesPerSecond)
    interval = captureInterval
  }

  mutating func set(milliFramesPerSecond: Int) {
    interval = 1_000_000_000_000 / Int64(max(1, milliFramesPerSecond))
  }

  mutating func isDue(at now: SimTime) -> Bool {
    guard interval > captureInterval else { return true }
    // Half a capture interval early is nearer than the next capture.
    guard now.nanoseconds + captureInterval / 2 >= due.nanoseconds else { return false }
    let late = now - due > SimDuration(nanoseconds: interval)
    due = (late ? now : due) + SimDuration(nanoseconds: interval)
    return true
  }
}
