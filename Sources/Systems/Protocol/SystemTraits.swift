package import Ladder
package import Quantity

/// Constants and options in which systems differ.
package struct SystemTraits: Sendable {
  /// Rules by which the SFU forwards media.
  package var forwarding = ForwardingRules()
  /// Negotiation of tracks before they are forwarded, in systems whose signalling shares the links' queues with the
  /// media, over one connection per participant; `nil` elsewhere.
  package var negotiation: NegotiationRules?
  /// Start and bounds of the server's estimates of downlinks where the scenario sets none.
  package var estimates = EstimateRange()
  /// Maximum video bit rate that a client accepts.
  package var receiveCap = RateLimit.unlimited
  /// `true` if the server respects the maximum rate that a client signals.
  package var followsReceiveCap = true
  /// `true` if clients receive pictures above 360 lines without asking for them; `false` behind a gate.
  package var receives720p = true
  /// Largest picture that a closed 720p gate lets through.
  package var gate = ReceiveGate.p360
  /// Maximum video bit rate that a participant sends, over all encodings.
  package var sendCap = RateLimit.unlimited
  /// View options that clients ignore: their subscriptions are the same with and without them.
  package var ignoredNotions: Set<ViewNotion> = []
  /// Name of the rule by which clients leave out senders beyond a limit; `nil` if there is none.
  package var limitRule: String?
  /// Clients' limits on frames that an app produces itself.
  package var customSource = CustomSourceRules()
  /// `true` if clients keep requesting missing packets while they wait for a key frame, until one is decoded, as
  /// libwebrtc does; in other systems, a key frame request ends this [our model].
  package var keepsMissingPackets = false
  /// `true` if a subscribed stream without an allocated layer stays in the client's list, paused.
  package var keepsStarvedStreams = true
  /// `true` if a viewer receives only a random selection of many senders.
  package var choosesSenders = false
  /// `true` if publishers of a single encoding follow its worst receiver.
  package var mergesFeedback = false
  /// Rules by which two participants send media to each other without the server; `nil` if they never do.
  package var peerToPeer: PeerToPeerRules?

  package init() {}

  /// Creates the traits of a system whose clients ignore some view options.
  package init(ignoring notions: Set<ViewNotion>) { ignoredNotions = notions }
}

/// Start and bounds of a server's estimates; `nil` for the estimator's own.
package struct EstimateRange: Hashable, Sendable {
  package var start: BitRate?
  package var minimum: BitRate?
  package var maximum: BitRate?

  package init() {}
}

/// Largest picture that a closed 720p gate lets through.
package enum ReceiveGate: BitwiseCopyable, Sendable {
  case p360
  /// 360p, or the lowest encoding if that is larger: a source of a single encoding is unaffected [our model].
  case lowestEncoding

  /// Returns the size [px] for a source.
  ///
  /// - Parameter lowest: size of its lowest encoding; `nil` for a source without one.
  package func size(of lowest: Resolution?) -> Resolution {
    guard self == .lowestEncoding, let lowest, lowest.lines > Resolution.p360.lines else { return .p360 }
    return lowest
  }
}
