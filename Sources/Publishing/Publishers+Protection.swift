import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel
import Transport

/// Forward error correction of a publisher's streams (RFC 5109, RFC 8627).
extension Publishers {
  /// Adapts the forward error correction of a publisher's sources to the known state of the path.
  mutating func strengthenProtection(
    of number: Int, payload: BitRate, _ net: borrowing Connections, at now: SimTime
  ) {
    let path = net.endpoints.sendingPath(of: number)
    for source in streams.screenFirst(of: number) where sources[source].plan.protection != .none {
      let encoding = sources[source].encodings.lowerBound
      let rate = sources[source].plan.capture.milliFramesPerSecond
      encoders[encoding].protection.rule.update(
        LossProtection.Circumstances(
          loss: net.endpoints.recentLoss(on: path),
          roundTrip: net.endpoints.reportedRoundTrip(on: path) ?? .zero, rate: payload,
          framesPerSecond: Double(rate) / 1000, pixels: net.sizes[encoders[encoding].output.size].pixels),
        at: now)
    }
  }
}
