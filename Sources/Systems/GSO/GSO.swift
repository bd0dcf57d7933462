package import Allocation
package import Ladder
import Quantity

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
    ladders: [.gso], signals: GSOSignals.declarations, rules: rules)

  private let parameters: GSOParameters

  package init(_ parameters: GSOParameters) { self.parameters = parameters }

  package var ignoredNotions: Set<ViewNotion> { [.pins] }
  package var policy: any AllocationPolicy { GSOPolicy() }
  package var meetingRule: (any MeetingRule)? { GSORule(parameters) }
  package func meetingSchedule() -> (any MeetingSchedule)? { GSOSchedule(parameters) }

  /// Layers remain forwarded during a switch until the key frame arrives.
  package var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    rules.switching = .stepwise
    rules.whileWaiting = .everything
    return rules
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: .gso(capture: capture)
    case .screen:
      Ladder(levels: GSOLevels.screen(capture: capture), milliFramesPerSecond: capture.milliFramesPerSecond)
    }
  }

  package func client(_ setup: ClientSetup) -> any Client { GSOClient(setup, parameters) }
}
