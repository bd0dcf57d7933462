import Statistics

/// PIE: drops what arrives with a probability that follows the queue's delay (RFC 8033 section 4), the delay measured
/// by time stamps (section 5.3).
struct ProportionalIntegral: BitwiseCopyable {
  private static let reference = 0.015
  private static let period: Int64 = 15_000_000
  private static let alpha = 0.125
  private static let beta = 1.25
  private static let greatestBurst = 0.150
  private static let decay = 0.98
  private static let derandomizeLow = 0.85
  private static let derandomizeHigh = 8.5

  private(set) var probability = 0.0
  private var updatedAt: Int64 = 0
  private var delay = 0.0
  private var oldDelay = 0.0
  private var allowance = greatestBurst
  private var accumulated = 0.0

  /// Whether an arriving packet is dropped, with the delay of the packet that left last [ns].
  mutating func drops(
    lastDelay: Int64, waitingPackets: Int, at now: Int64, _ draws: inout RandomStream
  ) -> Bool {
    delay = waitingPackets == 0 ? 0 : Double(lastDelay) / 1e9
    while now - updatedAt >= Self.period {
      updatedAt += Self.period
      update()
    }
    if allowance > 0 { return false }
    if oldDelay < Self.reference / 2, probability < 0.2 { return false }
    if waitingPackets <= 2 { return false }
    accumulated += probability
    if accumulated < Self.derandomizeLow { return false }
    let isCertain = accumulated >= Self.derandomizeHigh
    guard draws.uniform() < probability || isCertain else { return false }
    accumulated = 0
    return true
  }

  mutating func update() {
    var change = Self.alpha * (delay - Self.reference) + Self.beta * (delay - oldDelay)
    change *= Self.scale(probability)
    if probability >= 0.1 { change = min(change, 0.02) }
    probability = min(max(probability + change, 0), 1)
    if delay == 0, oldDelay == 0 { probability *= Self.decay }
    oldDelay = delay
    allowance = max(0, allowance - Double(Self.period) / 1e9)
    if probability == 0, delay < Self.reference / 2, oldDelay < Self.reference / 2 {
      allowance = Self.greatestBurst
    }
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
