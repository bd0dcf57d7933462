package import Parameters
package import Quantity

/// Oracle parameters.
package struct OracleParameters: RateControllerParameters {
  /// Averaging time of capacity increases; decreases take effect at once.
  package var smoothing = SimDuration.seconds(1)
  /// Packet headers relative to video payload: 72 bytes on packets of about 700 bytes, typical of small pictures.
  package var overhead = 0.1

  package init() {}

  package var headerShare: Double { overhead }

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration("smoothing", \.smoothing, "averaging time of capacity increases", source: "our model"),
    .number(
      "overhead", \.overhead, in: 0...1, "packet headers relative to video payload",
      source: "our model: 72 bytes on packets of about 700 bytes"),
  ]
}

/// Estimator that knows the path's true capacity: an upper bound on real congestion controllers.
///
/// Our model. It follows decreases at once and increases as the mean over the last ``OracleParameters/smoothing``, so
/// that a short peak does not raise every stream.
package struct OracleEstimator: Sendable {
  private let parameters: OracleParameters
  private var history: [(at: SimTime, capacity: BitRate)] = []
  /// Estimate of the whole path, including headers and audio.
  package private(set) var estimate = BitRate.zero

  package init(parameters: OracleParameters = .init()) { self.parameters = parameters }

  /// Reports the capacity from `now` on; times must not decrease.
  package mutating func observe(capacity: BitRate, at now: SimTime) {
    if history.last?.capacity != capacity { history.append((now, capacity)) }
    // Keeps one entry before the window, whose capacity extends into it.
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
  package static let traits = EstimatorTraits(.capacity)

  package init(parameters: OracleParameters, at now: SimTime) { self.init(parameters: parameters) }

  package mutating func handle(_ input: ControllerInput, at now: SimTime) {
    if case .capacity(let capacity) = input { observe(capacity: capacity, at: now) }
  }

  /// Returns the estimate as the target, without pacing or padding.
  package func outlook() -> PathOutlook {
    PathOutlook(target: PathTarget(rate: estimate, pacing: .unlimited, padding: .zero))
  }
}
