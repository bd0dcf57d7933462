import Ladder
import Media
import Plan
package import Quantity
import SimulationKernel
import Systems

/// State of a source's lowest wanted encoding, which is switched off while an estimate is below its minimum rate.
///
/// libwebrtc sends the lowest active encoding at its minimum rate whatever the estimate. A server that is offered it
/// requests nothing lower, and most of it is lost for as long as the uplink carries less. After ``patience``, the
/// encoding is therefore no longer offered, and one below it replaces it [our model].
package struct EncodingWithdrawal {
  /// Time for which an estimate may be too low: the first probes and short dips are over by then [our model].
  static let patience = SimDuration.seconds(1)

  private var shortSince: SimTime?
  /// Rate at which the encoding returns; `nil` while it is on.
  package private(set) var rate: BitRate?

  package init() {}

  /// Follows an uplink's estimate.
  ///
  /// - Parameters:
  ///   - least: the encoding's minimum rate; `nil` where none below it could replace it.
  ///   - total: uplink capacity for the source.
  /// - Returns: `true` while the encoding is off.
  package mutating func follow(least: BitRate?, within total: BitRate, at now: SimTime) -> Bool {
    guard let least else {
      self = EncodingWithdrawal()
      return false
    }
    // libwebrtc's allocator uses this hysteresis for an encoding that it has switched off.
    let percent = SimulcastRateAllocator.Content.camera.reenablePercent
    let needed = BitRate(bitsPerSecond: least.bitsPerSecond * percent / 100)
    guard total < (rate == nil ? least : needed) else {
      self = EncodingWithdrawal()
      return false
    }
    let since = shortSince ?? now
    shortSince = since
    if now - since >= Self.patience { rate = needed }
    return rate != nil
  }
}
