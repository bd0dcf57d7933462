/// Mean loss interval in packets: RFC 5348 section 5.4, as used by RFC 8698 section 4.2.
///
/// Consecutive losses count as one loss event, as in the authors' ns3-rmcat (`sender-based-controller.cc`); RFC 5348
/// merges all losses within a round trip. Unlike ns3-rmcat, the open interval is excluded from the mean: with a weight
/// of 1 in 6 it would never exceed MULTILOSS (7) means, and a loss would never be forgotten.
package struct LossIntervals: Sendable {
  private static let weights = [1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2]
  /// Closed intervals, newest first.
  private var closed: [Double] = []
  /// Packets received since the last loss, or since the first packet.
  package private(set) var open = 0.0
  private var isInLoss = false

  package init() { closed.reserveCapacity(Self.weights.count + 1) }

  package mutating func appendReceived() {
    open += 1
    isInLoss = false
  }

  package mutating func appendLost() {
    guard !isInLoss else { return }
    isInLoss = true
    closed.insert(open, at: 0)
    if closed.count > Self.weights.count { closed.removeLast() }
    open = 0
  }

  /// Weighted mean of the last eight intervals; `nil` before the first loss.
  package var mean: Double? {
    guard !closed.isEmpty else { return nil }
    var total = 0.0
    var weight = 0.0
    for (index, interval) in closed.enumerated() {
      total += Self.weights[index] * interval
      weight += Self.weights[index]
    }
    return total / weight
  }
}
