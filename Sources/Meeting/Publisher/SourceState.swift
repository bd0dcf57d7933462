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
  /// Every layer of the ladder, and those that the uplink carries, at the rates that it carries.
  var ladder: [Layer]
  var offers: [Layer]
  /// The rules of its publisher, and of the SFU towards it.
  var publisher: any Publisher
  /// ``Publisher/followsUplink``, which never changes: asking the publisher copies it.
  let followsUplink: Bool
  var demand = EncodingDemand()
  /// Shares the rate among the encodings of a ladder whose limits are known.
  var allocator: SimulcastRateAllocator?
  /// Whether an estimate has the lowest encoding that is wanted off.
  var withdrawal = EncodingWithdrawal()
  /// Frames that the app makes in the camera's place.
  var custom: CustomCapture
  /// When it last answered a keyframe request for all of its encodings.
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
    // Nothing is pushed yet.
    if plan.kind == .custom {
      refreshLadder()
      offers = ladder
    }
  }

  /// Takes over from the publisher's rules what is sent unasked.
  mutating func refreshAlwaysSent() { demand.alwaysSent = publisher.alwaysSent(of: encodings.count) }
}

/// What a source captures, and when.
struct CaptureState {
  /// The app may put custom frames in the camera's place.
  var kind: VideoSourcePlan.Kind
  /// Time between captures.
  var period: SimDuration
  /// Whether frames are captured: joined, started, not muted, not stopped by the app's state.
  var isOn = false
  /// When that began last.
  var startedAt = SimTime.zero
  /// When the next frame is captured; an event at another time is of an earlier call.
  var dueAt: SimTime?
  var count: Int64 = 0
  /// How frames differ in what there is to code: the same for all encodings, which show the same picture.
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

/// Which of a source's encodings are asked for, a bit each from the lowest up, as far as the publisher knows.
struct EncodingDemand: Equatable {
  /// Sent whether or not a viewer wants them.
  var alwaysSent: UInt32 = 0
  /// The SFU forwards them or waits for their key frame, or asks for them unasked.
  var forwarded: UInt32 = 0
  /// Viewers would get them if nothing were short.
  var desired: UInt32 = 0
  /// Viewers have them for another reason than that the uplink carries nothing higher.
  var settled: UInt32 = 0
  /// What the worst receiver of a source that cannot be scaled could take of it.
  var bearable = RateLimit.unlimited
  /// The rates that a controller orders, zero for none; empty where the publisher shares its uplink out by itself.
  var orders: [BitRate] = []

  /// Those that are to be sent.
  var sent: UInt32 { forwarded | alwaysSent }

  /// Those that are asked for, or would be if the uplink carried them.
  var wanted: UInt32 { sent | desired }

  func isWanted(_ index: Int) -> Bool { wanted >> UInt32(index) & 1 == 1 }
}
