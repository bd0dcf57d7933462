package import Quantity
import Systems

/// Audio fallback of one stream, at its subscriber or its publisher, which decides when a weak path keeps only the
/// voice.
///
/// A state machine, updated with each new estimate. The events are Vonage's; thresholds and times are our model, since
/// none are published. Each update moves by one level at most, so that a warning always comes first.
package struct AudioFallback: Hashable, Sendable {
  /// Events, with Vonage's names.
  package enum Event: String, Hashable, Sendable, CaseIterable {
    case videoDisableWarning, videoDisableWarningLifted, videoDisabled, videoEnabled

    /// Explanation of the event, as a phrase.
    var meaning: String {
      switch self {
      case .videoDisableWarning: "audio fallback is near: the path is weak"
      case .videoDisableWarningLifted: "audio fallback is no longer near"
      case .videoDisabled: "audio fallback: only the voice is left"
      case .videoEnabled: "audio fallback ends: video is back"
      }
    }

    /// Contents of the column `detail`.
    static let detail =
      "the publisher whose video it is, or 'publisher' for one's own, and the reason (quality)"
  }

  private enum Level { case video, warned, audioOnly }

  private var level = Level.video
  private var strongSince: SimTime?
  private let parameters: VonageParameters

  package init(_ parameters: VonageParameters) { self.parameters = parameters }

  /// `true` while only audio is left.
  package var isAudioOnly: Bool { level == .audioOnly }
  /// `true` while the path carries the video again, and only the recovery time is left to wait for.
  package var isRecovering: Bool { isAudioOnly && strongSince != nil }

  /// Updates the level.
  ///
  /// - Parameters:
  ///   - budget: capacity of the path for video.
  ///   - minimum: minimum rate of the stream together with that of the streams before it.
  ///   - isLossy: `true` if too many packets are lost.
  ///   - now: monotonic across calls.
  package mutating func update(budget: BitRate, minimum: BitRate, isLossy: Bool, now: SimTime) -> [Event] {
    let isNear = isLossy || budget < minimum.scaled(by: parameters.warningFactor)
    let isShort = isLossy || budget < minimum
    switch level {
    case .video:
      guard isNear else { return [] }
      level = .warned
      return [.videoDisableWarning]
    case .warned:
      if isShort {
        level = .audioOnly
        return [.videoDisabled]
      }
      guard !isNear else { return [] }
      level = .video
      return [.videoDisableWarningLifted]
    case .audioOnly:
      guard !isLossy, budget >= minimum.scaled(by: parameters.recoveryFactor) else {
        strongSince = nil
        return []
      }
      let since = strongSince ?? now
      strongSince = since
      guard now - since >= parameters.recoveryTime else { return [] }
      strongSince = nil
      level = isNear ? .warned : .video
      return isNear ? [.videoEnabled, .videoDisableWarning] : [.videoEnabled]
    }
  }
}
