package import Quantity

/// Loss observations over consecutive send-time intervals (libwebrtc's `loss_based_bwe_v2.cc`).
package struct LossObservations: ~Copyable, Sendable {
  /// Bytes sent and lost in one interval.
  package struct Observation: BitwiseCopyable, Hashable, Sendable {
    package var size: Int64
    package var lostSize: Int64
    package var sendingRate: BitRate

    /// Lost data [kB], so that the bandwidth preference has the same weight as in libwebrtc.
    var lost: Double { Double(lostSize) / 1000 }
    /// Received data [kB].
    var received: Double { Double(size - lostSize) / 1000 }
  }

  private struct LostPacket: BitwiseCopyable, Sendable {
    var sequence: Int64
    var size: Int64
  }

  private let parameters: LossBasedParameters
  private var observations = RingBuffer<Observation>()
  /// Weight of an observation by age.
  private let weights: [Double]
  private var rates: [Int64] = []
  private var lostPackets: [LostPacket] = []
  private var partialSize = Int64(0)
  /// Total number of observations, including those that left the window.
  package private(set) var total = 0
  /// Latest send time in the most recent observation; before the first one, send time of the first packet.
  package private(set) var lastSentAt: SimTime?
  /// Weighted byte loss rate, excluding the observations with the lowest and highest loss.
  package private(set) var averageLoss = 0.0

  package init(parameters: LossBasedParameters = .init()) {
    self.parameters = parameters
    var weight = 1.0
    var weights: [Double] = []
    for _ in 0..<parameters.observationWindow {
      weights.append(weight)
      weight *= parameters.ageWeight
    }
    self.weights = weights
    rates.reserveCapacity(parameters.observationWindow)
    lostPackets.reserveCapacity(64)
  }

  package var count: Int { observations.count }

  /// Returns an observation, oldest first, with its age weight.
  package func observation(_ index: Int) -> (Observation, weight: Double) {
    (observations[index], weights[observations.count - 1 - index])
  }

  /// Processes a feedback message in sending order.
  ///
  /// - Returns: `true` if it completes an observation.
  package mutating func add(_ results: [PacketResult]) -> Bool {
    guard let first = results.first else { return false }
    var firstSentAt = first.packet.sentAt
    var latest = firstSentAt
    for result in results {
      if !result.isReceived || !lostPackets.isEmpty { recordLoss(result) }
      partialSize += Int64(result.packet.size)
      latest = max(latest, result.packet.sentAt)
      firstSentAt = min(firstSentAt, result.packet.sentAt)
    }
    let begin = lastSentAt ?? firstSentAt
    lastSentAt = begin
    let duration = latest - begin
    guard duration > .zero, duration >= parameters.observationDuration else { return false }
    lastSentAt = latest

    var lostSize = Int64(0)
    for packet in lostPackets { lostSize += packet.size }
    if observations.count == parameters.observationWindow { observations.removeFirst() }
    observations.append(
      Observation(
        size: partialSize, lostSize: lostSize, sendingRate: BitRate(bytes: partialSize, over: duration)))
    total += 1
    partialSize = 0
    lostPackets.removeAll(keepingCapacity: true)
    averageLoss = average()
    return true
  }

  /// Records a loss, or the late arrival of a packet reported as lost.
  private mutating func recordLoss(_ result: PacketResult) {
    let sequence = result.packet.sequence
    let mayBeKnown = lostPackets.last.map { sequence <= $0.sequence } ?? false
    let known = mayBeKnown ? lostPackets.firstIndex { $0.sequence == sequence } : nil
    if result.isReceived {
      if let known { lostPackets.remove(at: known) }
    } else if known == nil {
      let packet = LostPacket(sequence: sequence, size: Int64(result.packet.size))
      if mayBeKnown {
        lostPackets.insert(packet, at: lostPackets.firstIndex { $0.sequence > sequence } ?? lostPackets.count)
      } else {
        lostPackets.append(packet)
      }
    }
  }

  private mutating func average() -> Double {
    var size = 0.0
    var lost = 0.0
    var lowest = (loss: 1.0, size: 0.0, lost: 0.0)
    var highest = (loss: 0.0, size: 0.0, lost: 0.0, rate: BitRate.zero)
    for index in 0..<count {
      let (observation, weight) = observation(index)
      let weightedSize = weight * Double(observation.size)
      let weightedLost = weight * Double(observation.lostSize)
      size += weightedSize
      lost += weightedLost
      guard total > 3 else { continue }
      let loss = observation.size > 0 ? Double(observation.lostSize) / Double(observation.size) : 0
      if loss > highest.loss { highest = (loss, weightedSize, weightedLost, observation.sendingRate) }
      if loss < lowest.loss { lowest = (loss, weightedSize, weightedLost) }
    }
    guard size > 0 else { return 0 }
    // Losses at a high send rate are likely self-inflicted: not an outlier.
    if medianRate().scaled(by: parameters.medianRateFactor) <= highest.rate { return lost / size }
    let rest = size - highest.size - lowest.size
    // Less than a byte is rounding error.
    return rest < 1 ? lost / size : max(0, lost - highest.lost - lowest.lost) / rest
  }

  private mutating func medianRate() -> BitRate {
    rates.removeAll(keepingCapacity: true)
    for index in 0..<count where observations[index].sendingRate > .zero {
      rates.append(observations[index].sendingRate.bitsPerSecond)
    }
    guard !rates.isEmpty else { return .zero }
    rates.sort()
    let middle = rates.count / 2
    let median = rates.count % 2 == 0 ? (rates[middle - 1] + rates[middle]) / 2 : rates[middle]
    return BitRate(bitsPerSecond: median)
  }
}
