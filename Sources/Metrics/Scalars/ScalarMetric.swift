/// A metric of a whole run, with rows in `scalars.csv`.
package enum ScalarMetric: CaseIterable, Sendable {
  // Tiles.
  case frameHeight, requestedHeightShare, pixelsOfScreen, pixelsOfRequest
  case framesPerSecond, bitrate, decodedBitrate
  case freezeCount, freezesDuration, packetsLost, score
  case firstFrameDelay, pictureDelay, frameDelay, longestFrameDelay, framesDropped, framesLate
  case keyFramesDecoded, jitterBufferDelay, timeWithoutFrames, timeOffScreen

  // Participants.
  case viewerFrameHeight, viewerPixels, viewerBitrate, viewerFreezesDuration, viewerScore
  case decodedPixels, mostDecodedPixels, dataUp, dataDown, retransmittedDown, paddingDown
  case utility, optimum, utilityRatio, gapEstimate, gapReserve, gapRule, gapSwitching, gapLoss, gapLadder
  case switchesPerMinute, recoveryTime, longestRecoveryTime

  // Participants and the meeting.
  case concealedAudio, discardedAudio, audioDelay

  // Links.
  case throughput, packetsDropped, queueDelay, longestQueueDelay

  // The meeting.
  case simulatedTime, jainIndex, worstSeat
}

extension ScalarMetric {
  /// Entity described by a value.
  package enum Scope: String, Codable, Sendable, CaseIterable {
    case tile, voice, participant, link, meeting

    package var meaning: String {
      switch self {
      case .tile: "one source as one viewer saw it, over the time in which it was on the screen and not muted"
      case .voice: "one voice as one listener heard it; only what expectations measure"
      case .participant: "one participant"
      case .link: "one link, named in the column source"
      case .meeting: "the whole meeting"
      }
    }

    /// Table that has such values over time; `nil` if there is none.
    package var intervalTable: ResultTable? {
      switch self {
      case .tile: .streams
      case .voice: .audio
      case .participant: .participants
      case .link: .links
      case .meeting: nil
      }
    }

    /// Word used in the column `scope`.
    var name: StaticString {
      switch self {
      case .tile: "tile"
      case .voice: "voice"
      case .participant: "participant"
      case .link: "link"
      case .meeting: "meeting"
      }
    }
  }

  /// Properties common to all rows of a metric.
  package struct Declaration: Sendable {
    package var scopes: [Scope]
    package var name: StaticString
    package var stat: StaticString
    package var unit: StaticString
    package var direction: ScalarRow.Direction
    /// Number of decimals of the recorded values.
    package var decimals: Int
    /// Meaning: a phrase without the unit.
    package var meaning: String

    init(
      _ scopes: [Scope], _ name: StaticString, _ stat: StaticString, _ unit: StaticString,
      _ direction: ScalarRow.Direction, decimals: Int, _ meaning: String
    ) {
      self.scopes = scopes
      self.name = name
      self.stat = stat
      self.unit = unit
      self.direction = direction
      self.decimals = decimals
      self.meaning = meaning
    }
  }
}
