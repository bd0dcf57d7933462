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
  /// A publisher that withholds its video is not padded up to its next encoding: that would fill a weak uplink, beside
  /// the voice, for as long as it lasts. It probes instead, every 5 s [our model].
  package func demand(of participant: Int, headerShare: Double) -> SenderDemand {
    var uplink = UplinkDemand()
    for source in streams.screenFirst(of: participant)
    where sources[source].capture.isOn && !sources[source].isInactive {
      uplink.add(sources[source], encoders, resumeShare: parameters.resumeShare)
    }
    var waits = false
    if let camera = streams.cameraOf[participant], sources[camera].publisher.withholdsVideo {
      waits = states[participant].videoBudget < sources[camera].publisher.traits.resumeRate
      if waits { uplink.pad(to: Self.sparePadding) }
    }
    let voice = voiceShare(of: participant, usesFeedback: true)
    var demand = SenderDemand()
    demand.minimumAllocated = uplink.least + voice
    // Without wanted encodings the future demand is unknown, so it does not limit the first probes. Encoders' limits
    // count without headers, as in libwebrtc.
    demand.maximumAllocated = uplink.payload == .zero ? .zero : uplink.payload + voice
    demand.maximumPadding =
      uplink.padding == .zero ? .zero : uplink.padding.scaled(by: 1 + headerShare) + voice
    demand.probesPeriodically = waits
    demand.probesWhenApplicationLimited = uplink.payload == .zero || hasShared(participant)
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
