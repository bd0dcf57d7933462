package import Quantity

/// Throughput of a probe cluster, with the validity checks of the result (libwebrtc's `probe_bitrate_estimator.cc`).
package struct ProbeResultEstimator: Sendable {
  private struct Aggregate: BitwiseCopyable, Sendable {
    var id: Int32
    var packets = 0
    var size = Int64(0)
    var firstSentAt: SimTime
    var lastSentAt: SimTime
    var lastSentSize: Int64
    var firstReceivedAt: SimTime
    var lastReceivedAt: SimTime
    var firstReceivedSize: Int64
  }

  /// Fraction of the cluster's packets and bytes that must arrive.
  private let requiredShare = 0.8
  /// Maximum span of a cluster at either end, and lifetime of its state.
  private let longestSpan = SimDuration.seconds(1)
  /// Multiple of the send rate above which a receive rate is invalid: the packets were held up earlier.
  private let maximumRatio = 2.0
  /// Fraction of the send rate below which a receive rate is the link capacity.
  private let unsaturatedShare = 0.9
  /// Result of a probe that saturates the link, as a fraction of the link's capacity.
  private let utilization = 0.95
  private var aggregates: [Aggregate] = []
  private var result: BitRate?

  package init() { aggregates.reserveCapacity(8) }

  /// Adds the probe packets among received ones, in order of arrival, and returns the last valid result.
  mutating func result(of arrivals: [PacketResult], from probes: borrowing ProbeController) -> BitRate? {
    for arrival in arrivals where arrival.packet.probeCluster >= 0 {
      if let cluster = probes.cluster(arrival.packet.probeCluster) { add(arrival, of: cluster) }
    }
    return takeResult()
  }

  /// Returns the last valid result since the previous call.
  package mutating func takeResult() -> BitRate? {
    defer { result = nil }
    return result
  }

  /// Adds a received packet of a cluster, in order of arrival.
  package mutating func add(_ arrival: PacketResult, of cluster: ProbeCluster) {
    guard let receivedAt = arrival.receivedAt else { return }
    aggregates.removeAll { $0.lastReceivedAt + longestSpan < receivedAt }
    let size = Int64(arrival.packet.size)
    let sentAt = arrival.packet.sentAt
    var index = aggregates.firstIndex { $0.id == cluster.id } ?? aggregates.count
    if index == aggregates.count {
      aggregates.append(
        Aggregate(
          id: cluster.id, firstSentAt: sentAt, lastSentAt: sentAt, lastSentSize: size,
          firstReceivedAt: receivedAt, lastReceivedAt: receivedAt, firstReceivedSize: size))
      index = aggregates.count - 1
    }
    var aggregate = aggregates[index]
    aggregate.firstSentAt = min(aggregate.firstSentAt, sentAt)
    if sentAt > aggregate.lastSentAt {
      aggregate.lastSentAt = sentAt
      aggregate.lastSentSize = size
    }
    if receivedAt < aggregate.firstReceivedAt {
      aggregate.firstReceivedAt = receivedAt
      aggregate.firstReceivedSize = size
    }
    aggregate.lastReceivedAt = max(aggregate.lastReceivedAt, receivedAt)
    aggregate.size += size
    aggregate.packets += 1
    aggregates[index] = aggregate

    let requiredPackets = Int(Double(cluster.minimumPackets) * requiredShare)
    let requiredSize = Double(cluster.rate.bytes(in: cluster.minimumDuration)) * requiredShare
    guard aggregate.packets >= requiredPackets, Double(aggregate.size) >= requiredSize else { return }
    if let rate = rate(of: aggregate) { result = rate }
  }

  private func rate(of aggregate: Aggregate) -> BitRate? {
    let sendSpan = aggregate.lastSentAt - aggregate.firstSentAt
    let receiveSpan = aggregate.lastReceivedAt - aggregate.firstReceivedAt
    guard sendSpan > .zero, sendSpan <= longestSpan, receiveSpan > .zero, receiveSpan <= longestSpan else {
      return nil
    }
    // N packets span N - 1 intervals: exclude the last packet sent and the first received.
    let sent = BitRate(bytes: aggregate.size - aggregate.lastSentSize, over: sendSpan)
    let received = BitRate(bytes: aggregate.size - aggregate.firstReceivedSize, over: receiveSpan)
    guard received <= sent.scaled(by: maximumRatio) else { return nil }
    if received < sent.scaled(by: unsaturatedShare) { return received.scaled(by: utilization) }
    return min(sent, received)
  }
}
