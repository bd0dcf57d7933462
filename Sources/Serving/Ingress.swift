import Ladder
import Media
import Plan
package import Quantity

/// One encoding as the SFU receives it.
package struct Ingress: BitwiseCopyable {
  package let source: Int32
  /// Index in the source, 0 for the lowest.
  package let index: Int8
  /// Highest temporal layer.
  package let topTemporal: Int8
  /// Set while packets are missing that may still arrive.
  package var hasMissing = false
  /// Last frame with any packet received.
  package var frame: UInt32 = .max
  /// Set once a packet has arrived since its publisher last joined.
  package var hasBegun = false
  /// Next expected sequence number.
  var expectedSequence: UInt32 = 0
  /// Sequence number after the last packet of ``frame``, where its protection begins; `nil` for an unprotected stream.
  var protectedEnd: UInt32?
  package var base: BaseLayer
  /// Time at which the last packet arrived.
  package var arrivedAt = LastTime.never
  /// Time that two of its frames take, at the frame rate announced by its publisher; zero while nothing is announced.
  var twoFrames = SimDuration.zero
  /// Requests for its key frames.
  package var requests: KeyFrameRequests
  /// Number of viewers that it is being forwarded to.
  package var viewers: Int32 = 0
  /// Number of viewers that wait for its key frame.
  package var waiting: Int32 = 0

  init(_ encoding: StreamNumbering.Encoding, temporalLayers: Int, requestSpacing: SimDuration) {
    source = Int32(encoding.source)
    index = Int8(encoding.index)
    topTemporal = Int8(temporalLayers - 1)
    base = BaseLayer(groupLength: UInt32(TemporalPattern(layers: temporalLayers).groupLength))
    requests = KeyFrameRequests(spacing: requestSpacing)
  }
}

/// An SFU's key frame requests for an encoding.
package struct KeyFrameRequests: BitwiseCopyable {
  /// Minimum time between two requests.
  package let spacing: SimDuration
  /// Time of the last request.
  package var sentAt = LastTime.never
  /// Time of the next check for the key frame.
  package var checkAt = Deadline.never
  /// Set if a request that came too early will be sent later.
  package var isDeferred = false
  /// Set while the requested key frame has not arrived.
  package var isPending = false
  /// Set if the request will be repeated once.
  package var isRepeated = false

  init(spacing: SimDuration) { self.spacing = spacing }
}
