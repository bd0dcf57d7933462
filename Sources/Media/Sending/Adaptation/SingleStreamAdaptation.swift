package import Ladder
package import Quantity

/// Resolution and frame rate adaptation of a single-encoding stream, as in libwebrtc
/// (`video/adaptation/video_stream_encoder_resource_manager.cc`).
///
/// Up to four initial frames are dropped, each with a resolution step down, while the rate is below the start rate of
/// their size: with an initial estimate of 300 kbps, calls start at 270p or, if the transport is slow to connect
/// (``AllocationWait``), at 180p or 360p, whatever the link. From then on the quality scaler steps down if pictures are too
/// coarse or dropped, and up if they are fine enough and the rate suffices for the larger size. With
/// `maintain-resolution` there is no adaptation; only the encoder drops frames.
package struct SingleStreamAdaptation: BitwiseCopyable, Sendable {
  private static let initialDrops = 4

  private let capture: VideoFormat
  private let preference: DegradationPreference
  private let codec: SinglecastLimits.Codec
  private var scaler: QualityScaler
  private var restrictions = VideoRestrictions()
  private var initialDropsLeft: Int
  private var wait: AllocationWait?
  /// Current format.
  package private(set) var format: VideoFormat

  /// - Parameters:
  ///   - capture: unrestricted capture format.
  ///   - preference: degradation preference.
  package init(
    capture: VideoFormat, preference: DegradationPreference = .maintainFramerate,
    codec: SinglecastLimits.Codec = .vp8, scaler: QualityScalerParameters = QualityScalerParameters()
  ) {
    self.capture = capture
    self.preference = preference
    self.codec = codec
    self.scaler = QualityScaler(parameters: scaler)
    initialDropsLeft = preference == .maintainResolution ? 0 : Self.initialDrops
    format = capture
  }

  private var scalesQuality: Bool { preference != .maintainResolution }

  /// Number of steps currently taken down.
  package var steps: Int { restrictions.steps }

  /// Uses the start rate for the first frames, until the first allocation.
  package mutating func awaitAllocation(_ wait: AllocationWait) { self.wait = wait }

  /// Checks whether a captured frame is encoded; otherwise it is dropped and the next one is smaller.
  ///
  /// - Parameter rate: the encoder's target.
  package mutating func admits(at now: SimTime, rate: BitRate) -> Bool {
    guard initialDropsLeft > 0,
      SinglecastLimits.isTooLow(
        wait?.capture(at: now) ?? rate, pixels: format.resolution.pixels, codec: codec)
    else {
      initialDropsLeft = 0
      return true
    }
    initialDropsLeft -= 1
    if let smaller = restrictions.loweredResolution(preference, from: format) {
      apply(smaller)
    }
    return false
  }

  /// Reports an encoded frame.
  package mutating func report(quantizer: Int, at now: SimTime) {
    scaler.report(quantizer: quantizer, at: now)
  }

  /// Reports a frame dropped by the encoder.
  package mutating func reportDrop() { scaler.reportDrop() }

  /// Takes an adaptation step if one is due.
  ///
  /// - Parameter rate: the encoder's target.
  /// - Returns: `true` if a step was taken.
  package mutating func adapt(at now: SimTime, rate: BitRate) -> Bool {
    guard scalesQuality else { return false }
    switch scaler.check(at: now) {
    case .tooCoarse:
      guard let lowered = restrictions.lowered(preference, from: format) else { return false }
      apply(lowered)
      return true
    case .fineEnough:
      guard steps > 0, let raised = restrictions.raised(preference, from: format), allows(raised, rate: rate)
      else { return false }
      apply(raised)
      return true
    case nil: return false
    }
  }

  /// Checks whether the rate suffices for a step up: a larger picture requires its start rate
  /// (`video/adaptation/bitrate_constraint.cc`).
  private func allows(_ raised: VideoRestrictions, rate: BitRate) -> Bool {
    guard raised.resolutionSteps < restrictions.resolutionSteps else { return true }
    guard let start = SinglecastLimits.start(pixels: format.resolution.pixels * 5 / 3, codec: codec) else {
      return true
    }
    return rate >= start
  }

  private mutating func apply(_ restrictions: VideoRestrictions) {
    self.restrictions = restrictions
    format = restrictions.applied(to: capture)
  }
}
