package import Ladder
package import Quantity

/// Priority of a subscription.
package enum Priority: String, Hashable, Sendable, CaseIterable {
  case high, medium, low
}

/// Visibility of a tile.
package enum Visibility: Hashable, Sendable {
  case onScreen
  /// Part of the view's content, but scrolled off the screen.
  case offScreen
  /// Not part of the view, or hidden by the app.
  case hidden
}

/// One viewer's subscription to one source, with its current video constraints.
package struct Subscription: Hashable, Sendable {
  /// Index of the source in the meeting.
  package var source: Int
  /// Format that the app requests; the allocation never exceeds it.
  package var requested: VideoFormat
  /// `requested` after gates and caps.
  package var maximum: VideoFormat
  /// Constraints as requested before the gate; `nil` without a gate.
  private var ungated: Ungated?
  /// Format below which a lack of bandwidth alone never pushes the allocation; `nil` without such a bound.
  package var minimum: VideoFormat?
  /// Gate above which pictures are never forwarded, not even as a substitute for a layer that the source lacks; `nil`
  /// without such a gate.
  package var gate: Resolution?
  /// Priority; `nil` if the request has none.
  package var priority: Priority?
  /// Priority in systems that number them, 1 to 255, 255 first; `nil` if none is set.
  package var numericPriority: Int?
  /// Layers that the source can send at present, ascending; empty while it sends nothing.
  package var offers: [Layer]
  /// Layers that the source could send over an unconstrained uplink.
  package var ladder: [Layer]
  /// Layers without the app's changes of the sender's parameters; `nil` while there are none, and ``ladder`` has them.
  package var published: [Layer]?
  /// Size of the tile on the viewer's screen [px]; `nil` if unknown.
  package var tile: Resolution?
  package var visibility: Visibility
  /// Set if the viewer requests the low stream (dual-stream systems).
  package var wantsLowStream: Bool
  /// Rate that the client would request if it had not fallen back on a weak downlink; zero if it has not.
  package var withheld = BitRate.zero
  /// Client's constraints on the source beyond a size, in systems that have such constraints.
  package var demand = SourceDemand()
  /// Set if the source is a screen share.
  package var isScreenShare = false
  /// Mode of the source's stream where its encodings are spatial layers of one; `nil` for simulcast.
  package var scalability: ScalabilityMode?
  /// Set if the source's sender follows its receivers: its only encoding takes what the other streams leave.
  package var followsReceivers = false
  /// Weight of the tile in the yardstick: 1, or 4 on the stage, unless the view specifies one.
  package var weight = 1.0
  /// Client's rule that limits the subscription, for `decisions.csv`; `nil` for none.
  package var clientRule: ClientRule?
  /// Reason why the source cannot be received regardless of the budget; `nil` if it can.
  package var absence: Limitation?
  /// Removal of layers by window, frame rate and device.
  package private(set) var confinement = LayerConfinement()

  package init(
    source: Int, requested: VideoFormat, maximum: VideoFormat? = nil, gate: Resolution? = nil,
    priority: Priority? = nil, offers: [Layer], ladder: [Layer]? = nil, tile: Resolution? = nil,
    visibility: Visibility = .onScreen,
    wantsLowStream: Bool = false, absence: Limitation? = nil
  ) {
    self.source = source
    self.requested = requested
    self.maximum = maximum ?? requested
    self.gate = gate
    self.priority = priority
    self.offers = offers
    self.ladder = ladder ?? offers
    self.tile = tile
    self.visibility = visibility
    self.wantsLowStream = wantsLowStream
    self.absence = absence
  }

  /// A client's rule, by its name in `decisions.csv`.
  package enum ClientRule: Hashable, Sendable {
    /// Decides what is received, as a fallback does.
    case decision(String)
    /// Makes the client request less than its screen would show.
    case request(String)
  }

  /// Constraints that a gate changes.
  private struct Ungated: Hashable {
    var maximum: VideoFormat
    var demand: SourceDemand
    var wantsLowStream: Bool
  }
}

extension Subscription {
  /// Reason why the source is not shown at all, whatever the bandwidth; `nil` if it is shown.
  package var exclusion: Limitation? { absence ?? (visibility == .onScreen ? nil : .offScreen) }

  /// Records the client's rule that lowered the request to a number of lines, if the source has more.
  package mutating func lower(by rule: String?, to lines: Int) {
    guard let rule, lines > 0, ladder.contains(where: { $0.format.resolution.lines > lines }) else { return }
    clientRule = .request(rule)
  }

  /// Copy as if the sender's uplink were not short.
  package var withWholeLadder: Subscription {
    var wish = self
    wish.offers = ladder
    return wish
  }

  /// Copy without the layers and rates of its source, for comparing what is requested.
  package var withoutLayers: Subscription {
    var wish = self
    wish.offers = []
    wish.ladder = []
    wish.published = nil
    wish.confinement.isCutByWindow = false
    wish.confinement.beyondDevice = nil
    wish.confinement.uncutExtent = nil
    wish.confinement.decoded?.bitrate = .zero
    return wish
  }

  /// Checks whether the source's ladder has an encoding, or spatial layer, for a layer.
  package func has(_ layer: LayerID) -> Bool { ladder.contains { $0.id.encoding == layer.encoding } }

  /// Copy without gate and caps.
  package var uncapped: Subscription {
    var wish = self
    if absence == .requestCap { wish.absence = nil }
    wish.maximum = requested.union(maximum)
    guard let ungated else { return wish }
    wish.gate = nil
    wish.maximum = wish.maximum.union(ungated.maximum)
    wish.demand = ungated.demand
    wish.wantsLowStream = ungated.wantsLowStream
    return wish
  }

  /// Copy limited by nothing but the device: without caps, on ample links.
  var unhindered: Subscription {
    var wish = uncapped.withWholeLadder
    // Without its fallback, the client would request what is wanted and show what it hides.
    if absence == .bandwidth {
      wish.absence = nil
      wish.wantsLowStream = wish.requested != wish.maximum
      if visibility == .hidden { wish.visibility = .onScreen }
    }
    return wish
  }

  /// Puts the subscription behind a gate, expressed as in a system without gates: the client requests no more than the
  /// gate lets through [our model].
  package mutating func gate(at gate: Resolution) {
    self.gate = gate
    ungated = Ungated(maximum: maximum, demand: demand, wantsLowStream: wantsLowStream)
    if maximum.resolution.lines > gate.lines { maximum.resolution = gate }
    guard ladder.contains(where: isGated) else { return }
    guard let highest = ladder.last(where: { !isGated($0) })?.id else {
      // A source off the screen is reported as off the screen, not as capped.
      if visibility == .onScreen { absence = absence ?? .requestCap }
      return
    }
    demand.maximumLines = demand.maximumLines.map { min($0, gate.lines) }
    demand.ceiling = demand.ceiling.map { min($0, highest) }
    wantsLowStream = true
  }

  /// Highest layer that the source could send within ``maximum``; `nil` if there is none.
  package var bestWithinRequest: Layer? {
    ladder.last { [maximum, demand] in $0.format.isWithin(maximum) && demand.selects($0.id) }
  }

  /// Checks whether the gate blocks a layer.
  package func isGated(_ layer: Layer) -> Bool {
    gate.map { layer.format.resolution.lines > $0.lines } ?? false
  }

  /// Checks whether the gate blocks the next layer above a given one.
  package func isGateLimit(_ given: Layer?) -> Bool {
    guard gate != nil, let next = ladder.first(where: { layer in given.map { layer.id > $0.id } ?? true })
    else {
      return false
    }
    return isGated(next)
  }

  /// ``offers`` without those that the gate blocks.
  package var passingOffers: [Layer] { gate == nil ? offers : offers.filter { !isGated($0) } }

  /// Checks whether the source could send more lines, or more frames, regardless of window and device.
  ///
  /// - Parameter isMore: tests either lines or frames: the layer with the most lines may not have the most frames.
  func couldBeSent(_ isMore: (VideoFormat) -> Bool) -> Bool {
    confinement.uncutExtent.map(isMore) ?? ladder.contains { isMore($0.format) }
  }

  /// Checks whether a picture has the requested size and frame rate.
  func isMet(by format: VideoFormat) -> Bool {
    requested.milliFramesPerSecond <= format.milliFramesPerSecond && hasLines(format.resolution)
  }

  /// Checks whether a picture has the requested lines; a shortfall in the tile's height counts as well.
  func hasLines(_ size: Resolution) -> Bool {
    size.height >= requested.resolution.height && size.hasLines(of: requested.resolution)
  }

  /// Limits the layers to those that fit a picture-in-picture window, before any size rule of a system applies; if even
  /// the lowest does not fit, it is requested anyway.
  package mutating func confine(to window: Resolution) {
    confinement.window = window
    let whole = ladder
    ladder = ladder.fitting(window)
    confinement.isCutByWindow = ladder.count < whole.count
    confinement.uncutExtent = confinement.uncutExtent ?? whole.extent
    offers = offers.fitting(window)
    guard let lowest = (offers.first ?? ladder.first)?.format.resolution, !lowest.fits(in: window) else {
      return
    }
    requested.resolution = lowest
    maximum.resolution = lowest
  }

  /// Removes the layers that need more of the viewer's device than one that it decodes alongside all others.
  ///
  /// - Parameters:
  ///   - layer: highest layer that the device decodes; `nil` if it does not decode the source at all.
  ///   - isCut: `true` if the rule would give more to a device without a limit, with the caps or, if the device allows
  ///     no more without them, without the caps.
  ///   - beyond: layer that the rule would give to a device without a limit, with the caps; `nil` if no higher.
  package mutating func confine(toDecoded layer: Layer?, isCut: Bool, beyond: Layer? = nil) {
    if absence == .requestCap, isCut { absence = .device }
    guard exclusion == nil else { return }
    guard let layer else {
      absence = .device
      return
    }
    confinement.isCutByDevice = isCut
    confinement.beyondDevice = beyond
    confinement.uncutExtent = confinement.uncutExtent ?? ladder.extent
    confinement.decoded = layer
    offers = cut(offers)
    ladder = cut(ladder)
  }

  /// Makes ``maximum``'s frame rate a strict limit: base layers with a higher one are thinned to it.
  package mutating func keepFrameRate() {
    confinement.keepsFrameRate = true
    offers = cut(offers)
    ladder = cut(ladder)
  }

  /// Replaces the layers that the source can send.
  package mutating func refresh(offers: [Layer], ladder: [Layer], published: [Layer]?) {
    self.published = published
    self.offers = cut(offers)
    self.ladder = cut(ladder)
    confinement.uncutExtent =
      confinement.window == nil && confinement.decoded == nil ? nil : ladder.extent
  }

  /// Returns the layers that fit the window, at the kept frame rates, within the device's limit. Gated layers remain
  /// attributed to the gate.
  private func cut(_ layers: [Layer]) -> [Layer] {
    var layers = confinement.window.map { layers.fitting($0) } ?? layers
    if confinement.keepsFrameRate { layers = layers.thinned(to: maximum.milliFramesPerSecond) }
    guard let most = confinement.decoded?.format.milliPixelsPerSecond else { return layers }
    layers.removeAll { !isGated($0) && $0.format.milliPixelsPerSecond > most }
    return layers
  }
}

extension [Subscription] {
  /// Indices grouped by priority, highest first, in the original order within a group; subscriptions without a priority
  /// come last.
  package var indicesByPriority: [[Int]] {
    let priorities: [Priority?] = [.high, .medium, .low, nil]
    return priorities.map { priority in indices.filter { self[$0].priority == priority } }
  }
}
