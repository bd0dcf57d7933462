package import Quantity

/// Monitor of the share of traffic that a congested path carries, which detects that its capacity falls further
/// (LiveKit's "captured traffic ratio").
package struct CarriedRatio: Sendable {
  private let parameters: LiveKitSendParameters
  private var group: PacketGroup
  private var trend: TrendDetector
  /// Traffic of the groups since the last change of the trend.
  private var sum = TrafficStatistics()

  package init(parameters: LiveKitSendParameters) {
    self.parameters = parameters
    group = PacketGroup(parameters.ratioGroup)
    trend = TrendDetector(parameters: parameters.ratioTrend)
  }

  /// Adds a packet; returns the acknowledged rate if the ratio falls.
  ///
  /// The packet that finds its group complete belongs to no group.
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

  /// Rounds a ratio to the nearest multiple of a step, halves up.
  static func rounded(_ ratio: Double, to step: Double) -> Double {
    ((ratio + step / 2) / step).rounded(.down) * step
  }
}
