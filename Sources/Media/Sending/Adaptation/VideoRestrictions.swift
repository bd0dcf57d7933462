package import Ladder

/// What a stream gives up when its rate does not suffice (W3C mst-content-hint, `RTCDegradationPreference`).
package enum DegradationPreference: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// Frame rate first, to a least rate that depends on the size, then resolution.
  case balanced
  /// Resolution steps only: libwebrtc's default for cameras.
  case maintainFramerate = "maintain-framerate"
  /// Neither; the encoder drops frames: libwebrtc's default for screens.
  case maintainResolution = "maintain-resolution"
}

/// What is asked of the picture's source, in the steps of `call/adaptation/video_stream_adapter.cc`.
package struct VideoRestrictions: Equatable, Sendable, BitwiseCopyable {
  /// Most and wished pixels of a picture; `nil` without limit.
  package private(set) var maximumPixels: Int?
  package private(set) var targetPixels: Int?
  /// Most frames per second [1/1000 Hz]; `nil` without limit.
  package private(set) var maximumMilliFramesPerSecond: Int?
  /// Steps down that have not been taken back.
  package private(set) var resolutionSteps = 0
  package private(set) var frameRateSteps = 0

  /// The least picture, 160x90 (`api/video_codecs/video_encoder.h`).
  package static let leastPixels = 160 * 90
  /// The least frame rate [1/1000 Hz].
  package static let leastMilliFramesPerSecond = 2000

  package init() {}

  package var steps: Int { resolutionSteps + frameRateSteps }

  /// The restrictions one step further down; `nil` at the limit.
  ///
  /// - Parameter format: what is sent now.
  package func lowered(_ preference: DegradationPreference, from format: VideoFormat) -> VideoRestrictions? {
    switch preference {
    case .maintainFramerate:
      return withLowerResolution(from: format)
    case .maintainResolution:
      return withLowerFrameRate(format.milliFramesPerSecond * 2 / 3)
    case .balanced:
      guard let least = BalancedRates.least(pixels: format.resolution.pixels),
        let slower = withLowerFrameRate(least)
      else { return withLowerResolution(from: format) }
      // A step of less than 1 fps from a larger picture is none: take the next one too.
      if format.resolution.pixels > 320 * 240, format.milliFramesPerSecond - least < 1000 {
        return slower.lowered(preference, from: format) ?? slower
      }
      return slower
    }
  }

  /// The restrictions one step up; `nil` without any step to take back.
  package func raised(_ preference: DegradationPreference, from format: VideoFormat) -> VideoRestrictions? {
    switch preference {
    case .maintainFramerate:
      return withHigherResolution(from: format)
    case .maintainResolution:
      return withHigherFrameRate(format.milliFramesPerSecond * 3 / 2)
    case .balanced:
      return withHigherFrameRate(BalancedRates.most(pixels: format.resolution.pixels))
        ?? withHigherResolution(from: format)
    }
  }

  /// One resolution step down for a first frame that is too large, whatever else the preference would do first;
  /// `nil` where it keeps the resolution or the limit is reached.
  package func loweredInSize(
    _ preference: DegradationPreference, from format: VideoFormat
  ) -> VideoRestrictions? {
    guard preference != .maintainResolution else { return nil }
    guard preference == .balanced, let first = lowered(preference, from: format),
      first.resolutionSteps == resolutionSteps
    else { return withLowerResolution(from: format) }
    return first.withLowerResolution(from: format) ?? first
  }

  private func withLowerResolution(from format: VideoFormat) -> VideoRestrictions? {
    let pixels = format.resolution.pixels * 3 / 5
    guard pixels < maximumPixels ?? .max, pixels >= Self.leastPixels else { return nil }
    var result = self
    result.maximumPixels = pixels
    result.targetPixels = nil
    result.resolutionSteps += 1
    return result
  }

  private func withHigherResolution(from format: VideoFormat) -> VideoRestrictions? {
    guard resolutionSteps > 0, let present = maximumPixels else { return nil }
    var result = self
    result.resolutionSteps -= 1
    if result.resolutionSteps == 0 {
      result.maximumPixels = nil
      result.targetPixels = nil
      return result
    }
    // The source's sizes need not match the wish: it may exceed it by 12/5.
    let wish = format.resolution.pixels * 5 / 3
    guard wish * 12 / 5 > present else { return nil }
    result.maximumPixels = wish * 12 / 5
    result.targetPixels = wish
    return result
  }

  private func withLowerFrameRate(_ milliFramesPerSecond: Int) -> VideoRestrictions? {
    let wanted = max(Self.leastMilliFramesPerSecond, milliFramesPerSecond)
    guard wanted < maximumMilliFramesPerSecond ?? .max else { return nil }
    var result = self
    result.maximumMilliFramesPerSecond = wanted
    result.frameRateSteps += 1
    return result
  }

  /// - Parameter milliFramesPerSecond: the rate to allow; `nil` for all.
  private func withHigherFrameRate(_ milliFramesPerSecond: Int?) -> VideoRestrictions? {
    guard frameRateSteps > 0, let present = maximumMilliFramesPerSecond,
      milliFramesPerSecond ?? .max > present
    else { return nil }
    var result = self
    result.frameRateSteps -= 1
    result.maximumMilliFramesPerSecond = result.frameRateSteps == 0 ? nil : milliFramesPerSecond ?? .max
    return result
  }

  /// The format that a source delivers of its capture.
  ///
  /// Sizes are 3/4, 1/2, 3/8, 1/4 ... of the capture's width and height, of those within the limit the one nearest the
  /// wish (`media/base/video_adapter.cc`).
  package func applied(to capture: VideoFormat) -> VideoFormat {
    let rate = min(capture.milliFramesPerSecond, maximumMilliFramesPerSecond ?? .max)
    guard let maximum = maximumPixels else {
      return VideoFormat(capture.resolution, milliFramesPerSecond: rate)
    }
    let target = targetPixels ?? maximum
    let whole = capture.resolution.pixels
    var numerator = 1
    var denominator = 1
    var pixels = whole
    var best = (numerator: 1, denominator: 1)
    var distance = pixels <= maximum ? abs(target - pixels) : Int.max
    while pixels > target {
      if numerator % 3 == 0, denominator % 2 == 0 {
        numerator /= 3
        denominator /= 2
      } else {
        numerator *= 3
        denominator *= 4
      }
      pixels = whole * numerator * numerator / (denominator * denominator)
      if pixels <= maximum, abs(target - pixels) < distance {
        distance = abs(target - pixels)
        best = (numerator, denominator)
      }
    }
    return VideoFormat(
      Resolution(
        width: max(1, capture.resolution.width * best.numerator / best.denominator),
        height: max(1, capture.resolution.height * best.numerator / best.denominator)),
      milliFramesPerSecond: rate)
  }
}

/// The frame rates between which a balanced stream moves [1/1000 Hz]
/// (`rtc_base/experiments/balanced_degradation_settings.cc`).
private enum BalancedRates {
  /// The least rate at a size; `nil` where only the resolution is lowered.
  static func least(pixels: Int) -> Int? {
    switch pixels {
    case ...(320 * 240): 7000
    case ...(480 * 360): 10_000
    case ...(640 * 480): 15_000
    default: nil
    }
  }

  /// The most that a step up allows at a size; `nil` for all.
  static func most(pixels: Int) -> Int? {
    switch pixels {
    case ...(320 * 240): 10_000
    case ...(480 * 360): 15_000
    default: nil
    }
  }
}
