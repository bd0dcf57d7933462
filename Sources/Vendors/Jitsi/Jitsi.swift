import Allocation
package import Ladder
import Quantity
package import Systems

/// Jitsi Videobridge and jitsi-meet.
///
/// The bridge decides for each receiver from one estimate and its own measurement of the layers' rates. Its decisions
/// are modelled here. The meeting executes them: switches at key frames, with their groups and limits
/// (VP8QualityFilter, KeyframeRequester), the measurement over a window of 1 s, and padding up to the estimate while a
/// source is below its top layer (BandwidthProbing). The anticipatory key frame request that the bridge sends to a new
/// dominant speaker is not modelled.
package struct Jitsi: System {
  package typealias Parameters = JitsiParameters

  package static let description = SystemDescription(
    name: "jitsi",
    summary:
      "round robin by layers in the order of stage, selection and speech; the stage up to 360p30 before all others; "
      + "acts on changes of the estimate above 15 %",
    source:
      "Jitsi Videobridge a29d97d1 of August 2026 (cc/allocation, reference.conf) and jitsi-meet (subscriber.ts)",
    estimator: OwnEstimator(
      "gcc", options: ["remb"],
      source: "Jitsi Videobridge, GoogleCc2 and reference.conf, after libwebrtc's; REMB for clients without "
        + "transport-wide feedback"),
    ladders: [.jitsi], signals: ReceiverConstraints.declarations, events: [PeerToPeerRules.event],
    rules: rules,
    reliefs: reliefs,
    scalableSending: scalableSending)

  /// Amounts by which the screen share on stage may exceed the budget.
  private static let reliefs = [
    relief("oversend: true") { $0.oversends = true },
    relief("maximum-oversend: 2 Mbps") {
      if $0.oversends { $0.maximumOversend = max($0.maximumOversend, .megabits(2)) }
    },
    relief("oversend: false") { $0.oversends = false },
  ]

  private static func relief(
    _ text: String, _ change: @escaping @Sendable (inout JitsiParameters) -> Void
  ) -> SystemRelief {
    SystemRelief(text, effect: .screenShares, of: \Jitsi.parameters, change)
  }

  private let parameters: JitsiParameters

  package init(_ parameters: JitsiParameters) { self.parameters = parameters }

  package var decider: Decider {
    Decider(JitsiPolicy(), .servers(JitsiRule(parameters), at: JitsiSchedule(parameters)))
  }

  /// While switching down, only the base layer of the current encoding is forwarded until the key frame arrives; while
  /// switching up, all of its layers are (VP8QualityFilter).
  private var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    rules.keyFrames.spacings = [parameters.keyFrameSpacing]
    rules.keyFrames.isBySource = true
    rules.keyFrames.early = .dropped
    rules.keyFrames.roundTripMargin = parameters.keyFrameMargin
    rules.keyFrames.viewerLimit = .init(
      count: parameters.keyFrameRequests, window: parameters.keyFrameRequestWindow)
    rules.keyFrames.repetition = .whileArriving
    rules.switching = .groups(parameters.keyFrameGroup)
    rules.layerFilter = .init(JitsiLayerFilter.self)
    rules.layerWindow = .init(
      length: parameters.rateWindow, step: parameters.rateStep, silence: parameters.rateWindow)
    rules.padding = .estimate
    // Only padding and probes have times of their own (GoogCcTransportCcEngine, BandwidthProbing).
    rules.sending = .unpaced
    // A request sooner than a round trip is for a repair that is still on its way (NackHandler.kt).
    rules.repairs = .afterRoundTrip(percent: 90, margin: .milliseconds(5))
    return rules
  }

  package var traits: SystemTraits {
    var traits = SystemTraits()
    traits.forwarding = forwarding
    traits.peerToPeer = parameters.peerToPeer ? PeerToPeerRules(returnDelay: parameters.returnDelay) : nil
    traits.estimates.start = parameters.initialEstimate
    traits.estimates.minimum = parameters.minimumEstimate
    traits.estimates.maximum = parameters.maximumEstimate
    return traits
  }

  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera: .jitsi(capture: capture)
    case .screen: .single(capture: capture)
    }
  }

  @Sendable private static func scalableSending(
    of kind: SourceKind, codec: VideoCodec, capture: VideoFormat
  ) -> ScalableSending {
    switch kind {
    case .camera: .jitsi(codec, lines: capture.resolution.lines)
    case .screen: .usual(codec, of: kind, maximum: .kilobits(2500))
    }
  }

  /// Returns lib-jitsi-meet's publisher, which sends the encodings up to the tallest that any receiver may get: the
  /// bridge signals the maximum of the receivers' constraints, after last-N and on every change. A receiver short of
  /// bandwidth still keeps the top encoding running.
  package func publisher() -> any Publisher { StatedPublisher.requested }
  package func client(_ setup: ClientSetup) -> any Client { JitsiClient(setup, parameters) }
}
