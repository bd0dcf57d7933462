import Ladder
import Media
import Quantity
import Statistics
import Systems

/// A video source while the meeting runs: one participant's camera (or custom frames), or its screen share.
struct SourceState {
  let participant: Int
  let isScreen: Bool
  let plan: VideoSourcePlan
  /// What it captures now: the app may put custom frames in the camera's place.
  var kind: VideoSourcePlan.Kind
  /// Time between captures.
  var period: SimDuration
  /// Encodings are numbered through all sources; this source has `firstEncoding ..< firstEncoding + encodings`.
  let firstEncoding: Int
  let encodings: Int
  /// Every layer of the ladder, and those that the uplink carries, at the rates that it carries.
  var ladder: [Layer]
  var offers: [Layer]
  /// What it, and the SFU towards it, do without being asked.
  var publisher: any Publisher
  /// Whether frames are captured: joined, started, not muted, not stopped by the app's state.
  var isCapturing = false
  var hasCaptureEvent = false
  var captures: Int64 = 0
  /// How frames differ in what there is to code: the same for all encodings, which show the same picture.
  var content: RandomStream
  /// Custom frames are pushed until then; the gap after a change of source ends at `silentUntil`.
  var pushesUntil = SimTime.zero
  var silentUntil = SimTime.zero
  /// Encodings that viewers want, a bit each, as the SFU and as the publisher knows it.
  var wantedAtSFU: UInt32 = 0
  var wantedAtPublisher: UInt32 {
    get { knownWanted | alwaysSent }
    set { knownWanted = newValue }
  }
  var knownWanted: UInt32 = 0
  /// Encodings that are sent whether or not a viewer wants them, a bit each.
  var alwaysSent: UInt32 = 0
  /// Shares the rate among the encodings of a ladder whose limits are known.
  var allocator: SimulcastRateAllocator?
  var lastKeyFrameAnswer = SimTime(nanoseconds: -1_000_000_000)
}

/// One encoding of a source while the meeting runs, at the publisher and at the SFU.
struct EncodingState {
  let source: Int
  let rung: Int
  let groupLength: UInt32
  let fullRate: BitRate
  let milliFramesPerSecond: Int
  let plannedSize: Resolution
  var model: EncodingModel
  /// Every how many captures a frame is encoded.
  var captureDivisor: Int64
  /// Target relative to the full rate; 0 while the uplink does not carry the encoding.
  var scale = 1.0
  /// What the uplink has for the encoding beyond that.
  var headroom = BitRate.zero
  var isSending = false
  /// Whether repairs or padding were sent of it: their stream is then known at the other end.
  var hasRepaired = false
  var nextFrame: UInt32 = 0
  var nextSequence: UInt32 = 0
  var isKeyFrameRequested = false
  /// Frames that were due while some were left out.
  var framesWhileDropping = 0
  /// RTP headers and payload since the beginning [byte].
  var sentBytes: Int64 = 0
  /// Number of the picture size in the meeting's table of sizes.
  var format: UInt16

  /// SFU: the last frame of which a packet came, and the sequence number expected next.
  var frameAtSFU: UInt32 = .max
  var expectedSequence: UInt32 = 0
  /// Whether packets are missing that may still come.
  var hasMissing = false
  var requestedAt = SimTime(nanoseconds: -1_000_000_000)
  /// Publisher: when it answered a request for this encoding alone.
  var lastKeyFrameAnswer = SimTime(nanoseconds: -1_000_000_000)
  var hasKeyFrameCheck = false
  /// Viewers that get packets of this encoding now, and those that wait for its key frame.
  var viewers = 0
  var waiting = 0

  /// The next frame, a key frame when one is asked for; `nil` for one that the encoder leaves out.
  ///
  /// - Parameter content: the source's stream of what its pictures show; a delta frame takes one draw.
  mutating func encodeFrame(at now: SimTime, content: inout RandomStream) -> EncodedFrame? {
    let isKeyFrame = isKeyFrameRequested
    isKeyFrameRequested = false
    return model.encode(
      at: now, target: target, headroom: headroom, isKeyFrame: isKeyFrame, sizes: &content)
  }

  /// What it takes of its full rate: no more than its content can use.
  var usedShare: Double {
    min(scale, Double(model.usableRate.bitsPerSecond) / Double(max(fullRate.bitsPerSecond, 1)))
  }

  /// The rate that it may use now.
  var target: BitRate { fullRate.scaled(by: scale) }
}
