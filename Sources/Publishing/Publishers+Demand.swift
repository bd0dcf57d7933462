package import CongestionControl
import Endpoint
import Ladder
import Media
import Plan
import Quantity
import SimulationKernel
import Systems

/// Rates that publishers could use of their uplinks, which limit their controllers' probing and padding.
extension Publishers {
  /// Padding of one packet per second beside a voice, with which a probe begins [our model].
  private static let sparePadding = BitRate(bitsPerSecond: 2500)

  /// Returns the demand of a participant: every encoding that is wanted or would be if the uplink carried it, and the
  /// voice.
  ///
  /// Padding goes up to the rate at which the next encoding is switched on, as in libwebrtc's
  /// `video_send_stream_impl.cc` for simulcast without probing in application-limited times. A publisher that withholds
  /// its video sends no such padding: it would fill a weak uplink, beside the voice, for as long as that lasts. It
  /// probes instead, every 5 s [our model].
  package func demand(of participant: Int, headerShare: Double) -> SenderDemand {
    var payload = BitRate.zero
    var least = BitRate.zero
    var padding = BitRate.zero
    for source in streams.screenFirst(of: participant)
    where sources[source].capture.isOn && !sources[source].isInactive {
      let before = payload
      let most = sources[source].maximum
      if let limited = sources[source].paddingLimit(encoders, within: most) {
        padding = max(padding, limited)
      }
      if let withdrawn = sources[source].simulcast.withdrawal.rate { padding = max(padding, withdrawn) }
      for encoding in sources[source].encodings
      where sources[source].demand.isWanted(encoders[encoding].index) {
        let fullRate = encoders[encoding].model.greatestRate.confining(encoders[encoding].fullRate)
          .scaled(by: encoders[encoding].rates.share)
        let scale = encoders[encoding].scale
        if payload == .zero { least = min(fullRate, sources[source].plan.leastRate) }
        if scale < 1, !sources[source].hasLimits {
          padding = max(
            padding,
            before
              + most.confining(payload - before + fullRate.scaled(by: scale > 0 ? 1 : parameters.resumeShare))
          )
        }
        payload += fullRate
      }
      payload = before + most.confining(payload - before)
    }
    var waits = false
    if let camera = streams.cameraOf[participant], sources[camera].publisher.withholdsVideo {
      waits = states[participant].videoBudget < sources[camera].publisher.traits.resumeRate
      if waits { padding = max(padding, Self.sparePadding) }
    }
    let voice = voiceShare(of: participant, usesFeedback: true)
    var demand = SenderDemand()
    demand.minimumAllocated = least + voice
    // Without wanted encodings the future demand is unknown, so it does not limit the first probes. Encoders' limits
    // count without headers, as in libwebrtc.
    demand.maximumAllocated = payload == .zero ? .zero : payload + voice
    demand.maximumPadding = padding == .zero ? .zero : padding.scaled(by: 1 + headerShare) + voice
    demand.probesPeriodically = waits
    demand.probesWhenApplicationLimited = payload == .zero || hasShared(participant)
    return demand
  }

  /// Checks whether a participant has shared its screen since it joined: libwebrtc's stream of a screen, created with
  /// the first share, switches probing in application-limited times on for the call (`video_send_stream_impl.cc`).
  private func hasShared(_ participant: Int) -> Bool {
    guard let screen = streams.screenOf[participant] else { return false }
    let capture = sources[screen].capture
    return capture.isOn || capture.stoppedAt > states[participant].joinedAt
  }

}
