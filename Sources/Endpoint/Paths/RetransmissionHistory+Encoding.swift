package import Ladder
import Quantity
package import Transport

extension RetransmissionHistory {
  /// Creates a history with room for an encoding's packets.
  package init(_ encoding: Encoding) {
    self.init(
      rate: encoding.bitrate, framesPerSecond: Double(encoding.format.milliFramesPerSecond) / 1000)
  }
}
