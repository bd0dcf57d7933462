import Ladder
import Media
import Quantity
import SimulationKernel
import Systems

/// Whether a source's lowest encoding that is wanted is off because an estimate is below its least rate.
///
/// libwebrtc sends the lowest active encoding at its least rate whatever is estimated. A server that is offered it asks for
/// nothing lower, and most of it is lost for as long as the uplink carries less: after ``patience`` the encoding is no longer
/// offered, and one below it stands in [our model].
struct EncodingWithdrawal {
  /// How long an estimate is put up with that is too low: the first probes and short dips are over by then [our model].
  static let patience = SimDuration.seconds(1)

  private var shortSince: SimTime?
  /// The rate at which the encoding returns; `nil` while it is on.
  private(set) var rate: BitRate?

  /// Follows an uplink's estimate.
  ///
  /// - Parameters:
  ///   - least: the encoding's least rate; `nil` where none below it could stand in.
  ///   - total: what the uplink carries of the source.
  /// - Returns: whether the encoding is off.
  mutating func follow(least: BitRate?, within total: BitRate, at now: SimTime) -> Bool {
    guard let least else {
      self = EncodingWithdrawal()
      return false
    }
    // As libwebrtc's allocator has it for one that it has switched off.
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

extension Publishers {
  /// Whether an estimate leaves the lowest encoding that is wanted to one below it, if there is one. What is least of a
  /// ladder without limits is half of the share at which its encodings begin [our model].
  mutating func withdraws(_ lowest: Int, of source: Int, within total: BitRate, at now: SimTime) -> Bool {
    let encodings = sources[source].plan.ladder.encodings
    var least: BitRate?
    // An estimate that falls for want of feedback says nothing of what the uplink carries.
    if lowest > 0, lowest < encodings.count, states[sources[source].participant].hearsFeedback {
      let running = encoders[sources[source].encodings.lowerBound + lowest].runningRate
      least =
        sources[source].allocator == nil
        ? running.scaled(by: parameters.leastShare / 2) : encodings[lowest].minimum
    }
    return sources[source].withdrawal.follow(least: least, within: total, at: now)
  }
}
