import Endpoint
import Ladder
import Media
package import Plan
package import Quantity
import Systems

/// Settings of a source's sender: those of the app, and the SFU's requests.
package struct SenderState {
  /// Parameters that the app has set.
  package var settings = SenderSettings()
  /// Encodings that the app's settings switch off.
  var off: EncodingSet = []
  /// Encodings of the current kind of source without the app's settings.
  var base: Ladder
  /// Encodings of pushed frames of a size without its own (``VideoSourcePlan/pushedLadders``).
  let custom: Ladder
  /// Time at which the app last changed a setting.
  package var changedAt = SimTime.zero
  /// Time at which its participant's media last left the SFU for a peer, or returned.
  package var connectedAt = SimTime.zero
  /// Demand as requested by the SFU.
  var requested = EncodingDemand()
  /// Greatest height that receivers have requested of a source that follows such requests [px]; `nil` before the first
  /// request.
  var requestedLines: Int?
  /// Capture format and degradation preference with which the source is published.
  let published: (capture: VideoFormat, degradation: DegradationPreference)
  /// Encodings that the SFU requests regardless of subscriptions.
  let alwaysRequested: EncodingSet
  /// Set if the SFU requests all encodings up to the highest that is wanted.
  let isRequestedUpToHighest: Bool
  /// Value of ``PublisherTraits/followsUplink``, which never changes; reading it from the publisher would copy the
  /// publisher.
  let followsUplink: Bool
  let parameters: RateParameters
  let keyFrames: KeyFrameScope
  /// Time of the last answer to a key frame request for all encodings.
  var keyFrameAnsweredAt = LastTime.never

  init(
    _ plan: VideoSourcePlan, _ publisher: any Publisher, encodings: Int, _ parameters: RateParameters,
    _ keyFrames: KeyFrameScope
  ) {
    self.parameters = parameters
    self.keyFrames = keyFrames
    base = plan.ladder
    custom = plan.kind == .custom ? plan.ladder : plan.otherLadder ?? plan.ladder
    published = (plan.capture, plan.degradation)
    let traits = publisher.traits
    alwaysRequested = traits.requested.encodings(of: encodings)
    isRequestedUpToHighest = traits.pauseRule != nil
    followsUplink = traits.followsUplink
  }
}
