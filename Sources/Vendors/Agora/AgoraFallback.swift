package import Quantity
package import Systems

/// Decides when a client on a weak downlink falls back to low streams or to audio only.
///
/// A state machine, updated with the budget and the rate that each level needs. The levels are Agora's
/// (`STREAM_FALLBACK_OPTION`); thresholds and times are our model, since none are published.
///
/// A low budget alone does not make a downlink weak: an estimate that is still rising from its start, or that no media
/// exercises, does not reflect the capacity. The downlink must also be congested: it loses packets, or delays them in a
/// standing queue.
package struct AgoraFallback: Hashable, Sendable {
  package enum Level: Int, Hashable, Sendable, Comparable {
    /// Streams as requested; the name appears in `events.csv`.
    case asWished
    case low, audioOnly

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  package private(set) var level = Level.asWished
  private var weakSince: SimTime?
  private var strongSince: SimTime?
  private let parameters: AgoraParameters

  package init(parameters: AgoraParameters) { self.parameters = parameters }

  /// Updates the level.
  ///
  /// - Parameters:
  ///   - budget: current video budget.
  ///   - requested: total bit rate of all streams as requested.
  ///   - low: total bit rate of all low streams.
  ///   - isCongested: `true` if the downlink is congested, see ``isCongested(_:)``.
  ///   - now: monotonic across calls.
  /// - Returns: the level in force from now on.
  package mutating func update(
    budget: BitRate, requested: BitRate, low: BitRate, isCongested: Bool = true, now: SimTime
  ) -> Level {
    let deepest: Level =
      switch parameters.fallback {
      case .disabled: .asWished
      case .low: .low
      case .audioOnly: .audioOnly
      }
    let budget = Double(budget.bitsPerSecond)
    if level < deepest, isCongested, budget < requiredRate(level, requested, low) * parameters.fallbackShare {
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
      if budget > requiredRate(above, requested, low) * parameters.recoveryShare {
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

  /// Checks whether a downlink shows congestion; always `true` if its estimate is known to be the capacity.
  package func isCongested(_ signs: Downlink.Signs?) -> Bool {
    guard let signs else { return true }
    return signs.loss >= parameters.fallbackLoss || signs.queueDelay >= parameters.fallbackDelay
  }

  /// Returns the bit rate that a level needs [bit/s].
  private func requiredRate(_ level: Level, _ requested: BitRate, _ low: BitRate) -> Double {
    switch level {
    case .asWished: Double(requested.bitsPerSecond)
    case .low: Double(low.bitsPerSecond)
    case .audioOnly: 0
    }
  }
}
