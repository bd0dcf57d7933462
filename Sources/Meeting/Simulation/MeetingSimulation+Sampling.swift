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

/// Sampling of the parts' counters into the recording.
extension MeetingSimulation {
  /// Closes the interval that ends now.
  mutating func sample(from start: SimTime, at now: SimTime) {
    recording.beginRows(of: now - start)
    links.catchUp(to: now)
    var videos = [Int](repeating: 0, count: people.indices.count)
    for viewer in people.indices where viewers.isViewer[viewer] {
      for source in streams.sources.indices where streams.sources[source].participant != viewer {
        let track = streams.track(viewer: viewer, source: source)
        if viewers.receptions[track].interval.frames > 0 { videos[viewer] += 1 }
        let isMember = people.isJoined(viewer) && people.isJoined(streams.sources[source].participant)
        var score: Double?
        if isMember || viewers.receptions[track].interval.bytes > 0 {
          score = sampleTile(viewer: viewer, source: source, track: track, isMember: isMember, at: now)
        }
        viewers.receptions[track].beginInterval(viewers.receivers[track])
        if isMember { measureUtility(of: viewer, track, score: score, at: now) }
      }
      measureUtility(of: viewer, from: start, at: now)
    }
    for source in streams.sources.indices { sampleSent(source, at: now) }
    for link in plan.links.indices { recording.sampleLink(link, &links, from: start, to: now) }
    sampleVoices(at: now)
    for participant in people.indices {
      sampleParticipant(participant, videos: videos[participant], from: start, to: now)
    }
    recording.beginInterval(links)
  }

  private mutating func sampleTile(
    viewer: Int, source: Int, track: Int, isMember: Bool, at now: SimTime
  ) -> Double? {
    let reception = viewers.receptions[track]
    var asked = sfu.allocator.subscriptions.tile(track)
    asked?.size = viewers.tile(of: source, viewer)
    // A screen share that is off has no tile.
    guard asked != nil || !streams.sources[source].isScreen || reception.interval.bytes > 0 else {
      return nil
    }
    let hasFrame = reception.interval.frames > 0 && reception.size != .max
    let counts = reception.countsInInterval(of: viewers.receivers[track])
    var times = FrameTimes()
    times.delays = reception.interval.delays
    times.longestDelay = reception.interval.longestDelay
    times.jitterBufferDelay = counts.jitterBufferDelay
    times.framesDropped = Int64(counts.dropped)
    times.framesLate = Int64(counts.late)
    return recording.sample(
      Recording.Tile(
        viewer: viewer, source: source, track: track, kind: kindName(of: source), asked: asked,
        grant: sfu.allocator.subscriptions.grants[track], forwarded: sfu.forwarder.tracks[track],
        reception: reception, frameTimes: times, frame: hasFrame ? publishers.sizes[reception.size] : nil,
        limitation: limitation(of: source, viewer: viewer, at: now),
        keepsStarved: keepsStarvedStreams),
      isMember: isMember, at: now)
  }

  /// Records a row for each encoding of a source whose participant is in the meeting, or has sent in the interval; a
  /// screen share that is off has none.
  private mutating func sampleSent(_ source: Int, at now: SimTime) {
    let isThere =
      people.isJoined(streams.sources[source].participant)
      && (!streams.sources[source].isScreen || publishers.sources[source].capture.isOn)
    for encoding in streams.sources[source].encodings {
      let counts = publishers.takeCounts(of: encoding)
      guard isThere || counts.frames > 0 || counts.bytes > 0 else { continue }
      var row = SentRow(source: source, layer: encoding)
      row.isWanted = publishers.isRequested(encoding)
      row.isActive = publishers.isActive(encoding)
      if counts.frames > 0 {
        let size = publishers.sizes[counts.size]
        row.frame = (size.width, size.height)
      }
      row.frames = Int(counts.frames)
      row.target = publishers.sentTarget(of: encoding)
      row.bytes = counts.bytes
      row.limitation = publishers.isLimitedByBandwidth(encoding) ? .bandwidth : .none
      row.keyFrames = Int(counts.keyFrames)
      row.pictureLossIndications = Int(counts.pictureLossIndications)
      row.negativeAcknowledgements = Int(counts.negativeAcknowledgements)
      row.retransmittedPackets = Int(counts.retransmitted)
      recording.record(row, at: now)
    }
  }

  private func kindName(of source: Int) -> StaticString {
    switch publishers.sources[source].capture.kind {
    case .camera: "camera"
    case .screen: "screen"
    case .custom: "custom"
    }
  }

  private mutating func sampleParticipant(_ number: Int, videos: Int, from start: SimTime, to now: SimTime) {
    let up = Path.up(number)
    let down = Path.down(number)
    var row = ParticipantRow(participant: number)
    row.up = recording.pathRow(up, estimate: endpoints.estimate(up), links, from: start, to: now)
    row.down = recording.pathRow(down, estimate: endpoints.estimate(down), links, from: start, to: now)
    row.audioBytes = listeners.takeBytes(of: number)
    row.audioPacketsReceived = Int64(listeners.intervals[number].packetsReceived)
    row.audioPacketsLost = Int64(listeners.intervals[number].packetsLost)
    row.videosReceived = videos
    row.decodedPixels = viewers.takeDecodedPixels(of: number)
    let isJoined = people.isJoined(number)
    recording.addCost(of: row, isJoined: isJoined)
    // Packets in transit when it left still arrive.
    guard people.takePresence(of: number) || row.up.bytes + row.down.bytes > 0 else { return }
    if isJoined {
      row.connectionQuality =
        min(
          quality(
            of: up, row.up, budget: RateLimit(publishers.states[number].videoBudget),
            publishers.wholeRate(of: number)),
          quality(
            of: down, row.down, budget: sfu.allocator.budgets[number].current,
            sfu.allocator.offeredRate(of: number, sfu.directory))
        ).name
    }
    recording.record(row, at: now)
  }

  private func quality(of path: Int, _ row: PathRow, budget: RateLimit, _ need: BitRate) -> ConnectionQuality
  {
    let queueDelay =
      row.queueDelayPackets > 0 ? SimDuration.mean(of: row.queueDelaySum, over: row.queueDelayPackets) : .zero
    return ConnectionQuality(
      ConnectionQuality.Path(
        packets: row.packets, packetsMissing: row.packetsMissing,
        delay: links.delay(of: path) + queueDelay, budget: budget, need: need))
  }

  /// Records a row for each voice that was heard, or should have been.
  private mutating func sampleVoices(at now: SimTime) {
    let spokenSince = people.indices.map {
      sfu.voices.sentSince($0, spokenSince: people.spokenSince($0, at: now))
    }
    let isMixed = plan.audioForwarding == .mixed
    let speakers = isMixed ? [] : people.indices.filter { spokenSince[$0] != nil || listeners.hasVoice($0) }
    for listener in people.indices {
      listeners.beginInterval(of: listener)
      if isMixed {
        let since = sfu.voices.mixSentSince(to: listener, at: now)
        sampleVoice(of: listener, by: listener, since: since, at: now)
      }
      for speaker in speakers where speaker != listener {
        sampleVoice(of: speaker, by: listener, since: spokenSince[speaker], at: now)
      }
      listeners.endInterval(of: listener)
    }
  }

  /// Records a voice's row.
  ///
  /// - Parameter speaker: the speaker, or the listener itself for its mix.
  private mutating func sampleVoice(of speaker: Int, by listener: Int, since: SimTime?, at now: SimTime) {
    guard
      let heard = listeners.takeReception(
        of: speaker, by: listener, spokenSince: people.isJoined(listener) ? since : nil, at: now),
      heard.reception.hasSpeech
    else { return }
    recording.sampleVoice(
      heard.reception, of: speaker == listener ? nil : speaker, by: listener, targetDelay: heard.targetDelay,
      at: now)
  }

  /// Writes all values of the whole run.
  mutating func summarize() {
    for source in streams.sources.indices { endRun(of: source) }
    for viewer in people.indices {
      for source in streams.sources.indices {
        let track = streams.track(viewer: viewer, source: source)
        recording.summarizeTile(
          track, viewer: viewer, source: source, firstFrameAt: viewers.receptions[track].firstFrameAt,
          grantedSince: sfu.allocator.subscriptions.grantedSince[track])
      }
    }
    for viewer in people.indices {
      let first = streams.track(viewer: viewer, source: 0)
      recording.summarizeViewer(viewer, tracks: first..<first + streams.sourceCount)
      recording.summarizeCost(of: viewer)
      recording.summarizeYardstick(of: viewer, at: .zero + plan.duration)
    }
    for link in plan.links.indices { recording.summarizeLink(link, links.counters(of: link)) }
    recording.summarizeVoices(listeners.totals)
    recording.summarizeMeeting()
    recording.summarizeFairness()
  }
}
