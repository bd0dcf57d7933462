package import Quantity

/// Follows the share of the traffic that a congested path carries, to find that its capacity falls further (LiveKit's
/// "captured traffic ratio").
package struct CarriedRatio: Sendable {
  private let parameters: LiveKitSendParameters
  private var group: PacketGroup
  private var trend: TrendDetector
  /// Of the groups since the last change of the trend.
  private var sum = TrafficStatistics()

  package init(parameters: LiveKitSendParameters) {
    self.parameters = parameters
    group = PacketGroup(parameters.ratioGroup)
    trend = TrendDetector(parameters: parameters.ratioTrend)
  }

  /// Adds a packet; returns the acknowledged rate if the ratio falls.
  ///
  /// The packet that finds its group complete is in none.
  package mutating func add(_ packet: ReportedPacket, at now: SimTime) -> BitRate? {
    guard case .complete = group.add(packet) else { return nil }
    sum.merge(group.traffic)
    let ratio = group.traffic.capturedTrafficRatio(parameters.loss)
    group = PacketGroup(parameters.ratioGroup)
    trend.add(Self.rounded(ratio, to: parameters.ratioStep), at: now)
    guard trend.direction == .downward else { return nil }
    let rate = sum.acknowledgedRate(parameters.loss)
    trend = TrendDetector(parameters: parameters.ratioTrend)
    sum = TrafficStatistics()
    return rate
  }

  /// The number of steps nearest to a ratio, halves up.
  static func rounded(_ ratio: Double, to step: Double) -> Double {
    ((ratio + step / 2) / step).rounded(.down) * step
  }
}
