package import Quantity

/// The losses of a path, in observations of some time of sending each (libwebrtc's `loss_based_bwe_v2.cc`).
package struct LossObservations: ~Copyable, Sendable {
  /// What was sent and lost in one stretch of sending.
  package struct Observation: BitwiseCopyable, Hashable, Sendable {
    package var size: Int64
    package var lostSize: Int64
    package var sendingRate: BitRate

    /// Kilobytes, so that the bandwidth preference weighs as libwebrtc's [kB].
    var lost: Double { Double(lostSize) / 1000 }
    var received: Double { Double(size - lostSize) / 1000 }
  }

  private struct LostPacket: BitwiseCopyable, Sendable {
    var sequence: Int64
    var size: Int64
  }

  private let parameters: LossBasedParameters
  private var observations = RingBuffer<Observation>()
  /// Weight by age.
  private let weights: [Double]
  private var rates: [Int64] = []
  private var lostPackets: [LostPacket] = []
  private var partialSize = Int64(0)
  /// Number of observations so far, those included that the window has lost.
  package private(set) var total = 0
  /// Latest sending time in the most recent observation; before it, of the first packet.
  package private(set) var lastSentAt: SimTime?
  /// Share of the bytes that were lost, without the least and the greatest observation.
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

  /// An observation, from the oldest one, with the weight of its age.
  package func observation(_ index: Int) -> (Observation, weight: Double) {
    (observations[index], weights[observations.count - 1 - index])
  }

  /// Takes a feedback message, in the order of sending; true when it completes an observation.
  package mutating func add(_ results: [PacketResult]) -> Bool {
    guard let first = results.first else { return false }
    var firstSentAt = first.packet.sentAt
    var latest = firstSentAt
    for result in results {
      if !result.isReceived || !lostPackets.isEmpty { note(result) }
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

  /// A packet that was reported lost may come after all.
  private mutating func note(_ result: PacketResult) {
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
    var least = (loss: 1.0, size: 0.0, lost: 0.0)
    var greatest = (loss: 0.0, size: 0.0, lost: 0.0, rate: BitRate.zero)
    for index in 0..<count {
      let (observation, weight) = observation(index)
      let weightedSize = weight * Double(observation.size)
      let weightedLost = weight * Double(observation.lostSize)
      size += weightedSize
      lost += weightedLost
      guard total > 3 else { continue }
      let loss = observation.size > 0 ? Double(observation.lostSize) / Double(observation.size) : 0
      if loss > greatest.loss { greatest = (loss, weightedSize, weightedLost, observation.sendingRate) }
      if loss < least.loss { least = (loss, weightedSize, weightedLost) }
    }
    guard size > 0 else { return 0 }
    // A sudden burst of sending may well have caused its losses: it is no outlier.
    if medianRate().scaled(by: parameters.medianRateFactor) <= greatest.rate { return lost / size }
    let rest = size - greatest.size - least.size
    // What rounding leaves of nothing is less than a byte.
    return rest < 1 ? lost / size : max(0, lost - greatest.lost - least.lost) / rest
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
