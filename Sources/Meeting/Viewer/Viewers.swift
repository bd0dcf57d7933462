import Allocation
import Ladder
import Media
import Network
import Quantity
import SimulationKernel
import Statistics
import Systems
import Transport

/// Everybody's video at its receiver: the clients, and what reaches them.
struct Viewers: ~Copyable {
  let streams: StreamNumbering
  /// By participant; `nil` for one that receives no video.
  var clients: [(any Client)?]
  /// Whether each participant is a viewer, without a look at the client that would retain its lists.
  let isViewer: [Bool]
  var states: Table<State>
  private var knowledge: Table<ViewerKnowledge>
  /// What one knows who has not joined: names.
  private let vacant: Directory
  /// By encoding: its source, and the length of its groups of frames.
  let encodings: Table<ReceivedEncoding>
  /// By track.
  var receptions: Table<Reception>
  var receivers: VideoReceivers
  var missing: Table<MissingPackets>
  /// Streams whose pictures have begun, changed their size or ended, of which clients have not been told yet.
  private(set) var streamChanges: [StreamChange] = []

  /// One participant as a viewer.
  struct State: BitwiseCopyable {
    var isJoined = false
    /// The number of its connection, modulo 16, to which its timers belong.
    var connection: UInt8 = 0
    /// Whether tracks have changed that the client's knowledge does not show yet.
    var hasNews = true
    /// None of its tracks has to be looked after before.
    var attendedAt = Deadline.never
    /// Over the current interval.
    var decodedPixels: Int64 = 0
    /// RTP bytes of padding that have come since the beginning.
    var paddingBytes: Int64 = 0
    /// The allocation that its client has asked for.
    var pendingAllocation: EventHandle?
    /// When the SFU allocates its streams anew by itself, as a ramp-up ends or a connection is set up; `nil` for no such
    /// time.
    var reallocatesAt: SimTime?
    /// ``Client/reactionDelay`` and ``Client/followsDownlink``, which never change: asking the client copies it.
    let reactionDelay: SimDuration
    let followsDownlink: Bool

    init(_ client: (any Client)?) {
      reactionDelay = client?.reactionDelay ?? .zero
      followsDownlink = client?.followsDownlink ?? false
    }
  }

  /// A stream's picture begins, changes its size or ends, by the number of the size; `.max` for no stream.
  struct StreamChange: BitwiseCopyable {
    var viewer: Int
    var source: Int
    var from: UInt16
    var to: UInt16
  }

  /// What a viewer knows of an encoding from its description.
  struct ReceivedEncoding: BitwiseCopyable {
    var source: Int32
    var groupLength: UInt8
  }

  /// Whether missing packets are requested while a key frame is awaited.
  let keepsMissingPackets: Bool

  init(_ plan: MeetingPlan, streams: StreamNumbering, directory: Directory, seed: RunSeed) {
    var encodings = Table<ReceivedEncoding>()
    for number in streams.sources.indices {
      for encoding in plan.source(number, of: streams)?.ladder.encodings ?? [] {
        let pattern = TemporalPattern(layers: encoding.temporalLayers)
        encodings.append(ReceivedEncoding(source: Int32(number), groupLength: UInt8(pattern.groupLength)))
      }
    }
    self.streams = streams
    let ids = plan.participants.map(\.id)
    let names = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    clients = plan.participants.indices.map { number in
      plan.client(of: number, ids, names, streams: streams, seed: seed)
    }
    isViewer = plan.participants.map { $0.view != nil }
    keepsMissingPackets = plan.system.keepsMissingPackets
    var states = Table<State>()
    for client in clients { states.append(State(client)) }
    self.states = states
    knowledge = Table(
      repeating: ViewerKnowledge(sources: streams.sourceCount), count: streams.participantCount)
    vacant = directory
    self.encodings = encodings
    receptions = Table(repeating: Reception(), count: streams.trackCount)
    receivers = VideoReceivers(tracks: streams.trackCount)
    missing = Table(repeating: MissingPackets(), count: streams.trackCount)
  }

  deinit {
    for track in 0..<missing.count { missing[track].deallocate() }
  }

  func isJoined(_ viewer: Int) -> Bool { states[viewer].isJoined }

  /// A viewer joins by a connection of its own; timers of an earlier one are void.
  mutating func join(_ viewer: Int, connection: UInt8) {
    states[viewer].isJoined = true
    states[viewer].connection = connection
    states[viewer].pendingAllocation = nil
    states[viewer].reallocatesAt = nil
  }

  /// Padding has come, which belongs to no track.
  @inline(__always)
  mutating func notePadding(_ packet: Packet) {
    states[Int(packet.destination)].paddingBytes += Int64(packet.size) - Int64(PacketOverhead.aroundRTP)
  }

  /// A viewer leaves: it expects no track, and forgets the meeting.
  mutating func leave(_ viewer: Int, at now: SimTime) {
    states[viewer].isJoined = false
    for source in streams.sources.indices {
      // Outside the meeting there is no list of streams that could change.
      receptions[streams.track(viewer: viewer, source: source)].toldSize = .max
      expect(false, source: source, by: viewer, at: now)
    }
    knowledge[viewer].clear()
  }

  // MARK: Tracks

  /// The SFU forwards a source from now on, or no longer.
  mutating func expect(_ isGiven: Bool, source: Int, by viewer: Int, at now: SimTime) {
    let track = streams.track(viewer: viewer, source: source)
    guard isGiven != receptions[track].isExpected else { return }
    receptions[track].isExpected = isGiven
    if isGiven {
      receivers[track].begin(at: now)
    } else {
      receivers[track].stop()
      receptions[track].stop()
      missing[track].removeAll()
      noteSize(.max, of: track)
    }
    states[viewer].hasNews = true
    followStatus(of: track, viewer)
  }

  /// Takes over what a track's receiver reports.
  @inline(__always)
  mutating func followStatus(of track: Int, _ viewer: Int) {
    let status = receivers[track].status
    if status.isDecodable != receptions[track].status.isDecodable { states[viewer].hasNews = true }
    receptions[track].status = status
    states[viewer].attendedAt = min(states[viewer].attendedAt, status.keyFrameDueAt)
  }

  /// A track's picture has this size from now on.
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

  mutating func takeStreamChanges() -> [StreamChange] {
    defer { streamChanges.removeAll(keepingCapacity: true) }
    return streamChanges
  }

  /// A track's source has stopped: the last picture stays on purpose, which is no freeze.
  mutating func noteStop(of source: Int, to viewer: Int) {
    let track = streams.track(viewer: viewer, source: source)
    if receptions[track].isExpected { receivers[track].freezes.restart() }
  }

  // MARK: Knowledge

  /// How many of the SFU's announcements a viewer has been told; `nil` outside the meeting.
  func position(of viewer: Int) -> Int? { knowledge[viewer].position }

  mutating func setPosition(_ position: Int, of viewer: Int) { knowledge[viewer].position = position }

  /// The announcements that everybody in the meeting has been told; `nil` without anybody.
  var leastPosition: Int? {
    var least: Int?
    for viewer in 0..<knowledge.count {
      guard let position = knowledge[viewer].position else { continue }
      least = min(least ?? position, position)
    }
    return least
  }

  /// A participant knows of itself at once.
  mutating func noteOwn(_ presence: Directory.Presence, _ viewer: Int) {
    knowledge[viewer].isJoined = presence.isJoined
    knowledge[viewer].joinedAt = presence.joinedAt
  }

  mutating func learn(limitation: Limitation?, of source: Int, _ viewer: Int) {
    knowledge[viewer].receptions[source].limitation = limitation
  }

  /// Notes the tile that a client shows a source in; `nil` for none.
  mutating func setTile(_ tile: Resolution?, of source: Int, _ viewer: Int) {
    knowledge[viewer].receptions[source].tile = tile
  }

  /// What a viewer's client knows now.
  ///
  /// - Parameter announced: what it has been told of others; `nil` outside the meeting.
  mutating func roster(
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

  /// The picture that is decoded of a track now.
  func picture(of track: Int, _ sizes: PictureSizes) -> Resolution? {
    guard receptions[track].isExpected, receptions[track].status.isDecodable, receptions[track].size != .max
    else { return nil }
    return sizes[receptions[track].size]
  }

  /// The pixels that a viewer has decoded since the last call.
  mutating func takeDecodedPixels(of viewer: Int) -> Int64 {
    defer { states[viewer].decodedPixels = 0 }
    return states[viewer].decodedPixels
  }
}
