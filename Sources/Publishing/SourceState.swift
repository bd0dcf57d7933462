package import Endpoint
package import Ladder
import Media
package import Plan
package import Quantity
import SimulationKernel
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
  /// Rules in the state in which a call begins.
  private let initialPublisher: any Publisher
  /// Demand that the publisher acts on: the requests, without the encodings that the app has switched off.
  package var demand = EncodingDemand()
  /// Settings of its sender: those of its app, and the SFU's requests.
  package var sender: SenderState
  /// State of the sharing of rates among separate encodings.
  var simulcast: SimulcastState
  /// State of a scalable source with several spatial layers; `nil` for any other.
  package var layering: LayeringState?
  /// Frames that the app produces in the camera's place.
  package var custom: CustomCapture
  private var announced = SourceAnnouncement()

  init(
    _ source: StreamNumbering.Source, plan: VideoSourcePlan, publisher: any Publisher,
    rules: CustomSourceRules, parameters: RateParameters, keyFrames: KeyFrameScope, content: RandomStream
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
    initialPublisher = publisher
    sender = SenderState(plan, publisher, encodings: source.encodings.count, parameters, keyFrames)
    custom = CustomCapture(rules, ladder: sender.custom)
    custom.frame = plan.firstFrame
    simulcast = SimulcastState(plan)
    layering = LayeringState(plan)
    refreshAlwaysSent()
    // No frames are pushed yet.
    if plan.kind == .custom || plan.firstFrame != nil {
      refreshLadder()
      offers = ladder
    }
    announced.source = announcement
  }

  // MARK: Announcements

  /// State of the source that others may know.
  var known: Roster.Source { announced.source ?? announcement }

  /// Notes a change of the source's state that others may know.
  mutating func announce() { announced = SourceAnnouncement(of: announcement) }

  /// Returns the source's state if it has yet to be signalled; `nil` otherwise.
  package mutating func takeAnnouncement() -> Roster.Source? { announced.take() }

  /// Layers without the app's changes of the sender's parameters; `nil` while there are none.
  private var published: [Layer]? {
    guard sender.settings.areSet else { return nil }
    let base = sender.settings.ladder(of: sender.base, forOwnFrames: capture.kind == .custom)
    return (pushedRate.map(base.running(at:)) ?? base).layers(carrying: custom.frame)
  }

  private var announcement: Roster.Source {
    // Custom frames have the rate at which they are pushed now.
    var format = plan.capture
    if capture.kind == .custom { format.milliFramesPerSecond = custom.milliFramesPerSecond }
    return Roster.Source(
      participant: participant, isScreen: isScreen, isCapturing: capture.isOn, capture: format,
      ladder: ladder, published: published, offers: capture.isOn ? publisher.offers(of: offers) : [],
      sendsLow: publisher.sendsLow)
  }

  // MARK: Demand

  /// Begins a new call, for which nothing has been requested yet.
  mutating func beginCall() {
    publisher = initialPublisher
    sender.requested = EncodingDemand()
    sender.requestedLines = nil
    refreshAlwaysSent()
  }

  /// Encodings that its app has not switched off.
  private var on: EncodingSet { EncodingSet(first: encodings.count).subtracting(sender.off) }

  /// `true` while its app has switched off all of its encodings.
  var isInactive: Bool { on.isEmpty }

  /// Maximum rate, by its app's settings and by what the layers of its stream can use.
  var maximum: RateLimit {
    min(sender.settings.maximum, layering.map { RateLimit($0.split.usefulMaximum) } ?? .unlimited)
  }

  /// Updates the encodings that are always sent by the publisher's rules.
  mutating func refreshAlwaysSent() {
    sender.requested.alwaysSent = publisher.alwaysSent(of: encodings.count)
    applyDemand()
  }

  /// Derives ``demand`` from what is requested.
  mutating func applyDemand() {
    demand = sender.requested
    demand.alwaysSent.subtract(unfilled)
    demand.forwarded.subtract(unfilled)
    if !sender.off.isEmpty { demand.keep(on) }
    if plan.sendsOneEncoding { demand.keepHighest() }
  }

  /// Starts and stops sending encodings: those that are wanted and fit the uplink are sent.
  ///
  /// An encoding starts with a key frame, and so does every other one at that time: libwebrtc's simulcast encoder
  /// forces one on all of its streams (`modules/video_coding/codecs/vp8/libvpx_vp8_encoder.cc`).
  func refreshSending(_ encoders: inout Table<EncoderState>) {
    let sent = demand.sent
    var begins = false
    for encoding in encodings {
      let shouldSend =
        capture.isOn && sent.contains(encoders[encoding].index) && encoders[encoding].scale > 0
      // The structure of a scalable stream knows whether an upper layer begins with a key picture.
      let isUpper = layering != nil && encoding > encodings.lowerBound
      if shouldSend, !encoders[encoding].isSending, !isUpper {
        begins = true
        encoders[encoding].keyFrames.isRequested = true
      }
      encoders[encoding].isSending = shouldSend
    }
    guard begins, sender.keyFrames == .allLayers else { return }
    for encoding in encodings where encoders[encoding].isSending {
      encoders[encoding].keyFrames.isRequested = true
    }
  }
}

/// State of a source that others may know, until it has been signalled.
private struct SourceAnnouncement {
  /// State of the last announcement; `nil` while the source is set up.
  var source: Roster.Source?
  private var isDue = false

  init() {}

  /// A change that has yet to be signalled.
  init(of source: Roster.Source) {
    self.source = source
    isDue = true
  }

  /// Returns the state if it has yet to be signalled; `nil` otherwise.
  mutating func take() -> Roster.Source? {
    guard isDue else { return nil }
    isDue = false
    return source
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
  /// Time at which the capture last stopped; zero for one that has not started.
  package var stoppedAt = SimTime.zero
  /// Time of the next capture; an event at another time belongs to an earlier call.
  package var dueAt: SimTime?
  package var count: Int64 = 0
  /// Random stream for the complexity of frames, common to all encodings, since they show the same picture.
  package var content: RandomStream

  init(kind: VideoSourcePlan.Kind, milliFramesPerSecond: Int, content: RandomStream) {
    self.kind = kind
    period = SimDuration(milliFramesPerSecond: milliFramesPerSecond)
    self.content = content
  }
}
