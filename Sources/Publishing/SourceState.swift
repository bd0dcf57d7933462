package import Endpoint
package import Ladder
package import Media
package import Plan
package import Quantity
package import Statistics
package import Systems

/// A video source at its publisher: one participant's camera (or custom frames), or its screen share.
package struct SourceState {
  package let participant: Int
  package let isScreen: Bool
  package var plan: VideoSourcePlan
  /// Numbers of its encodings, from the lowest up.
  package let encodings: Range<Int>
  package var capture: CaptureState
  /// All layers of the ladder.
  package var ladder: [Layer]
  /// Layers that the uplink carries, at the rates that it carries.
  package var offers: [Layer]
  /// Rules of its publisher, and of the SFU towards it.
  package var publisher: any Publisher
  /// Encodings that the SFU requests regardless of subscriptions.
  let alwaysRequested: UInt32
  /// Set if the SFU requests all encodings up to the highest that is wanted.
  let isRequestedUpToHighest: Bool
  /// Value of ``Publisher/followsUplink``, which never changes; reading it from the publisher would copy that.
  package let followsUplink: Bool
  /// Demand that the publisher acts on: what is requested, without the encodings that the app has off.
  package var demand = EncodingDemand()
  /// Demand as requested by the SFU.
  package var requested = EncodingDemand()
  /// Parameters that the app has set on the sender.
  package var settings = SenderSettings()
  /// Encodings that these leave off, one bit each, from the lowest up.
  var off: UInt32 = 0
  /// Encodings of the present kind of source without these settings.
  var base: Ladder
  /// Capture format and degradation preference with which the source is published.
  let published: (capture: VideoFormat, degradation: DegradationPreference)
  /// Allocator of rates among the encodings of a ladder whose limits are known.
  package var allocator: SimulcastRateAllocator?
  /// State of the lowest wanted encoding, which an estimate may switch off.
  var withdrawal = EncodingWithdrawal()
  /// Frames that the app produces in the camera's place.
  package var custom: CustomCapture
  /// Time of its last answer to a key frame request for all of its encodings.
  var lastKeyFrameAnswer = LastTime.never

  init(
    _ source: StreamNumbering.Source, plan: VideoSourcePlan, publisher: any Publisher,
    rules: CustomSourceRules, content: RandomStream
  ) {
    participant = source.participant
    isScreen = source.isScreen
    self.plan = plan
    base = plan.ladder
    published = (plan.capture, plan.degradation)
    encodings = source.encodings
    capture = CaptureState(
      kind: plan.kind, milliFramesPerSecond: plan.capture.milliFramesPerSecond, content: content)
    ladder = plan.ladder.layers
    offers = plan.ladder.layers
    self.publisher = publisher
    followsUplink = publisher.followsUplink
    alwaysRequested = publisher.alwaysWanted(of: source.encodings.count)
    isRequestedUpToHighest = publisher.pauseRule != nil
    custom = CustomCapture(rules)
    allocator = plan.allocator
    refreshAlwaysSent()
    // No frames are pushed yet.
    if plan.kind == .custom {
      refreshLadder()
      offers = ladder
    }
  }

  /// Updates the encodings that are always sent by the publisher's rules.
  mutating func refreshAlwaysSent() {
    requested.alwaysSent = publisher.alwaysSent(of: encodings.count)
    applyDemand()
  }

  /// Derives ``demand`` from ``requested``.
  mutating func applyDemand() {
    demand = requested
    guard off != 0 else { return }
    demand.alwaysSent &= ~off
    demand.forwarded &= ~off
    demand.desired &= ~off
    demand.settled &= ~off
  }
}

/// State of a source's capture.
package struct CaptureState {
  /// Kind of source; the app may replace the camera by custom frames.
  package var kind: VideoSourcePlan.Kind
  /// Time between captures.
  package var period: SimDuration
  /// Set while frames are captured: joined, started, not muted, not stopped by the app's state.
  package var isOn = false
  /// Time at which the capture last started.
  package var startedAt = SimTime.zero
  /// Time of the next capture; an event at another time belongs to an earlier call.
  package var dueAt: SimTime?
  package var count: Int64 = 0
  /// Random stream for the complexity of frames, common to all encodings, since they show the same picture.
  package var content: RandomStream

  init(kind: VideoSourcePlan.Kind, milliFramesPerSecond: Int, content: RandomStream) {
    self.kind = kind
    period = Self.period(milliFramesPerSecond: milliFramesPerSecond)
    self.content = content
  }

  package static func period(milliFramesPerSecond: Int) -> SimDuration {
    SimDuration(nanoseconds: 1_000_000_000_000 / Int64(milliFramesPerSecond))
  }
}
