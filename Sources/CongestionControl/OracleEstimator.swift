package import Parameters
package import Quantity

/// What can be set about the oracle.
package struct OracleParameters: RateControllerParameters {
  /// The mean over this much of the past is what a rise of capacity is held against; falls count at once.
  package var smoothing = SimDuration.seconds(1)
  /// Packet headers relative to video payload: 72 bytes on packets of some 700 bytes, as small pictures have them.
  package var overhead = 0.1

  package init() {}

  package var headerShare: Double { overhead }

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration("smoothing", \.smoothing, "rises count as the mean over this time", source: "our model"),
    .number(
      "overhead", \.overhead, in: 0...1, "packet headers relative to video payload",
      source: "our model: 72 bytes on packets of some 700 bytes"),
  ]
}

/// An estimator that knows the path's true capacity: what a congestion controller would find out in the best case.
///
/// Our model. It follows falls at once and rises as the mean over the last ``OracleParameters/smoothing``, so that a
/// single good moment does not raise every stream.
package struct OracleEstimator: Sendable {
  private let parameters: OracleParameters
  private var history: [(at: SimTime, capacity: BitRate)] = []
  /// The estimate of the whole path, headers and voices included.
  package private(set) var estimate = BitRate.zero

  package init(parameters: OracleParameters = .init()) { self.parameters = parameters }

  /// Takes the capacity that holds from `now` on; times do not fall.
  package mutating func observe(capacity: BitRate, at now: SimTime) {
    if history.last?.capacity != capacity { history.append((now, capacity)) }
    // One entry before the window stays: its capacity reaches into it.
    while history.count > 1, now - history[1].at >= parameters.smoothing { history.removeFirst() }
    var weighted = Int128(0)
    var covered = Int64(0)
    for index in history.indices {
      let begin = max(history[index].at, now - parameters.smoothing)
      let end = index + 1 < history.count ? history[index + 1].at : now
      let length = (end - begin).nanoseconds
      guard length > 0 else { continue }
      weighted += Int128(history[index].capacity.bitsPerSecond) * Int128(length)
      covered += length
    }
    let mean = covered > 0 ? BitRate(bitsPerSecond: Int64(weighted / Int128(covered))) : capacity
    estimate = min(capacity, mean)
  }
}

extension OracleEstimator: RateController {
  package static var usesFeedback: Bool { false }

  package init(parameters: OracleParameters, at now: SimTime) { self.init(parameters: parameters) }

  /// Neither paced nor padded.
  package func outlook() -> PathOutlook {
    PathOutlook(target: PathTarget(rate: estimate, pacing: .unlimited, padding: .zero))
  }
}
