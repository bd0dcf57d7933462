import Allocation
package import Ladder
import Quantity
package import Systems

/// GSO-Simulcast: a controller that decides for all viewers and publishers of a meeting at once.
package struct GSO: System {
  package typealias Parameters = GSOParameters

  package static let description = SystemDescription(
    name: "gso",
    summary:
      "a controller orders every publisher's bit rates by all links of the meeting: knapsack, merge, reduction",
    source:
      "GSO-Simulcast: Lin et al., SIGCOMM 2022, doi 10.1145/3544216.3544228; a reading of the paper, whose code isn't "
      + "published",
    estimator: OwnEstimator(
      "gcc", source: "our model: the paper has senders estimate, without saying how"),
    ladders: [.gso], signals: GSOSignals.declarations, rules: rules)

  private let parameters: GSOParameters

  package init(_ parameters: GSOParameters) { self.parameters = parameters }

  package var decider: Decider {
    Decider(
      GSOPolicy(), .controller(MeetingControl(rule: GSORule(parameters), schedule: GSOSchedule(parameters))))
  }

  /// Layers remain forwarded during a switch until the key frame arrives.
  package var traits: SystemTraits {
    var traits = SystemTraits(ignoring: [.pins])
    traits.forwarding.switching = .stepwise
    traits.forwarding.whileWaiting = .everything
    return traits
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera: .gso(capture: capture)
    case .screen:
      Ladder(levels: GSOLevels.screen(capture: capture), milliFramesPerSecond: capture.milliFramesPerSecond)
    }
  }

  package func client(_ setup: ClientSetup) -> any Client { GSOClient(setup, parameters) }
}
