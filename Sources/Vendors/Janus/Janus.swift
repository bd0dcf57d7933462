import Allocation
import Ladder
import Quantity
package import Systems

/// Janus' videoroom.
package struct Janus: System {
  package typealias Parameters = JanusParameters

  package static let description = SystemDescription(
    name: "janus",
    summary:
      "no allocation: the viewer selects the encoding; publishers send all encodings; with 'allocation' the greedy one "
      + "of its test branch",
    source: "Janus videoroom (substream); branch bwe-tests, pull request 3278",
    estimator: OwnEstimator(
      "gcc",
      source:
        "our model: releases estimate nothing; the branch has an estimator of its own on transport-wide feedback"
    ),
    calls: [.request], signals: JanusSignals.declarations, rules: rules,
    // Janus' demos ask for layers that are all predicted from those below; a screen share has one [our model].
    scalableSending: { kind, codec, _ in .usual(codec, of: kind, prediction: .full) })

  private let parameters: JanusParameters

  package init(_ parameters: JanusParameters) { self.parameters = parameters }

  /// The test branch's server. Releases do not allocate, which the policy expresses: in a meeting, it uses the
  /// publishers' offers.
  package var decider: Decider {
    let rule = JanusRule(parameters)
    guard parameters.allocation else { return Decider(JanusPolicy(), .servers(rule, create: nil)) }
    return Decider(JanusPolicy(), .servers(rule, at: JanusSchedule(interval: parameters.estimateInterval)))
  }

  package var traits: SystemTraits {
    // Sources off screen stay subscribed.
    var traits = SystemTraits(ignoring: [.pins, .pages, .scrolling, .hiding])
    traits.followsReceiveCap = parameters.allocation
    traits.forwarding = forwarding
    return traits
  }

  /// A subscriber starts with any key frame and reaches its target step by step, while the current layers continue; the
  /// test branch measures layers over a second and switches to a lower encoding without waiting for its key frame.
  private var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    rules.switching = .stepwiseFromAny
    rules.whileWaiting = .everything
    rules.layerFilter = .init(JanusLayerFilter.self)
    rules.fallback = .init(after: parameters.fallback, keyFrameTimeout: parameters.keyFrameTimeout)
    rules.keyFrames.spacings = [parameters.keyFrameSpacing]
    rules.keyFrames.isBySource = true
    rules.keyFrames.early = .deferred
    rules.keyFrames.repetition = .whileBlank
    // Neither releases nor the test branch pace (ice.c).
    rules.sending = .unpaced
    guard parameters.allocation else { return rules }
    rules.layerWindow = .init(
      length: parameters.rateWindow, step: .milliseconds(20), silence: parameters.inactiveTime)
    rules.whileWaiting = .target
    // The branch probes for the next layer; stopping at the estimate is our model.
    rules.receiverPadding = .nextLayer
    return rules
  }

  package func publisher() -> any Publisher { StatedPublisher.sending }

  package func client(_ setup: ClientSetup) -> any Client {
    JanusClient(setup, reactionDelay: parameters.reactionDelay)
  }
}
