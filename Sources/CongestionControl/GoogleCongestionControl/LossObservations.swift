import Quantity

/// What was lost, in stretches of at least 250 ms of sending, the last 15 of them.
struct LossObservations: Sendable {
  static let capacity = 15
  static let required = 3
  private static let leastDuration: Int64 = 250_000_000
  private static let decay = 0.9

  struct Observation {
    var kilobytes = 0.0
    var lostKilobytes = 0.0
    /// [kbit/s]
    var sendingRate = 0.0
    /// 0.9 to the power of its age.
    var weight = 0.0
  }

  /// The newest last.
  private(set) var all: [Observation] = []
  private(set) var count = 0
  private var kilobytes = 0.0
  private var lostKilobytes = 0.0
  private var beganAt: Int64?
  /// When the newest packet of a complete observation was sent [ns].
  private(set) var lastSentAt: Int64 = .min / 2
  private var newestSentAt: Int64 = .min / 2

  init() { all.reserveCapacity(Self.capacity + 1) }

  var isSufficient: Bool { count >= Self.required }

  /// Takes a feedback message.
  ///
  /// - Returns: whether an observation was completed.
  mutating func add(_ results: [PacketResult]) -> Bool {
    var earliest = Int64.max
    for result in results {
      let size = Double(result.packet.size) / 1000
      kilobytes += size
      if !result.isReceived { lostKilobytes += size }
      earliest = min(earliest, result.packet.sentAt.nanoseconds)
      newestSentAt = max(newestSentAt, result.packet.sentAt.nanoseconds)
    }
    guard !results.isEmpty else { return false }
    let began = beganAt ?? earliest
    beganAt = began
    let duration = newestSentAt - began
    guard duration >= Self.leastDuration else { return false }
    for place in all.indices { all[place].weight *= Self.decay }
    if all.count == Self.capacity { all.removeFirst() }
    all.append(
      Observation(
        kilobytes: kilobytes, lostKilobytes: lostKilobytes,
        sendingRate: kilobytes * 8e9 / Double(duration), weight: 1))
    count += 1
    kilobytes = 0
    lostKilobytes = 0
    beganAt = newestSentAt
    lastSentAt = newestSentAt
    return true
  }

  /// Weighted share of lost bytes, without the best and the worst observation once there are more than three; the worst
  /// one stays when it was sent at more than twice the median rate, since it then says something of that rate.
  var averageLoss: Double {
    guard !all.isEmpty else { return 0 }
    var total = 0.0
    var lost = 0.0
    var best = 0
    var worst = 0
    for (place, observation) in all.enumerated() {
      total += observation.weight * observation.kilobytes
      lost += observation.weight * observation.lostKilobytes
      let loss = Self.loss(observation)
      if loss < Self.loss(all[best]) { best = place }
      if loss > Self.loss(all[worst]) { worst = place }
    }
    if all.count > 3 {
      total -= all[best].weight * all[best].kilobytes
      lost -= all[best].weight * all[best].lostKilobytes
      if worst != best, all[worst].sendingRate <= 2 * medianRate {
        total -= all[worst].weight * all[worst].kilobytes
        lost -= all[worst].weight * all[worst].lostKilobytes
      }
    }
    return total > 0 ? max(0, lost / total) : 0
  }

  private var medianRate: Double {
    let rates = all.map(\.sendingRate).sorted()
    return rates[rates.count / 2]
  }

  private static func loss(_ observation: Observation) -> Double {
    observation.kilobytes > 0 ? observation.lostKilobytes / observation.kilobytes : 0
  }
}
