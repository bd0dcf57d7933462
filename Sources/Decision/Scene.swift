import Allocation
import Ladder
import Plan
import Quantity
import Systems

/// A viewer's client at a moment of the scenario, without network effects.
struct Scene {
  let roster: Roster
  let wishes: [Subscription]
  let demand: ViewerDemand
  private let streams: StreamNumbering
  private let ids: [String]

  /// Creates the scene of a viewer.
  ///
  /// - Returns: `nil` if the viewer has no view.
  init?(_ plan: MeetingPlan, viewer: Int, at moment: SimTime) {
    streams = StreamNumbering(plan)
    ids = plan.participants.map(\.id)
    let names = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
    guard
      var client = plan.client(
        of: viewer, ids, names, streams: streams, seed: RunSeed(seed: plan.seed, repetition: 0))
    else { return nil }
    var state = SceneState(plan, streams, viewer: viewer)
    _ = client.notice(.joinedMeeting)
    var noticed: Set<Int> = []
    var server = plan.system.server(at: .zero)
    for entry in plan.timeline where entry.at <= moment {
      state.advance(to: entry.at)
      state.apply(entry)
      if entry.participant == viewer, case .client(let call) = entry.action {
        Self.settle(&client, &server, state.roster, &noticed)
        _ = client.perform(call, state.roster)
      }
    }
    state.advance(to: moment)
    Self.settle(&client, &server, state.roster, &noticed)
    roster = state.roster
    var wishes = client.wishes(roster)
    for place in wishes.indices {
      wishes[place].scalability = plan.source(wishes[place].source, of: streams)?.layeredMode
      wishes[place].followsReceivers = streams.sources[wishes[place].source].followsReceivers
    }
    server?.complete(&wishes, at: roster.now + Self.settled)
    // A policy applies the decoder's limit itself.
    switch plan.system.decider.part {
    case .policy: break
    case .servers, .controller:
      plan.system.policy.confine(&wishes, to: plan.participants[viewer].capabilities.decode)
    }
    self.wishes = wishes
    demand = client.demand(roster)
  }

  /// Sources of other participants.
  var remoteSources: [Int] {
    streams.sources.indices.filter { streams.sources[$0].participant != roster.viewer }
  }

  /// Checks whether a source's encodings are the spatial layers of one stream.
  func isScalable(_ source: Int) -> Bool { streams.sources[source].isScalable }

  /// Returns the name of a source: `ID`, or `ID/screen` for a screen share.
  func name(of source: Int) -> String {
    let id = ids[streams.sources[source].participant]
    return streams.sources[source].isScreen ? "\(id)/screen" : id
  }

  /// Time after which everything that a client or its server debounces has taken effect.
  private static let settled = SimDuration.seconds(600)

  /// Lets everything that the client has debounced take effect.
  private static func settle(
    _ client: inout any Client, _ server: inout (any ViewerServer)?, _ roster: Roster,
    _ noticed: inout Set<Int>
  ) {
    var later = roster
    for source in roster.sources.indices where noticed.insert(source).inserted {
      _ = client.notice(.trackGiven(source: source))
    }
    for _ in 0..<4 {
      var actions = client.handle(.requestDue, later)
      later.now += .seconds(60)
      actions += client.handle(.timer, later)
      // The client's messages reach its server long before it does anything else.
      for case .tell(let source, let settings) in actions {
        _ = server?.handle(.settings(settings, source: source), at: later.now)
      }
    }
  }
}

/// Participants in the meeting and the sources they send, according to the timeline alone.
private struct SceneState {
  private(set) var roster: Roster
  private var speaksUntil: [SimTime]
  /// Sources as published, and the parameters that their apps have set since.
  private let published: [VideoSourcePlan?]
  private var settings: [SenderSettings]
  private let publisher: any Publisher
  private let leastShare: Double
  /// Set if a controller orders rates, so senders do not set their own.
  private let ordersRates: Bool

  init(_ plan: MeetingPlan, _ streams: StreamNumbering, viewer: Int) {
    published = streams.sources.indices.map { plan.source($0, of: streams) }
    settings = published.map { _ in SenderSettings() }
    publisher = plan.system.publisher()
    leastShare = plan.rates.leastShare
    ordersRates = plan.system.controller != nil
    let members = plan.participants.enumerated().map { number, participant in
      Roster.Member(
        id: participant.id, isModerator: participant.isModerator,
        isJoined: participant.joinsAt == .zero || number == viewer, joinedAt: participant.joinsAt,
        isSpeaking: false, lastSpokeAt: nil, camera: streams.cameraOf[number],
        screen: streams.screenOf[number])
    }
    let publisher = publisher
    let sources = streams.sources.map { source in
      let participant = plan.participants[source.participant]
      let own = source.isScreen ? participant.screen : participant.camera
      let layers = own?.listedLayers?.layers ?? own?.firstLayers ?? []
      let capture = own?.capture ?? VideoFormat(.p720, framesPerSecond: 30)
      return Roster.Source(
        participant: source.participant, isScreen: source.isScreen, isCapturing: own?.startsOn ?? false,
        capture: capture, ladder: layers, offers: publisher.offers(of: layers.filter { $0.bitrate > .zero }),
        sendsLow: publisher.sendsLow)
    }
    roster = Roster(
      now: .zero, viewer: viewer, isJoined: true, joinedAt: .zero, members: members,
      moderators: members.indices.filter { members[$0].isModerator }, sources: sources,
      receptions: sources.map { _ in
        Roster.Reception(isGiven: true, picture: nil, limitation: nil, tile: nil)
      })
    roster.earlierSpeakers = plan.speechOrder
    roster.sendsVideo = streams.cameraOf[viewer].map { sources[$0].isCapturing } ?? false
    speaksUntil = members.map { _ in .zero }
  }

  mutating func advance(to now: SimTime) {
    roster.now = now
    for number in roster.members.indices {
      if roster.members[number].joinedAt > .zero, roster.members[number].joinedAt <= now {
        roster.members[number].isJoined = true
      }
      roster.members[number].isSpeaking = roster.members[number].isSpeaking && now < speaksUntil[number]
    }
  }

  mutating func apply(_ entry: TimelineEntry) {
    guard let number = entry.participant else { return }
    switch entry.action {
    case .join:
      roster.members[number].isJoined = true
      roster.members[number].joinedAt = entry.at
    case .leave:
      roster.members[number].isJoined = false
      roster.members[number].joinedAt = .zero
      for source in [roster.members[number].camera, roster.members[number].screen] {
        if let source { restore(source) }
      }
    case .speaks(let length):
      roster.members[number].isSpeaking = true
      roster.members[number].lastSpokeAt = entry.at
      speaksUntil[number] = max(speaksUntil[number], entry.at + length)
    case .muteVideo(let isMuted): set(roster.members[number].camera, isCapturing: !isMuted)
    case .shareScreen(let isOn): set(roster.members[number].screen, isCapturing: isOn)
    case .send(let change):
      set(change, of: change.isScreen ? roster.members[number].screen : roster.members[number].camera)
    case .muteAudio, .client, .source, .pushFrames, .stopPushing, .link: break
    }
  }

  private mutating func set(_ source: Int?, isCapturing: Bool) {
    guard let source else { return }
    roster.sources[source].isCapturing = isCapturing
    if source == roster.members[roster.viewer].camera { roster.sendsVideo = isCapturing }
  }

  private mutating func set(_ change: SendChange, of source: Int?) {
    guard let source, !ordersRates else { return }
    settings[source].apply(change)
    offer(source)
  }

  private mutating func restore(_ source: Int) {
    guard settings[source].areSet else { return }
    settings[source] = SenderSettings()
    offer(source)
  }

  /// Makes a source offer the layers that its app's settings leave on.
  private mutating func offer(_ source: Int) {
    guard let own = published[source] else { return }
    let capture = settings[source].capture?.format ?? own.capture
    let (ladder, off) = settings[source].confine(
      settings[source].capture?.ladder ?? own.ladder, to: capture.resolution, among: own.ladder,
      leastShare: leastShare)
    let layers = ladder.layers(carrying: nil, without: off)
    roster.sources[source].capture = capture
    roster.sources[source].ladder = layers
    roster.sources[source].offers = publisher.offers(of: layers.filter { $0.bitrate > .zero })
  }
}
