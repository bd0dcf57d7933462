package import Allocation
package import Ladder
package import Quantity

/// A client's view of the meeting at one moment.
package struct Roster: Sendable {
  /// A participant; the viewer's own entry is as others see it.
  package struct Member: Sendable {
    package var id: String
    package var isModerator: Bool
    package var isJoined: Bool
    package var joinedAt: SimTime
    package var isSpeaking: Bool
    /// Start of the current or last speech; `nil` for a participant who has not spoken.
    package var lastSpokeAt: SimTime?
    /// End of the last speech; `nil` while one lasts, and for a participant who has not spoken.
    package var silentSince: SimTime?
    /// Index of the camera.
    package var camera: Int?
    /// Index of the screen share.
    package var screen: Int?

    package init(
      id: String, isModerator: Bool, isJoined: Bool, joinedAt: SimTime, isSpeaking: Bool,
      lastSpokeAt: SimTime?, camera: Int?, screen: Int?
    ) {
      self.id = id
      self.isModerator = isModerator
      self.isJoined = isJoined
      self.joinedAt = joinedAt
      self.isSpeaking = isSpeaking
      self.lastSpokeAt = lastSpokeAt
      self.camera = camera
      self.screen = screen
    }
  }

  /// A video source.
  package struct Source: Sendable {
    package var participant: Int
    package var isScreen: Bool
    package var isCapturing: Bool
    package var capture: VideoFormat
    /// All layers of the ladder.
    package var ladder: [Layer]
    /// Layers without its app's changes of the sender's parameters; `nil` while there are none, and ``ladder`` has them.
    package var published: [Layer]?
    /// Layers currently available.
    package var offers: [Layer]
    package var sendsLow: Bool

    package init(
      participant: Int, isScreen: Bool, isCapturing: Bool, capture: VideoFormat, ladder: [Layer],
      published: [Layer]? = nil, offers: [Layer], sendsLow: Bool
    ) {
      self.participant = participant
      self.isScreen = isScreen
      self.isCapturing = isCapturing
      self.capture = capture
      self.ladder = ladder
      self.published = published
      self.offers = offers
      self.sendsLow = sendsLow
    }

    /// Layers that viewers request among: an app that switches encodings off changes no request.
    package var requestable: [Layer] { published ?? ladder }
  }

  /// State of the viewer's subscription to a source.
  package struct Reception: Sendable {
    /// Set while a layer is allocated.
    package var isGiven: Bool
    /// Size of the decoded picture [px].
    package var picture: Resolution?
    package var limitation: Limitation?
    /// Size of the tile [px].
    package var tile: Resolution?

    package init(isGiven: Bool, picture: Resolution?, limitation: Limitation?, tile: Resolution?) {
      self.isGiven = isGiven
      self.picture = picture
      self.limitation = limitation
      self.tile = tile
    }
  }

  package var now: SimTime
  /// Index of the viewer.
  package var viewer: Int
  /// Set while the viewer itself is in the meeting.
  package var isJoined: Bool
  /// Time at which the viewer joined.
  package var joinedAt: SimTime
  package var members: [Member]
  /// Indices of the members with the role of a moderator.
  package var moderators: [Int]
  package var sources: [Source]
  /// Receptions by source.
  package var receptions: [Reception]
  /// Set while the viewer's own camera sends.
  package var sendsVideo = false
  /// Participants who spoke before the meeting, most recent first.
  package var earlierSpeakers: [Int] = []
  /// Fraction of the packets lost on the viewer's downlink, over about the last second.
  package var lossShare = 0.0

  package init(
    now: SimTime, viewer: Int, isJoined: Bool, joinedAt: SimTime, members: [Member], moderators: [Int],
    sources: [Source], receptions: [Reception]
  ) {
    self.now = now
    self.viewer = viewer
    self.isJoined = isJoined
    self.joinedAt = joinedAt
    self.members = members
    self.moderators = moderators
    self.sources = sources
    self.receptions = receptions
  }
}

extension Roster {
  /// Checks whether a participant's camera is capturing.
  package func isCapturing(_ participant: Int) -> Bool {
    members[participant].camera.map { sources[$0].isCapturing } ?? false
  }

  /// Remote participants who have joined and have a camera.
  package var othersWithCamera: [Int] {
    sources.lazy.filter { !$0.isScreen && $0.participant != viewer && members[$0.participant].isJoined }
      .map(\.participant)
  }

  /// Returns the size of the picture currently received from a participant's camera.
  package func picture(of participant: Int) -> Resolution? {
    members[participant].camera.flatMap { receptions[$0].picture }
  }

  /// Returns the source that a client's signals name; `nil` if it is not in the meeting.
  package func source(_ signalled: SignalledSource) -> Int? {
    let member = members[signalled.participant]
    return signalled.isScreen ? member.screen : member.camera
  }

  /// Participants who have spoken, most recent first.
  package var speechOrder: [Int] { members.speechOrder(after: earlierSpeakers) }

  /// Moderator present who joined first; of several who joined at once, the first in the scenario.
  package var moderator: Int? {
    moderators.filter { members[$0].isJoined }.min { members[$0].joinedAt < members[$1].joinedAt }
  }

  /// Creates a subscription to a source in its current state.
  package func wish(
    for source: Int, _ requested: VideoFormat, maximum: VideoFormat? = nil, priority: Priority? = nil,
    tile: Resolution?, visibility: Visibility = .onScreen,
    wantsLow: Bool = false, absence: Limitation? = nil
  ) -> Subscription {
    let own = sources[source]
    var wish = Subscription(
      source: source, requested: requested, maximum: maximum, priority: priority,
      offers: own.offers, ladder: own.ladder, tile: tile, visibility: visibility, wantsLowStream: wantsLow,
      absence: absence)
    wish.published = own.published
    if !own.isCapturing { wish.noteSilence() }
    wish.isScreenShare = own.isScreen
    return wish
  }
}

extension [Roster.Member] {
  /// Returns those who have spoken, those who speak now first, most recent first (``SpeechRecency``); ties are in the
  /// order of the participants.
  ///
  /// - Parameter earlier: those who spoke before the meeting, most recent first.
  package func speechOrder(after earlier: [Int]) -> [Int] {
    let spoke = indices.filter { self[$0].lastSpokeAt != nil }.sorted { a, b in
      guard let one = SpeechRecency(self[a]), let other = SpeechRecency(self[b]) else { return a < b }
      return one == other ? a < b : one > other
    }
    return spoke + earlier.filter { self[$0].lastSpokeAt == nil }
  }
}
