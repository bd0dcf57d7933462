import Allocation
import Ladder
package import Systems

/// Signal's SFU for group calls, with RingRTC's requests.
package struct Signal: System {
  package typealias Parameters = SignalParameters

  package static let description = SystemDescription(
    name: "signal",
    summary:
      "encoding by encoding for everyone, largest request and latest speaker first; a switch has to fit the least "
      + "estimate of the last seconds, what is forwarded only the present one",
    source: "Signal-Calling-Service of July 2026 (backend/src/call.rs) and RingRTC (group_call.rs)",
    estimator: OwnEstimator(
      "gcc",
      source:
        "Signal-Calling-Service, googcc.rs: its own after libwebrtc's delay-based part; ours is libwebrtc's"),
    signals: SignalRequests.declarations, rules: rules)

  private let parameters: SignalParameters

  package init(_ parameters: SignalParameters) { self.parameters = parameters }

  package var decider: Decider {
    Decider(SignalPolicy(), .servers(SignalRule(parameters), at: SignalSchedule(parameters)))
  }

  package var traits: SystemTraits {
    var traits = SystemTraits(ignoring: [.pins])
    traits.forwarding = parameters.forwarding
    traits.keepsMissingPackets = true
    traits.estimates.start = parameters.initialEstimate
    traits.estimates.minimum = parameters.minimumEstimate
    traits.estimates.maximum = parameters.maximumEstimate
    return traits
  }

  /// Returns a publisher that sends all encodings, whatever is requested [our model].
  package func publisher() -> any Publisher { StatedPublisher.sending }
  package func client(_ setup: ClientSetup) -> any Client { SignalClient(setup, parameters) }
}
