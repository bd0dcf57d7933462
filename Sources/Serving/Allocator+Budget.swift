package import Allocation
package import CongestionControl
package import Endpoint
import Ladder
import Plan
package import Quantity
package import Systems

/// A viewer's budget, derived from the estimate of its downlink, and the SFU's padding limits.
extension Allocator {
  /// Sets the budget of a viewer's streams: the estimated capacity of its downlink, or during a hold the streams' own
  /// rate.
  ///
  /// - Parameters:
  ///   - budget: video budget, excluding the reserve for voices.
  ///   - voices: the reserve for voices.
  package mutating func followEstimate(
    of viewer: Int, within budget: VideoBudget, voices: BitRate, _ endpoints: inout Endpoints, at now: SimTime
  ) {
    // An estimator that knows the capacity is followed immediately.
    let path = Path.down(viewer)
    guard !endpoints.observesCapacity(of: path) else {
      budgets[viewer].downlink = budget
      return
    }
    let given = budgets[viewer].given
    let repairs = endpoints.repairRate(on: path, within: given, at: now)
    let needed = given.scaled(by: 1 + endpoints.headerShare(of: path)) + voices + repairs
    budgets[viewer].isHeld = budgets[viewer].hold.holds(
      isShort: !budget.available.admits(given), estimate: endpoints.estimate(path), needed: needed,
      repairs: repairs,
      now: now)
    budgets[viewer].downlink = budgets[viewer].isHeld ? budget.leaving(given) : budget
  }

  /// Raises the budget of held streams to the current rates of their layers, so that a hold does not end because an
  /// encoder raises a layer's rate.
  package mutating func holdRates(of wishes: [Subscription], for viewer: Int, at now: SimTime) {
    guard budgets[viewer].isHeld else { return }
    var given = BitRate.zero
    for wish in wishes {
      let track = streams.track(viewer: viewer, source: wish.source)
      guard let held = subscriptions.grants[track]?.layer else { continue }
      given += wish.offers.last { $0.id == held.id }?.bitrate ?? .zero
    }
    guard !budgets[viewer].downlink.available.admits(given) else { return }
    budgets[viewer].downlink = budgets[viewer].downlink.leaving(given)
    beginAllocation(of: viewer, at: now)
  }

  /// Padding of about four packets a second [our model].
  private static let sparePadding = BitRate.kilobits(10)

  /// Returns the sender's demand on a viewer's downlink: the full rate of its subscriptions and voices, padding and
  /// probing.
  ///
  /// While bandwidth keeps a tile below its request, the SFU pads toward the rate of the next step, so that the
  /// estimate can rise that far [our model, as real SFUs do with padding and retransmitted packets]. The rate that a
  /// step lacks (``Allocation/Grant/missing``) is added to the whole budget, part of which may be idle because no step
  /// fits into it; padding never exceeds the full rate.
  ///
  /// Where a rule grants more than its budget, the pacer would delay the excess until the estimate catches up, so the
  /// streams' rate is probed when it rises, as a libwebrtc sender does when it has been application-limited.
  ///
  /// A client that has fallen back needs far more than the next step, and padding for that would fill a weak downlink
  /// for as long as the fallback lasts. The SFU instead probes every 5 s, and pads only where an estimate is tested
  /// after loss.
  package func demand(of viewer: Int, voices: BitRate, headerShare: Double) -> SenderDemand {
    var wished = BitRate.zero
    var given = BitRate.zero
    var lacking = BitRate.zero
    for source in streams.sources.indices {
      let track = streams.track(viewer: viewer, source: source)
      guard let desire = subscriptions.desires[track], let grant = subscriptions.grants[track] else {
        continue
      }
      given += grant.layer?.bitrate ?? .zero
      wished += desire.bitrate
      // A pattern match, because `==` would compare the table's strings for every tile at every estimate.
      if case .bandwidth = grant.limitation, grant.missing > .zero {
        lacking = lacking == .zero ? grant.missing : min(lacking, grant.missing)
      }
    }
    // Nothing is sent or padded for layers that the client's cap excludes.
    wished = receiveCaps[viewer].confining(wished)
    // Before the first estimate nothing is lacking yet.
    let allowance = budgets[viewer].allowance
    let goal = lacking == .zero ? .zero : allowance.rate.map { min($0 + lacking, wished) } ?? .zero
    let headers = 1 + headerShare
    var demand = SenderDemand()
    demand.minimumAllocated = voices
    let withheld = budgets[viewer].withheld
    demand.probesPeriodically = withheld > given
    demand.taken = given.scaled(by: headers) + voices
    demand.isBeyondTarget = !budgets[viewer].isHeld && !allowance.admits(given)
    let whole = max(wished, withheld)
    demand.maximumAllocated = whole == .zero ? .zero : whole.scaled(by: headers) + voices
    demand.maximumLossPadding = RateLimit(whole.scaled(by: rates.paddingHeadroom) + voices)
    demand.maximumPadding = goal == .zero ? .zero : goal.scaled(by: headers * rates.paddingHeadroom) + voices
    // A probe starts from a paced packet: without any video, a padding packet beside the voices.
    if demand.probesPeriodically, given == .zero { demand.maximumPadding = Self.sparePadding + voices }
    return demand
  }

  /// Limits a server's padding by its own rule.
  package func limitPadding(
    of demand: inout SenderDemand, for viewer: Int, to goal: ForwardingRules.PaddingGoal, estimate: BitRate
  ) {
    let whole = max(wholeRate(of: viewer), budgets[viewer].withheld)
    let isShort = budgets[viewer].given < receiveCaps[viewer].confining(whole)
    switch goal {
    case .nextLayer: break
    case .estimate:
      demand.maximumPadding = isShort ? min(demand.maximumAllocated, estimate) : .zero
      demand.probesPeriodically = isShort
    case .nothing:
      demand.maximumPadding = .zero
      demand.probesPeriodically = false
    case .probing:
      demand.maximumPadding = .zero
      demand.probesWhenApplicationLimited = true
      demand.probesPeriodically = isShort && budgets[viewer].given == .zero
    }
    demand.maximumPadding = receiveCaps[viewer].confining(demand.maximumPadding)
  }
}
