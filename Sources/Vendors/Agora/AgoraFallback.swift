package import Quantity
package import Systems

/// Fallback of remote users' streams on a client's weak downlink, and their recovery.
///
/// A state machine, updated with the budget and the rates of the users' streams. The levels are Agora's
/// (`STREAM_FALLBACK_OPTION`), as is the rule that high-priority users come last (`setRemoteUserPriority`); thresholds,
/// times and the choice among equals are our model, since none are published. As few users fall back as needed to make
/// the rest fit, the last to join first, and they recover one by one in reverse order.
///
/// A low budget alone does not make a downlink weak: an estimate that is still ramping up, or that no media exercises,
/// does not reflect the capacity. The downlink must also be congested, that is, lose packets or delay them in a
/// standing queue.
package struct AgoraFallback: Sendable {
  package enum Level: Hashable, Sendable {
    /// Stream as requested; the name appears in `events.csv`.
    case asWished
    case low, audioOnly
  }

  /// Streams of one remote user.
  package struct User: Hashable, Sendable {
    package var participant: Int
    /// Bit rate of the stream that the client requests.
    package var wished: BitRate
    /// Bit rate of the low stream; `nil` if none is available.
    package var low: BitRate?
    /// `true` for a high-priority user.
    package var isPreferred: Bool
    package var joinedAt: SimTime

    package init(
      participant: Int, wished: BitRate, low: BitRate?, isPreferred: Bool = false, joinedAt: SimTime = .zero
    ) {
      self.participant = participant
      self.wished = wished
      self.low = low
      self.isPreferred = isPreferred
      self.joinedAt = joinedAt
    }
  }

  /// A user's new level.
  package struct Change: Hashable, Sendable {
    package var participant: Int
    package var level: Level

    package init(_ participant: Int, _ level: Level) {
      self.participant = participant
      self.level = level
    }
  }

  /// Result of an update.
  package struct Outcome: Hashable, Sendable {
    /// Users whose level changed, in the order in which they fell back or recovered.
    package var changes: [Change] = []
    /// `true` if the downlink is too weak and no user has a stream to fall back to; reported once per shortage.
    package var hasNoStream = false

    package init(changes: [Change] = [], hasNoStream: Bool = false) {
      self.changes = changes
      self.hasNoStream = hasNoStream
    }
  }

  /// A user's step down.
  private struct Step {
    var participant: Int
    /// Level before the step.
    var before: Level
    /// Time since which the budget has had room to undo this step and all later ones; `nil` while it has none.
    var strongSince: SimTime?
  }

  /// Maximum time for which overflow of a full queue is still repaired after a step down [our model].
  private static let drainTime = SimDuration.seconds(5)

  /// Steps not yet undone, oldest first; a user may have taken two.
  private var fallen: [Step] = []
  private var levels: [Int: Level] = [:]
  private var weakSince: SimTime?
  /// Time of the last step down; `nil` before the first.
  private var steppedAt: SimTime?
  private var hasReported = false
  private let parameters: AgoraParameters

  package init(parameters: AgoraParameters) { self.parameters = parameters }

  package func level(of participant: Int) -> Level { levels[participant] ?? .asWished }

  /// Users for whom the budget has room again, and only the recovery time is left to wait for.
  package var recovering: Set<Int> { Set(fallen.lazy.filter { $0.strongSince != nil }.map(\.participant)) }

  /// Forgets a user who has left.
  package mutating func remove(_ participant: Int) {
    fallen.removeAll { $0.participant == participant }
    levels[participant] = nil
  }

  /// Updates the levels.
  ///
  /// - Parameters:
  ///   - budget: current video budget.
  ///   - repairs: reserve for retransmissions, not part of the budget; zero unless the capacity is known exactly, since
  ///     an estimate is less precise.
  ///   - fixed: bit rate of the streams that never fall back.
  ///   - isCongested: `true` if the downlink is congested, see ``isCongested(_:)``.
  ///   - now: monotonic across calls.
  package mutating func update(
    budget: BitRate, repairs: BitRate = .zero, users: [User], fixed: BitRate = .zero,
    isCongested: Bool = true, now: SimTime
  ) -> Outcome {
    let required = users.reduce(fixed) { $0 + rate(of: $1, at: level(of: $1.participant)) }
    let least = required.scaled(by: parameters.fallbackShare)
    // Packets that overflowed before a step are still being repaired for a while after it.
    let isDraining = steppedAt.map { now - $0 < Self.drainTime } ?? false
    let isWeak = budget < least && !(isDraining && budget + repairs >= least)
    if !isWeak { hasReported = false }
    guard isWeak, isCongested else {
      weakSince = nil
      return recover(budget, required, users, at: now)
    }
    for place in fallen.indices { fallen[place].strongSince = nil }
    let since = weakSince ?? now
    weakSince = since
    guard now - since >= parameters.fallbackTime else { return Outcome() }
    // If more is requested than the link carries, the repaired packets had overflowed the queue, and none will after a
    // step down.
    let room = budget + repairs < required ? budget + repairs : budget
    let outcome = fallBack(users, required - room)
    if !outcome.changes.isEmpty { steppedAt = now }
    return outcome
  }

  /// Checks whether a downlink shows congestion; always `true` if its estimate is known to be the capacity.
  package func isCongested(_ signs: Downlink.Signs?) -> Bool {
    guard let signs else { return true }
    return signs.loss >= parameters.fallbackLoss || signs.queueDelay >= parameters.fallbackDelay
  }

  // MARK: Falling back

  private mutating func fallBack(_ users: [User], _ shortage: BitRate) -> Outcome {
    let steps: [Level] =
      switch parameters.fallback {
      case .disabled: []
      case .low: [.low]
      case .audioOnly: [.low, .audioOnly]
      }
    for step in steps {
      let choice = FallbackChoice(users.compactMap { candidate($0, for: step) })
      let chosen = choice.fewest(saving: shortage)
      guard !chosen.isEmpty else { continue }
      for participant in chosen {
        fallen.append(Step(participant: participant, before: level(of: participant)))
        levels[participant] = step
      }
      weakSince = nil
      return Outcome(changes: chosen.map { Change($0, step) })
    }
    let isStuck = !steps.isEmpty && users.contains { isWithoutStream($0) }
    defer { hasReported = hasReported || isStuck }
    return Outcome(hasNoStream: isStuck && !hasReported)
  }

  /// Returns a user with the rate that a step saves; `nil` if it saves nothing.
  private func candidate(_ user: User, for step: Level) -> FallbackChoice.Candidate? {
    let level = level(of: user.participant)
    guard level != step, level != .audioOnly, step != .low || user.low != nil else { return nil }
    let (before, after) = (rate(of: user, at: level), rate(of: user, at: step))
    guard after < before else { return nil }
    return FallbackChoice.Candidate(user: user, saving: before - after)
  }

  private func isWithoutStream(_ user: User) -> Bool {
    user.low == nil && user.wished > .zero && level(of: user.participant) == .asWished
  }

  // MARK: Recovery

  /// Undoes the last step once the budget has had room for long enough; steps are undone one at a time.
  private mutating func recover(_ budget: BitRate, _ required: BitRate, _ users: [User], at now: SimTime)
    -> Outcome
  {
    var needed = required
    var levels = levels
    for place in fallen.indices.reversed() {
      let step = fallen[place]
      if let user = users.first(where: { $0.participant == step.participant }) {
        needed += rate(of: user, at: step.before) - rate(of: user, at: levels[step.participant] ?? .asWished)
        levels[step.participant] = step.before
      }
      let isStrong = budget > needed.scaled(by: parameters.recoveryShare)
      fallen[place].strongSince = isStrong ? step.strongSince ?? now : nil
    }
    guard let last = fallen.last, let since = last.strongSince, now - since >= parameters.recoveryTime else {
      return Outcome()
    }
    fallen.removeLast()
    self.levels[last.participant] = last.before == .asWished ? nil : last.before
    return Outcome(changes: [Change(last.participant, last.before)])
  }

  private func rate(of user: User, at level: Level) -> BitRate {
    switch level {
    case .asWished: user.wished
    case .low: user.low.map { min($0, user.wished) } ?? user.wished
    case .audioOnly: .zero
    }
  }
}

extension CallResult {
  static let noLowStream = CallResult(
    "noLowStream", "no low stream is sent, and nothing else to fall back to is allowed")
}
