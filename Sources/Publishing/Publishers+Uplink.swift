import Allocation
import CongestionControl
package import Endpoint
import Ladder
import Media
import Plan
package import Quantity
import SimulationKernel
import Systems
import Transport

/// Selection of the encodings that a publisher's uplink carries, and of their rates.
extension Publishers {
  /// Fits a publisher's encodings to its uplink, lowest first.
  ///
  /// Lower encodings count as load where viewers want them for their own sake, or the SFU requests them anyway.
  ///
  /// - Returns: the sources whose offers have changed.
  package mutating func fitUplink(of number: Int, _ endpoints: inout Endpoints, at now: SimTime) -> [Int] {
    guard streams.cameraOf[number] != nil || streams.screenOf[number] != nil else { return [] }
    let own = streams.screenFirst(of: number).filter { sources[$0].plan.recordedFrames == nil }
    let path = endpoints.sendingPath(of: number)
    states[number].actedEstimate = endpoints.estimate(path)
    states[number].hearsFeedback = endpoints.hears(path, at: now)
    var budget = sendCap.confining(encoderBudget(of: number, &endpoints, at: now))
    states[number].videoBudget = budget
    guard !own.isEmpty else { return [] }
    budget -= min(budget, recordedRate(of: number))
    let dropping = frameDropping(
      of: number, reduction: endpoints.controllers.congestionReduction(path), within: budget)
    states[number].frameDropping = dropping
    if let dropping { budget = dropping.reduced(budget) }
    let shares = uplinkShares(of: number, within: budget)
    return own.filter { source in
      // The only receiver's downlink is part of the path.
      let received = sources[source].plan.sendsOneEncoding ? .unlimited : sources[source].demand.bearable
      let bearable = min(received, sources[source].sender.settings.maximum)
      let share = bearable.confining(sources[source].isScreen ? shares.screen : shares.camera)
      let wasWithdrawn = sources[source].withdrawal.rate != nil
      let hasChanged = fit(source, within: share, hasFeedback: endpoints.usesFeedback(on: path), at: now)
      if !wasWithdrawn, sources[source].withdrawal.rate != nil {
        endpoints.forget(sources[source].encodings.filter { encoders[$0].scale == 0 }, on: path, at: now)
      }
      return hasChanged
    }
  }

  /// Checks whether a controller's new target has to be followed at once: a decrease does, an increase waits for the
  /// next regular pass over the estimates.
  package func mustFollowUplink(of number: Int, _ endpoints: borrowing Endpoints) -> Bool {
    let path = endpoints.sendingPath(of: number)
    let acted = states[number].actedEstimate
    return endpoints.estimate(path) < acted.scaled(by: parameters.fallShare)
      || states[number].frameDropping != nil || endpoints.controllers.congestionReduction(path) > 0
  }

  /// Returns the rate of a publisher's voice within its estimate; an estimator that knows the capacity counts every
  /// voice.
  func voiceShare(of participant: Int, usesFeedback: Bool) -> BitRate {
    let isCounted = voicesHaveFeedback || !usesFeedback
    return plans[participant].publishesAudio && isCounted ? plans[participant].voice.wireRate : .zero
  }

  /// Returns the rate that a publisher's encoders may spend; where the estimate comes from feedback, headers are
  /// subtracted as in libwebrtc.
  private mutating func encoderBudget(of number: Int, _ endpoints: inout Endpoints, at now: SimTime)
    -> BitRate
  {
    let path = endpoints.sendingPath(of: number)
    let voice = voiceShare(of: number, usesFeedback: endpoints.usesFeedback(on: path))
    guard endpoints.usesFeedback(on: path) else {
      let budget = endpoints.videoBudget(of: path, voices: voice, at: now)
      return budget.available.confining(endpoints.estimate(path))
    }
    let estimate = endpoints.estimate(path)
    guard estimate > voice else { return .zero }
    let packets = expectedPackets(of: number)
    let payload = UplinkShare.payload(of: estimate - voice, headers: packets.headers)
    strengthenProtection(of: number, payload: payload, endpoints, at: now)
    return UplinkShare.frames(
      of: payload - endpoints.repairRate(on: path, within: payload, at: now),
      descriptors: packets.descriptors)
  }

  /// Returns the mean RTP header size of the packets of a publisher's encodings [byte], and the rate of the payload
  /// descriptors of those that it sends.
  private func expectedPackets(of number: Int) -> (headers: Int, descriptors: BitRate) {
    var headers = 0
    var count = 0
    var descriptors: Int64 = 0
    for source in streams.screenFirst(of: number) where sources[source].capture.isOn {
      let isSingle = hasOneEncoding(source) || sources[source].layering != nil
      for encoding in sources[source].encodings
      where sources[source].demand.isWanted(encoders[encoding].index) {
        count += 1
        headers += PacketOverhead.rtp + PacketOverhead.videoExtensions
        if !encoders[streams.encodings[encoding].stream].output.hasRepaired {
          headers +=
            isSingle
            ? PacketOverhead.unacknowledgedSingleExtensions : PacketOverhead.unacknowledgedRepairExtensions
        }
        guard encoders[encoding].isSending else { continue }
        let frames = Int64(encoders[encoding].milliFramesPerSecond)
        let bytes = Int(encoders[encoding].target.bitsPerSecond * 125 / frames)
        let packets = Packetization(frameBytes: bytes).count
        let sent = Int64(Double(frames) * encoders[encoding].rates.share)
        descriptors += sent * Int64(packets * PacketOverhead.vp8Descriptor) * 8 / 1000
      }
    }
    return (headers / max(count, 1), BitRate(bitsPerSecond: descriptors))
  }

  /// Splits an uplink's video rate between a screen share and a camera that are both on, as libwebrtc's bitrate
  /// allocator does by their priorities; a single source gets all of it.
  private func uplinkShares(of number: Int, within budget: BitRate) -> (screen: BitRate, camera: BitRate) {
    guard let screen = streams.screenOf[number], let camera = streams.cameraOf[number],
      sources[screen].capture.isOn, sources[camera].capture.isOn, sources[camera].pushedRate != 0,
      sources[camera].plan.recordedFrames == nil, !sources[screen].isInactive, !sources[camera].isInactive
    else { return (budget, budget) }
    var share = UplinkShare([
      .video(maximum: wantedRate(of: screen), priority: sources[screen].sender.settings.priority.weight),
      .video(maximum: wantedRate(of: camera), priority: sources[camera].sender.settings.priority.weight),
    ])
    share.split(budget)
    return (share[0], share[1])
  }

  /// Returns the maximum total rate of a source's wanted encodings, at least its encoder's minimum.
  private func wantedRate(of source: Int) -> BitRate {
    let ladder = sources[source].plan.ladder.encodings
    var rate = BitRate.zero
    for index in ladder.indices where sources[source].demand.isWanted(index) {
      let share = encoders[sources[source].encodings.lowerBound + index].rates.share
      rate += (ladder[index].maximum ?? ladder[index].bitrate).scaled(by: share)
    }
    return sources[source].maximum.confining(max(rate, sources[source].plan.leastRate))
  }

  // MARK: One source

  /// Fits a source's encodings to its share of the uplink.
  ///
  /// - Returns: `true` if its offer has changed.
  private mutating func fit(
    _ source: Int, within share: BitRate, hasFeedback: Bool, at now: SimTime
  ) -> Bool {
    let before = sources[source].encodings.map { encoders[$0].scale }
    if !sources[source].demand.orders.isEmpty {
      followOrders(of: source, within: share, hasFeedback: hasFeedback)
    } else if let split = sources[source].layering?.split {
      allocate(share, to: source, by: split)
    } else if !allocate(share, to: source, hasFeedback: hasFeedback, at: now) {
      var left = share
      for encoding in sources[source].encodings {
        let full = encoders[encoding].runningRate
        let least = leastShare(of: encoding)
        let scale = scale(encoders[encoding].share(of: left), of: source, least: least)
        encoders[encoding].scale = scale
        encoders[encoding].headroom = left - min(left, full)
        if scale > 0, isSettled(encoding) { left -= min(left, full.scaled(by: scale)) }
      }
      let lowest = sources[source].demand.wanted.trailingZeroBitCount
      let isWithdrawn =
        hasFeedback && !hasOneEncoding(source) && withdraws(lowest, of: source, within: share, at: now)
      keepLowestOn(of: source, within: left, hasFeedback: hasFeedback && !isWithdrawn)
    }
    // An encoder that has changed its picture size can use another rate, though its target is the same.
    let isUnchanged = zip(sources[source].encodings, before).allSatisfy { encoding, scale in
      encoders[encoding].scale == scale && encoders[encoding].offeredShare == encoders[encoding].usedShare
    }
    if isUnchanged { return false }
    refreshOffers(of: source)
    refreshSending(source)
    return true
  }

  /// Runs encodings at the ordered rates, lowest first, as far as the uplink carries them by now; the first runs
  /// whatever the estimate, which can only grow while something is sent.
  private mutating func followOrders(of source: Int, within share: BitRate, hasFeedback: Bool) {
    let ordered = zip(sources[source].encodings, sources[source].demand.orders)
    var left = share
    for (encoding, order) in ordered {
      let rate = min(order, left)
      let scale = encoders[encoding].share(of: rate)
      encoders[encoding].scale = scale >= parameters.startShare ? min(1, scale) : 0
      encoders[encoding].headroom = .zero
      left -= rate
    }
    guard hasFeedback, let (first, _) = ordered.first(where: { $0.1 > .zero }) else { return }
    encoders[first].scale = max(parameters.startShare, encoders[first].scale)
  }

  /// Keeps the lowest encoding on: where an estimate only grows while something is sent, the lowest wanted encoding is
  /// sent whatever the estimate, unless one below it can replace it; where the estimator knows that nothing fits, the
  /// source's lowest runs at the available rate.
  private mutating func keepLowestOn(of source: Int, within left: BitRate, hasFeedback: Bool) {
    let candidates = sources[source].encodings.filter {
      !hasFeedback || sources[source].demand.isWanted(encoders[$0].index)
    }
    guard let lowest = candidates.first, candidates.allSatisfy({ encoders[$0].scale == 0 }) else { return }
    let share = encoders[lowest].share(of: left)
    if share < parameters.startShare {
      let hasStandIn = (sources[source].encodings.lowerBound..<lowest).contains { encoders[$0].scale > 0 }
      guard hasFeedback, !hasStandIn else { return }
    }
    let steps = Double(parameters.encodingSteps)
    let stated = sources[source].plan.minimum == nil ? 0 : leastShare(of: lowest)
    encoders[lowest].scale = max(parameters.startShare, stated, (share * steps).rounded(.down) / steps)
  }

  /// Distributes a rate as libwebrtc's allocator does.
  ///
  /// - Returns: `false` for a ladder whose limits are not known.
  private mutating func allocate(
    _ total: BitRate, to source: Int, hasFeedback: Bool, at now: SimTime
  ) -> Bool {
    guard sources[source].allocator != nil else { return false }
    let total = encoders[sources[source].encodings.lowerBound].atFullFrameRate(total)
    let demand = sources[source].demand
    // An unwanted encoding is off and takes no part (W3C `active`).
    for index in 0..<sources[source].encodings.count {
      sources[source].allocator?.setActive(demand.isWanted(index), encoding: index)
    }
    // Before any demand every encoding is offered; later the unwanted ones are offered too, at the rates that they
    // would get beside the others if they were requested.
    let before = sources[source].allocator?.enabled
    let rates = demand.wanted == 0 ? nil : sources[source].allocator?.allocate(total)
    let spare = rates.map { total - min(total, $0.total) } ?? .zero
    let lowest = demand.wanted.trailingZeroBitCount
    let isWithdrawn = hasFeedback && withdraws(lowest, of: source, within: total, at: now)
    let isNewLayout = rates != nil && sources[source].allocator?.enabled != before
    for encoding in sources[source].encodings {
      let index = encoders[encoding].index
      let full = Double(max(encoders[encoding].fullRate.bitsPerSecond, 1))
      var rate =
        demand.isWanted(index)
        ? rates?[index] : rates.flatMap { _ in resumed(index, of: source, within: total) }
      // libwebrtc sends the lowest active encoding at its minimum whatever the rate, which would be permanent where
      // nothing adapts.
      if !hasFeedback || isWithdrawn, index > 0, let own = rate, own > total { rate = .zero }
      if isWithdrawn, index == lowest { rate = .zero }
      encoders[encoding].scale = rate.map { Double($0.bitsPerSecond) / full } ?? 1
      if let rates, rates.total > .zero {
        let share = Double(rates[index].bitsPerSecond) / Double(rates.total.bitsPerSecond)
        encoders[encoding].headroom = spare.scaled(by: share)
      }
      if isNewLayout { encoders[encoding].model.noteLayoutChange() }
    }
    return true
  }

  /// Returns the rate that an inactive encoding would get beside the active ones if the SFU requested it again.
  private func resumed(_ index: Int, of source: Int, within total: BitRate) -> BitRate? {
    guard var allocator = sources[source].allocator else { return nil }
    allocator.setActive(true, encoding: index)
    return allocator.allocate(total)[index]
  }

  /// Checks whether a source has one encoding, or sends one alone.
  private func hasOneEncoding(_ source: Int) -> Bool {
    sources[source].encodings.count == 1 || sources[source].plan.sendsOneEncoding
  }

  /// Returns the minimum share of its rate at which an encoding runs: a source's only encoding goes down to its
  /// encoder's minimum, and the lowest of several to a stated one.
  private func leastShare(of encoding: Int) -> Double {
    let source = encoders[encoding].source
    guard
      hasOneEncoding(source) || encoders[encoding].index == 0 && sources[source].plan.minimum != nil
    else { return parameters.leastShare }
    return min(
      1,
      Double(sources[source].plan.leastRate.bitsPerSecond)
        / Double(max(encoders[encoding].runningRate.bitsPerSecond, 1)))
  }

  /// Quantizes the share of an encoding; a source's only encoding follows in small steps and never stops.
  private func scale(_ share: Double, of source: Int, least: Double) -> Double {
    if share >= 1 { return 1 }
    guard hasOneEncoding(source) else {
      let steps = Double(parameters.encodingSteps)
      return share >= least ? (share * steps).rounded(.down) / steps : 0
    }
    let steps = Double(parameters.singleEncodingSteps)
    return max(least, (share * steps).rounded(.down) / steps)
  }

  /// Returns the frames that the congestion window of an uplink makes encoders drop.
  private func frameDropping(of number: Int, reduction: Double, within budget: BitRate) -> FrameDropping? {
    guard reduction > 0 else { return nil }
    let minimum = streams.cameraFirst(of: number)
      .reduce(BitRate.zero) { $0 + (sources[$1].capture.isOn ? sources[$1].plan.leastRate : .zero) }
    return FrameDropping(reduction: reduction, target: budget, minimum: minimum)
  }

  /// Checks whether an encoding is sent whatever else the uplink carries: some viewer receives it for a reason other
  /// than a limited uplink or a stream that is still ramping up, or it is requested beside those above it.
  private func isSettled(_ encoding: Int) -> Bool {
    let source = encoders[encoding].source
    let demand = sources[source].demand
    let beside =
      sources[source].sender.isRequestedUpToHighest
      ? demand.forwarded : sources[source].sender.alwaysRequested & demand.wanted
    return (demand.settled | demand.alwaysSent | beside) >> encoders[encoding].index & 1 == 1
  }
}
