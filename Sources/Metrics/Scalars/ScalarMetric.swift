/// A whole-run value: what a row of `scalars.csv` can be of.
package enum ScalarMetric: CaseIterable, Sendable {
  // Of a tile.
  case frameHeight, requestedHeightShare, framesPerSecond, bitrate, decodedBitrate
  case freezeCount, freezesDuration, packetsLost, score
  case firstFrameDelay, frameDelay, longestFrameDelay, framesDropped, framesLate
  case keyFramesDecoded, jitterBufferDelay

  // Of a participant.
  case viewerFrameHeight, viewerBitrate, viewerFreezesDuration, viewerScore
  case decodedPixels, mostDecodedPixels, dataUp, dataDown
  case utility, optimum, utilityRatio, gapEstimate, gapReserve, gapRule, gapSwitching, gapLoss, gapLadder
  case switchesPerMinute, recoveryTime, longestRecoveryTime

  // Of a participant and of the meeting.
  case concealedAudio, discardedAudio, audioDelay

  // Of a link.
  case throughput, packetsDropped, queueDelay, longestQueueDelay

  // Of the meeting.
  case simulatedTime, jainIndex, worstSeat
}

extension ScalarMetric {
  /// What a value is of.
  package enum Scope: String, Codable, Sendable, CaseIterable {
    case tile, voice, participant, link, meeting

    package var meaning: String {
      switch self {
      case .tile: "one source as one viewer received it, over the time in which it was requested"
      case .voice: "one voice as one listener heard it; only what expectations measure"
      case .participant: "one participant"
      case .link: "one link, named in the column source"
      case .meeting: "the whole meeting"
      }
    }

    /// The table with the course of such values; `nil` if there is none.
    package var intervalTable: ResultTable? {
      switch self {
      case .tile: .streams
      case .voice: .audio
      case .participant: .participants
      case .link: .links
      case .meeting: nil
      }
    }

    /// The word of the column.
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

  /// What a metric's rows have in common.
  package struct Declaration: Sendable {
    package var scopes: [Scope]
    package var name: StaticString
    package var stat: StaticString
    package var unit: StaticString
    package var direction: ScalarRow.Direction
    /// Of the values that are recorded.
    package var decimals: Int
    /// A phrase without the unit.
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
