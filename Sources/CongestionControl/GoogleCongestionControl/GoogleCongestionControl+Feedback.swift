import Quantity

/// Summaries of a feedback message.
extension GoogleCongestionControl {
  /// Checks whether all packets of a feedback message arrived, in sending order, and whether any were probes.
  static func contents(of feedback: [PacketResult]) -> (isInOrder: Bool, hasProbes: Bool) {
    var latest: SimTime?
    var isInOrder = true
    var hasProbes = false
    for result in feedback {
      if let receivedAt = result.receivedAt {
        if let latest, receivedAt < latest { isInOrder = false }
      } else {
        isInOrder = false
      }
      if result.packet.probeCluster >= 0 { hasProbes = true }
      latest = result.receivedAt
    }
    return (isInOrder, hasProbes)
  }
}

extension [PacketResult] {
  /// Received packets of a feedback message in order of arrival.
  var sortedArrivals: [PacketResult] {
    var arrivals: [PacketResult] = []
    arrivals.reserveCapacity(count)
    for result in self where result.isReceived {
      arrivals.append(result)
      var index = arrivals.count - 1
      // Reordering is rare: nearly always a single comparison.
      while index > 0, arrivals[index].arrival < arrivals[index - 1].arrival {
        arrivals.swapAt(index, index - 1)
        index -= 1
      }
    }
    return arrivals
  }
}
