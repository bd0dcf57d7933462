import Allocation
import Endpoint
import Ladder
import Media
import Metrics
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Writes the rows of an interval from the counters of the meeting's parts.
struct IntervalRows {
  let start: SimTime
  /// End of the interval.
  let now: SimTime

  /// Writes the rows, and closes the interval.
  func write(_ parts: inout MeetingParts, _ recording: inout Recording) {
    recording.beginRows(of: now - start)
    parts.net.links.catchUp(to: now)
    var videos = [Int](repeating: 0, count: parts.people.indices.count)
    for viewer in parts.people.indices where parts.viewers.isViewer[viewer] {
      for source in parts.streams.sources.indices where parts.streams.sources[source].participant != viewer {
        let track = parts.streams.track(viewer: viewer, source: source)
        if parts.viewers.receptions[track].interval.frames > 0 { videos[viewer] += 1 }
        let other = parts.streams.sources[source].participant
        let isMember =
          parts.people.isJoined(viewer) && parts.people.isJoined(other)
          && max(parts.people.joinedAt(viewer), parts.people.joinedAt(other)) < now
        var score: Double?
        if isMember || parts.viewers.receptions[track].interval.bytes > 0 {
          score = sampleTile(
            viewer: viewer, source: source, track: track, isMember: isMember, &parts, &recording)
        }
        parts.viewers.receptions.beginInterval(of: track)
        if isMember { measureUtility(of: viewer, track, score: score, &parts, &recording) }
      }
      measureUtility(of: viewer, &parts, &recording)
    }
    for source in parts.streams.sources.indices { sampleSent(source, &parts, &recording) }
    for link in parts.plan.links.indices {
      recording.sampleLink(link, &parts.net.links, from: start, to: now)
    }
    sampleVoices(&parts, &recording)
    for participant in parts.people.indices {
      sampleParticipant(participant, videos: videos[participant], &parts, &recording)
    }
    recording.beginInterval(parts.net.links)
  }

  private func sampleTile(
    viewer: Int, source: Int, track: Int, isMember: Bool, _ parts: inout MeetingParts,
    _ recording: inout Recording
  ) -> Double? {
    let reception = parts.viewers.receptions[track]
    var asked = parts.sfu.allocator.subscriptions.tile(track)
    let moment = TileMoment(viewer: viewer, source: source, parts.streams, at: now)
    asked?.size = parts.viewers.knowledge[viewer].receptions[source].tile
    if let size = recording.screens.size(of: source, to: viewer), moment.isAwaited(&parts, recording) {
      asked = SubscriptionTable.Tile(unanswered: size, at: parts.publishers.sources[source].plan.capture)
    }
    // A screen share that is off has no tile.
    guard asked != nil || !parts.streams.sources[source].isScreen || reception.interval.bytes > 0 else {
      return nil
    }
    let size = reception.interval.frames > 0 ? reception.shownSize : nil
    let counts = reception.countsInInterval(of: parts.viewers.receptions.receivers[track])
    var times = FrameTimes()
    times.delays = reception.interval.delays
    times.longestDelay = reception.interval.longestDelay
    times.jitterBufferDelay = counts.jitterBufferDelay
    times.framesDropped = Int64(counts.dropped)
    times.framesLate = Int64(counts.late)
    times.pauses = reception.pauseTimeInInterval
    let limitation = moment.limitation(&parts, &recording)
    if isMember { recording.tiles.tiles[track].comeOnScreen(after: moment.unseen(from: start, parts)) }
    if recording.tiles.tiles[track].firstFrameDelay == nil {
      recording.tiles.tiles[track].firstFrameDelay = moment.firstFrameDelay(parts)
    }
    if recording.screens.shows(source, to: viewer) { recording.notePicture(moment, &parts) }
    return recording.sample(
      Recording.Tile(
        viewer: viewer, source: source, track: track,
        kind: parts.publishers.sources[source].capture.kind.text, asked: asked,
        grant: parts.sfu.allocator.subscriptions.grants[track], forwarded: moment.forwarded(parts),
        reception: reception, frameTimes: times,
        frame: size.map { parts.net.sizes[$0] }, limitation: limitation,
        seen: moment.seen(parts, recording), keepsStarved: parts.keepsStarvedStreams),
      presence: isMember ? now - max(start, moment.began(parts)) : nil, at: now)
  }

  /// Records a row for each encoding of a source whose participant is in the meeting or has sent in the interval; a
  /// screen share that is off has none.
  private func sampleSent(_ source: Int, _ parts: inout MeetingParts, _ recording: inout Recording) {
    let isThere =
      parts.people.isJoined(parts.streams.sources[source].participant)
      && (!parts.streams.sources[source].isScreen || parts.publishers.sources[source].capture.isOn)
    for encoding in parts.streams.sources[source].encodings {
      let counts = parts.publishers.takeCounts(of: encoding)
      guard isThere || counts.frames > 0 || counts.bytes > 0 else { continue }
      var row = SentRow(source: source, layer: encoding)
      let isWithheld = parts.publishers.isWithheldByViewers(encoding)
      row.isWanted = parts.publishers.isRequested(encoding) && !isWithheld
      row.isActive = parts.publishers.isActive(encoding) && !isWithheld
      if counts.frames > 0 {
        let size = parts.net.sizes[counts.size]
        row.frame = (size.width, size.height)
      }
      row.frames = Int(counts.frames)
      row.target = parts.publishers.sentTarget(of: encoding)
      row.bytes = counts.bytes
      row.limitation = parts.publishers.isLimitedByBandwidth(encoding) ? .bandwidth : .none
      row.keyFrames = Int(counts.keyFrames)
      row.pictureLossIndications = Int(counts.pictureLossIndications)
      row.negativeAcknowledgements = Int(counts.negativeAcknowledgements)
      row.retransmittedPackets = Int(counts.retransmitted)
      recording.record(row, at: now)
    }
  }

  private func sampleParticipant(
    _ number: Int, videos: Int, _ parts: inout MeetingParts, _ recording: inout Recording
  ) {
    let up = Path.up(number)
    let down = Path.down(number)
    var row = ParticipantRow(participant: number)
    let peers = parts.net.endpoints.peers
    let peer = peers.peer(of: number)
    let filling = peer.map(peers.sendingPath) ?? down
    row.up = recording.pathRow(
      up, estimate: parts.net.endpoints.estimate(peers.sendingPath(of: number)),
      parts.net.links, from: start, to: now)
    row.down = recording.pathRow(
      down, estimate: parts.net.endpoints.estimate(filling), parts.net.links, from: start, to: now)
    row.audioBytes = parts.listeners.takeBytes(of: number)
    row.audioPacketsReceived = Int64(parts.listeners.intervals[number].packetsReceived)
    row.audioPacketsLost = Int64(parts.listeners.intervals[number].packetsLost)
    row.videosReceived = videos
    row.decodedPixels = parts.viewers.receptions.takeDecodedPixels(of: number)
    recording.limitations.watch?.note(row, interval: recording.length)
    let isJoined = parts.people.isJoined(number)
    recording.addCost(of: row, presence: isJoined ? now - max(start, parts.people.joinedAt(number)) : .zero)
    // Packets in transit when the participant left still arrive.
    guard parts.people.takePresence(of: number) || row.up.bytes + row.down.bytes > 0 else { return }
    if isJoined {
      row.connectionQuality =
        min(
          parts.quality(
            of: up, row.up, budget: RateLimit(parts.publishers.states[number].videoBudget),
            parts.publishers.wholeRate(of: number)),
          parts.quality(
            of: down, row.down,
            budget: peer.map { RateLimit(parts.publishers.states[$0].videoBudget) }
              ?? parts.sfu.allocator.budgets[number].current,
            parts.sfu.allocator.offeredRate(of: number, parts.sfu.directory))
        ).name
    }
    recording.record(row, at: now)
  }

  /// Records a row for each voice that was heard, or should have been.
  private func sampleVoices(_ parts: inout MeetingParts, _ recording: inout Recording) {
    var spokenSince: [SimTime?] = []
    for speaker in parts.people.indices {
      spokenSince.append(
        parts.sfu.voices.sentSince(speaker, spokenSince: parts.people.spokenSince(speaker, at: now)))
    }
    let isMixed = parts.plan.audioForwarding == .mixed
    let speakers =
      isMixed ? [] : parts.people.indices.filter { spokenSince[$0] != nil || parts.listeners.hasVoice($0) }
    for listener in parts.people.indices {
      parts.listeners.beginInterval(of: listener)
      if isMixed {
        let since = parts.sfu.voices.mixSentSince(to: listener, at: now)
        sampleVoice(of: listener, by: listener, since: since, &parts, &recording)
      }
      for speaker in speakers where speaker != listener {
        sampleVoice(of: speaker, by: listener, since: spokenSince[speaker], &parts, &recording)
      }
      parts.listeners.endInterval(of: listener)
    }
  }

  /// Records a voice's row.
  ///
  /// - Parameter speaker: the speaker, or for a mix the listener itself.
  private func sampleVoice(
    of speaker: Int, by listener: Int, since: SimTime?, _ parts: inout MeetingParts,
    _ recording: inout Recording
  ) {
    guard
      let heard = parts.listeners.takeReception(
        of: speaker, by: listener, spokenSince: parts.people.isJoined(listener) ? since : nil, at: now),
      heard.reception.hasSpeech
    else { return }
    recording.sampleVoice(
      heard.reception, of: speaker == listener ? nil : speaker, by: listener, targetDelay: heard.targetDelay,
      at: now)
  }
}

extension MeetingParts {
  fileprivate func quality(of path: Int, _ row: PathRow, budget: RateLimit, _ need: BitRate)
    -> ConnectionQuality
  {
    ConnectionQuality(
      ConnectionQuality.Path(
        packets: row.packets, packetsMissing: row.packetsMissing,
        delay: net.links.delay(of: path) + row.meanQueueDelay, budget: budget, need: need))
  }
}

extension VideoSourcePlan.Kind {
  fileprivate var text: StaticString {
    switch self {
    case .camera: "camera"
    case .screen: "screen"
    case .custom: "custom"
    }
  }
}
