import Allocation
import Endpoint
package import Quantity
package import Systems

/// Tracks whose SDP answers have reached their viewers, in systems that receive a track only once it is negotiated.
package struct NegotiatedTracks {
  private struct Session {
    /// Time at which the connection to the SFU is set up; `nil` before the first answer.
    var connectedAt: SimTime?
    /// Flags, by source, set once an answer with it has arrived.
    var isKnown: [Bool]
    /// Known sources whose tracks arrive with the connection.
    var waiting: [Int] = []
    /// Time at which the offer is ready; `nil` without one.
    var offersAt: SimTime?
    /// Client's last request, as sent; `nil` before the first.
    var request: SubscriptionRequest?
    /// Number of tracks in the offer that the SFU has asked for.
    var offered = 0
  }

  package let rules: NegotiationRules
  private let sourceCount: Int
  private var sessions: [Session]

  /// Creates the sessions of all viewers; `nil` in systems that negotiate nothing.
  init?(_ rules: NegotiationRules?, viewers: Int, sources: Int) {
    guard let rules else { return nil }
    self.rules = rules
    sourceCount = sources
    sessions = Array(repeating: Session(isKnown: Array(repeating: false, count: sources)), count: viewers)
  }

  package mutating func close(_ viewer: Int) {
    sessions[viewer] = Session(isKnown: Array(repeating: false, count: sourceCount))
  }

  /// Checks whether a viewer knows a source's track; packets of unknown tracks belong to no stream of its connection.
  package func isKnown(_ source: Int, to viewer: Int) -> Bool { sessions[viewer].isKnown[source] }

  /// Takes an answer that has arrived. The first one starts the connection, whose handshake completes at both ends at
  /// about the same time [our model].
  ///
  /// - Returns: the time at which the connection is set up if this is the first answer; `nil` otherwise.
  package mutating func takeFirst(of viewer: Int, at now: SimTime) -> SimTime? {
    guard sessions[viewer].connectedAt == nil else { return nil }
    let connectedAt = now + rules.connectionTime
    sessions[viewer].connectedAt = connectedAt
    return connectedAt
  }

  /// Takes an answer with sources that the SFU adds.
  ///
  /// - Returns: the sources whose tracks are now available to the client.
  package mutating func accept(_ sources: [Int], by viewer: Int, at now: SimTime) -> [Int] {
    for source in sources { sessions[viewer].isKnown[source] = true }
    sessions[viewer].waiting += sources
    return takeConnection(of: viewer, at: now)
  }

  /// Returns the sources whose tracks become available to the client, once the connection is set up.
  package mutating func takeConnection(of viewer: Int, at now: SimTime) -> [Int] {
    guard let connectedAt = sessions[viewer].connectedAt, now >= connectedAt else { return [] }
    defer { sessions[viewer].waiting = [] }
    return sessions[viewer].waiting
  }

  /// Handles the SFU's request for an offer of a number of tracks.
  ///
  /// - Returns: the time at which the offer is ready.
  package mutating func prepareOffer(tracks: Int, by viewer: Int, at now: SimTime) -> SimTime {
    let due = now + rules.offerTime
    sessions[viewer].offered = tracks
    sessions[viewer].offersAt = due
    return due
  }

  /// Returns the number of tracks of an offer that is due; `nil` without one.
  package mutating func takeOffer(by viewer: Int, at now: SimTime) -> Int? {
    guard let due = sessions[viewer].offersAt, now >= due else { return nil }
    sessions[viewer].offersAt = nil
    return sessions[viewer].offered
  }

  /// Notes a client's request.
  ///
  /// - Returns: `true` if it has to be sent. One that equals the last is not where a track's size and visibility have
  ///   separate messages.
  mutating func takeNews(_ request: SubscriptionRequest, of viewer: Int) -> Bool {
    guard rules.sendsSettingsApart else { return true }
    let request = request.withoutTracks
    defer { sessions[viewer].request = request }
    return request != sessions[viewer].request
  }

  /// Forgets a track that the client no longer subscribes to, so that it has to be negotiated again.
  package mutating func forget(_ source: Int, of viewer: Int) {
    sessions[viewer].isKnown[source] = false
    sessions[viewer].waiting.removeAll { $0 == source }
  }
}

extension SubscriptionRequest {
  /// Copy without the sizes and visibility of tracks, which have separate messages, and without what the SFU knows
  /// better.
  fileprivate var withoutTracks: SubscriptionRequest {
    var request = self
    for place in wishes.indices {
      request.wishes[place].tile = nil
      request.wishes[place].visibility = .onScreen
      request.wishes[place].offers = []
      request.wishes[place].ladder = []
    }
    return request
  }
}
