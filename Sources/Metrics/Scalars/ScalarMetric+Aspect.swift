/// Aspects of a meeting that metrics describe.
extension ScalarMetric {
  package enum Aspect: String, CaseIterable, Sendable {
    /// The quality that people see and hear.
    case quality
    /// Its cost in links, data plans and devices.
    case cost
    /// Its causes.
    case cause

    package var title: String { self == .quality ? "quality" : "\(rawValue)s" }
  }

  package var aspect: Aspect {
    switch self {
    case .frameHeight, .requestedHeightShare, .pixelsOfScreen, .pixelsOfRequest, .framesPerSecond,
      .freezeCount,
      .freezesDuration, .timeWithoutFrames, .score, .firstFrameDelay, .pictureDelay, .frameDelay,
      .longestFrameDelay,
      .viewerFrameHeight,
      .viewerPixels, .viewerFreezesDuration, .viewerScore, .utility, .utilityRatio, .concealedAudio,
      .jainIndex,
      .worstSeat:
      .quality
    case .bitrate, .viewerBitrate, .decodedPixels, .mostDecodedPixels, .dataUp, .dataDown, .retransmittedDown,
      .paddingDown,
      .throughput:
      .cost
    case .decodedBitrate, .packetsLost, .framesDropped, .framesLate, .keyFramesDecoded, .jitterBufferDelay,
      .timeOffScreen,
      .optimum, .gapEstimate, .gapReserve, .gapRule, .gapSwitching, .gapLoss, .gapLadder, .switchesPerMinute,
      .recoveryTime, .longestRecoveryTime, .discardedAudio, .audioDelay, .packetsDropped, .queueDelay,
      .longestQueueDelay, .simulatedTime:
      .cause
    }
  }

  /// Names of the metrics that best answer whether people were well served, in that order.
  package static let leading = ["mos", "frame_height", "pixels_of_screen", "freezes_duration"]

  /// Returns the aspect of a metric by name; values that only expectations measure count as quality.
  package static func aspect(of name: String) -> Aspect { aspects[name] ?? .quality }

  private static let aspects = Dictionary(
    allCases.map { ("\($0.declaration.name)", $0.aspect) }, uniquingKeysWith: { first, _ in first })
}
