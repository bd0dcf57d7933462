package import Allocation
package import Ladder
package import Quantity

/// What a client knows of the meeting, at a moment.
package struct Roster: Sendable {
  /// A participant.
  package struct Member: Sendable {
    package var id: String
    package var isModerator: Bool
    package var isJoined: Bool
    package var joinedAt: SimTime
    package var isSpeaking: Bool
    /// When the present or last turn of speech began; `nil` for one who has not spoken.
    package var lastSpokeAt: SimTime?
    /// Numbers of its sources.
    package var camera: Int?
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
    /// Every layer of the ladder, and those that may be taken now.
    package var ladder: [Layer]
    package var offers: [Layer]
    package var sendsLow: Bool

    package init(
      participant: Int, isScreen: Bool, isCapturing: Bool, capture: VideoFormat, ladder: [Layer],
      offers: [Layer], sendsLow: Bool
    ) {
      self.participant = participant
      self.isScreen = isScreen
      self.isCapturing = isCapturing
      self.capture = capture
      self.ladder = ladder
      self.offers = offers
      self.sendsLow = sendsLow
    }
  }

  /// What the viewer gets of a source.
  package struct Reception: Sendable {
    /// Whether it is given something; the picture that it decodes; why it gets no more; and the tile.
    package var isGiven: Bool
    package var picture: Resolution?
    package var limitation: Limitation?
    package var tile: Resolution?

    package init(isGiven: Bool, picture: Resolution?, limitation: Limitation?, tile: Resolution?) {
      self.isGiven = isGiven
      self.picture = picture
      self.limitation = limitation
      self.tile = tile
    }
  }

  package var now: SimTime
  /// The viewer's own number.
  package var viewer: Int
  package var members: [Member]
  package var sources: [Source]
  /// By source.
  package var receptions: [Reception]

  package init(
    now: SimTime, viewer: Int, members: [Member], sources: [Source], receptions: [Reception]
  ) {
    self.now = now
    self.viewer = viewer
    self.members = members
    self.sources = sources
    self.receptions = receptions
  }
}

extension Roster {
  /// Whether a participant's camera sends.
  package func isCapturing(_ participant: Int) -> Bool {
    members[participant].camera.map { sources[$0].isCapturing } ?? false
  }

  /// Everybody else who is there and has a camera.
  package var othersWithCamera: [Int] {
    members.indices.filter { $0 != viewer && members[$0].isJoined && members[$0].camera != nil }
  }

  /// The picture that the viewer receives of somebody's camera now.
  package func picture(of participant: Int) -> Resolution? {
    members[participant].camera.flatMap { receptions[$0].picture }
  }

  /// The first moderator who is there.
  package var moderator: Int? { members.indices.first { members[$0].isModerator && members[$0].isJoined } }

  /// A wish for a source as it is now.
  package func wish(
    for source: Int, _ requested: VideoFormat, maximum: VideoFormat? = nil, gate: Resolution? = nil,
    priority: Priority? = nil, tile: Resolution?, visibility: Visibility = .onScreen,
    wantsLow: Bool = false, absence: Limitation? = nil
  ) -> Wish {
    let own = sources[source]
    return Wish(
      source: source, requested: requested, maximum: maximum, gate: gate, priority: priority,
      offers: own.offers, ladder: own.ladder, tile: tile, visibility: visibility, wantsLowStream: wantsLow,
      absence: own.isCapturing ? absence : .muted)
  }
}
