import Allocation
import CongestionControl
import Ladder
import Media
import Quantity
import SimulationKernel
import Systems
import Transport

/// What a publisher's uplink lets it send.
extension MeetingSimulation {
  /// Finds which encodings a publisher's uplink carries, lowest first.
  ///
  /// An encoding of documented rate may run at down to 60 % of it (our model; libwebrtc's minimum shares are 20 to
  /// 75 %). Lower encodings count as load only where viewers want them for their own sake.
  mutating func fitUplink(of number: Int, kernel: inout Kernel) {
    guard cameraOf[number] != nil || screenOf[number] != nil else { return }
    participants[number].actedUpEstimate = controllers.estimate(Path.up(number))
    var budget = encoderBudget(of: number, voice: voiceShare(of: number), at: kernel.now)
    budget = min(budget, plan.system.sendCap)
    participants[number].frameDropping = frameDropping(of: number, within: budget)
    if let dropping = participants[number].frameDropping { budget = dropping.reduced(budget) }
    let shares = uplinkShares(of: number, within: budget)
    for (source, share) in [(screenOf[number], shares.screen), (cameraOf[number], shares.camera)] {
      guard let source else { continue }
      fit(source, within: share, kernel: &kernel)
    }
  }

  /// What a publisher's encoders may spend; where the estimate is fed back, headers come off as in libwebrtc.
  private mutating func encoderBudget(of number: Int, voice: BitRate, at now: SimTime) -> BitRate {
    let path = Path.up(number)
    guard usesFeedback else { return videoBudget(of: path, voices: voice, at: now) }
    let estimate = controllers.estimate(path)
    guard estimate > voice else { return .zero }
    let packets = expectedPackets(of: number)
    let payload = UplinkShare.payload(of: estimate - voice, headers: packets.headers)
    return UplinkShare.frames(
      of: payload - paths[path].repairs.rate(within: payload, at: now), descriptors: packets.descriptors)
  }

  /// RTP headers that a packet of a publisher's encodings is expected to have, on the mean [byte], and what the payload
  /// descriptors of those that it sends take.
  private func expectedPackets(of number: Int) -> (headers: Int, descriptors: BitRate) {
    var headers = 0
    var streams = 0
    var descriptors: Int64 = 0
    for source in [screenOf[number], cameraOf[number]].compactMap({ $0 }) where sources[source].isCapturing {
      let wanted = wantedEncodings(of: source)
      let isSingle = sources[source].encodings == 1
      for rung in 0..<sources[source].encodings where wanted >> UInt32(rung) & 1 == 1 {
        let encoding = encodings[sources[source].firstEncoding + rung]
        streams += 1
        headers += PacketOverhead.rtp + PacketOverhead.videoExtensions
        if !encoding.hasRepaired {
          headers +=
            isSingle
            ? PacketOverhead.unacknowledgedSingleExtensions : PacketOverhead.unacknowledgedRepairExtensions
        }
        guard encoding.isSending else { continue }
        let frames = Int64(encoding.milliFramesPerSecond)
        let packets = Packetization(frameBytes: Int(encoding.target.bitsPerSecond * 125 / frames)).count
        descriptors += frames * Int64(packets * PacketOverhead.vp8Descriptor) * 8 / 1000
      }
    }
    return (headers / max(streams, 1), BitRate(bitsPerSecond: descriptors))
  }

  /// Splits what an uplink has for video between a screen share and a camera that are both on, as libwebrtc's bitrate
  /// allocator does for tracks of one priority; one alone has all.
  private func uplinkShares(of number: Int, within budget: BitRate) -> (screen: BitRate, camera: BitRate) {
    guard let screen = screenOf[number], let camera = cameraOf[number], sources[screen].isCapturing,
      sources[camera].isCapturing
    else { return (budget, budget) }
    var share = UplinkShare([
      .video(maximum: wantedRate(of: screen)), .video(maximum: wantedRate(of: camera)),
    ])
    share.split(budget)
    return (share[0], share[1])
  }

  /// What a source's encodings that are wanted may take together, at least 30 kbps.
  private func wantedRate(of source: Int) -> BitRate {
    let ladder = sources[source].plan.ladder.encodings
    let wanted = wantedEncodings(of: source)
    var rate = BitRate.zero
    for rung in ladder.indices where wanted >> UInt32(rung) & 1 == 1 {
      rate += ladder[rung].maximum ?? ladder[rung].bitrate
    }
    return max(rate, sources[source].plan.minimum)
  }

  private mutating func fit(_ source: Int, within share: BitRate, kernel: inout Kernel) {
    let first = sources[source].firstEncoding
    let rungs = 0..<sources[source].encodings
    let before = rungs.map { encodings[first + $0].scale }
    if !allocate(share, to: source) {
      var left = share
      for rung in rungs {
        let full = encodings[first + rung].fullRate
        let scale = Self.scale(
          Double(left.bitsPerSecond) / Double(full.bitsPerSecond), least: leastShare(of: first + rung))
        encodings[first + rung].scale = scale
        encodings[first + rung].headroom = left - min(left, full)
        if scale > 0, isSettled(source: source, rung: rung) { left -= min(left, full.scaled(by: scale)) }
      }
      keepLowestOn(of: source, within: left)
    }
    guard rungs.contains(where: { encodings[first + $0].scale != before[$0] }) else { return }
    refreshOffers(of: source)
    refreshSending(source: source)
    markViewersDirty(kernel: &kernel)
  }

  /// Puts on offer the layers of the encodings that the uplink carries, at what these take.
  mutating func refreshOffers(of source: Int) {
    let first = sources[source].firstEncoding
    sources[source].offers = sources[source].ladder.compactMap { layer in
      let encoding = first + layer.id.encoding
      guard encodings[encoding].scale > 0 else { return nil }
      var layer = layer
      layer.bitrate = layer.bitrate.scaled(by: encodings[encoding].usedShare)
      return layer
    }
  }

  /// Where an estimate has to grow from what is sent, the lowest encoding that is wanted is sent whatever it says, at a
  /// tenth of its rate or more.
  private mutating func keepLowestOn(of source: Int, within left: BitRate) {
    guard usesFeedback else { return }
    let first = sources[source].firstEncoding
    let wanted = wantedEncodings(of: source)
    let rungs = (0..<sources[source].encodings).filter { wanted >> UInt32($0) & 1 == 1 }
    guard let lowest = rungs.first, rungs.allSatisfy({ encodings[first + $0].scale == 0 }) else {
      return
    }
    let share = Double(left.bitsPerSecond) / Double(max(encodings[first + lowest].fullRate.bitsPerSecond, 1))
    encodings[first + lowest].scale = max(0.1, (share * 20).rounded(.down) / 20)
  }

  /// Shares a rate as libwebrtc's allocator does.
  ///
  /// - Returns: `false` for a ladder whose limits are not known.
  private mutating func allocate(_ total: BitRate, to source: Int) -> Bool {
    guard sources[source].allocator != nil else { return false }
    let first = sources[source].firstEncoding
    // What nobody wants is off and takes no part (W3C `active`).
    let wanted = wantedEncodings(of: source)
    for rung in 0..<sources[source].encodings {
      sources[source].allocator?.setActive(wanted >> UInt32(rung) & 1 == 1, encoding: rung)
    }
    // Before anybody wants anything every encoding is on offer; later those as well that nobody wants now, at what they
    // would get beside the others if they were asked for.
    let before = sources[source].allocator?.enabled
    let rates = wanted == 0 ? nil : sources[source].allocator?.allocate(total)
    let spare = rates.map { total - min(total, $0.total) } ?? .zero
    let isNewLayout = rates != nil && sources[source].allocator?.enabled != before
    for rung in 0..<sources[source].encodings {
      let full = Double(max(encodings[first + rung].fullRate.bitsPerSecond, 1))
      let isActive = wanted >> UInt32(rung) & 1 == 1
      let rate = isActive ? rates?[rung] : rates.flatMap { _ in resumed(rung, of: source, within: total) }
      encodings[first + rung].scale = rate.map { Double($0.bitsPerSecond) / full } ?? 1
      if let rates, rates.total > .zero {
        let share = Double(rates[rung].bitsPerSecond) / Double(rates.total.bitsPerSecond)
        encodings[first + rung].headroom = spare.scaled(by: share)
      }
      if isNewLayout { encodings[first + rung].model.noteLayoutChange() }
    }
    return true
  }

  /// What an encoding that is off would get of a rate beside those that are on, if an SFU asked for it again.
  private func resumed(_ rung: Int, of source: Int, within total: BitRate) -> BitRate? {
    guard var allocator = sources[source].allocator else { return nil }
    allocator.setActive(true, encoding: rung)
    return allocator.allocate(total)[rung]
  }

  /// The least share of its rate that an encoding runs at: a source's only one goes down to its encoder's minimum.
  private func leastShare(of number: Int) -> Double {
    let source = sources[encodings[number].source]
    guard source.encodings == 1 else { return 0.6 }
    return min(
      1, Double(source.plan.minimum.bitsPerSecond) / Double(max(encodings[number].fullRate.bitsPerSecond, 1)))
  }

  /// Steps of 5 % keep the offers of simulcast from changing with every breath of the uplink; a single encoding
  /// follows by a five-hundredth and never stops.
  private static func scale(_ share: Double, least: Double) -> Double {
    if share >= 1 { return 1 }
    if least == 0.6 { return share >= 0.6 ? (share * 20).rounded(.down) / 20 : 0 }
    return max(least, (share * 500).rounded(.down) / 500)
  }

  /// A controller has spoken: a fall counts at once, a rise with the next look at the estimates.
  mutating func followUplink(of number: Int, kernel: inout Kernel) {
    let path = Path.up(number)
    let isDropping = participants[number].frameDropping != nil
    guard
      controllers.estimate(path) < participants[number].actedUpEstimate.scaled(by: 0.95)
        || isDropping || controllers.congestionReduction(path) > 0
    else { return }
    fitUplink(of: number, kernel: &kernel)
  }

  /// The frames that the congestion window of an uplink has encoders leave out.
  private func frameDropping(of number: Int, within budget: BitRate) -> FrameDropping? {
    let reduction = controllers.congestionReduction(Path.up(number))
    guard reduction > 0 else { return nil }
    let minimum = [cameraOf[number], screenOf[number]].compactMap { $0 }
      .reduce(BitRate.zero) { $0 + (sources[$1].isCapturing ? sources[$1].plan.minimum : .zero) }
    return FrameDropping(reduction: reduction, target: budget, minimum: minimum)
  }

  /// Whether some viewer has this encoding for another reason than that the uplink carries nothing higher or that the
  /// stream is still ramping up.
  private func isSettled(source: Int, rung: Int) -> Bool {
    viewers.indices.contains { number in
      let track = trackNumber(viewer: number, source: source)
      guard let grant = grants[track], grant.layer?.id.encoding == rung else { return false }
      return grant.limitation != .senderUplink && grant.limitation != .switching
    } || sources[source].alwaysSent >> UInt32(rung) & 1 == 1
  }
}
