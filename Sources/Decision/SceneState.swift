import Plan
import Quantity
import Systems

/// Participants in the meeting and the sources they send, according to the timeline alone.
struct SceneState {
  private(set) var roster: Roster
  private var speaksUntil: [SimTime]
  private var sources: [SceneSource]
  private let publisher: any Publisher
  /// Flags of the participants who publish audio, and can be heard to speak.
  private let hasMicrophone: [Bool]
  /// Set if a controller orders rates, so senders do not set their own.
  private let ordersRates: Bool

  init(_ plan: MeetingPlan, _ streams: StreamNumbering, viewer: Int) {
    publisher = plan.system.publisher()
    hasMicrophone = plan.participants.map(\.publishesAudio)
    ordersRates = plan.system.controller != nil
    var members = plan.listings(streams)
    for (number, participant) in plan.participants.enumerated() {
      members[number].isJoined = participant.joinsAt == .zero || number == viewer
      members[number].joinedAt = participant.joinsAt
    }
    let publisher = publisher
    sources = streams.sources.indices.map { SceneSource(plan, streams, number: $0) }
    let announced = sources.map { $0.announcement(publisher, at: .zero) }
    roster = Roster(
      now: .zero, viewer: viewer, isJoined: true, joinedAt: .zero, members: members,
      moderators: members.indices.filter { members[$0].isModerator }, sources: announced,
      receptions: announced.map { _ in
        Roster.Reception(isGiven: true, picture: nil, limitation: nil, tile: nil)
      })
    roster.earlierSpeakers = plan.speechOrder
    speaksUntil = members.map { _ in .zero }
    for number in members.indices where members[number].isJoined { begin(number, at: .zero) }
    refresh()
  }

  mutating func advance(to now: SimTime) {
    roster.now = now
    for number in roster.members.indices {
      let joinsAt = roster.members[number].joinedAt
      if !roster.members[number].isJoined, joinsAt > .zero, joinsAt <= now {
        roster.members[number].isJoined = true
        begin(number, at: joinsAt)
      }
      roster.members[number].isSpeaking = roster.members[number].isSpeaking && now < speaksUntil[number]
    }
    for source in sources.indices { sources[source].advance(to: now) }
    refresh()
  }

  mutating func apply(_ entry: TimelineEntry) {
    guard let number = entry.participant else { return }
    let camera = roster.members[number].camera
    switch entry.action {
    case .join where !roster.members[number].isJoined:
      roster.members[number].isJoined = true
      roster.members[number].joinedAt = entry.at
      begin(number, at: entry.at)
    case .leave:
      roster.members[number].isJoined = false
      roster.members[number].joinedAt = .zero
      for source in ownSources(of: number) { sources[source].end() }
    case .pushFrames(let frames): change(camera) { $0.push(frames, at: entry.at) }
    case .stopPushing: change(camera) { $0.stopPushing() }
    case _ where !roster.members[number].isJoined: return
    case .speaks(let length) where hasMicrophone[number]:
      roster.members[number].isSpeaking = true
      roster.members[number].lastSpokeAt = entry.at
      speaksUntil[number] = max(speaksUntil[number], entry.at + length)
    case .muteVideo(let isMuted): change(camera) { $0.isOn = !isMuted }
    case .shareScreen(let isOn): change(roster.members[number].screen) { $0.isOn = isOn }
    case .client(.background(let background)):
      change(camera) { $0.isInBackground = background != nil }
    case .source(let kind): change(camera) { $0.beginChange(to: kind, at: entry.at) }
    case .send(let own) where !ordersRates:
      change(own.isScreen ? roster.members[number].screen : camera) { $0.set(own) }
    case .join, .speaks, .muteAudio, .client, .send, .link: break
    }
    refresh()
  }

  private func ownSources(of number: Int) -> [Int] {
    [roster.members[number].camera, roster.members[number].screen].compactMap { $0 }
  }

  private mutating func begin(_ number: Int, at now: SimTime) {
    for source in ownSources(of: number) { sources[source].begin(at: now) }
  }

  private mutating func change(_ source: Int?, _ change: (inout SceneSource) -> Void) {
    if let source { change(&sources[source]) }
  }

  /// Announces the sources as they are now.
  private mutating func refresh() {
    for source in sources.indices {
      roster.sources[source] = sources[source].announcement(publisher, at: roster.now)
    }
    roster.sendsVideo =
      roster.members[roster.viewer].camera.map { roster.sources[$0].isCapturing } ?? false
  }
}
