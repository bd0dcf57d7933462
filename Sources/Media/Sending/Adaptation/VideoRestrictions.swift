package import Ladder

/// Quality that a stream gives up if its rate does not suffice (W3C mst-content-hint, `RTCDegradationPreference`).
package enum DegradationPreference: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// Frame rate first, to a minimum that depends on the resolution, then resolution.
  case balanced
  /// Resolution only: libwebrtc's default for cameras.
  case maintainFramerate = "maintain-framerate"
  /// Neither; the encoder drops frames: libwebrtc's default for screens.
  case maintainResolution = "maintain-resolution"
}

/// Restrictions on a video source, in the steps of `call/adaptation/video_stream_adapter.cc`.
package struct VideoRestrictions: Equatable, Sendable, BitwiseCopyable {
  /// Maximum number of pixels; `nil` for no limit.
  package private(set) var maximumPixels: Int?
  /// Target number of pixels; `nil` for the maximum.
  package private(set) var targetPixels: Int?
  /// Maximum frame rate [1/1000 Hz]; `nil` for no limit.
  package private(set) var maximumMilliFramesPerSecond: Int?
  /// Number of resolution steps currently taken down.
  package private(set) var resolutionSteps = 0
  /// Number of frame rate steps currently taken down.
  package private(set) var frameRateSteps = 0

  /// Minimum resolution, 320x180 (`api/video_codecs/video_encoder.h`, kDefaultMinPixelsPerFrame).
  package static let minimumPixels = 320 * 180
  /// Minimum frame rate [1/1000 Hz].
  package static let minimumMilliFramesPerSecond = 2000

  package init() {}

  package var steps: Int { resolutionSteps + frameRateSteps }

  /// Returns the restrictions one step down; `nil` at the limit.
  ///
  /// - Parameter format: current format.
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
      // For larger pictures a step of less than 1 fps is not enough: take the next one too.
      if format.resolution.pixels > 320 * 240, format.milliFramesPerSecond - least < 1000 {
        return slower.lowered(preference, from: format) ?? slower
      }
      return slower
    }
  }

  /// Returns the restrictions one step up; `nil` if unrestricted.
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

  /// Returns the restrictions one resolution step down, for an initial frame that is too large, even if the preference
  /// would reduce the frame rate first; `nil` if the preference keeps the resolution or at the limit.
  package func loweredResolution(
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
    guard pixels < maximumPixels ?? .max, pixels >= Self.minimumPixels else { return nil }
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
    // The source's sizes need not match the target: allow 12/5 of it.
    let wish = format.resolution.pixels * 5 / 3
    guard wish * 12 / 5 > present else { return nil }
    result.maximumPixels = wish * 12 / 5
    result.targetPixels = wish
    return result
  }

  private func withLowerFrameRate(_ milliFramesPerSecond: Int) -> VideoRestrictions? {
    let wanted = max(Self.minimumMilliFramesPerSecond, milliFramesPerSecond)
    guard wanted < maximumMilliFramesPerSecond ?? .max else { return nil }
    var result = self
    result.maximumMilliFramesPerSecond = wanted
    result.frameRateSteps += 1
    return result
  }

  /// - Parameter milliFramesPerSecond: new maximum; `nil` for no limit.
  private func withHigherFrameRate(_ milliFramesPerSecond: Int?) -> VideoRestrictions? {
    guard frameRateSteps > 0, let present = maximumMilliFramesPerSecond,
      milliFramesPerSecond ?? .max > present
    else { return nil }
    var result = self
    result.frameRateSteps -= 1
    result.maximumMilliFramesPerSecond = result.frameRateSteps == 0 ? nil : milliFramesPerSecond ?? .max
    return result
  }

  /// Returns the format that a source delivers under these restrictions.
  ///
  /// Scale factors are 3/4, 1/2, 3/8, 1/4 ... of the capture's width and height; the one within the maximum that is
  /// nearest the target is used (`media/base/video_adapter.cc`).
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

/// Frame rate limits of the balanced preference [1/1000 Hz] (`rtc_base/experiments/balanced_degradation_settings.cc`).
private enum BalancedRates {
  /// Returns the minimum frame rate at a resolution; `nil` if only the resolution is lowered.
  static func least(pixels: Int) -> Int? {
    switch pixels {
    case ...(320 * 240): 7000
    case ...(480 * 360): 10_000
    case ...(640 * 480): 15_000
    default: nil
    }
  }

  /// Returns the maximum frame rate after a step up at a resolution; `nil` for no limit.
  static func most(pixels: Int) -> Int? {
    switch pixels {
    case ...(320 * 240): 10_000
    case ...(480 * 360): 15_000
    default: nil
    }
  }
}
