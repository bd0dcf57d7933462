package import Quantity

/// One parameter of a link that takes another value at some time, or an outage.
package enum LinkChange: Hashable, Sendable {
  case capacity(BitRate)
  /// One-way propagation delay.
  case delay(SimDuration)
  /// Standard deviation, as ``LinkParameters/jitter``.
  case jitter(SimDuration)
  case loss(LinkLoss)
  case queue(QueueLimit)
  /// The link loses every packet that is offered for this long; what is queued or in flight continues.
  case down(SimDuration)

  /// The names that a scenario uses.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case capacity, delay, jitter, loss, queue, down
  }

  /// The name without the value.
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

/// How a link loses packets after their transmission.
package enum LinkLoss: Hashable, Sendable {
  /// Each packet independently of the others.
  case independent(Fraction)
  case bursts(GilbertElliott)
}

/// A change and its time.
package struct LinkChangeStep: Hashable, Sendable {
  package var at: SimTime
  package var change: LinkChange
}

extension LinkParameters {
  /// Changes a parameter from a point in time on; of two values for one time the later call holds.
  ///
  /// Delay, jitter and loss apply to packets whose transmission begins at or after that time (behind a token bucket: that
  /// leave it), queue limits and outages to packets that are offered from then on. A queue that becomes smaller keeps what
  /// it holds; a discipline with a queue for each flow drops from the fattest when the next packet comes. Overlapping outages count as
  /// one. Packets keep their order when a delay falls; where the link reorders they overtake all but the one that arrives
  /// next.
  package mutating func change(_ change: LinkChange, at time: SimTime) {
    if case .capacity(let rate) = change { return capacity.change(CapacityStep(at: time, rate: rate)) }
    let place = changes.firstIndex { $0.at > time } ?? changes.endIndex
    changes.insert(LinkChangeStep(at: time, change: change), at: place)
  }
}

// MARK: Texts

extension LinkChange: CustomStringConvertible {
  /// The value, as a scenario would state it.
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
  /// A share, or the chain's probabilities by netem's names.
  package var description: String {
    switch self {
    case .independent(let share): return Self.percent(share)
    case .bursts(let model):
      let (p, r) = (Self.percent(model.toBad), Self.percent(model.toGood))
      let (bad, good) = (Self.percent(model.lossWhenBad), Self.percent(model.lossWhenGood))
      return "p \(p), r \(r), 1-h \(bad), 1-k \(good)"
    }
  }

  /// A share in percent, to four decimals at most.
  private static func percent(_ share: Fraction) -> String {
    let rounded = Int((share.value * 1e6).rounded())
    var decimals = String(10_000 + rounded % 10_000).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return decimals.isEmpty ? "\(rounded / 10_000) %" : "\(rounded / 10_000).\(decimals) %"
  }
}

extension QueueLimit: CustomStringConvertible {
  /// The limit, as a scenario would state it.
  package var description: String {
    switch self {
    case .packets(1): "1 packet"
    case .packets(let count): "\(count) packets"
    case .bytes(let size): size.bytes % 1_000 == 0 ? "\(size.bytes / 1_000) kB" : "\(size.bytes) B"
    case .duration(let time): "\(time)"
    }
  }
}
