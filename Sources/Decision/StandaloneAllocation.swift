package import Allocation
package import Ladder
package import Plan
package import Quantity
import Systems

/// A system's allocation to one viewer at each budget: the decision alone, without packets.
///
/// The subscriptions are those of the viewer's client at a moment of the scenario, after everything that it debounces
/// has taken effect; all layers of the sources' ladders arrive, at the rates listed in the scenario or specified by the
/// ladder. The deciding code is the same as in a run.
package struct StandaloneAllocation: Sendable {
  /// A source of another participant, in the order of the meeting's sources.
  package struct Source: Sendable {
    /// Name: `ID`, or `ID/screen` for a screen share.
    package var name: String
    package var layers: [Layer]
    /// Set if its encodings are the spatial layers of one stream.
    package var isScalable = false
  }

  /// Allocation of one source.
  package struct Row: Hashable, Sendable {
    /// Index in ``sources``.
    package var source: Int
    /// Rank in the order of service, from 1; `nil` for a source that is not subscribed to.
    package var rank: Int?
    /// Allocated layer; `nil` for none.
    package var layer: Layer?
    package var limitation: Limitation
    /// Additional budget that the next layer needs; zero where bandwidth is not the limit.
    package var missing: BitRate
    package var rule: String
  }

  package let sources: [Source]
  /// Capture formats of ``sources``.
  private let captures: [VideoFormat]
  private let plan: MeetingPlan
  /// Index of the viewer.
  private let viewer: Int
  private let decider: any ViewerDecider
  private let isSentToOrder: Bool
  private let policy: any AllocationPolicy
  /// Subscriptions in the decider's order.
  private let wishes: [Subscription]
  /// Layer that each subscription would get if no resource were short.
  private let desires: [Layer?]
  /// Indices of a source's subscriptions, by source.
  private let wishesOfSource: [[Int]]
  /// Flags, by source, for those on the screen that are not subscribed to because of the system's limit per viewer.
  private let isBeyondLimit: [Bool]

  /// Creates the decision for a viewer.
  ///
  /// - Parameters:
  ///   - viewer: index of a participant with a view.
  ///   - at: moment of the scenario's timeline.
  ///   - previous: layers forwarded beforehand, by ``Source/name``.
  /// - Returns: `nil` if the viewer has no view.
  package init?(_ plan: MeetingPlan, viewer: Int, at: SimTime, previous: [PreviousLayer] = []) {
    let plan = plan.drawingTimes(RunSeed(seed: plan.seed, repetition: 0))
    guard let scene = Scene(plan, viewer: viewer, at: at) else { return nil }
    self.plan = plan
    self.viewer = viewer
    sources = scene.remoteSources.map {
      Source(
        name: scene.names[$0], layers: scene.roster.sources[$0].ladder,
        isScalable: scene.isScalable($0))
    }
    captures = scene.remoteSources.map { scene.roster.sources[$0].capture }
    policy = plan.system.policy
    isSentToOrder = plan.system.controller != nil
    switch plan.system.decider.part {
    case .policy: decider = PolicyDecider(plan, viewer, scene)
    case .servers(let rule, _): decider = RuleDecider(rule, scene.state(after: previous))
    case .controller(let control): decider = MeetingDecider(control.rule, plan, viewer, scene, at: at)
    }
    let own = decider.wishes
    wishes = own
    let limit = plan.system.decider.isPolicyAlone ? plan.participants[viewer].capabilities.decode : nil
    desires = policy.desires(own.map(\.withWholeLadder), within: limit)
    isBeyondLimit = scene.remoteSources.map(scene.demand.beyondLimit.contains)
    wishesOfSource = scene.remoteSources.map { source in own.indices.filter { own[$0].source == source } }
  }

  /// Returns one row per source, in order, or one per subscription if a source has several, and the smallest budget
  /// increase that may change a row; `nil` if none can.
  package func rows(budget: BitRate) -> (rows: [Row], rise: Int64?) {
    let (grants, rules, margin) = decider.grants(budget: budget)
    let wishes = wishes.span
    var rows: [Row] = []
    rows.reserveCapacity(sources.count)
    for source in sources.indices {
      for index in wishesOfSource[source] {
        let grant = grants[index]
        let tile = GrantedTile(
          wishes[index], grant, desire: desires[index], by: policy, isSentToOrder: isSentToOrder)
        rows.append(
          Row(
            source: source, rank: grant.rank, layer: grant.layer, limitation: tile.limitation,
            missing: grant.missing,
            rule: plan.limitingRule(
              of: grant, on: wishes[index], tile.limitation, decidedBy: rules[index], for: viewer,
              capture: captures[source])))
      }
      guard wishesOfSource[source].isEmpty else { continue }
      rows.append(
        Row(
          source: source, rank: nil, layer: nil, limitation: isBeyondLimit[source] ? .policy : .offScreen,
          missing: .zero, rule: isBeyondLimit[source] ? plan.system.traits.limitRule ?? "" : ""))
    }
    return (rows, margin.rise)
  }
}

/// Layer of a source forwarded before a decision.
package struct PreviousLayer: Hashable, Sendable {
  /// Name as in ``StandaloneAllocation/Source/name``.
  package var source: String
  /// Layer decided on; `nil` for none.
  package var target: LayerID?
  /// Encoding being forwarded, where it differs.
  package var currentEncoding: Int?
  /// Time since the forwarded encoding began to arrive; `nil` if longer than any rule cares about.
  package var since: SimDuration?
  /// Time since bandwidth made the server drop to a lower encoding; `nil` if longer than any rule cares about.
  package var downgraded: SimDuration?

  package init(source: String, target: LayerID?) {
    self.source = source
    self.target = target
  }

  /// Layer being forwarded.
  var current: LayerID? {
    guard let encoding = currentEncoding else { return target }
    return LayerID(encoding: encoding, temporal: target?.temporal ?? 0)
  }
}
