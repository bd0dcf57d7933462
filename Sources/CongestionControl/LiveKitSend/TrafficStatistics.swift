package import Quantity

/// Traffic sent and acknowledged in a span of time (LiveKit's `pkg/sfu/bwe/sendsidebwe/traffic_stats.go`).
package struct TrafficStatistics: BitwiseCopyable, Sendable {
  private var firstSentAt: SimTime?
  private var lastSentAt: SimTime?
  /// Sum of the differences in send time of consecutive acknowledged packets.
  package private(set) var sendTime = SimDuration.zero
  /// Sum of the differences in arrival time of consecutive acknowledged packets.
  package private(set) var arrivalTime = SimDuration.zero
  package private(set) var acknowledged = 0
  package private(set) var lost = 0
  /// Total size of acknowledged RTP packets [byte].
  private var size = Int64(0)

  package init() {}

  /// Time from the packet sent before the first acknowledged one to the last acknowledged one.
  package var duration: SimDuration {
    guard let firstSentAt, let lastSentAt else { return .zero }
    return lastSentAt - firstSentAt
  }

  /// Send time of the first packet, or of the one before it; `nil` without one.
  package var began: SimTime? { firstSentAt }

  /// Adds an acknowledged packet.
  ///
  /// - Parameters:
  ///   - size: size of the RTP packet [byte].
  ///   - sent: difference in send time from the packet acknowledged before.
  ///   - received: difference in arrival time from the packet acknowledged before.
  package mutating func acknowledge(
    sentAt: SimTime, size: Int64, sent: SimDuration, received: SimDuration
  ) {
    note(from: sentAt - sent, to: sentAt)
    sendTime += sent
    arrivalTime += received
    acknowledged += 1
    self.size += size
  }

  private mutating func note(from first: SimTime, to last: SimTime) {
    firstSentAt = min(firstSentAt ?? first, first)
    lastSentAt = max(lastSentAt ?? last, last)
  }

  package mutating func lose() { lost += 1 }

  /// Corrects the loss of a packet that has arrived after all.
  package mutating func recover() { lost -= 1 }

  package mutating func merge(_ other: TrafficStatistics) {
    if let first = other.firstSentAt, let last = other.lastSentAt { note(from: first, to: last) }
    sendTime += other.sendTime
    arrivalTime += other.arrivalTime
    acknowledged += other.acknowledged
    lost += other.lost
    size += other.size
  }

  /// Computes the loss ratio weighted by the logarithm of the packet rate; zero for too few packets.
  package func weightedLoss(_ parameters: LiveKitLossParameters) -> Double {
    let duration = duration
    guard duration >= parameters.minimumDuration, duration > .zero else { return 0 }
    let packets = acknowledged + lost
    let rate = Double(packets) / duration.seconds
    let beyond = max(.zero, duration - parameters.fullRateDuration)
    guard
      rate >= parameters.minimumPacketRate * ReproducibleMath.decay(1 / 2.718_281_828_459_045, beyond.seconds)
    else { return 0 }
    let decade = ReproducibleMath.logarithm(rate) / 2.302_585_092_994_046
    return Double(lost) / Double(packets) * decade
  }

  /// Computes the share of the traffic that the path carried as fast as it was sent, from 0 to 1.
  package func capturedTrafficRatio(_ parameters: LiveKitLossParameters) -> Double {
    guard arrivalTime > .zero else { return 0 }
    let arrival = arrivalTime.seconds
    let penalty = arrival * weightedLoss(parameters) * parameters.penalty
    // Reordered packets can make the sum of the differences in send time negative.
    return max(0, min(1, sendTime.seconds / (arrival + penalty)))
  }

  /// Computes the acknowledged rate, reduced to what the path carried as fast as it was sent; `nil` without a
  /// duration.
  package func acknowledgedRate(_ parameters: LiveKitLossParameters) -> BitRate? {
    guard duration > .zero else { return nil }
    return BitRate(bytes: size, over: duration).scaled(by: capturedTrafficRatio(parameters))
  }
}
