package import Allocation
package import Endpoint
import Ladder
package import Plan
package import Quantity
import Systems

/// The SFU's decisions: the layers that each viewer gets.
package struct Allocator {
  package let streams: StreamNumbering
  package let policy: any AllocationPolicy
  /// Name of the policy's type, as in `decisions.csv`.
  let policyRule: String
  /// Maximum video rates that the clients accept, by viewer.
  package let receiveCaps: [RateLimit]
  /// Set if a controller decides for the whole meeting.
  private let hasController: Bool
  /// Decoder limits of the devices that the policy keeps, by viewer; `nil` without a stated limit, and where a server
  /// or a controller decides.
  package let decoderLimits: [DecoderLimit?]
  /// Decoder limits of the devices to which the input of servers and controllers is confined, by viewer; `nil` without
  /// a stated limit, and where the policy decides.
  let inputLimits: [DecoderLimit?]
  package let reallocation: ReallocationRule
  /// Value of ``SystemTraits/mergesFeedback``.
  let mergesFeedback: Bool
  let rates: RateParameters
  /// Budgets by viewer.
  package var budgets: [ViewerBudget]
  /// Subscriptions of the last computed desires, by viewer.
  private var desiredBy: [[Subscription]]
  package internal(set) var subscriptions: SubscriptionTable
  package private(set) var counts: EncodingCounts
  /// Rate that the worst viewer of each source could receive; `nil` where it must be searched for again.
  private var bearableRates: [RateLimit?]

  init(_ plan: MeetingPlan, streams: StreamNumbering) {
    self.streams = streams
    policy = plan.system.policy
    policyRule = policy.ruleName
    receiveCaps = plan.participants.indices.map(plan.receiveCap)
    hasController = plan.system.controller != nil
    let limits = plan.participants.map(\.capabilities.decode)
    let none = [DecoderLimit?](repeating: nil, count: limits.count)
    (decoderLimits, inputLimits) = plan.system.decider.isPolicyInMeetings ? (limits, none) : (none, limits)
    reallocation = ReallocationRule(plan.rates)
    mergesFeedback = plan.system.traits.mergesFeedback
    rates = plan.rates
    budgets = plan.participants.map { _ in ViewerBudget(plan.rates) }
    desiredBy = plan.participants.map { _ in [] }
    subscriptions = SubscriptionTable(tracks: streams.trackCount)
    counts = EncodingCounts(streams)
    bearableRates = Array(repeating: .unlimited, count: streams.sourceCount)
  }

  /// Begins an allocation by setting the budget that it uses.
  ///
  /// - Parameter isByServer: `true` if the viewer's server decides, with a budget of its own.
  package mutating func beginAllocation(of viewer: Int, isByServer: Bool = false, at now: SimTime) {
    let current = budgets[viewer].current
    budgets[viewer].acted = current
    var budget = budgets[viewer].downlink
    budget.cap = receiveCaps[viewer]
    if !isByServer || budgets[viewer].decided == nil { budgets[viewer].decided = budget }
    budgets[viewer].allowance = budget.total
    budgets[viewer].actedAt = now
  }

  /// Returns the rate that a viewer's downlink leaves for video, within what its client accepts.
  package func spendable(by viewer: Int) -> RateLimit { min(budgets[viewer].current, receiveCaps[viewer]) }

  /// Shares a viewer's budget among its subscriptions, within its device's decode limit, in every system.
  ///
  /// - Returns: one grant for each subscription, in their order.
  package mutating func allocate(_ wishes: [Subscription], to viewer: Int) -> [Grant] {
    var grants = policy.allocate(
      budget: budgets[viewer].current, cap: receiveCaps[viewer], wishes: wishes,
      within: decoderLimits[viewer])
    grants.complete(ranks: policy.ranks(of: wishes))
    note(grants, for: wishes, of: viewer)
    budgets[viewer].withheld = receiveCaps[viewer].confining(wishes.reduce(.zero) { $0 + $1.withheld })
    let missing = grants.filter { $0.layer == nil && $0.limitation == .bandwidth }.map(\.missing).min()
    budgets[viewer].missingPicture = missing.flatMap { missing in
      budgets[viewer].allowance.rate.map { $0 + missing }
    }
    return grants
  }

  /// Notes the decisions on a viewer's subscriptions.
  package mutating func note(_ grants: [Grant], for wishes: [Subscription], of viewer: Int) {
    budgets[viewer].given = grants.reduce(.zero) { $0 + ($1.layer?.bitrate ?? .zero) }
    noteDesires(wishes, of: viewer)
  }

  /// Applies a decision.
  ///
  /// - Returns: the grant with the limitation in effect, and the previous grant; `nil` for none.
  package mutating func grant(_ grant: Grant, to wish: Subscription, viewer: Int) -> (
    granted: Grant, previous: Grant?
  ) {
    let track = streams.track(viewer: viewer, source: wish.source)
    let previous = subscriptions.grants[track]
    var grant = grant
    if wish.followsReceivers, grant.layer != nil { keepFollowing(&grant, wish, after: previous, of: viewer) }
    subscriptions.grant(grant, to: wish, on: track)
    noteBearable(grant.bearable, after: previous?.bearable, of: wish.source)
    counts.settled.move(from: previous?.settledEncoding, to: grant.settledEncoding, of: wish.source, streams)
    return (grant, previous)
  }

  /// Names the client's cap as the limit where it excludes a layer for which a server or a controller, which knows no
  /// cap, reports a lack of bandwidth or time.
  func noteCap(in grants: inout [Grant], of viewer: Int) {
    let cap = receiveCaps[viewer]
    guard cap != .unlimited, let budget = budgets[viewer].decided else { return }
    // The rise of the budget beyond which the cap would be the limit.
    let room = cap.room(above: min(cap, budget.available))
    for place in grants.indices {
      let isCapped =
        switch grants[place].limitation {
        case .bandwidth: !room.admits(grants[place].missing)
        case .hold: room == .zero
        default: false
        }
      if isCapped { grants[place].limitation = .requestCap }
    }
  }

  /// Notes the layers that the policy would grant a viewer's subscriptions if neither its downlink nor any uplink were
  /// short.
  package mutating func noteDesires(_ wishes: [Subscription], of viewer: Int) {
    // The current offers make no difference.
    let ideal = wishes.map(\.withWholeLadder)
    guard ideal != desiredBy[viewer] else { return }
    desiredBy[viewer] = ideal
    for (wish, layer) in zip(ideal, policy.desires(ideal, within: decoderLimits[viewer])) {
      desire(layer, viewer: viewer, source: wish.source)
    }
  }

  private mutating func desire(_ layer: Layer?, viewer: Int, source: Int) {
    let track = streams.track(viewer: viewer, source: source)
    counts.desired.move(
      from: subscriptions.desires[track]?.id.encoding, to: layer?.id.encoding, of: source, streams)
    subscriptions.desire(layer, on: track)
  }

  /// Resets the budget of a viewer whose new connection has an unknown downlink.
  package mutating func open(_ viewer: Int) { budgets[viewer] = ViewerBudget(rates) }

  /// Removes the subscriptions of a viewer that has left.
  package mutating func leave(_ viewer: Int) {
    for source in streams.sources.indices { unsubscribe(viewer, from: source) }
  }

  /// Removes a viewer's subscription to a source.
  package mutating func unsubscribe(_ viewer: Int, from source: Int) {
    desiredBy[viewer].removeAll { $0.source == source }
    desire(nil, viewer: viewer, source: source)
    let track = streams.track(viewer: viewer, source: source)
    counts.settled.move(from: subscriptions.grants[track]?.settledEncoding, to: nil, of: source, streams)
    noteBearable(nil, after: subscriptions.grants[track]?.bearable, of: source)
    subscriptions.remove(track)
  }

  /// Updates the rate that a source's worst viewer could receive when one viewer's rate changes.
  mutating func noteBearable(_ rate: BitRate?, after previous: BitRate?, of source: Int) {
    guard rate != previous, let least = bearableRates[source] else { return }
    if let rate, least.admits(rate) {
      bearableRates[source] = RateLimit(rate)
    } else if let previous, RateLimit(previous) == least {
      bearableRates[source] = nil
    }
  }

  /// Returns the rate that a source's worst viewer could receive; unlimited if all viewers could receive the source in
  /// full.
  package mutating func bearableRate(of source: Int) -> RateLimit {
    if let known = bearableRates[source] { return known }
    var least = RateLimit.unlimited
    for viewer in budgets.indices {
      guard let rate = subscriptions.grants[streams.track(viewer: viewer, source: source)]?.bearable else {
        continue
      }
      least = min(least, RateLimit(rate))
    }
    bearableRates[source] = least
    return least
  }

  /// Returns the most lines that any viewer requests of a source, within its client's own limits; `nil` if none does.
  func requestedLines(of source: Int) -> Int? {
    var most = 0
    for viewer in budgets.indices {
      let track = streams.track(viewer: viewer, source: source)
      most = max(most, subscriptions.tile(track)?.lines ?? 0)
    }
    return most > 0 ? most : nil
  }

  /// Returns a tile as granted, whether or not it is forwarded yet; `nil` if it is not subscribed to.
  package func grantedTile(_ track: Int) -> GrantedTile? {
    guard let grant = subscriptions.grants[track], let wish = subscriptions[track] else { return nil }
    return GrantedTile(
      wish, grant, desire: subscriptions.desires[track], by: policy, isSentToOrder: hasController)
  }

  /// Returns the record of decisions on a viewer's subscriptions; none before the first budget.
  ///
  /// - Parameters:
  ///   - rules: names of the rules that decided.
  ///   - previous: the layers granted before; `nil` for none.
  func record(
    of grants: [Grant], by rules: [String], after previous: [LayerID?], viewer: Int
  ) -> [SFURecord] {
    guard let budget = budgets[viewer].decided else { return [] }
    let decided = grants.indices.compactMap { place in
      grantedTile(streams.track(viewer: viewer, source: grants[place].source)).map {
        (grants[place], $0, rules[place], previous[place])
      }
    }
    return [.decisions(decided, viewer: viewer, budget: budget)]
  }

  /// Returns the subscriptions to sources none of whose layers a viewer's device can take, which want the low stream.
  func refusedByDevice(_ wishes: [Subscription], _ grants: [Grant], of viewer: Int) -> [Subscription] {
    guard decoderLimits[viewer]?.pixelsPerSecond != nil else { return [] }
    return zip(wishes, grants).compactMap { wish, grant in
      guard grant.layer == nil, grant.limitation == .device else { return nil }
      var refused = wish
      refused.wantsLowStream = true
      return refused
    }
  }

  /// Returns the rate that a viewer's subscriptions would have if neither its downlink nor any uplink were short.
  package func wholeRate(of viewer: Int) -> BitRate {
    var rate = BitRate.zero
    for source in streams.sources.indices {
      rate += subscriptions.desires[streams.track(viewer: viewer, source: source)]?.bitrate ?? .zero
    }
    return rate
  }

  /// Returns the rate that a viewer's subscriptions would have if its downlink were not short, limited to what their
  /// publishers currently offer, since uplinks may be short.
  package func offeredRate(of viewer: Int, _ directory: Directory) -> BitRate {
    var rate = BitRate.zero
    for source in streams.sources.indices {
      guard let desire = subscriptions.desires[streams.track(viewer: viewer, source: source)] else {
        continue
      }
      rate += directory.sources[source].offers.last { $0.id <= desire.id }?.bitrate ?? .zero
    }
    return rate
  }

  /// Returns a viewer's current subscriptions, in its client's order.
  package func orderedSubscriptions(of viewer: Int) -> [Subscription] {
    desiredBy[viewer].compactMap { subscriptions[streams.track(viewer: viewer, source: $0.source)] }
  }

  /// Returns a viewer's current subscriptions, by source.
  package func subscriptions(of viewer: Int) -> [Subscription] {
    streams.sources.indices.compactMap { subscriptions[streams.track(viewer: viewer, source: $0)] }
  }
}

extension Grant {
  /// Encoding, by index in the source, that a viewer receives, unless it is limited by the uplink or still ramping up.
  fileprivate var settledEncoding: Int? {
    limitation == .senderUplink || limitation == .switching ? nil : layer?.id.encoding
  }
}
