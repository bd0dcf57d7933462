package import Ladder
import Quantity
package import Systems

/// Numbers of a meeting's video: sources, the encodings of each, and each viewer's track of each source.
///
/// They are fixed for the whole run, and carried by packets and events.
public struct StreamNumbering {
  package struct Source {
    package let participant: Int
    package let isScreen: Bool
    /// Numbers of its encodings, from the lowest up.
    package let encodings: Range<Int>
    /// Set if the server reports to the sender what its receivers can receive, as requested by the scenario.
    package let followsReceivers: Bool
    /// Set if its encodings are the spatial layers of one RTP stream; otherwise each is a separate stream.
    package let isScalable: Bool

    package var allEncodings: EncodingSet { EncodingSet(first: encodings.count) }
  }

  package struct Encoding {
    package let source: Int
    /// Index in the source, 0 for the lowest.
    package let index: Int
    /// Encoding that represents its RTP stream, holding the stream's sequence numbers, history and key frame requests:
    /// the lowest layer of a scalable stream, otherwise the encoding itself.
    package let stream: Int
  }

  package let participantCount: Int
  /// Number of video sources.
  public private(set) var sourceCount = 0
  package private(set) var sources: [Source] = []
  /// Set if any sender follows its receivers because the scenario requests it.
  package private(set) var hasFollowingSenders = false
  /// Set if any source is scalable.
  package private(set) var hasScalableSources = false
  package private(set) var encodings: [Encoding] = []
  /// Cameras by participant.
  package private(set) var cameraOf: [Int?]
  /// Screen shares by participant.
  package private(set) var screenOf: [Int?]
  /// Each participant's camera and screen share, if it has them, the camera first.
  private var camerasFirst: [[Int]]
  /// Each participant's camera and screen share, if it has them, the screen share first.
  private var screensFirst: [[Int]]

  package init(_ plan: MeetingPlan) {
    participantCount = plan.participants.count
    cameraOf = Array(repeating: nil, count: participantCount)
    screenOf = Array(repeating: nil, count: participantCount)
    camerasFirst = Array(repeating: [], count: participantCount)
    screensFirst = camerasFirst
    let merges = plan.system.traits.mergesFeedback
    for (number, participant) in plan.participants.enumerated() {
      if let camera = participant.camera { cameraOf[number] = add(camera, of: number, merges) }
      if let screen = participant.screen { screenOf[number] = add(screen, of: number, merges) }
      camerasFirst[number] = [cameraOf[number], screenOf[number]].compactMap { $0 }
      screensFirst[number] = camerasFirst[number].reversed()
    }
  }

  private mutating func add(_ source: VideoSourcePlan, of participant: Int, _ merges: Bool) -> Int {
    let first = encodings.count
    let isScalable = source.ladder.isLayered
    for index in source.ladder.encodings.indices {
      encodings.append(
        Encoding(source: sources.count, index: index, stream: isScalable ? first : first + index))
    }
    sources.append(
      Source(
        participant: participant, isScreen: source.kind == .screen, encodings: first..<encodings.count,
        followsReceivers: source.followsReceivers && !merges, isScalable: isScalable))
    sourceCount = sources.count
    if isScalable { hasScalableSources = true }
    if source.followsReceivers, !merges { hasFollowingSenders = true }
    return sourceCount - 1
  }

  package var trackCount: Int { participantCount * sourceCount }

  /// Returns the number of a viewer's track of a source.
  @inlinable @inline(__always)
  public func track(viewer: Int, source: Int) -> Int { viewer * sourceCount + source }

  /// Returns the encoding that represents the RTP stream of a source's encoding, given by index in the source.
  package func stream(of index: Int, in source: Int) -> Int {
    encodings[sources[source].encodings.lowerBound + index].stream
  }

  /// Returns a participant's camera and screen share, if it has them, the camera first.
  package func cameraFirst(of participant: Int) -> [Int] {
    camerasFirst[participant]
  }

  /// Returns a participant's camera and screen share, if it has them, the screen share first.
  package func screenFirst(of participant: Int) -> [Int] {
    screensFirst[participant]
  }
}

extension MeetingPlan {
  /// Returns the plan of a numbered source.
  package func source(_ number: Int, of streams: StreamNumbering) -> VideoSourcePlan? {
    let source = streams.sources[number]
    let participant = participants[source.participant]
    return source.isScreen ? participant.screen : participant.camera
  }

  /// Checks whether an app pushes frames as a source at some time.
  package func pushesFrames(_ number: Int, of streams: StreamNumbering) -> Bool {
    let own = streams.sources[number]
    if own.isScreen { return false }
    if participants[own.participant].camera?.kind == .custom { return true }
    return timeline.contains { entry in
      guard case .source(.custom) = entry.action else { return false }
      return entry.participant == own.participant
    }
  }

  /// Returns a source's name in the tables: the participant's id, with `/screen` for a screen share.
  package func name(of number: Int, in streams: StreamNumbering) -> String {
    let source = streams.sources[number]
    return SourceName(owner: participants[source.participant].id, isScreen: source.isScreen).description
  }

  /// All sources, by number: names in the tables, with the participants that send them.
  package var namedSources: [(name: String, participant: Int)] {
    let streams = StreamNumbering(self)
    return streams.sources.indices.map { (name(of: $0, in: streams), streams.sources[$0].participant) }
  }

  /// Returns the names of all encodings in the tables, by number: `f` for the only encoding of a source.
  package func layerNames(_ streams: StreamNumbering) -> [String] {
    streams.sources.indices.flatMap { source($0, of: streams)?.ladder.names ?? [] }
  }

  /// Returns all names and sources, before anybody has joined.
  package func listings(_ streams: StreamNumbering) -> [Roster.Member] {
    participants.enumerated().map { number, participant in
      Roster.Member(
        id: participant.id, isModerator: participant.isModerator, isJoined: false, joinedAt: .zero,
        isSpeaking: false, lastSpokeAt: nil, camera: streams.cameraOf[number],
        screen: streams.screenOf[number])
    }
  }

  /// Returns the levels of a source that a controller chooses from: those listed by the scenario, or else the rule's.
  package func levels(of source: Int, _ streams: StreamNumbering, _ rule: any MeetingRule) -> [QualityLevel] {
    guard let own = self.source(source, of: streams) else { return [] }
    if let levels = own.levels { return levels }
    let kind: SourceKind = own.kind == .screen ? .screen : .camera
    return system.ladder(of: kind, capture: own.capture, clients: participants.count) == own.ladder
      ? rule.levels(of: kind, capture: own.capture) : rule.levels(of: own.ladder)
  }

  /// Returns the frame rates of the captures, by source [1/1000 Hz].
  package func captureRates(_ streams: StreamNumbering) -> [Int] {
    streams.sources.indices.map { source($0, of: streams)?.capture.milliFramesPerSecond ?? 0 }
  }
}
