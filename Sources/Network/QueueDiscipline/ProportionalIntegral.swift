import Quantity
package import Statistics

/// PIE as a state machine: drops what arrives with a probability that follows the queue's delay (RFC 8033 sections 4
/// and 5), the delay being the time in the queue of the packet that left last (a choice that section 4.3 leaves open).
package struct ProportionalIntegral: BitwiseCopyable, Sendable {
  private static let decay = 0.98
  private static let derandomizeLow = 0.85
  private static let derandomizeHigh = 8.5

  private let reference: Double
  private let period: Int64
  private let alpha: Double
  private let beta: Double
  private let greatestBurst: Int64

  /// Probability with which an arriving packet is dropped.
  package private(set) var probability = 0.0
  private var updatedAt: Int64 = 0
  private var oldDelay = 0.0
  /// What is left of the time during which a burst passes [ns].
  private var allowance: Int64
  private var accumulated = 0.0

  package init(_ parameters: PIEParameters) {
    reference = parameters.target.seconds
    period = max(1, parameters.update.nanoseconds)
    alpha = parameters.alpha
    beta = parameters.beta
    greatestBurst = parameters.burst.nanoseconds
    allowance = greatestBurst
  }

  /// Does the updates up to a time, the queue's delay having been this since the last call [ns].
  package mutating func advance(to now: Int64, delay: Int64) {
    while now - updatedAt >= period {
      updatedAt += period
      update(Double(delay) / 1e9)
    }
  }

  /// Whether an arriving packet is dropped that finds so many in the queue.
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
    allowance = isCalm ? greatestBurst : max(0, allowance - period)
    oldDelay = delay
  }

  /// Small probabilities change in small steps.
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
