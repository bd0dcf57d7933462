import Allocation
import Endpoint
package import Quantity
package import Systems

/// Tracks that the SFU has answered to viewers, in systems where a track is received once it has been negotiated.
public struct NegotiatedTracks {
  private struct Session {
    /// Time at which the connection to the SFU is set up; `nil` before the first answer.
    var connectedAt: SimTime?
    /// Flags of the sources with which an answer has arrived.
    var isKnown: [Bool]
    /// Known sources that arrive with the connection.
    var waiting: [Int] = []
    /// Time at which the offer is prepared; `nil` without one.
    var offersAt: SimTime?
    /// Client's last request, as sent; `nil` before the first.
    var request: SubscriptionRequest?
    /// Number of tracks of the offer that the SFU has asked for.
    var offered = 0
  }

  private let sourceCount: Int
  private var sessions: [Session]
  /// Set if the system negotiates tracks.
  public let areUsed: Bool

  private let rules: NegotiationRules?
  /// Set if viewers ask for one track after the other.
  package var isOneByOne: Bool { rules?.isOneByOne ?? false }
  package var sizes: NegotiationSizes { rules?.sizes ?? NegotiationSizes() }
  /// Set if sizes and visibility of tracks go in messages of their own.
  var sendsSettingsApart: Bool { rules?.sendsSettingsApart ?? false }

  init(_ rules: NegotiationRules?, viewers: Int, sources: Int) {
    areUsed = rules != nil
    self.rules = rules
    sourceCount = sources
    let session = Session(isKnown: Array(repeating: false, count: sources))
    sessions = areUsed ? Array(repeating: session, count: viewers) : []
  }

  package mutating func close(_ viewer: Int) {
    if areUsed { sessions[viewer] = Session(isKnown: Array(repeating: false, count: sourceCount)) }
  }

  /// Checks whether a viewer knows a source's track, as every viewer does where nothing is negotiated: packets of
  /// unknown tracks belong to no stream of its connection.
  @inlinable @inline(__always)
  public func isKnown(_ source: Int, to viewer: Int) -> Bool { !areUsed || hasAnswered(source, viewer) }

  @usableFromInline
  func hasAnswered(_ source: Int, _ viewer: Int) -> Bool { sessions[viewer].isKnown[source] }

  /// Handles the arrival of an answer: the first begins the connection, whose handshake ends at both ends at about the
  /// same time [our model].
  ///
  /// - Returns: the time at which the connection is set up if the answer is the first; `nil` otherwise.
  package mutating func takeFirst(of viewer: Int, at now: SimTime) -> SimTime? {
    guard sessions[viewer].connectedAt == nil else { return nil }
    let connectedAt = now + (rules?.connectionTime ?? .zero)
    sessions[viewer].connectedAt = connectedAt
    return connectedAt
  }

  /// Handles an answer with sources that the SFU adds.
  ///
  /// - Returns: the sources whose tracks arrive at the client now.
  package mutating func accept(_ sources: [Int], by viewer: Int, at now: SimTime) -> [Int] {
    for source in sources { sessions[viewer].isKnown[source] = true }
    sessions[viewer].waiting += sources
    return takeConnection(of: viewer, at: now)
  }

  /// Returns the sources whose tracks arrive at the client, once the connection is set up.
  package mutating func takeConnection(of viewer: Int, at now: SimTime) -> [Int] {
    guard let connectedAt = sessions[viewer].connectedAt, now >= connectedAt else { return [] }
    defer { sessions[viewer].waiting = [] }
    return sessions[viewer].waiting
  }

  /// Handles the SFU's request for an offer of a number of tracks.
  ///
  /// - Returns: the time at which it is prepared.
  package mutating func prepareOffer(tracks: Int, by viewer: Int, at now: SimTime) -> SimTime {
    let due = now + (rules?.offerTime ?? .zero)
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
  /// - Returns: `true` if it says anything else than the last one.
  mutating func takeNews(_ request: SubscriptionRequest, of viewer: Int) -> Bool {
    let request = request.withoutTracks
    defer { sessions[viewer].request = request }
    return request != sessions[viewer].request
  }

  /// Forgets a track to which the client no longer subscribes: it has to be negotiated again.
  package mutating func forget(_ source: Int, of viewer: Int) {
    guard areUsed else { return }
    sessions[viewer].isKnown[source] = false
    sessions[viewer].waiting.removeAll { $0 == source }
  }
}

extension SubscriptionRequest {
  /// Copy without the sizes and the visibility of tracks, which have messages of their own, and without what the SFU
  /// knows better.
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
