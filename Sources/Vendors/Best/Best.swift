import Allocation
import Ladder
package import Parameters
package import Quantity
package import Systems

/// The exact optimum for each viewer, as a policy: what a server could do if it knew the utility of each layer.
///
/// It is a yardstick to run beside the vendors' policies. In a meeting, it keeps an encoding that is nearly as good as
/// another, because the key frames needed to follow every change of the exact optimum cost more than they gain.
package struct Best: System {
  package struct Parameters: Parameterized {
    package var decisionSpacing = SimDuration.seconds(1)
    package var switchingCost = Fraction(0.25) ?? .zero
    package var rateWindow = SimDuration.seconds(3)
    package var inactiveTime = SimDuration.milliseconds(500)
    package var reactionDelay = SimDuration.milliseconds(20)

    package init() {}

    package static let parameters: [ParameterDeclaration<Self>] = [
      .duration(
        "decision-spacing", \.decisionSpacing,
        "server: decides anew at most this often while the budget carries what is allocated; at once when it does not",
        source: "our model"),
      .share(
        "switching-cost", \.switchingCost,
        "server: another encoding than the present one has to be worth more by this share of what the present layer is "
          + "worth; 0 % for the exact optimum",
        source: "our model: a switch takes a key frame, and a tile that is not shown yet counts with its own"),
      .duration(
        "rate-window", \.rateWindow, in: .milliseconds(100) ... .seconds(60),
        "server: measures the layers' rates over this sliding window",
        source: "our model: over 1 s a key frame makes a layer that begins look twice as dear"),
      .duration(
        "inactive-time", \.inactiveTime, in: .milliseconds(100) ... .seconds(60),
        "server: an encoding without a packet for this long does not arrive", source: "our model"),
      .duration(
        "reaction-delay", \.reactionDelay, "delay from a change to the viewer's new request",
        source: "our model, as in the other systems without a figure"),
    ]
  }

  package static let description = SystemDescription(
    name: "best",
    summary: "the exact optimum of each viewer's utility at its budget, less a cost of switches: a yardstick",
    source:
      "multiple-choice knapsack over ITU-T P.1203.1 scores by tile and weight, solved exactly; schedule and measuring "
      + "are our model",
    estimator: OwnEstimator("gcc", source: "our model: no vendor's server"),
    calls: [.request], rules: rules,
    // Layers that depend on each other only in key pictures [our model].
    scalableSending: { kind, codec, _ in .usual(codec, of: kind) })

  private let parameters: Parameters

  package init(_ parameters: Parameters) { self.parameters = parameters }

  package var decider: Decider {
    Decider(
      BestPolicy(),
      .servers(
        BestRule(switchingCost: parameters.switchingCost.value, rateWindow: parameters.rateWindow),
        at: BestSchedule(spacing: parameters.decisionSpacing)))
  }

  package var traits: SystemTraits {
    var traits = SystemTraits(ignoring: [.pins])
    traits.forwarding.reservesVoices = true
    traits.forwarding.layerFilter = .init(DecodeTargetFilter.self)
    traits.forwarding.layerWindow = .init(
      length: parameters.rateWindow, step: .milliseconds(20), silence: parameters.inactiveTime)
    return traits
  }

  package func publisher() -> any Publisher { StatedPublisher.requested }

  package func client(_ setup: ClientSetup) -> any Client {
    BestClient(setup, reactionDelay: parameters.reactionDelay)
  }
}
