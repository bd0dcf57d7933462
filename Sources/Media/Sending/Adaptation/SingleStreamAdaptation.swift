package import Ladder
package import Quantity

/// The size and frame rate of a stream that is sent in one encoding, as libwebrtc adapts it
/// (`video/adaptation/video_stream_encoder_resource_manager.cc`).
///
/// Up to four first frames are dropped, each for a step down, while the rate lies below the start rate of their size:
/// as calls begin with an estimate of 300 kbps, pictures begin at 270p or, where the transport is slow to connect
/// (``AllocationWait``), at 180p, whatever the link. From then on the
/// quality scaler steps down where pictures are too coarse or dropped, and up where they are fine and the rate is that
/// of the size above. Where the resolution is to be kept, none of this takes place and only the encoder drops frames.
package struct SingleStreamAdaptation: BitwiseCopyable, Sendable {
  private static let initialDrops = 4

  private let capture: VideoFormat
  private let preference: DegradationPreference
  private let codec: SinglecastLimits.Codec
  private var scaler: QualityScaler
  private var restrictions = VideoRestrictions()
  private var initialDropsLeft: Int
  private var wait: AllocationWait?
  /// What the source delivers.
  package private(set) var format: VideoFormat

  /// - Parameters:
  ///   - capture: what the camera delivers unrestricted.
  ///   - preference: what to give up first.
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

  /// Steps down that have not been taken back.
  package var steps: Int { restrictions.steps }

  /// The slow average of quantizers; `nil` before a frame.
  package var averageQuantizer: Double? { scaler.averageQuantizer }

  /// Has the first frames judged by what the encoder knows before the first allocation.
  package mutating func awaitAllocation(_ wait: AllocationWait) { self.wait = wait }

  /// Whether a captured frame may be coded; if not, it is dropped and the next one is smaller.
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
    if let smaller = restrictions.loweredInSize(preference, from: format) {
      apply(smaller)
    }
    return false
  }

  /// Reports a coded frame.
  package mutating func report(quantizer: Int, at now: SimTime) {
    scaler.report(quantizer: quantizer, at: now)
  }

  /// Reports a frame that the encoder dropped.
  package mutating func reportDrop() { scaler.reportDrop() }

  /// Takes a step if one is due; says whether it did.
  ///
  /// - Parameter rate: the encoder's target.
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

  /// A larger picture needs its start rate (`video/adaptation/bitrate_constraint.cc`).
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
