package import Allocation
package import Endpoint
package import Ladder
import Media
package import Network
package import Plan
package import Quantity
package import SimulationKernel
import Statistics
package import Systems
package import Transport

/// Video at its receivers: the clients, and the streams that reach them.
package struct Viewers: ~Copyable {
  package let streams: StreamNumbering
  /// Clients by participant; `nil` for a participant that receives no video.
  package var clients: [(any Client)?]
  /// Flags of the participants that are viewers; reading them from the clients would retain those clients' arrays.
  package let isViewer: [Bool]
  package var states: Table<State>
  private var knowledge: Table<ViewerKnowledge>
  package var negotiated: NegotiatedTracks
  /// Knowledge of a participant before joining: the names.
  private let vacant: Directory
  /// Encodings as described to viewers: the source, and the length of frame groups.
  package let encodings: Table<ReceivedEncoding>
  /// Receptions by track.
  package var receptions: Table<Reception>
  /// Receivers, by track.
  package var receivers: VideoReceivers
  /// Missing packets, by track.
  package var missing: Table<MissingPackets>
  /// Streams whose pictures have started, changed size or ended, and whose clients have yet to be notified.
  package private(set) var streamChanges: [StreamChange] = []
  /// Actions of clients since the meeting last recorded them.
  package var records: [ViewerRecord] = []

  /// State of one participant as a viewer.
  package struct State: BitwiseCopyable {
    package var isJoined = false
    /// Number of the connection that its timers belong to, modulo 16.
    package var connection: UInt8 = 0
    /// Set while track changes are not yet part of the client's knowledge.
    package var hasNews = true
    /// Time before which none of its tracks needs attention.
    var attendedAt = Deadline.never
    /// Number of pixels decoded in the current interval.
    package var decodedPixels: Int64 = 0
    /// RTP bytes of padding received so far.
    package var paddingBytes: Int64 = 0
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

  /// The start, change of size or end of a stream's picture, by the number of the size; `.max` for no stream.
  package struct StreamChange: BitwiseCopyable {
    package var viewer: Int
    package var source: Int
    package var from: UInt16
    package var to: UInt16
  }

  /// A viewer's knowledge of an encoding from its description.
  package struct ReceivedEncoding: BitwiseCopyable {
    package var source: Int32
    package var groupLength: UInt8
    /// Spatial layer in a scalable stream; -1 for an encoding in a separate stream.
    package var spatial: Int8 = -1
  }

  /// Settings and facts about the whole meeting.
  let rules: Rules

  struct Rules {
    /// Set if missing packets are requested while waiting for a key frame.
    let keepsMissingPackets: Bool
    /// Participants who spoke before the meeting, in order of speech.
    let earlierSpeakers: [Int]
    /// Modes of scalable sources as described to viewers; `nil` for any other source.
    let modes: [ScalabilityMode?]
  }

  package init(_ plan: MeetingPlan, streams: StreamNumbering, directory: Directory, seed: RunSeed) {
    var encodings = Table<ReceivedEncoding>()
    for number in streams.sources.indices {
      let ladder = plan.source(number, of: streams)?.ladder
      for (index, encoding) in (ladder?.encodings ?? []).enumerated() {
        let pattern = TemporalPattern(layers: encoding.temporalLayers)
        var received = ReceivedEncoding(source: Int32(number), groupLength: UInt8(pattern.groupLength))
        if ladder?.isLayered == true { received.spatial = Int8(index) }
        encodings.append(received)
      }
    }
    self.streams = streams
    let people = plan.people
    clients = plan.participants.indices.map { plan.client(of: $0, people, streams: streams, seed: seed) }
    isViewer = plan.participants.map { $0.view != nil }
    rules = Rules(
      keepsMissingPackets: plan.system.traits.keepsMissingPackets, earlierSpeakers: plan.speechOrder,
      modes: streams.sources.indices.map { plan.source($0, of: streams)?.layeredMode })
    var states = Table<State>()
    for client in clients { states.append(State(client)) }
    self.states = states
    knowledge = Table(
      repeating: ViewerKnowledge(sources: streams.sourceCount), count: streams.participantCount)
    negotiated = NegotiatedTracks(
      plan.system.traits.negotiation, viewers: streams.participantCount, sources: streams.sourceCount)
    vacant = directory
    self.encodings = encodings
    receptions = Table(repeating: Reception(), count: streams.trackCount)
    receivers = VideoReceivers(tracks: streams.trackCount, hasAssemblies: streams.hasScalableSources)
    missing = Table(repeating: MissingPackets(), count: streams.trackCount)
  }

  deinit {
    for track in 0..<missing.count { missing[track].deallocate() }
  }

  package func isJoined(_ viewer: Int) -> Bool { states[viewer].isJoined }

  /// Handles a viewer joining with a new connection; timers of an earlier connection are void.
  package mutating func join(_ viewer: Int, connection: UInt8) {
    states[viewer].isJoined = true
    states[viewer].connection = connection
    states[viewer].pendingRequest = nil
  }

  /// Notes received padding, which belongs to no track.
  @inline(__always)
  package mutating func notePadding(_ packet: Packet) {
    states[Int(packet.destination)].paddingBytes += packet.rtpBytes
  }

  /// Handles a viewer leaving: it no longer expects any track, and forgets the meeting.
  package mutating func leave(_ viewer: Int, at now: SimTime) {
    states[viewer].isJoined = false
    for source in streams.sources.indices {
      // Outside the meeting there is no list of streams to change.
      receptions[streams.track(viewer: viewer, source: source)].toldSize = .max
      expect(false, source: source, by: viewer, at: now)
    }
    knowledge[viewer].clear()
    negotiated.close(viewer)
  }

  // MARK: Tracks

  /// Sets whether the SFU forwards a source to a viewer.
  package mutating func expect(_ isGiven: Bool, source: Int, by viewer: Int, at now: SimTime) {
    let track = streams.track(viewer: viewer, source: source)
    guard isGiven != receptions[track].isExpected else { return }
    receptions[track].isExpected = isGiven
    if isGiven {
      if let mode = rules.modes[source] { receivers.beginAssembly(of: track, mode) }
      receivers[track].begin(at: now)
    } else {
      receivers[track].stop()
      receptions[track].stop()
      missing[track].removeAll()
      noteSize(.max, of: track)
    }
    states[viewer].hasNews = true
    followStatus(of: track, viewer, at: now)
  }

  /// Updates the status reported by a track's receiver.
  @inline(__always)
  mutating func followStatus(of track: Int, _ viewer: Int, at now: SimTime) {
    let status = receivers[track].status
    if status.isDecodable != receptions[track].status.isDecodable {
      states[viewer].hasNews = true
      if status.isDecodable { receptions[track].decodableSince = now }
    }
    receptions[track].status = status
    states[viewer].attendedAt = min(states[viewer].attendedAt, status.keyFrameDueAt)
  }

  /// Notes the size of a track's picture from now on.
  @inline(__always)
  mutating func noteSize(_ size: UInt16, of track: Int) {
    let told = receptions[track].toldSize
    guard size != told else { return }
    receptions[track].toldSize = size
    states[track / streams.sourceCount].hasNews = true
    streamChanges.append(
      StreamChange(
        viewer: track / streams.sourceCount, source: track % streams.sourceCount, from: told, to: size))
  }

  package mutating func takeStreamChanges() -> [StreamChange] {
    defer { streamChanges.removeAll(keepingCapacity: true) }
    return streamChanges
  }

  /// Notes that a track's source has stopped: the last picture stays deliberately, which does not count as a freeze.
  package mutating func noteStop(of source: Int, to viewer: Int) {
    let track = streams.track(viewer: viewer, source: source)
    if receptions[track].isExpected { receivers[track].freezes.restart() }
  }

  /// Checks whether a viewer's receiver still requests key frames of a source.
  package func asksForKeyFrames(of source: Int, _ viewer: Int, at now: SimTime) -> Bool {
    let track = streams.track(viewer: viewer, source: source)
    return receptions[track].isExpected && receivers[track].isAttentive(at: now)
  }

  // MARK: Knowledge

  /// Returns the number of SFU announcements that have reached a viewer; `nil` outside the meeting.
  package func position(of viewer: Int) -> Int? { knowledge[viewer].position }

  package mutating func setPosition(_ position: Int, of viewer: Int) { knowledge[viewer].position = position }

  /// Number of announcements that have reached everybody in the meeting; `nil` if it is empty.
  package var leastPosition: Int? {
    var least: Int?
    for viewer in 0..<knowledge.count {
      guard let position = knowledge[viewer].position else { continue }
      least = min(least ?? position, position)
    }
    return least
  }

  /// Notes a participant's own presence, which it knows immediately.
  package mutating func noteOwn(_ presence: Directory.Presence, _ viewer: Int) {
    knowledge[viewer].isJoined = presence.isJoined
    knowledge[viewer].joinedAt = presence.joinedAt
  }

  package mutating func learn(limitation: Limitation?, of source: Int, _ viewer: Int) {
    knowledge[viewer].receptions[source].limitation = limitation
  }

  /// Sets the tile in which a client shows a source; `nil` for none.
  package mutating func setTile(_ tile: Resolution?, of source: Int, _ viewer: Int) {
    knowledge[viewer].receptions[source].tile = tile
  }

  package func tile(of source: Int, _ viewer: Int) -> Resolution? {
    knowledge[viewer].receptions[source].tile
  }

  /// Checks whether a viewer's client has subscribed to a source, whether or not the SFU knows.
  package func subscribes(_ viewer: Int, to source: Int) -> Bool { knowledge[viewer].isSubscribed[source] }

  /// Notes whether a client subscribes to a source.
  ///
  /// - Returns: `true` if this is a change.
  mutating func setSubscribed(_ isSubscribed: Bool, to source: Int, _ viewer: Int) -> Bool {
    defer { knowledge[viewer].isSubscribed[source] = isSubscribed }
    return knowledge[viewer].isSubscribed[source] != isSubscribed
  }

  /// Returns the current knowledge of a viewer's client.
  ///
  /// - Parameter announced: the directory announced to it; `nil` outside the meeting.
  package mutating func roster(
    of viewer: Int, _ announced: Directory?, _ sizes: PictureSizes, at now: SimTime
  ) -> Roster {
    let directory = announced ?? vacant
    if states[viewer].hasNews {
      states[viewer].hasNews = false
      for source in streams.sources.indices {
        let track = streams.track(viewer: viewer, source: source)
        knowledge[viewer].receptions[source].isGiven = receptions[track].isExpected
        knowledge[viewer].receptions[source].picture = picture(of: track, sizes)
      }
    }
    return Roster(
      now: now, viewer: viewer, isJoined: knowledge[viewer].isJoined, joinedAt: knowledge[viewer].joinedAt,
      members: directory.members, moderators: directory.moderators, sources: directory.sources,
      receptions: knowledge[viewer].receptions)
  }

  /// Returns the size of a track's currently decoded picture.
  package func picture(of track: Int, _ sizes: PictureSizes) -> Resolution? {
    guard receptions[track].isExpected, receptions[track].status.isDecodable, receptions[track].size != .max
    else { return nil }
    return sizes[receptions[track].size]
  }

  /// Returns the number of pixels that a viewer has decoded since the last call.
  package mutating func takeDecodedPixels(of viewer: Int) -> Int64 {
    defer { states[viewer].decodedPixels = 0 }
    return states[viewer].decodedPixels
  }
}
