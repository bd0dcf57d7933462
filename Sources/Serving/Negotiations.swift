import Endpoint
package import Quantity
package import Systems

/// The SFU's side of SDP negotiation with viewers, in systems that forward a track only once it is negotiated.
///
/// One negotiation is in progress at a time; sources requested meanwhile share the next one.
package struct Negotiations {
  /// The SFU's next step for a viewer.
  package enum Step: Equatable {
    case nothing
    /// Checks again at the given time.
    case wait(SimTime)
    /// Answers the viewer's first offer with these sources.
    case answer([Int])
    /// Asks the viewer for an offer.
    case requestOffer
  }

  private struct State {
    /// Time at which the first offer is answered; `nil` while the viewer is not in the meeting.
    var opensAt: SimTime?
    /// Time at which the SFU last began a negotiation; `nil` before the first answer.
    var begunAt: SimTime?
    /// Requested sources.
    var waiting: [Int] = []
    /// Sources for which the pending offer has to have room.
    var offered: [Int] = []
    /// Answered sources.
    var agreed: [Int] = []
    /// Set while the viewer is ready for its next track, where tracks are negotiated one by one.
    var isAsked = false
    /// Time at which the connection is set up; `nil` until the viewer is reachable.
    var connectedAt: SimTime?
  }

  private var states: [State]
  private let rules: NegotiationRules

  /// Creates the negotiations with all viewers; `nil` in systems that negotiate nothing.
  init?(_ rules: NegotiationRules?, viewers: Int) {
    guard let rules else { return nil }
    self.rules = rules
    states = (0..<viewers).map { _ in State() }
  }

  package var sizes: NegotiationSizes { rules.sizes }

  /// Opens a viewer's negotiation when it joins.
  ///
  /// - Returns: the time at which its first offer is answered.
  package mutating func open(_ viewer: Int, at now: SimTime) -> SimTime {
    let opensAt = now + rules.joinTime
    states[viewer].opensAt = opensAt
    return opensAt
  }

  package mutating func close(_ viewer: Int) { states[viewer] = State() }

  /// Removes a source that a viewer no longer subscribes to, so that it has to be negotiated again.
  package mutating func forget(_ source: Int, of viewer: Int) {
    states[viewer].agreed.removeAll { $0 == source }
  }

  /// Checks whether a source may be forwarded to a viewer.
  package func hasAgreed(_ viewer: Int, on source: Int, at now: SimTime) -> Bool {
    guard let connectedAt = states[viewer].connectedAt, now >= connectedAt else { return false }
    return states[viewer].agreed.contains(source)
  }

  /// Checks whether a source has been requested but may not be forwarded yet.
  package func isPending(_ viewer: Int, _ source: Int, at now: SimTime) -> Bool {
    let state = states[viewer]
    return state.waiting.contains(source) || state.offered.contains(source)
      || state.agreed.contains(source) && !hasAgreed(viewer, on: source, at: now)
  }

  // MARK: Steps

  /// Notes the sources that a viewer requests.
  package mutating func request(_ sources: [Int], by viewer: Int) {
    let state = states[viewer]
    states[viewer].waiting += sources.filter {
      !state.agreed.contains($0) && !state.offered.contains($0) && !state.waiting.contains($0)
    }
  }

  package mutating func takeStep(_ viewer: Int, at now: SimTime) -> Step {
    guard let opensAt = states[viewer].opensAt else { return .nothing }
    guard let begunAt = states[viewer].begunAt else {
      guard now >= opensAt else { return .wait(opensAt) }
      let first = Array(states[viewer].waiting.prefix(rules.initialTracks))
      states[viewer].begunAt = now
      states[viewer].waiting.removeFirst(first.count)
      states[viewer].agreed = first
      return .answer(first)
    }
    guard !states[viewer].waiting.isEmpty, states[viewer].offered.isEmpty else { return .nothing }
    guard now >= begunAt + rules.interval else { return .wait(begunAt + rules.interval) }
    guard !rules.isOneByOne || states[viewer].isAsked else { return .nothing }
    states[viewer].begunAt = now
    states[viewer].isAsked = false
    let count = rules.isOneByOne ? 1 : states[viewer].waiting.count
    states[viewer].offered = Array(states[viewer].waiting.prefix(count))
    states[viewer].waiting.removeFirst(count)
    return .requestOffer
  }

  /// Notes that a viewer asks for its next track.
  package mutating func ask(by viewer: Int) { states[viewer].isAsked = true }

  /// Takes a viewer's offer that has arrived.
  ///
  /// - Returns: the sources to answer with.
  package mutating func takeOffer(by viewer: Int) -> [Int] {
    defer { states[viewer].offered = [] }
    states[viewer].agreed += states[viewer].offered
    return states[viewer].offered
  }

  /// Notes that a viewer is reachable.
  ///
  /// - Returns: the time at which the connection is set up.
  package mutating func connect(_ viewer: Int, at now: SimTime) -> SimTime {
    let connectedAt = states[viewer].connectedAt ?? now + rules.connectionTime
    states[viewer].connectedAt = connectedAt
    return connectedAt
  }

  // MARK: Messages

  /// Returns the number of tracks agreed on in a viewer's session.
  package func trackCount(of viewer: Int) -> Int { states[viewer].agreed.count }
  /// Returns the number of tracks in a viewer's session that are agreed on or that an offer has to have room for.
  package func offeredCount(of viewer: Int) -> Int {
    states[viewer].agreed.count + states[viewer].offered.count
  }

  /// Returns the answer to a viewer's offer, with the sources that it adds.
  func answer(_ sources: [Int], to viewer: Int) -> SignallingMessage {
    .answer(sources, bytes: sizes.description(tracks: trackCount(of: viewer)))
  }

  /// Returns the request for a viewer's offer.
  func offerRequest(to viewer: Int) -> SignallingMessage {
    .offerRequest(tracks: offeredCount(of: viewer), bytes: sizes.request)
  }
}
