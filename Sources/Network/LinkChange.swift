package import Quantity

/// Change of one link parameter, or an outage.
package enum LinkChange: Hashable, Sendable {
  case capacity(BitRate)
  /// One-way propagation delay.
  case delay(SimDuration)
  /// Standard deviation, see ``LinkParameters/jitter``.
  case jitter(SimDuration)
  case loss(LinkLoss)
  case queue(QueueLimit)
  /// An outage of this length: arriving packets are dropped, queued and in-flight packets are still delivered.
  case down(SimDuration)

  /// Parameter names used in scenarios.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case capacity, delay, jitter, loss, queue, down
  }

  /// Name of the changed parameter.
  package var name: Name {
    switch self {
    case .capacity: .capacity
    case .delay: .delay
    case .jitter: .jitter
    case .loss: .loss
    case .queue: .queue
    case .down: .down
    }
  }
}

/// Random loss of a link, applied after transmission.
package enum LinkLoss: Hashable, Sendable {
  /// Independent loss of each packet.
  case independent(Fraction)
  case bursts(GilbertElliott)
}

/// Timed change.
package struct LinkChangeStep: Hashable, Sendable {
  package var at: SimTime
  package var change: LinkChange
}

extension LinkParameters {
  /// Changes a parameter from a point in time on; of two changes at the same time, the later call wins.
  ///
  /// Delay, jitter and loss apply to packets whose transmission starts at or after that time (with a token bucket:
  /// that depart at or after it); queue limits and outages apply to packets that arrive from then on. Shrinking a
  /// queue drops nothing that is already queued; a discipline with per-flow queues drops from the largest one when the
  /// next packet arrives. Overlapping outages are merged. Packets keep their order when a delay decreases; if the link
  /// reorders, they overtake all but the one due to arrive next.
  package mutating func change(_ change: LinkChange, at time: SimTime) {
    if case .capacity(let rate) = change { return capacity.change(CapacityStep(at: time, rate: rate)) }
    let index = changes.lastIndex { $0.at <= time }.map { $0 + 1 } ?? 0
    changes.insert(LinkChangeStep(at: time, change: change), at: index)
  }
}

extension LinkParameters {
  /// Checks whether a change at a point in time leaves its parameter at the value that it has just before; `false` for
  /// outages, and for a capacity that follows a trace until then.
  package func isAlready(_ change: LinkChange, at time: SimTime) -> Bool {
    if case .capacity(let rate) = change { return capacity.constantRate(before: time) == rate }
    if let last = changes.last(where: { $0.at < time && $0.change.name == change.name }) {
      return last.change == change && change.name != .down
    }
    switch change {
    case .delay(let delay): return propagationDelay == delay
    case .jitter(let deviation): return jitter == deviation
    case .loss(.independent(let share)): return burstLoss == nil && loss == share
    case .loss(.bursts(let model)): return burstLoss == model
    case .queue(let limit): return queueLimit == limit
    case .capacity, .down: return false
    }
  }
}

// MARK: Texts

extension LinkChange: CustomStringConvertible {
  /// Value in the scenario's syntax.
  package var description: String {
    switch self {
    case .capacity(let rate): "\(rate)"
    case .delay(let time), .jitter(let time), .down(let time): "\(time)"
    case .loss(let loss): "\(loss)"
    case .queue(let limit): "\(limit)"
    }
  }
}

extension LinkLoss: CustomStringConvertible {
  /// Percentage, or the chain's probabilities under netem's names.
  package var description: String {
    switch self {
    case .independent(let share): return Self.percent(share)
    case .bursts(let model):
      let (p, r) = (Self.percent(model.toBad), Self.percent(model.toGood))
      let (bad, good) = (Self.percent(model.lossWhenBad), Self.percent(model.lossWhenGood))
      return "p \(p), r \(r), 1-h \(bad), 1-k \(good)"
    }
  }

  /// Formats a percentage with up to four decimals.
  private static func percent(_ share: Fraction) -> String {
    let rounded = Int((share.value * 1e6).rounded())
    var decimals = String(10_000 + rounded % 10_000).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return decimals.isEmpty ? "\(rounded / 10_000) %" : "\(rounded / 10_000).\(decimals) %"
  }
}

extension QueueLimit: CustomStringConvertible {
  /// Limit in the scenario's syntax.
  package var description: String {
    switch self {
    case .packets(1): "1 packet"
    case .packets(let count): "\(count) packets"
    case .bytes(let size): size.bytes % 1_000 == 0 ? "\(size.bytes / 1_000) kB" : "\(size.bytes) B"
    case .duration(let time): "\(time)"
    }
  }
}
