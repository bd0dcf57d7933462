import CongestionControl
import Ladder
import Media
import Quantity
import SimulationKernel
import Systems

/// What publishers could use of their uplinks: how far the controllers of these probe and pad.
extension Publishers {
  /// One packet a second beside a voice, with which a probe begins [our model].
  private static let sparePadding = BitRate(bitsPerSecond: 2500)

  /// Every encoding that is wanted or would be if the uplink carried it, and the voice.
  ///
  /// Padding goes up to what the next encoding needs to be switched on, as libwebrtc's
  /// `video_send_stream_impl.cc` has it for simulcast without probing in application-limited times. A publisher that
  /// withholds its video sends nothing of the kind: padding for its return would fill a weak uplink for as long as that
  /// lasts, beside the voice. It probes instead, every 5 s [our model].
  func demand(of participant: Int, headerShare: Double) -> SenderDemand {
    var payload = BitRate.zero
    var least = BitRate.zero
    var padding = BitRate.zero
    for source in streams.screenFirst(of: participant) where sources[source].capture.isOn {
      if let limited = paddingLimit(of: source) { padding = max(padding, limited) }
      if let withdrawn = sources[source].withdrawal.rate { padding = max(padding, withdrawn) }
      for encoding in sources[source].encodings
      where sources[source].demand.isWanted(encoders[encoding].index) {
        let fullRate = encoders[encoding].model.greatestRate.confining(encoders[encoding].fullRate)
          .scaled(by: encoders[encoding].rates.share)
        let scale = encoders[encoding].scale
        if payload == .zero { least = min(fullRate, sources[source].plan.leastRate) }
        if scale < 1, !hasLimits(source) {
          padding = max(padding, payload + fullRate.scaled(by: scale > 0 ? 1 : parameters.resumeShare))
        }
        payload += fullRate
      }
    }
    var waits = false
    if let camera = streams.cameraOf[participant], sources[camera].publisher.withholdsVideo {
      waits = states[participant].videoBudget < sources[camera].publisher.resumeRate
      if waits { padding = max(padding, Self.sparePadding) }
    }
    let voice = voiceShare(of: participant, usesFeedback: true)
    var demand = SenderDemand()
    demand.minimumAllocated = least + voice
    // Nothing wanted says nothing of what will be: it does not hold the first probes down. Encoders' limits count
    // without headers, as in libwebrtc.
    demand.maximumAllocated = payload == .zero ? .zero : payload + voice
    demand.maximumPadding = padding == .zero ? .zero : padding.scaled(by: 1 + headerShare) + voice
    demand.probesPeriodically = waits
    demand.probesWhenApplicationLimited = payload == .zero || streams.screenOf[participant] != nil
    return demand
  }

  private func hasLimits(_ source: Int) -> Bool {
    let encodings = sources[source].plan.ladder.encodings
    return encodings.indices.allSatisfy { encodings[$0].hasLimits }
  }

  /// libwebrtc's rule for simulcast: the targets of the lower encodings, and 1.2 times the least rate of the highest, of
  /// those that are active; nothing with one alone (`video_send_stream_impl.cc`, CalculateMaxPadBitrateBps).
  private func paddingLimit(of source: Int) -> BitRate? {
    guard hasLimits(source) else { return nil }
    var lower = BitRate.zero
    var top: Int?
    let encodings = sources[source].plan.ladder.encodings
    for index in encodings.indices where sources[source].demand.isWanted(index) {
      if let top { lower += encodings[top].bitrate }
      top = index
    }
    guard let top, let least = encodings[top].minimum, lower > .zero else { return nil }
    let share = encoders[sources[source].encodings.lowerBound].rates.share
    let content: SimulcastRateAllocator.Content = sources[source].isScreen ? .screen : .camera
    return (lower + min(least.scaled(by: Double(content.reenablePercent) / 100), encodings[top].bitrate))
      .scaled(by: share)
  }
}
