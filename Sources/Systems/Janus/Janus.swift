package import Allocation
package import Ladder
import Quantity

/// Janus' videoroom.
package struct Janus: System {
  package typealias Parameters = JanusParameters

  package static let description = SystemDescription(
    name: "janus",
    summary:
      "no allocation: the viewer selects the encoding; publishers send all encodings; with 'allocation' the greedy one "
      + "of its test branch",
    source: "Janus videoroom (substream); branch bwe-tests, pull request 3278", features: [.requests],
    signals: JanusSignals.declarations, rules: rules)

  private let parameters: JanusParameters

  package init(_ parameters: JanusParameters) { self.parameters = parameters }

  package var policy: any AllocationPolicy { JanusPolicy() }
  /// Releases allocate nothing, which ``policy`` expresses as well; in a meeting the policy uses the publishers'
  /// offers.
  package var rule: (any ServerRule)? { parameters.allocation ? statedRule : nil }
  /// Sources off screen stay subscribed.
  package var ignoredNotions: Set<ViewNotion> { [.pins, .pages, .scrolling, .hiding, .hidingInGrids] }
  package var followsReceiveCap: Bool { parameters.allocation }
  /// The rule by the layers that arrive, for releases too.
  package var statedRule: (any ServerRule)? { JanusRule(parameters) }

  package func schedule() -> any ServerSchedule {
    parameters.allocation ? JanusSchedule(interval: parameters.estimateInterval) : EveryEstimate()
  }

  /// A subscriber begins with any key frame and reaches its target step by step, while the current layers continue; the
  /// test branch measures layers over a second, and changes to a lower encoding without waiting for its key frame.
  package var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    rules.switching = .stepwiseFromAny
    rules.whileWaiting = .everything
    rules.fallback = .init(after: parameters.fallback, keyFrameTimeout: parameters.keyFrameTimeout)
    rules.keyFrames.spacings = [parameters.keyFrameSpacing]
    rules.keyFrames.isBySource = true
    rules.keyFrames.early = .deferred
    rules.keyFrames.repetition = .whileBlank
    guard parameters.allocation else { return rules }
    rules.layerWindow = .init(
      length: parameters.rateWindow, step: .milliseconds(20), silence: parameters.inactiveTime)
    rules.whileWaiting = .target
    return rules
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder {
    switch kind {
    case .camera: .libwebrtcVP8(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  package func publisher() -> any Publisher { SendingPublisher() }

  package func client(_ setup: ClientSetup) -> any Client {
    JanusClient(setup, reactionDelay: parameters.reactionDelay)
  }
}
