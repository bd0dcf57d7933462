package import Allocation
package import Ladder
package import Quantity
import Systems

/// What a system would give each source of one viewer at each budget: the decision alone, without packets.
///
/// The wishes are those of the viewer's client at a moment of the scenario, after everything that it debounces has taken
/// effect; all layers arrive that the sources' ladders have, at the rates that the scenario lists or the ladder names. The
/// code that decides is that of a run.
package struct StandaloneDecision: Sendable {
  /// A source of others, in the order of the meeting's sources.
  package struct Source: Sendable {
    /// `ID`, or `ID/screen` for a screen share.
    package var name: String
    package var layers: [Layer]
  }

  /// What one source is given.
  package struct Row: Hashable, Sendable {
    /// Index in ``sources``.
    package var source: Int
    /// Place in the order in which sources are served, from 1; `nil` for one that is not subscribed to.
    package var rank: Int?
    /// `nil` for nothing.
    package var layer: Layer?
    package var limitation: Limitation
    /// Further budget for the next layer; zero where bandwidth is not the limit.
    package var missing: BitRate
    package var rule: String
  }

  package let sources: [Source]
  private let decider: any ViewerDecider
  private let isSentToOrder: Bool
  private let policy: any AllocationPolicy
  /// In the order of the decider.
  private let wishes: [Wish]
  /// What each wish would be given if nothing were short.
  private let desires: [Layer?]
  /// By source: indices of its wishes.
  private let wishesOfSource: [[Int]]
  /// By source: whether it is on the screen, and not asked for since the system gives a viewer no more.
  private let isBeyondLimit: [Bool]

  /// - Parameters:
  ///   - viewer: index of a participant with a view.
  ///   - at: moment of the scenario's timeline.
  ///   - previous: what was forwarded before, by ``Source/name``.
  /// - Returns: `nil` if the viewer has no view.
  package init?(_ plan: MeetingPlan, viewer: Int, at: SimTime, previous: [PreviousLayer] = []) {
    guard let scene = Scene(plan, viewer: viewer, at: at) else { return nil }
    sources = scene.remoteSources.map {
      Source(name: scene.name(of: $0), layers: scene.roster.sources[$0].ladder)
    }
    // A policy decides within what the device decodes; the others' wishes are within that.
    let limit = plan.system.decidesByPolicy ? plan.participants[viewer].capabilities.decode : nil
    policy = plan.system.policy
    isSentToOrder = plan.system.meetingRule != nil
    if let rule = plan.system.meetingRule {
      decider = MeetingDecider(rule, plan, viewer, scene, at: at)
    } else if let rule = plan.system.statedRule {
      decider = RuleDecider(rule, scene.state(after: previous))
    } else {
      decider = PolicyDecider(plan, viewer, scene)
    }
    let own = decider.wishes
    wishes = own
    desires = policy.desires(own.map(\.withWholeLadder), within: limit)
    isBeyondLimit = scene.remoteSources.map(scene.beyondLimit.contains)
    wishesOfSource = scene.remoteSources.map { source in own.indices.filter { own[$0].source == source } }
  }

  /// One row for each source, in their order, or for each subscription to it where there are several, and how much more
  /// budget may change one; `nil` if no budget does.
  package func rows(budget: BitRate) -> (rows: [Row], rise: Int64?) {
    let (tiles, margin) = decider.tiles(budget: budget)
    let wishes = wishes.span
    var rows: [Row] = []
    rows.reserveCapacity(sources.count)
    for source in sources.indices {
      for index in wishesOfSource[source] {
        let tile = tiles[index]
        let decided = DecidedTile(
          wishes[index], tile.grant, desire: desires[index], by: policy, isSentToOrder: isSentToOrder)
        rows.append(
          Row(
            source: source, rank: tile.rank, layer: tile.grant.layer, limitation: decided.limitation,
            missing: tile.grant.missing, rule: tile.rule))
      }
      guard wishesOfSource[source].isEmpty else { continue }
      rows.append(
        Row(
          source: source, rank: nil, layer: nil, limitation: isBeyondLimit[source] ? .policy : .offScreen,
          missing: .zero, rule: ""))
    }
    return (rows, margin.rise)
  }
}

/// What was forwarded of a source before a decision.
package struct PreviousLayer: Hashable, Sendable {
  /// As in ``StandaloneDecision/Source/name``.
  package var source: String
  /// What was decided; `nil` for nothing.
  package var target: LayerID?
  /// The encoding that is forwarded, where that is another.
  package var currentEncoding: Int?
  /// For how long the forwarded encoding has arrived; `nil` for longer than any rule asks.
  package var since: SimDuration?
  /// Time since bandwidth made the server take a lower encoding; `nil` for longer than any rule asks.
  package var downgraded: SimDuration?

  package init(source: String, target: LayerID?) {
    self.source = source
    self.target = target
  }

  /// What is forwarded.
  var current: LayerID? {
    guard let encoding = currentEncoding else { return target }
    return LayerID(encoding: encoding, temporal: target?.temporal ?? 0)
  }
}
