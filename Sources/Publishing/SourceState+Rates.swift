import Endpoint
package import Ladder
import Media
import Plan
package import Quantity
package import SimulationKernel
import Systems

/// The rates of a source's encodings within its share of the uplink, and the layers that it can offer at them.
extension SourceState {
  /// Returns the maximum total rate of the wanted encodings, at least the encoder's minimum.
  func wantedRate(_ encoders: borrowing Table<EncoderState>) -> BitRate {
    let ladder = plan.ladder.encodings
    var rate = BitRate.zero
    for index in ladder.indices where demand.isWanted(index) {
      let share = encoders[encodings.lowerBound + index].rates.share
      rate += (ladder[index].maximum ?? ladder[index].bitrate).scaled(by: share)
    }
    return maximum.confining(max(rate, plan.leastRate))
  }

  /// Fits the encodings to the source's share of the uplink.
  ///
  /// - Parameter feedback: what is known of the uplink's feedback.
  /// - Returns: `true` if its offer has changed.
  package mutating func fit(
    _ encoders: inout Table<EncoderState>, within share: BitRate, _ feedback: UplinkFeedback, at now: SimTime
  ) -> Bool {
    let hasFeedback = feedback != .none
    let before = encodings.map { encoders[$0].scale }
    if !demand.orders.isEmpty {
      followOrders(&encoders, within: share, hasFeedback: hasFeedback)
    } else if let layering {
      let total = max(encoders[encodings.lowerBound].atFullFrameRate(share), plan.leastRate)
      layering.allocate(total, to: encodings, &encoders, isWanted: !demand.wanted.isEmpty)
    } else if simulcast.allocator != nil {
      let total = encoders[encodings.lowerBound].atFullFrameRate(share)
      let least = leastOfLowest(encoders, feedback)
      simulcast.allocate(
        total, to: encodings, &encoders, for: demand, least: least, hasFeedback: hasFeedback, at: now)
    } else {
      var left = share
      for encoding in encodings {
        let full = encoders[encoding].runningRate
        let least = leastShare(of: encoders[encoding])
        let scale = scale(encoders[encoding].share(of: left), least: least)
        encoders[encoding].scale = scale
        encoders[encoding].headroom = left - min(left, full)
        if scale > 0, isSettled(encoders[encoding].index) { left -= min(left, full.scaled(by: scale)) }
      }
      let lowest = leastOfLowest(encoders, feedback)
      let isWithdrawn =
        hasFeedback && !hasOneEncoding
        && simulcast.withdrawal.follow(least: lowest, within: share, at: now)
      keepLowestOn(&encoders, within: left, hasFeedback: hasFeedback && !isWithdrawn)
    }
    // An encoder that has changed its picture size can use another rate, though its target is the same.
    let isUnchanged = zip(encodings, before).allSatisfy { encoding, scale in
      encoders[encoding].scale == scale && encoders[encoding].offeredShare == encoders[encoding].usedShare
    }
    if isUnchanged { return false }
    refreshOffers(&encoders)
    return true
  }

  /// Runs encodings at the ordered rates, lowest first, as far as the uplink carries them by now; the first runs
  /// whatever the estimate, which can only grow while something is sent.
  private func followOrders(_ encoders: inout Table<EncoderState>, within share: BitRate, hasFeedback: Bool) {
    let ordered = zip(encodings, demand.orders)
    var left = share
    for (encoding, order) in ordered {
      let rate = min(order, left)
      let scale = encoders[encoding].share(of: rate)
      encoders[encoding].scale = scale >= sender.parameters.startShare ? min(1, scale) : 0
      encoders[encoding].headroom = .zero
      left -= rate
    }
    guard hasFeedback, let (first, _) = ordered.first(where: { $0.1 > .zero }) else { return }
    encoders[first].scale = max(sender.parameters.startShare, encoders[first].scale)
  }

  /// Keeps the lowest encoding on: where an estimate only grows while something is sent, the lowest wanted encoding is
  /// sent whatever the estimate, unless one below it can replace it; where the estimator knows that nothing fits, the
  /// source's lowest runs at the available rate.
  private func keepLowestOn(_ encoders: inout Table<EncoderState>, within left: BitRate, hasFeedback: Bool) {
    let candidates = encodings.filter {
      !hasFeedback || demand.isWanted(encoders[$0].index)
    }
    guard let lowest = candidates.first, candidates.allSatisfy({ encoders[$0].scale == 0 }) else { return }
    let share = encoders[lowest].share(of: left)
    if share < sender.parameters.startShare {
      let hasStandIn = (encodings.lowerBound..<lowest).contains { encoders[$0].scale > 0 }
      guard hasFeedback, !hasStandIn else { return }
    }
    let steps = Double(sender.parameters.encodingSteps)
    let stated = plan.minimum == nil ? 0 : leastShare(of: encoders[lowest])
    encoders[lowest].scale = max(sender.parameters.startShare, stated, (share * steps).rounded(.down) / steps)
  }

  /// `true` if it has one encoding, or sends one alone.
  var hasOneEncoding: Bool { encodings.count == 1 || plan.sendsOneEncoding }

  /// Returns the minimum share of its rate at which an encoding runs: a source's only encoding goes down to its
  /// encoder's minimum, and the lowest of several to a stated one.
  private func leastShare(of encoder: borrowing EncoderState) -> Double {
    guard hasOneEncoding || encoder.index == 0 && plan.minimum != nil else {
      return sender.parameters.leastShare
    }
    let running = max(encoder.runningRate.bitsPerSecond, 1)
    return min(1, Double(plan.leastRate.bitsPerSecond) / Double(running))
  }

  /// Quantizes the share of an encoding; a source's only encoding follows in small steps and never stops.
  private func scale(_ share: Double, least: Double) -> Double {
    if share >= 1 { return 1 }
    guard hasOneEncoding else {
      let steps = Double(sender.parameters.encodingSteps)
      return share >= least ? (share * steps).rounded(.down) / steps : 0
    }
    let steps = Double(sender.parameters.singleEncodingSteps)
    return max(least, (share * steps).rounded(.down) / steps)
  }

  /// Checks whether an encoding is sent whatever else the uplink carries: some viewer receives it for a reason other
  /// than a limited uplink or a stream that is still ramping up, or it is requested beside those above it.
  private func isSettled(_ index: Int) -> Bool {
    let beside =
      sender.isRequestedUpToHighest ? demand.forwarded : sender.alwaysRequested.intersection(demand.wanted)
    return demand.settled.union(demand.alwaysSent).union(beside).contains(index)
  }

  /// Returns the minimum rate of the lowest wanted encoding; `nil` if none below it could replace it. For a ladder
  /// without limits, the minimum rate is half of the share at which its encodings begin [our model].
  private func leastOfLowest(
    _ encoders: borrowing Table<EncoderState>, _ feedback: UplinkFeedback
  ) -> BitRate? {
    let planned = plan.ladder.encodings
    // An estimate that falls for lack of feedback does not reflect the uplink's capacity.
    guard let lowest = demand.wanted.lowest, lowest > 0, lowest < planned.count, feedback == .heard else {
      return nil
    }
    guard simulcast.allocator == nil else { return planned[lowest].minimum }
    return encoders[encodings.lowerBound + lowest].runningRate.scaled(by: sender.parameters.leastShare / 2)
  }

  /// Returns the target of a scalable source's encoder if its layers cannot use all of it; `nil` if they can, or if all
  /// layers are on.
  package func idleRate(_ encoders: borrowing Table<EncoderState>) -> IdleRate? {
    guard let split = layering?.split, capture.isOn else { return nil }
    let active = encodings.prefix { encoders[$0].isSending }
    guard !active.isEmpty, active.count < split.layerCount else { return nil }
    let used = active.reduce(BitRate.zero) { $0 + encoders[$1].target }
    let spare = active.reduce(BitRate.zero) { $0 + encoders[$1].headroom }
    guard spare > .zero else { return nil }
    let target = min(used + spare, split.usefulMaximum)
    guard target > used else { return nil }
    return IdleRate(
      layers: active.count, used: used, target: target, start: split.start(of: active.count + 1))
  }

  /// Offers the layers of the encodings that the uplink carries, at the rates that they use.
  mutating func refreshOffers(_ encoders: inout Table<EncoderState>) {
    let first = encodings.lowerBound
    for encoding in encodings { encoders[encoding].offeredShare = encoders[encoding].usedShare }
    let isSummed = layering?.split.mode.prediction == .full
    offers = ladder.compactMap { layer in
      let encoding = first + layer.id.encoding
      guard encoders[encoding].scale > 0 else { return nil }
      var layer = layer
      layer.bitrate =
        isSummed
        ? summedRate(of: layer.id, encoders) : layer.bitrate.scaled(by: encoders[encoding].offeredShare)
      return layer
    }
  }

  /// Returns the rate of a layer together with all layers below it, on which it depends.
  private func summedRate(of layer: LayerID, _ encoders: borrowing Table<EncoderState>) -> BitRate {
    let planned = plan.ladder.encodings
    return (0...layer.encoding).reduce(.zero) { sum, index in
      let own = planned[index].cumulativeBitrates
      return sum
        + own[min(layer.temporal, own.count - 1)].scaled(
          by: encoders[encodings.lowerBound + index].offeredShare)
    }
  }

  var hasLimits: Bool { plan.ladder.encodings.allSatisfy(\.hasLimits) }

  /// Returns the limit by libwebrtc's rule for simulcast: the targets of the lower active encodings, and 1.2 times the
  /// minimum rate of the highest, at most the source's maximum; nothing with only one (`video_send_stream_impl.cc`,
  /// CalculateMaxPadBitrateBps). A scalable stream is padded up to the start of its top layer, whatever its maximum
  /// (`svc_rate_allocator.cc`, GetPaddingBitrate), and not at all while nobody wants it: its encoding is off.
  func paddingLimit(_ encoders: borrowing Table<EncoderState>, within most: RateLimit) -> BitRate? {
    if let split = layering?.split { return demand.wanted.isEmpty ? nil : split.start(of: split.layerCount) }
    guard hasLimits else { return nil }
    var lower = BitRate.zero
    var top: Int?
    let planned = plan.ladder.encodings
    for index in planned.indices where demand.isWanted(index) {
      if let top { lower += planned[top].bitrate }
      top = index
    }
    guard let top, let least = planned[top].minimum, lower > .zero else { return nil }
    let share = encoders[encodings.lowerBound].rates.share
    let content: SimulcastRateAllocator.Content = isScreen ? .screen : .camera
    return most.confining(
      (lower + min(least.scaled(by: Double(content.reenablePercent) / 100), planned[top].bitrate))
        .scaled(by: share))
  }
}

/// Feedback on an uplink.
package enum UplinkFeedback {
  /// The estimate does not come from feedback.
  case none
  /// The estimate comes from feedback, and can only grow while something is sent; no feedback has arrived lately.
  case lost
  /// The estimate is based on feedback that still arrives.
  case heard

  init(on path: Int, _ endpoints: borrowing Endpoints, at now: SimTime) {
    self =
      !endpoints.rules.usesFeedback(on: path) ? .none : endpoints.hears(path, at: now) ? .heard : .lost
  }
}
