/// The mean number of packets from one loss to the next: RFC 5348 section 5.4, as RFC 8698 section 4.2 takes it.
///
/// A run of lost packets is one loss, as in the authors' ns3-rmcat (`sender-based-controller.cc`), where RFC 5348 takes
/// all losses of a round trip together. Unlike there, the interval since the last loss is left out of the mean: its
/// weight of 1 in 6 would keep it below MULTILOSS (7) means for ever, and no loss would ever be forgotten.
package struct LossIntervals: Sendable {
  private static let weights = [1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2]
  /// Closed intervals, the newest first.
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

  /// The weighted mean of the last eight; `nil` before the first loss.
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
