import Quantity
import Systems

/// Offers and answers (RFC 9429) between the SFU and its viewers, in systems where a track is forwarded once both have
/// agreed on it.
///
/// One offer is under way at a time; sources that are asked for meanwhile share the next.
struct Negotiations {
  private struct State {
    var agreed: Set<Int> = []
    var offered: [Int] = []
    var waiting: [Int] = []
    /// When the connection is set up; `nil` before the first answer.
    var connectedAt: SimTime?
    /// Sources that the viewer accepted before that: they arrive with the connection.
    var accepted: [Int] = []
  }

  private var states: [State]
  /// From the first answer until media may flow: connectivity checks and the DTLS handshake.
  private let connectionTime: SimDuration
  let areUsed: Bool

  init(_ plan: MeetingPlan) {
    areUsed = plan.system.signallingSharesLinks
    connectionTime = plan.system.connectionTime
    states = areUsed ? plan.participants.map { _ in State() } : []
  }

  mutating func close(_ viewer: Int) { if areUsed { states[viewer] = State() } }

  /// Whether a source may be forwarded to a viewer.
  func hasAgreed(_ viewer: Int, on source: Int, at now: SimTime) -> Bool {
    guard let connectedAt = states[viewer].connectedAt, now >= connectedAt else { return false }
    return states[viewer].agreed.contains(source)
  }

  /// Whether a source has been asked for, and may not be forwarded yet.
  func isPending(_ viewer: Int, _ source: Int, at now: SimTime) -> Bool {
    guard areUsed else { return false }
    let state = states[viewer]
    return state.waiting.contains(source) || state.offered.contains(source)
      || state.agreed.contains(source) && !hasAgreed(viewer, on: source, at: now)
  }

  /// Asks for sources that have not been asked for.
  ///
  /// - Returns: those to offer now; empty for none.
  mutating func request(_ sources: [Int], by viewer: Int) -> [Int] {
    for source in sources
    where !states[viewer].agreed.contains(source) && !states[viewer].offered.contains(source)
      && !states[viewer].waiting.contains(source)
    {
      states[viewer].waiting.append(source)
    }
    return takeOffer(to: viewer)
  }

  private mutating func takeOffer(to viewer: Int) -> [Int] {
    guard states[viewer].offered.isEmpty else { return [] }
    states[viewer].offered = states[viewer].waiting
    states[viewer].waiting = []
    return states[viewer].offered
  }

  /// A viewer has answered.
  ///
  /// - Returns: the sources to offer now, and when those that it has agreed on may be forwarded.
  mutating func answer(_ viewer: Int, at now: SimTime) -> (offer: [Int], forwardAt: SimTime) {
    states[viewer].agreed.formUnion(states[viewer].offered)
    states[viewer].offered = []
    let connectedAt = states[viewer].connectedAt ?? now + connectionTime
    states[viewer].connectedAt = connectedAt
    return (takeOffer(to: viewer), max(now, connectedAt))
  }

  /// A viewer has accepted sources.
  ///
  /// - Returns: those that arrive at its client now.
  mutating func accept(_ sources: [Int], by viewer: Int, at now: SimTime) -> [Int] {
    states[viewer].accepted += sources
    return takeArrivals(at: viewer, now)
  }

  /// Sources that arrive at a viewer's client, once the connection is set up.
  mutating func takeArrivals(at viewer: Int, _ now: SimTime) -> [Int] {
    guard let connectedAt = states[viewer].connectedAt, now >= connectedAt else { return [] }
    defer { states[viewer].accepted = [] }
    return states[viewer].accepted
  }

  /// Tracks of the session that a viewer is offered.
  func trackCount(of viewer: Int) -> Int { states[viewer].agreed.count + states[viewer].offered.count }
}
