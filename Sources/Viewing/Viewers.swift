package import Endpoint
package import Plan
package import Quantity
package import SimulationKernel
import Statistics
package import Systems

/// Participants as viewers: their clients with what these know, and the streams that reach them.
package struct Viewers: ~Copyable {
  package let streams: StreamNumbering
  /// Clients by participant; `nil` for a participant that receives no video.
  package var clients: [(any Client)?]
  /// Flags of the participants that are viewers; reading them from the clients would retain those clients' arrays.
  package let isViewer: [Bool]
  package var states: Table<State>
  /// Knowledge of the meeting at each client, by participant.
  package var knowledge: Table<ViewerKnowledge>
  package var negotiated: NegotiatedTracks?
  /// Knowledge of a participant before joining: the names.
  private let vacant: Directory
  /// Participants who spoke before the meeting, in order of speech.
  let earlierSpeakers: [Int]
  /// Video that reaches them, by track.
  package var receptions: VideoReceptions
  /// Actions of clients since the meeting last recorded them.
  package var records: [ViewerRecord] = []

  /// State of one participant as a viewer.
  package struct State: BitwiseCopyable {
    /// Number of the connection that its timers belong to, modulo 16.
    package var connection: UInt8 = 0
    /// Event at which its client will send its subscriptions; `nil` for none.
    package var pendingRequest: EventHandle?
    /// Set while its own camera is on.
    package var sendsVideo = false
    /// Set if its screen is due for another look.
    var isScreenDue = false
    /// Set while another look at its screen is scheduled during a scroll.
    var isScreenFollowed = false
    /// Digest of the sources, sizes and visibility of the client's last subscriptions.
    var shownDigest: UInt64 = 0
    /// Fixed traits of its client; reading them from the client would copy the client.
    package let traits: ClientTraits

    package init(_ client: (any Client)?) { traits = client?.traits ?? ClientTraits(reactionDelay: .zero) }
  }

  package init(_ plan: MeetingPlan, streams: StreamNumbering, directory: Directory, seed: RunSeed) {
    self.streams = streams
    let people = plan.people
    clients = plan.participants.indices.map { plan.client(of: $0, people, streams: streams, seed: seed) }
    isViewer = plan.participants.map { $0.view != nil }
    earlierSpeakers = plan.speechOrder
    var states = Table<State>()
    for client in clients { states.append(State(client)) }
    self.states = states
    knowledge = Table(
      repeating: ViewerKnowledge(sources: streams.sourceCount), count: streams.participantCount)
    negotiated = NegotiatedTracks(
      plan.system.traits.negotiation, viewers: streams.participantCount, sources: streams.sourceCount)
    vacant = directory
    receptions = VideoReceptions(plan, streams: streams)
  }

  package func isJoined(_ viewer: Int) -> Bool { receptions.viewers[viewer].isJoined }

  /// Handles a viewer joining with a new connection; timers of an earlier connection are void.
  package mutating func join(_ viewer: Int, connection: UInt8) {
    receptions.viewers[viewer].isJoined = true
    states[viewer].connection = connection
    receptions.viewers[viewer].peer = nil
    states[viewer].pendingRequest = nil
  }

  /// Handles a viewer leaving: it no longer expects any track, and forgets the meeting.
  package mutating func leave(_ viewer: Int, at now: SimTime) {
    receptions.viewers[viewer].isJoined = false
    receptions.viewers[viewer].peer = nil
    for source in streams.sources.indices {
      // Outside the meeting there is no list of streams to change.
      receptions[streams.track(viewer: viewer, source: source)].toldSize = .max
      receptions.expect(false, source: source, by: viewer, at: now)
    }
    knowledge[viewer].clear()
    negotiated?.close(viewer)
  }

  // MARK: Knowledge

  /// Number of announcements that have reached everybody in the meeting; `nil` if it is empty.
  package var leastPosition: Int? {
    var least: Int?
    for viewer in 0..<knowledge.count {
      guard let position = knowledge[viewer].position else { continue }
      least = min(least ?? position, position)
    }
    return least
  }

  /// Returns the current knowledge of a viewer's client.
  ///
  /// - Parameter announced: the directory announced to it; `nil` outside the meeting.
  package mutating func roster(
    of viewer: Int, _ announced: Directory?, _ sizes: PictureSizes, at now: SimTime
  ) -> Roster {
    let directory = announced ?? vacant
    if receptions.takeNews(of: viewer) {
      for source in streams.sources.indices {
        let track = streams.track(viewer: viewer, source: source)
        knowledge[viewer].receptions[source].isGiven = receptions[track].isExpected
        knowledge[viewer].receptions[source].picture = receptions.picture(of: track, sizes)
      }
    }
    return Roster(
      now: now, viewer: viewer, isJoined: knowledge[viewer].isJoined, joinedAt: knowledge[viewer].joinedAt,
      members: directory.members, moderators: directory.moderators, sources: directory.sources,
      receptions: knowledge[viewer].receptions)
  }
}
