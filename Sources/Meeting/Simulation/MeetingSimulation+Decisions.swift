import Allocation
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Systems

/// From decisions to `decisions.csv`, and to the words of what limits a tile.
extension MeetingSimulation {
  /// Records what was decided on a viewer's subscriptions.
  mutating func recordDecisions(
    _ decisions: [TileDecision], on wishes: [Wish], of viewer: Int, at now: SimTime
  ) {
    guard let budget = sfu.allocator.budgets[viewer].decided else { return }
    let client = clientRule(of: viewer)
    var given = BitRate.zero
    for place in decisions.indices.sorted(by: { decisions[$0].rank < decisions[$1].rank }) {
      let decision = decisions[place]
      let source = wishes[place].source
      let track = streams.track(viewer: viewer, source: source)
      let taken = decision.grant.layer == nil ? .zero : decision.bitrate
      recording.record(
        DecisionRow(
          viewer: viewer, source: source, rank: decision.rank,
          rule: decision.isClients ? client : decision.rule, budget: budget, givenBefore: given,
          wanted: recording.decisions.name(of: sfu.allocator.subscriptions.desires[track]?.id, source),
          given: recording.decisions.name(of: decision.grant.layer?.id, source),
          previous: recording.decisions.name(of: decision.previous, source),
          reason: decidedLimitation(of: source, viewer: viewer, track, at: now),
          missing: decision.grant.missing),
        taking: taken, on: track, at: now)
      given += taken
    }
    sfu.allocator.budgets[viewer].taken = given
  }

  /// Records that a server has decided as before, by another budget perhaps.
  mutating func recordUnchanged(of viewer: Int, at now: SimTime) {
    let wishes = sfu.allocator.subscriptions(of: viewer)
    var decisions = sfu.decisions(on: wishes, of: viewer)
    for place in decisions.indices { decisions[place].previous = decisions[place].grant.layer?.id }
    recordDecisions(decisions, on: wishes, of: viewer, at: now)
  }

  /// Records that a source is no longer subscribed to.
  mutating func recordEnd(of source: Int, viewer: Int, after previous: LayerID?, at now: SimTime) {
    recording.record(
      DecisionRow(
        viewer: viewer, source: source, rank: nil, rule: clientRule(of: viewer),
        budget: sfu.allocator.budgets[viewer].decided ?? VideoBudget(estimate: .unlimited),
        givenBefore: .zero, wanted: "", given: "", previous: recording.decisions.name(of: previous, source),
        reason: Limitation.offScreen.rawValue, missing: .zero),
      taking: .zero, on: streams.track(viewer: viewer, source: source), at: now)
  }

  /// What a decision says of a tile, as `decisions.csv` has it.
  private mutating func decidedLimitation(
    of source: Int, viewer: Int, _ track: Int, at now: SimTime
  ) -> String {
    guard var tile = decidedTile(track) else { return "" }
    tile.circumstances = beginnings(of: source, viewer: viewer, track, at: now)
    return tile.limitation.rawValue
  }

  /// The name of the type that decides for a viewer's client, as `decisions.csv` has it.
  private func clientRule(of number: Int) -> String {
    viewers.clients[number].map { String(describing: type(of: $0)) } ?? ""
  }

  // MARK: What limits a tile

  /// Time after a beginning in which estimates and encodings are still on their way up.
  private static let startTime = SimDuration.seconds(10)

  /// What keeps a viewer's tile of a source below its request, over the interval that ends now.
  mutating func limitation(of source: Int, viewer: Int, at now: SimTime) -> Limitation {
    let track = streams.track(viewer: viewer, source: source)
    guard sfu.allocator.subscriptions.grants[track] != nil else {
      // A tile that is on the screen, whose track viewer and SFU have not agreed on yet.
      return sfu.negotiations.isPending(viewer, source, at: now) ? .starting : .offScreen
    }
    var circumstances = beginnings(of: source, viewer: viewer, track, at: now)
    circumstances.encoded = encodedFormat(of: source, track)
    circumstances.isSwitching = !showsLines(track, encoded: circumstances.encoded?.format)
    circumstances.showsRequest = showsLines(track, encoded: nil)
    circumstances.isBeyondBudget = lacksFrames(track, at: now) && isBeyondBudget(viewer)
    let revision = sfu.allocator.subscriptions.revisions[track]
    if let known = recording.limitations.limitation(on: track, revision, circumstances) { return known }
    guard var tile = decidedTile(track) else { return .offScreen }
    tile.circumstances = circumstances
    recording.limitations.note(tile.limitation, on: track, revision, circumstances)
    return tile.limitation
  }

  /// A tile as it was decided, whether that is forwarded yet or not; `nil` for one that is not subscribed to.
  private func decidedTile(_ track: Int) -> DecidedTile? {
    guard let grant = sfu.allocator.subscriptions.grants[track],
      let wish = sfu.allocator.subscriptions[track]
    else { return nil }
    var tile = DecidedTile(wish, grant, desire: sfu.allocator.subscriptions.desires[track])
    if grant.limitation == .requestCap {
      tile.hasIdleCap = !sfu.allocator.policy.isCapped(wish, at: grant)
    }
    tile.isSentToOrder = sfu.controller.isUsed
    return tile
  }

  /// Whether a tile's viewer and its source have begun so recently that this limits it.
  private mutating func beginnings(
    of source: Int, viewer: Int, _ track: Int, at now: SimTime
  ) -> DecidedTile.Circumstances {
    var circumstances = DecidedTile.Circumstances()
    circumstances.isSourceOff =
      !publishers.sources[source].capture.isOn && !publishers.sources[source].publisher.withholdsVideo
    circumstances.isSourceStarting = isStarting(source: source, at: now)
    if let lacking = sfu.allocator.subscriptions.grants[track]?.lacking {
      circumstances.isViewerStarting = isStarting(viewer, lacking: lacking, at: now)
    }
    return circumstances
  }

  // MARK: What is shown of a decision

  /// What the encoder of a source makes of the layer that a track is given where that is smaller, and why; `nil` where it
  /// is the layer itself.
  private func encodedFormat(of source: Int, _ track: Int) -> DecidedTile.EncodedFormat? {
    guard let layer = sfu.allocator.subscriptions.grants[track]?.layer,
      let encoding = publishers.encoding(layer.id.encoding, of: source),
      let size = publishers.encoders[encoding].resolution, size.lines < layer.format.resolution.lines
    else { return nil }
    let format = VideoFormat(size, milliFramesPerSecond: layer.format.milliFramesPerSecond)
    // Its own adaptation is slow to rise again; else a receiver or the uplink has lowered its rate.
    let asked = sfu.allocator.subscriptions.tile(track)?.requested.resolution.pixels ?? .max
    let pixels = min(asked, layer.format.resolution.pixels)
    guard publishers.encoders[encoding].scale < 1,
      SinglecastLimits.isTooLow(publishers.encoders[encoding].target, pixels: pixels, codec: .vp8)
    else { return .init(format, because: .sender) }
    let bearable = publishers.sources[source].demand.bearable
    let uplink = publishers.states[streams.sources[source].participant].videoBudget
    guard bearable < uplink else { return .init(format, because: .senderUplink) }
    // Its receivers' own words are those of their grants.
    let own = sfu.allocator.subscriptions.grants[track]?.bearable
    return own.map { $0 <= bearable } ?? false ? nil : .init(format, because: .policy)
  }

  /// Whether the last picture of a track is as large as asked for, or as its encoder makes it.
  private func showsLines(_ track: Int, encoded: VideoFormat?) -> Bool {
    let size = viewers.receptions[track].size
    guard viewers.receptions[track].status.isDecodable, size != .max,
      let asked = sfu.allocator.subscriptions.tile(track)?.requested.resolution.lines
    else { return false }
    return publishers.sizes[size].lines >= min(asked, encoded?.resolution.lines ?? asked)
  }

  /// Whether fewer frames were shown in the interval than asked for, beyond one that falls on either side of its end; not
  /// where the first has just come.
  private func lacksFrames(_ track: Int, at now: SimTime) -> Bool {
    guard let asked = sfu.allocator.subscriptions.tile(track)?.requested.milliFramesPerSecond,
      viewers.receptions[track].delays.firstFrameAt < (now - recording.length - .zero).nanoseconds
    else { return false }
    let frames = viewers.receptions[track].interval.frames
    return Double(frames + 1) / recording.length.seconds * 1000 < Double(asked)
  }

  /// Whether a viewer's streams take more than its budget, as in systems that forward whatever is asked for, and its
  /// downlink has dropped packets of them in the interval.
  private func isBeyondBudget(_ viewer: Int) -> Bool {
    let budget = sfu.allocator.budgets[viewer]
    guard let decided = budget.decided, decided.total < budget.taken else { return false }
    return links.route(of: Path.down(viewer)).map(Int.init).contains {
      links.counters(of: $0).droppedPackets > recording.linkCourses[$0].mark.droppedPackets
    }
  }

  // MARK: Beginnings

  /// Whether a viewer began so recently that its estimate is below a capacity that carries what is lacking.
  private mutating func isStarting(_ viewer: Int, lacking: BitRate, at now: SimTime) -> Bool {
    guard now - people.joinedAt(viewer) < Self.startTime else { return false }
    let path = Path.down(viewer)
    let needed = endpoints.estimate(path) + lacking.scaled(by: 1 + endpoints.headerShare(of: path))
    return links.fairCapacity(of: path, at: now) >= needed
  }

  /// Whether a source began so recently that its uplink's estimate is below a capacity that carries all of it.
  private mutating func isStarting(source: Int, at now: SimTime) -> Bool {
    guard now - publishers.sources[source].capture.startedAt < Self.startTime else { return false }
    let path = Path.up(streams.sources[source].participant)
    let whole = publishers.wholeRate(of: streams.sources[source].participant)
    return links.fairCapacity(of: path, at: now) >= whole.scaled(by: 1 + endpoints.headerShare(of: path))
  }
}
