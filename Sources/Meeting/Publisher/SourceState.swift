import Ladder
import Media
import Quantity
import Statistics
import Systems

/// A video source at its publisher: one participant's camera (or custom frames), or its screen share.
struct SourceState {
  let participant: Int
  let isScreen: Bool
  var plan: VideoSourcePlan
  /// Numbers of its encodings, from the lowest up.
  let encodings: Range<Int>
  var capture: CaptureState
  /// All layers of the ladder.
  var ladder: [Layer]
  /// Layers that the uplink carries, at the rates that it carries.
  var offers: [Layer]
  /// Rules of its publisher, and of the SFU towards it.
  var publisher: any Publisher
  /// Value of ``Publisher/followsUplink``, which never changes; reading it from the publisher would copy that.
  let followsUplink: Bool
  var demand = EncodingDemand()
  /// Allocator of rates among the encodings of a ladder whose limits are known.
  var allocator: SimulcastRateAllocator?
  /// State of the lowest wanted encoding, which an estimate may switch off.
  var withdrawal = EncodingWithdrawal()
  /// Frames that the app produces in the camera's place.
  var custom: CustomCapture
  /// Time of its last answer to a key frame request for all of its encodings.
  var lastKeyFrameAnswer = LastTime.never

  init(
    _ source: StreamNumbering.Source, plan: VideoSourcePlan, publisher: any Publisher,
    rules: CustomSourceRules, content: RandomStream
  ) {
    participant = source.participant
    isScreen = source.isScreen
    self.plan = plan
    encodings = source.encodings
    capture = CaptureState(
      kind: plan.kind, milliFramesPerSecond: plan.capture.milliFramesPerSecond, content: content)
    ladder = plan.ladder.layers
    offers = plan.ladder.layers
    self.publisher = publisher
    followsUplink = publisher.followsUplink
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
  mutating func refreshAlwaysSent() { demand.alwaysSent = publisher.alwaysSent(of: encodings.count) }
}

/// State of a source's capture.
struct CaptureState {
  /// Kind of source; the app may replace the camera by custom frames.
  var kind: VideoSourcePlan.Kind
  /// Time between captures.
  var period: SimDuration
  /// Set while frames are captured: joined, started, not muted, not stopped by the app's state.
  var isOn = false
  /// Time at which the capture last started.
  var startedAt = SimTime.zero
  /// Time of the next capture; an event at another time belongs to an earlier call.
  var dueAt: SimTime?
  var count: Int64 = 0
  /// Random stream for the complexity of frames, common to all encodings, since they show the same picture.
  var content: RandomStream

  init(kind: VideoSourcePlan.Kind, milliFramesPerSecond: Int, content: RandomStream) {
    self.kind = kind
    period = Self.period(milliFramesPerSecond: milliFramesPerSecond)
    self.content = content
  }

  static func period(milliFramesPerSecond: Int) -> SimDuration {
    SimDuration(nanoseconds: 1_000_000_000_000 / Int64(milliFramesPerSecond))
  }
}

/// Encodings of a source that are requested, as far as the publisher knows; one bit each, from the lowest up.
struct EncodingDemand: Equatable {
  /// Encodings sent whether or not a viewer wants them.
  var alwaysSent: UInt32 = 0
  /// Encodings that the SFU forwards, whose key frame it waits for, or that it requests by itself.
  var forwarded: UInt32 = 0
  /// Encodings that viewers would get if no resource were short.
  var desired: UInt32 = 0
  /// Encodings that viewers receive for another reason than that the uplink carries nothing higher.
  var settled: UInt32 = 0
  /// Rate that the worst receiver could take of a source that is not scalable.
  var bearable = RateLimit.unlimited
  /// Rates that a controller orders, zero for none; empty where the publisher shares its uplink by itself.
  var orders: [BitRate] = []

  /// Encodings to be sent.
  var sent: UInt32 { forwarded | alwaysSent }

  /// Encodings that are requested, or would be if the uplink carried them.
  var wanted: UInt32 { sent | desired }

  func isWanted(_ index: Int) -> Bool { wanted >> UInt32(index) & 1 == 1 }
}
