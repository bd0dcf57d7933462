package import Parameters
package import Quantity
package import Statistics

/// PIE state machine: drops arriving packets with a probability controlled by the queuing delay (RFC 8033 sections 4
/// and 5), which is that of the packet dequeued last (section 4.3 leaves the choice open).
package struct ProportionalIntegral: BitwiseCopyable, Sendable {
  private static let decay = 0.98
  private static let derandomizeLow = 0.85
  private static let derandomizeHigh = 8.5

  private let reference: Double
  private let period: Int64
  private let alpha: Double
  private let beta: Double
  private let maximumBurst: Int64

  /// Current drop probability.
  package private(set) var probability = 0.0
  private var updatedAt: Int64 = 0
  private var oldDelay = 0.0
  /// Remaining burst allowance [ns].
  private var allowance: Int64
  private var accumulated = 0.0

  package init(_ parameters: PIEParameters) {
    reference = parameters.target.seconds
    period = max(1, parameters.update.nanoseconds)
    alpha = parameters.alpha
    beta = parameters.beta
    maximumBurst = parameters.burst.nanoseconds
    allowance = maximumBurst
  }

  /// Performs the periodic updates up to a time, with the queuing delay since the last call [ns].
  package mutating func advance(to now: Int64, delay: Int64) {
    while now - updatedAt >= period {
      updatedAt += period
      update(Double(delay) / 1e9)
    }
  }

  /// Decides whether an arriving packet is dropped, given the queue length that it finds.
  package mutating func drops(waitingPackets: Int, _ draws: inout RandomStream) -> Bool {
    if probability == 0 { accumulated = 0 }
    if allowance > 0 || waitingPackets <= 2 { return false }
    if oldDelay < reference / 2, probability < 0.2 { return false }
    accumulated += probability
    if accumulated < Self.derandomizeLow { return false }
    let isCertain = accumulated >= Self.derandomizeHigh
    guard draws.uniform() < probability || isCertain else { return false }
    accumulated = 0
    return true
  }

  private mutating func update(_ delay: Double) {
    var change = alpha * (delay - reference) + beta * (delay - oldDelay)
    change *= Self.scale(probability)
    if probability >= 0.1 { change = min(change, 0.02) }
    probability = min(max(probability + change, 0), 1)
    if delay == 0, oldDelay == 0 { probability *= Self.decay }
    let isCalm = probability == 0 && delay < reference / 2 && oldDelay < reference / 2
    allowance = isCalm ? maximumBurst : max(0, allowance - period)
    oldDelay = delay
  }

  /// Scales changes down at small probabilities.
  private static func scale(_ probability: Double) -> Double {
    switch probability {
    case ..<1e-6: 1.0 / 2048
    case ..<1e-5: 1.0 / 512
    case ..<1e-4: 1.0 / 128
    case ..<1e-3: 1.0 / 32
    case ..<1e-2: 1.0 / 8
    case ..<1e-1: 1.0 / 2
    default: 1
    }
  }
}

extension ProportionalIntegral: DroppingDiscipline {
  package mutating func dropsArriving(
    waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64, _ draws: inout RandomStream
  ) -> Bool {
    advance(to: now, delay: lastWait)
    return hasRoom && drops(waitingPackets: waitingPackets, &draws)
  }

  package mutating func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
  {
    advance(to: now, delay: lastWait)
    return false
  }
}

extension QueueDiscipline {
  /// Creates PIE (RFC 8033).
  package static func pie(_ parameters: PIEParameters = PIEParameters()) -> QueueDiscipline {
    QueueDiscipline("pie", ProportionalIntegral.self, parameters)
  }
}

/// PIE parameters.
package struct PIEParameters: Parameterized, BitwiseCopyable {
  /// Target queuing delay; RFC 8033 section 4.2: 15 ms.
  package var target = SimDuration.milliseconds(15)
  /// Update interval of the drop probability; RFC 8033 section 4.2: 15 ms.
  package var update = SimDuration.milliseconds(15)
  /// Weight of the deviation from the target [1/s]; RFC 8033 section 4.2: 1/8.
  package var alpha = 0.125
  /// Weight of the change since the last update [1/s]; RFC 8033 section 4.2: 1 1/4.
  package var beta = 1.25
  /// Burst allowance after an empty queue; RFC 8033 section 4.4: 150 ms.
  package var burst = SimDuration.milliseconds(150)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "target", \.target, in: .zero ... .seconds(10), "target queuing delay",
      source: "RFC 8033 section 4.2"),
    .duration(
      "update", \.update, in: .milliseconds(1) ... .seconds(10), "update interval of the drop probability",
      source: "RFC 8033 section 4.2"),
    .duration(
      "burst", \.burst, in: .zero ... .seconds(10), "burst allowance after an empty queue",
      source: "RFC 8033 section 4.4"),
    .number(
      "alpha", \.alpha, in: 0...10, "weight of the deviation from the target [1/s]",
      source: "RFC 8033 section 4.2"),
    .number(
      "beta", \.beta, in: 0...100, "weight of the change since the last update [1/s]",
      source: "RFC 8033 section 4.2"),
  ]
}
