package import Parameters
package import Quantity

/// Parameters of estimates by the receiver (REMB).
package struct REMBParameters: RateControllerParameters {
  package var start = BitRate.kilobits(300)
  package var receiver = ReceiveSideParameters()

  package init() {}

  /// No overhead: the estimate is a rate of payload.
  package var headerShare: Double { 0 }

  package static let parameters: [ParameterDeclaration<Self>] =
    [
      .rate(
        "start", \.start, "what the sender assumes before the first estimate",
        source: "our model: the start of libwebrtc's send side; the receive side has none")
    ] + ReceiveSideParameters.parameters.map { .part(\.receiver, $0) }
}

/// Sender's end of ``ReceiveSideEstimator``: adopts each estimate as it arrives (REMB), and pads no further than that.
package struct REMBController: RateController {
  package static let traits = EstimatorTraits(.receiverEstimate)

  private var estimate: BitRate
  private var padding = BitRate.zero

  package init(parameters: REMBParameters, at now: SimTime) { estimate = parameters.start }

  package mutating func handle(_ input: ControllerInput, at now: SimTime) {
    switch input {
    case .estimate(let estimate): self.estimate = estimate
    case .demand(let demand): padding = demand.maximumPadding
    default: break
    }
  }

  package func outlook() -> PathOutlook {
    PathOutlook(
      target: PathTarget(rate: estimate, pacing: .unlimited, padding: min(padding, estimate)))
  }
}
