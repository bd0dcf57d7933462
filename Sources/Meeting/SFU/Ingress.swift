import Ladder
import Media
import Quantity

/// One encoding as the SFU receives it.
struct Ingress: BitwiseCopyable {
  let source: Int32
  /// Its place within the source, 0 for the lowest.
  let index: Int8
  /// Whether packets are missing that may still come.
  var hasMissing = false
  var hasKeyFrameCheck = false
  /// The last frame of which a packet came, and the sequence number expected next.
  var frame: UInt32 = .max
  var expectedSequence: UInt32 = 0
  var base: BaseLayer
  /// When a key frame was last requested.
  var requestedAt = SimTime(nanoseconds: -1_000_000_000)
  /// Whether a viewer's request came too soon after that, and none has come since.
  var isKeyFrameDue = false
  /// Viewers that are forwarded this encoding now, and those that wait for its key frame.
  var viewers: Int32 = 0
  var waiting: Int32 = 0

  init(_ number: StreamNumbering.Encoding, _ encoding: Encoding) {
    source = Int32(number.source)
    index = Int8(number.index)
    base = BaseLayer(groupLength: UInt32(TemporalPattern(layers: encoding.temporalLayers).groupLength))
  }
}
