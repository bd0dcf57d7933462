import Allocation
import CongestionControl
import Ladder
import Media
import Quantity
import SimulationKernel

/// What senders could use of their paths: how far their controllers probe and pad.
extension MeetingSimulation {
  /// A publisher's uplink: every encoding that is wanted, and the voice.
  ///
  /// Padding goes up to what the next encoding needs to be switched on, as libwebrtc's
  /// `video_send_stream_impl.cc` has it for simulcast without probing in application-limited times.
  mutating func updateUplinkDemand(of participant: Int, at now: SimTime) {
    guard usesFeedback else { return }
    var demand = SenderDemand()
    var payload = BitRate.zero
    var least = BitRate.zero
    var padding = BitRate.zero
    for source in [screenOf[participant], cameraOf[participant]].compactMap({ $0 })
    where sources[source].isCapturing {
      let first = sources[source].firstEncoding
      for number in first..<first + sources[source].encodings where isWantedAtPublisher(number) {
        let full = encodings[number].fullRate
        if payload == .zero { least = min(full, .kilobits(30)) }
        // An encoding that is off takes 60 % of its rate to begin (``fitUplink(of:kernel:)``).
        if encodings[number].scale < 1 {
          padding = payload + full.scaled(by: encodings[number].scale > 0 ? 1 : 0.75)
        }
        payload += full
      }
    }
    let voice = plan.participants[participant].publishesAudio ? OpusVoice.wireRate : .zero
    let headers = 1 + plan.estimator.headerShare
    demand.minimumAllocated = least + voice
    demand.maximumAllocated = payload.scaled(by: headers) + voice
    demand.maximumPadding = padding == .zero ? .zero : padding.scaled(by: headers) + voice
    demand.probesWhenApplicationLimited = payload == .zero || screenOf[participant] != nil
    controllers.demand(demand, on: Path.up(participant), at: now)
  }

  private func isWantedAtPublisher(_ number: Int) -> Bool {
    sources[encodings[number].source].wantedAtPublisher >> encodings[number].rung & 1 == 1
  }

  /// A viewer's downlink: what its wishes would take in full, and the voices.
  ///
  /// While bandwidth keeps a tile below its wish, the SFU pads up to the rate of the next step, so that the estimate can
  /// rise above what is forwarded; our model, as Jitsi and mediasoup do with padding and repeated packets.
  mutating func updateDownlinkDemand(of viewer: Int, voices: BitRate, at now: SimTime) {
    guard usesFeedback else { return }
    var wished = BitRate.zero
    var given = BitRate.zero
    var step = BitRate.zero
    for source in sources.indices {
      let track = trackNumber(viewer: viewer, source: source)
      guard let wish = wishes[track], let grant = grants[track] else { continue }
      given += grant.layer?.bitrate ?? .zero
      wished += wish.offers.last { $0.format.isWithin(wish.maximum) }?.bitrate ?? .zero
      if grant.limitation == .bandwidth, grant.missing > .zero {
        step = step == .zero ? grant.missing : min(step, grant.missing)
      }
    }
    let headers = 1 + plan.estimator.headerShare
    var demand = SenderDemand()
    demand.minimumAllocated = voices
    demand.maximumAllocated = wished.scaled(by: headers) + voices
    demand.maximumPadding = step == .zero ? .zero : (given + step).scaled(by: headers * 1.05) + voices
    controllers.demand(demand, on: Path.down(viewer), at: now)
  }
}
