import Allocation
import CongestionControl
import Ladder
import Media
import Quantity
import SimulationKernel
import Systems

/// What senders could use of their paths: how far their controllers probe and pad.
extension MeetingSimulation {
  /// A publisher's uplink: every encoding that is wanted or would be if the uplink carried it, and the voice.
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
      if let limited = paddingLimit(of: source) { padding = max(padding, limited) }
      let mask = wantedEncodings(of: source)
      for rung in 0..<sources[source].encodings where mask >> rung & 1 == 1 {
        let fullRate = min(encodings[first + rung].fullRate, encodings[first + rung].model.greatestRate)
        let scale = encodings[first + rung].scale
        if payload == .zero { least = min(fullRate, sources[source].plan.minimum) }
        if scale < 1, !hasLimits(source) {
          padding = max(padding, payload + fullRate.scaled(by: scale > 0 ? 1 : Self.switchOnShare))
        }
        payload += fullRate
      }
    }
    let voice = voiceShare(of: participant)
    let headers = 1 + plan.estimator.headerShare
    demand.minimumAllocated = least + voice
    // Nothing wanted says nothing of what will be: the first probes are not held down by it. Encoders' limits count
    // without headers, as in libwebrtc.
    demand.maximumAllocated = payload == .zero ? .zero : payload + voice
    demand.maximumPadding = padding == .zero ? .zero : padding.scaled(by: headers) + voice
    demand.probesWhenApplicationLimited = payload == .zero || screenOf[participant] != nil
    controllers.demand(demand, on: Path.up(participant), at: now)
  }

  /// What a publisher's voice takes of its estimate; an estimator that knows the capacity counts every voice.
  func voiceShare(of participant: Int) -> BitRate {
    let isCounted = plan.voicesHaveFeedback || !usesFeedback
    return plan.participants[participant].publishesAudio && isCounted ? OpusVoice.wireRate : .zero
  }

  private func hasLimits(_ source: Int) -> Bool {
    sources[source].plan.ladder.encodings.allSatisfy(\.hasLimits)
  }

  /// libwebrtc's rule for simulcast: the targets of the lower encodings, and 1.2 times the least rate of the highest, of
  /// those that are active; nothing with one alone (`video_send_stream_impl.cc`, CalculateMaxPadBitrateBps).
  private func paddingLimit(of source: Int) -> BitRate? {
    let wanted = wantedEncodings(of: source)
    let active = sources[source].plan.ladder.encodings.enumerated()
      .filter { wanted >> UInt32($0.offset) & 1 == 1 }.map(\.element)
    guard hasLimits(source), let top = active.last, let least = top.minimum, active.count > 1 else {
      return nil
    }
    let lower = active.dropLast().reduce(BitRate.zero) { $0 + $1.bitrate }
    let content: SimulcastRateAllocator.Content = sources[source].isScreen ? .screen : .camera
    return lower + min(least.scaled(by: Double(content.reenablePercent) / 100), top.bitrate)
  }

  /// An encoding that is off begins at 60 % of its rate (``fitUplink(of:kernel:)``); a fifth more is padded for, so
  /// that it does not go off again at once (libwebrtc's hysteresis of 1.2).
  private static var switchOnShare: Double { 0.6 * 1.2 }

  /// The encodings that are asked of a publisher or would be if its uplink carried them, a bit each.
  func wantedEncodings(of source: Int) -> UInt32 {
    sources[source].wantedAtPublisher | desiredEncodings(of: source)
  }

  /// The encodings that viewers wish for, a bit each, whether or not the uplink carries them.
  func desiredEncodings(of source: Int) -> UInt32 {
    var mask: UInt32 = 0
    for viewer in viewers.indices {
      let encoding = tracks[trackNumber(viewer: viewer, source: source)].desiredEncoding
      if encoding >= 0 { mask |= 1 << UInt32(encoding) }
    }
    return mask
  }

  /// Notes what a viewer's policy would give its wishes if nothing were short: neither on its way down nor on any way up.
  ///
  /// Where it gives nothing even so, such as above a cap on what layers take in full, it is the best layer within the
  /// wish: its encoder may take less.
  mutating func noteDesires(_ wishes: [Wish], viewer: Int) {
    let ideal = wishes.map { wish in
      var wish = wish
      wish.offers = wish.ladder
      return wish
    }
    for (wish, grant) in zip(wishes, policy.allocate(budget: .unlimited, cap: .unlimited, wishes: ideal)) {
      let track = trackNumber(viewer: viewer, source: wish.source)
      let best = grant.layer ?? wish.ladder.last { $0.format.isWithin(wish.maximum) }
      tracks[track].desiredEncoding = Int8(best?.id.encoding ?? -1)
      tracks[track].desiredRate = best?.bitrate ?? .zero
    }
  }

  /// A viewer's downlink: what its wishes would take in full, and the voices.
  ///
  /// While bandwidth keeps a tile below its wish, the SFU pads up to what it would send with the next step, so that the
  /// estimate can rise that far; our model, as Jitsi and mediasoup do with padding and repeated packets. What a step
  /// lacks (``Allocation/Grant/missing``) comes on top of the whole budget, part of which may lie idle because no step
  /// fits it.
  mutating func updateDownlinkDemand(of viewer: Int, voices: BitRate, at now: SimTime) {
    guard usesFeedback else { return }
    var wished = BitRate.zero
    var given = BitRate.zero
    var lacking = BitRate.zero
    for source in sources.indices {
      let track = trackNumber(viewer: viewer, source: source)
      guard tracks[track].desiredEncoding >= 0, let grant = grants[track] else { continue }
      given += grant.layer?.bitrate ?? .zero
      wished += tracks[track].desiredRate
      if grant.limitation == .bandwidth, grant.missing > .zero {
        lacking = lacking == .zero ? grant.missing : min(lacking, grant.missing)
      }
    }
    var goal = lacking == .zero ? .zero : (viewers[viewer]?.allowance ?? given) + lacking
    // A fallback names no next step: all that is lacking is tried, as far as the estimate goes.
    if let whole = viewers[viewer]?.client.rateHeldBack(from: given) {
      wished = max(wished, whole)
      if goal == .zero { goal = wished }
    }
    let headers = 1 + plan.estimator.headerShare
    var demand = SenderDemand()
    demand.minimumAllocated = voices
    demand.maximumAllocated = wished == .zero ? .zero : wished.scaled(by: headers) + voices
    demand.maximumPadding = goal == .zero ? .zero : goal.scaled(by: headers * 1.05) + voices
    controllers.demand(demand, on: Path.down(viewer), at: now)
  }
}
