package import Quantity

/// Decides when a client takes low streams, or no video, because its downlink is weak.
///
/// A state machine: it is told the budget and what the levels would take, and says which level holds. The levels are
/// Agora's (`STREAM_FALLBACK_OPTION`); thresholds and times are our model, since none are published.
package struct AgoraFallback: Hashable, Sendable {
  package enum Level: Int, Hashable, Sendable, Comparable {
    case asWished, low, audioOnly

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  package private(set) var level = Level.asWished
  private var weakSince: SimTime?
  private var strongSince: SimTime?
  private let parameters: AgoraParameters

  package init(parameters: AgoraParameters) { self.parameters = parameters }

  /// Takes the present budget.
  ///
  /// - Parameters:
  ///   - budget: for video.
  ///   - wished: what all streams as wished take.
  ///   - low: what every low stream takes.
  ///   - now: the time of the budget, never before that of the last call.
  /// - Returns: the level that holds from now on.
  package mutating func update(budget: BitRate, wished: BitRate, low: BitRate, now: SimTime) -> Level {
    let deepest: Level =
      switch parameters.fallback {
      case .disabled: .asWished
      case .low: .low
      case .audioOnly: .audioOnly
      }
    if level < deepest, Double(budget.bitsPerSecond) < share(level, wished, low) * parameters.fallbackShare {
      let since = weakSince ?? now
      weakSince = since
      if now - since >= parameters.fallbackTime {
        level = Level(rawValue: level.rawValue + 1) ?? level
        weakSince = nil
      }
    } else {
      weakSince = nil
    }
    if level > .asWished {
      let above = Level(rawValue: level.rawValue - 1) ?? .asWished
      if Double(budget.bitsPerSecond) > share(above, wished, low) * parameters.recoveryShare {
        let since = strongSince ?? now
        strongSince = since
        if now - since >= parameters.recoveryTime {
          level = above
          strongSince = nil
        }
      } else {
        strongSince = nil
      }
    }
    return level
  }

  private func share(_ level: Level, _ wished: BitRate, _ low: BitRate) -> Double {
    switch level {
    case .asWished: Double(wished.bitsPerSecond)
    case .low: Double(low.bitsPerSecond)
    case .audioOnly: 0
    }
  }
}
