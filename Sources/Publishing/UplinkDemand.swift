import Endpoint
import Ladder
import Media
import Plan
package import Quantity
package import SimulationKernel

/// Rates that a publisher's sources could use of its uplink.
///
/// Padding goes up to the rate at which the next encoding is switched on, as in libwebrtc's
/// `video_send_stream_impl.cc` for simulcast without probing in application-limited times.
package struct UplinkDemand {
  /// Rate of all encodings that are wanted, or would be if the uplink carried them.
  package private(set) var payload = BitRate.zero
  /// Minimum rate of the first source.
  package private(set) var least = BitRate.zero
  /// Rate up to which the uplink is padded.
  package private(set) var padding = BitRate.zero

  package init() {}

  /// Pads the uplink up to a rate at least.
  package mutating func pad(to rate: BitRate) { padding = max(padding, rate) }

  /// Adds a source that is on.
  ///
  /// - Parameter resumeShare: share of its rate at which an encoding is switched on.
  package mutating func add(
    _ source: SourceState, _ encoders: borrowing Table<EncoderState>, resumeShare: Double
  ) {
    let before = payload
    let most = source.maximum
    if let limited = source.paddingLimit(encoders, within: most) { pad(to: limited) }
    if let withdrawn = source.simulcast.withdrawal.rate { pad(to: withdrawn) }
    for encoding in source.encodings where source.demand.isWanted(encoders[encoding].index) {
      let fullRate = encoders[encoding].model.greatestRate.confining(encoders[encoding].fullRate)
        .scaled(by: encoders[encoding].rates.share)
      let scale = encoders[encoding].scale
      if payload == .zero { least = min(fullRate, source.plan.leastRate) }
      if scale < 1, !source.hasLimits {
        let next = fullRate.scaled(by: scale > 0 ? 1 : resumeShare)
        pad(to: before + most.confining(payload - before + next))
      }
      payload += fullRate
    }
    payload = before + most.confining(payload - before)
  }
}
