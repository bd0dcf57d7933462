import Ladder
import Media
import Plan
package import Quantity

/// One encoding as the SFU receives it.
package struct Ingress: BitwiseCopyable {
  package let source: Int32
  /// Index in the source, 0 for the lowest.
  package let index: Int8
  /// Last frame with any packet received.
  package var frame: UInt32 = .max
  package var base: BaseLayer
  /// Time at which the last packet arrived.
  package var arrivedAt = LastTime.never
  /// Time that two of its frames take, at the frame rate announced by its publisher; zero while nothing is announced.
  var twoFrames = SimDuration.zero

  init(_ encoding: StreamNumbering.Encoding, temporalLayers: Int) {
    source = Int32(encoding.source)
    index = Int8(encoding.index)
    base = BaseLayer(groupLength: UInt32(TemporalPattern(layers: temporalLayers).groupLength))
  }
}
