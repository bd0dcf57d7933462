package import Ladder
import Quantity

/// Grant of a tile together with the circumstances that determine its ``Limitation``. Only this type chooses the
/// limitation, for runs as well as for decisions without packets.
package struct GrantedTile {
  package let wish: Subscription
  /// Grant in effect.
  package let grant: Grant
  /// Layer that the rule would give if neither the viewer's downlink nor the sender's uplink were short; `nil` for none.
  package let desire: Layer?
  /// Grant that the tile is judged by: without a lack that would bring no more lines or frames.
  private var judged: Grant
  /// Set if the cap that the rule reports denies the tile nothing.
  package var hasIdleCap = false
  /// Set if a controller orders what the source sends: an encoding that is off then does not reveal what it waits for.
  package var isSentToOrder = false
  package var circumstances = Circumstances()

  /// Circumstances of a decision, which may change while it is in effect.
  package struct Circumstances: Equatable, Sendable {
    /// Set once the source has stopped capturing and the server has yet to learn of it.
    package var isSourceOff = false
    /// Set if the source started less than 10 s ago on links that would carry more.
    package var isSourceStarting = false
    /// Set if the viewer started less than 10 s ago on links that would carry more.
    package var isViewerStarting = false
    /// Set if the sender's uplink has cut off the encoding that the viewer would get on ample links, less than 10 s ago
    /// or since it was last granted.
    package var isDesireCutOff = false
    /// Set while the viewer does not yet show the decided layer because it lacks a key frame.
    package var isSwitching = false
    /// Set while the viewer shows no picture at all because it lacks a key frame, or showed none for most of the
    /// interval.
    package var isDark = false
    /// Set while the viewer shows no picture because it lacks a key frame, which its downlink does not hold up.
    package var isInterrupted = false
    /// Set while the viewer shows the requested format, for decisions that leave the picture size open.
    package var showsRequest = false
    /// Format that the encoder produces for the granted layer; `nil` if it produces the layer's own.
    package var encoded: EncodedFormat?
    /// Link that loses most of the decided frames, `senderUplink` or `bandwidth`; `nil` if most arrive.
    package var losing: Limitation?
    /// Set if none arrives.
    package var isLosingAll = false
    /// Set while the client's fallback waits for its recovery time alone: the downlink carries the layer again.
    package var isRecovering = false
    /// Set while fewer frames arrive than decided because the stream exceeds the budget.
    package var isBeyondBudget = false

    package init() {}
  }

  /// Smaller format that the encoder produces for the granted layer.
  package struct EncodedFormat: Equatable, Sendable {
    package var format: VideoFormat
    /// Reason: `senderUplink` or `starting`, `bandwidth` if its viewer's downlink is on the path that it is sent over,
    /// `sender` if its app has set a maximum rate, `hold` if only the encoder is waiting, or `policy` if other viewers
    /// have lowered it.
    package var because: Limitation
    /// Set if the encoder's rate would suffice by now, but the encoder waits before following it.
    package var isSlow: Bool

    package init(_ format: VideoFormat, because: Limitation, isSlow: Bool = false) {
      self.format = format
      self.because = because
      self.isSlow = isSlow
    }
  }

  package init(_ wish: Subscription, _ grant: Grant, desire: Layer?) {
    self.wish = wish
    self.grant = grant
    self.desire = desire
    judged = grant
  }

  /// Creates the tile of a decision made by a policy or its server.
  ///
  /// - Parameter isSentToOrder: ``isSentToOrder``
  package init(
    _ wish: Subscription, _ grant: Grant, desire: Layer?, by policy: any AllocationPolicy, isSentToOrder: Bool
  ) {
    self.init(wish, grant, desire: desire)
    self.isSentToOrder = isSentToOrder
    switch grant.limitation {
    // A controller's budget may deny the granted layer a higher rate, which would bring no more lines or frames.
    case .bandwidth where isSentToOrder, .hold where isSentToOrder:
      if let layer = grant.layer, layer.id == desire?.id { judged = .unhindered(tile: wish, layer) }
    default: break
    }
    if case .requestCap = judged.limitation { hasIdleCap = !policy.isCapped(wish, at: judged) }
  }

  /// Limit that keeps the tile below its request. A rule knows its own constraints: budget, hold, cap and device.
  /// Otherwise the limitation is whatever would have to change for the tile to improve.
  package var limitation: Limitation {
    let word = Limitation(facts)
    switch word {
    case .senderUplink, .starting, .hold: return circumstances.isSourceOff ? .muted : word
    default: return word
    }
  }
}

// MARK: - Facts

extension GrantedTile {
  /// Facts that determine the limitation.
  package var facts: TileFacts {
    var facts = said
    guard facts.isDisjoint(with: [.saysOffScreen, .saysMuted]) else { return facts }
    if circumstances.isSourceStarting { facts.insert(.isSourceStarting) }
    if circumstances.isViewerStarting { facts.insert(.isViewerStarting) }
    let standard = self.standard
    facts.insert(standard)
    switch standard {
    case .isDelivery: facts.formUnion(delivery)
    case .isRuled: if isRestUnsent { facts.insert(.isRestUnsent) }
    case .isOpen: facts.formUnion(possibilities)
    default: break
    }
    return facts
  }

  /// Limitation that the rule or the client's fallback reports.
  private var reported: Limitation {
    if case .bandwidth = judged.limitation, circumstances.isRecovering { return .hold }
    return judged.reported
  }

  /// ``reported`` as a fact.
  private var said: TileFacts {
    switch reported {
    case .offScreen: .saysOffScreen
    case .muted: .saysMuted
    case .senderUplink: .saysSenderUplink
    case .starting: .saysStarting
    case .requestCap: .saysRequestCap
    case .bandwidth: .saysBandwidth
    case .hold: .saysHold
    case .switching: .saysSwitching
    case .policy: .saysPolicy
    case .sender, .device, .layerMissing, .none: []
    }
  }

  /// Standard by which the tile is judged.
  private var standard: TileFacts {
    if case .senderUplink = reported, isGivenUnsent { return .isGivenUnsent }
    if isAsAsked || isMostLost { return .isDelivery }
    if isSourceEmpty { return .isTop }
    if hasAllThatIsSent { return circumstances.isBeyondBudget || circumstances.isDark ? .isDelivery : .isTop }
    switch reported {
    // The layer that is given fits: all that keeps the tile dark is its key frame.
    case .bandwidth where circumstances.isInterrupted && judged.layer != nil: return .isDelivery
    // The publisher of a source that cannot be scaled sends less than the viewer could receive.
    case .bandwidth where isMadeSmaller: return .isDelivery
    case .device,
      .requestCap where isDeviceLimit, .bandwidth where isDeviceLimit, .hold where isDeviceLimit:
      return .isDeviceLimit
    case .requestCap where !hasIdleCap, .switching, .starting, .bandwidth: return .isRuled
    // The layer that the rule waits for may no longer be sent.
    case .hold where isMoreOffered || isSentToOrder: return .isRuled
    default: break
    }
    // The small shortfall of its layer is not what keeps a tile without a picture below its request.
    if circumstances.isDark, judged.layer != nil, !(desire.map(isBelow) ?? false) { return .isDelivery }
    return wish.confinement.isCutByDevice && judged.layer == nil ? .isDeviceLimit : .isOpen
  }

  /// Facts about the delivery of a decided layer that would meet the request.
  private var delivery: TileFacts {
    let isLostUp = circumstances.losing == .senderUplink
    let isLostDown = circumstances.losing == .bandwidth
    var facts: TileFacts = isLostUp ? .isCutByUplink : []
    if isLostDown || circumstances.isBeyondBudget { facts.insert(.isLostDown) }
    if circumstances.isSwitching { facts.insert(.isSwitching) }
    if isFaster { facts.insert(.isFaster) }
    // A downlink that loses most or all of what is sent is worse than an encoder that is still adapting.
    let isLost = isLostDown || circumstances.isBeyondBudget && circumstances.isSwitching
    guard !isLostUp, let encoded = circumstances.encoded, !wish.isMet(by: encoded.format),
      !(encoded.isSlow && isLost)
    else { return facts }
    switch encoded.because {
    case .senderUplink: facts.insert(.isCutByUplink)
    case .sender: facts.insert(.isSmallerBySender)
    case .starting: facts.insert(.isSmallerByStart)
    case .hold: facts.insert(.isSmallerByHold)
    case .bandwidth: facts.insert(.isLostDown)
    default: facts.insert(.isSmallerByPolicy)
    }
    return facts
  }

  /// Facts about what could be granted where nothing constrains the rule.
  private var possibilities: TileFacts {
    var facts: TileFacts = []
    if let desire, isBelow(desire) {
      facts.insert(.isBelowDesire)
      let isDenied =
        said == .saysSenderUplink && isSentToOrder && desire.id == wish.bestWithinRequest?.id
      if isDenied || circumstances.isDesireCutOff || !wish.offers.contains(where: { $0.id == desire.id }) {
        facts.insert(.isDesireUnsent)
      }
    }
    // A client that has fallen back wants less than the app requested, but the requested encoding is off as well.
    if wish.withheld > .zero { facts.insert(.isWithheld) }
    if wish.confinement.isCutByDevice { facts.insert(.isCutByDevice) }
    if wish.confinement.isCutByWindow, let window = wish.confinement.window {
      if !wish.requested.resolution.fits(in: window) { facts.insert(.isCutByWindow) }
    } else if let next = wish.ladder.first(where: isAboveGiven),
      wish.maximum == .nothing || isWithinRequest(next)
    {
      // If a rule leaves a source out altogether, there is no gap between the source's layers.
      facts.insert(.isNextRequested)
    }
    return facts
  }

  /// `true` if the layer has the requested height and frame rate; `false` for an app that pushes no frames and for a
  /// source that has to drop to what its viewers can receive.
  private var isAsAsked: Bool {
    guard let format = judged.layer?.format, format.milliFramesPerSecond > 0 else { return false }
    return wish.isMet(by: format)
      && (judged.bearable == nil || circumstances.showsRequest || circumstances.encoded?.because == .policy)
  }

  /// `true` if the tile would get more than the granted layer if it were not for the device.
  private var isDeviceLimit: Bool { wish.confinement.isDeviceLimit(judged.layer) }

  /// `true` if the encoder makes the granted layer smaller than requested for a reason other than other viewers.
  private var isMadeSmaller: Bool {
    guard let encoded = circumstances.encoded else { return false }
    return encoded.because != .policy && !wish.isMet(by: encoded.format)
  }

  /// `true` if the layer has more frames than requested, under a rule that ignores frame rates.
  private var isFaster: Bool {
    let asked = wish.requested.milliFramesPerSecond
    return asked > 0 && judged.layer.map { $0.format.milliFramesPerSecond > asked } ?? false
  }

  /// `true` if the source is not currently sending the granted layer, as may happen with a server that sees only
  /// packets.
  private var isGivenUnsent: Bool {
    guard let given = judged.layer?.id else { return false }
    return !wish.offers.contains { $0.id == given }
  }

  /// Checks whether the granted layer is below another one, or has a lower frame rate where the rate falls short.
  private func isBelow(_ desire: Layer) -> Bool {
    guard let layer = judged.layer else { return true }
    return layer.id < desire.id
      || lacksRate && layer.format.milliFramesPerSecond < desire.format.milliFramesPerSecond
  }

  /// Checks whether a layer is within the request in lines, in frame rate and, since a size may be a box, in width.
  private func isWithinRequest(_ layer: Layer) -> Bool {
    layer.format.isWithin(wish.maximum) && layer.format.resolution.fits(in: wish.maximum.resolution)
  }

  /// `true` while most of the decided frames are lost; a downlink that loses some is not to blame for those that the
  /// sender's uplink holds back.
  private var isMostLost: Bool {
    switch circumstances.losing {
    case nil: false
    case .bandwidth: circumstances.isLosingAll || !circumstances.isDesireCutOff
    default: true
    }
  }

  /// `true` if the source has nothing to send, like an app that pushes no frames.
  private var isSourceEmpty: Bool {
    wish.ladder.allSatisfy { $0.format.milliFramesPerSecond == 0 && $0.bitrate == .zero }
      || judged.layer?.format.milliFramesPerSecond == 0
  }

  /// `true` if the granted layer is the source's best in everything it lacks, so no other layer would be closer to the
  /// request.
  private var hasAllThatIsSent: Bool {
    guard let format = judged.layer?.format, format.milliFramesPerSecond > 0, lacksLines || lacksRate else {
      return false
    }
    return (!lacksLines || hasMostLines(format)) && (!lacksRate || hasHighestRate(format))
  }

  /// `true` if the source sends a layer above the granted one.
  private var isMoreOffered: Bool {
    wish.offers.contains(where: isAboveGiven)
  }

  /// `true` if the source has requested layers above the granted one that neither a gate nor the client's own request
  /// blocks, but sends none of them.
  private var isRestUnsent: Bool {
    !isMoreOffered && !isSentToOrder
      && wish.ladder.contains {
        $0.format.isWithin(wish.requested) && isWithinRequest($0) && !wish.isGated($0) && isAboveGiven($0)
      }
  }

  private func isAboveGiven(_ layer: Layer) -> Bool {
    judged.layer.map { layer.id > $0.id } ?? true
  }

  private var lacksLines: Bool {
    guard let size = judged.layer?.format.resolution else { return true }
    return !wish.hasLines(size)
  }

  private var lacksRate: Bool {
    judged.layer.map { $0.format.milliFramesPerSecond < wish.requested.milliFramesPerSecond } ?? true
  }

  private func hasMostLines(_ format: VideoFormat) -> Bool {
    !wish.couldBeSent { $0.resolution.lines > format.resolution.lines }
  }

  private func hasHighestRate(_ format: VideoFormat) -> Bool {
    !wish.couldBeSent { $0.milliFramesPerSecond > format.milliFramesPerSecond }
  }
}
