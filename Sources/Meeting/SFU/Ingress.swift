import Ladder
import Media
import Quantity

/// One encoding as the SFU receives it.
struct Ingress: BitwiseCopyable {
  let source: Int32
  /// Its place within the source, 0 for the lowest.
  let index: Int8
  /// Its highest temporal layer.
  let topTemporal: Int8
  /// Whether packets are missing that may still come.
  var hasMissing = false
  /// The last frame of which a packet came, and the sequence number expected next.
  var frame: UInt32 = .max
  var expectedSequence: UInt32 = 0
  var base: BaseLayer
  /// When its last packet came.
  var arrivedAt = LastTime.never
  /// What two of its frames take, as its publisher has announced them; zero while there are none.
  var twoFrames = SimDuration.zero
  /// Requests for its key frames.
  var requests: KeyFrameRequests
  /// Viewers that are forwarded this encoding now, and those that wait for its key frame.
  var viewers: Int32 = 0
  var waiting: Int32 = 0

  init(_ encoding: StreamNumbering.Encoding, temporalLayers: Int, requestSpacing: SimDuration) {
    source = Int32(encoding.source)
    index = Int8(encoding.index)
    topTemporal = Int8(temporalLayers - 1)
    base = BaseLayer(groupLength: UInt32(TemporalPattern(layers: temporalLayers).groupLength))
    requests = KeyFrameRequests(spacing: requestSpacing)
  }
}

/// An SFU's requests for key frames of an encoding.
struct KeyFrameRequests: BitwiseCopyable {
  /// Least time between two.
  let spacing: SimDuration
  /// When the last was sent.
  var sentAt = LastTime.never
  /// When it is looked after next whether the key frame has come.
  var checkAt = Deadline.never
  /// Whether one that came too early is to be sent later.
  var isDeferred = false
  /// Whether the key frame has not come, and is to be requested once more.
  var isPending = false
  var isRepeated = false

  init(spacing: SimDuration) { self.spacing = spacing }
}
