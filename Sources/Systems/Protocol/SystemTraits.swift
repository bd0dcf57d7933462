package import Ladder
package import Quantity

/// Numbers and choices in which systems differ.
package struct SystemTraits: Sendable {
  /// Forwarding by the SFU.
  package var forwarding = ForwardingRules()
  /// Negotiation of tracks before they are forwarded, in systems whose signalling shares the links' queues with the
  /// media, over one connection per participant; `nil` elsewhere.
  package var negotiation: NegotiationRules?
  /// Initial downlink estimate, where the scenario sets none for an estimator that has one; `nil` for the estimator's
  /// own.
  package var initialEstimate: BitRate?
  /// Maximum video bit rate that a client accepts.
  package var receiveCap = RateLimit.unlimited
  /// `true` if the server respects the rate that a client says it accepts.
  package var followsReceiveCap = true
  /// `true` if clients receive pictures above 360 lines without asking for them; `false` behind a gate.
  package var receives720p = true
  /// Largest picture that a closed 720p gate lets through.
  package var gate = ReceiveGate.p360
  /// Maximum video bit rate that a participant sends, over all encodings.
  package var sendCap = RateLimit.unlimited
  /// View options that clients ignore: their subscriptions are the same with and without them.
  package var ignoredNotions: Set<ViewNotion> = []
  /// Name of the rule by which clients leave out senders beyond a limit; `nil` where none does that.
  package var limitRule: String?
  /// Limits of clients on frames that an app produces itself.
  package var customSource = CustomSourceRules()
  /// `true` if clients continue to request missing packets while they wait for a key frame, until one is decoded, as
  /// libwebrtc does; elsewhere a key frame request ends that [our model].
  package var keepsMissingPackets = false
  /// `true` if a subscribed stream without an allocated layer stays in the client's list, paused.
  package var keepsStarvedStreams = true
  /// `true` if a viewer receives no more than some of many senders, chosen at random.
  package var choosesSenders = false
  /// `true` if publishers of a single encoding follow the worst of its receivers.
  package var mergesFeedback = false

  package init() {}

  /// Creates the traits of a system whose clients ignore some view options.
  package init(ignoring notions: Set<ViewNotion>) { ignoredNotions = notions }
}

/// Largest picture that a closed 720p gate lets through.
package enum ReceiveGate: BitwiseCopyable, Sendable {
  case p360
  /// 360p, or the lowest encoding where that is larger: a source of a single encoding is unaffected [our model].
  case lowestEncoding

  /// Returns the size [px] for a source.
  ///
  /// - Parameter lowest: size of its lowest encoding; `nil` for a source without one.
  package func size(of lowest: Resolution?) -> Resolution {
    guard self == .lowestEncoding, let lowest, lowest.lines > Resolution.p360.lines else { return .p360 }
    return lowest
  }
}
