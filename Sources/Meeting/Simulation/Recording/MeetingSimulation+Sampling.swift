import Allocation
import CongestionControl
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Systems

/// What an interval showed, as rows of the result tables.
extension MeetingSimulation {
  /// Closes the interval that ends now.
  mutating func sample(at now: SimTime) {
    let start = now - interval
    var videos = [Int](repeating: 0, count: participants.count)
    for viewer in participants.indices where isViewer[viewer] {
      for source in sources.indices where sources[source].participant != viewer {
        let track = trackNumber(viewer: viewer, source: source)
        if tracks[track].frames > 0 { videos[viewer] += 1 }
        if participants[viewer].isJoined, participants[sources[source].participant].isJoined {
          sampleTile(viewer: viewer, source: source, track: track, now: now)
        }
        resetInterval(track)
      }
    }
    for link in plan.links.indices { sampleLink(link, from: start, to: now) }
    sampleVoices(at: now)
    for participant in participants.indices {
      if participants[participant].isJoined {
        sampleParticipant(participant, videos: videos[participant], from: start, to: now)
      }
      participants[participant].audioBytes = 0
      participants[participant].bytesUp = 0
      participants[participant].bytesDown = 0
      participants[participant].decodedPixels = 0
    }
    for link in plan.links.indices { linkMarks[link] = network.counters(of: UInt16(link)) }
  }

  private mutating func resetInterval(_ track: Int) {
    tracks[track].bytes = 0
    tracks[track].packets = 0
    tracks[track].frames = 0
    tracks[track].markReceiver()
  }

  private mutating func sampleTile(viewer: Int, source: Int, track: Int, now: SimTime) {
    let requested = wishes.tile(track)?.requested
    let tile = wishes.tile(track)?.size
    let isWished = requested != nil
    let grant = grants[track]
    // A screen share that is off has no tile.
    guard isWished || !sources[source].isScreen || tracks[track].bytes > 0 else { return }
    let t = tracks[track]
    let seconds = interval.seconds
    let frame: Resolution? = t.frames > 0 && t.format != .max ? formats[Int(t.format)] : nil
    var score: Double?
    if let frame, let requested {
      let payload = max(0, t.bytes - Int64(t.packets) * Int64(PacketOverhead.perPacket)) * 8
      score = MeanOpinionScore.video(
        coded: frame, tile: tile ?? requested.resolution,
        bitrate: BitRate(bitsPerSecond: Int64(Double(payload) / seconds)),
        framesPerSecond: Double(t.frames) / seconds)
    }
    let row = StreamRow(
      viewer: viewer, source: source, kind: kindName(of: source),
      state: state(isWished: isWished, grant, t), tile: tile.map { ($0.width, $0.height) },
      requestedHeight: requested?.resolution.height, requestedMilliFrames: requested?.milliFramesPerSecond,
      targetHeight: grant?.layer?.format.resolution.height ?? 0, frame: frame.map { ($0.width, $0.height) },
      frames: Int(t.frames), bytes: t.bytes, packetsLost: Int(t.lostInInterval),
      freezeCount: Int(t.freezesInInterval), freezesDuration: t.freezeTimeInInterval,
      limitation: (t.isWaiting && grant?.limitation == Limitation.none
        ? .switching : grant?.limitation ?? .policy)
        .rawValue,
      hundredthsOfMOS: score.map { Int(($0 * 100).rounded()) })
    recorder.record(row, at: now)
    if isWished { tiles.add(row, tile: track, at: now, interval: interval) }
  }

  private func kindName(of source: Int) -> StaticString {
    switch sources[source].kind {
    case .camera: "camera"
    case .screen: "screen"
    case .custom: "custom"
    }
  }

  private func state(isWished: Bool, _ grant: Grant?, _ track: Track) -> TileState {
    guard isWished, let grant else { return .hidden }
    if grant.limitation == .muted { return .muted }
    guard grant.layer != nil else {
      if grant.limitation == .offScreen { return .hidden }
      return plan.system.keepsStarvedStreams ? .paused : .absent
    }
    return track.current.encoding < 0 || !track.status.isDecodable ? .waitingForKeyFrame : .receiving
  }

  private mutating func sampleLink(_ link: Int, from start: SimTime, to now: SimTime) {
    let counters = network.counters(of: UInt16(link))
    let mark = linkMarks[link]
    let maximum = network.takeQueueDelayMaximum(of: UInt16(link))
    queueDelayMaxima[link] = max(queueDelayMaxima[link], maximum)
    recorder.record(
      LinkRow(
        link: link, capacity: capacities[link].mean(from: start, to: now),
        deliveredBytes: counters.deliveredBytes - mark.deliveredBytes,
        overheadBytes: plan.links[link].parameters.overhead.bytes
          * (counters.deliveredPackets - mark.deliveredPackets),
        queueDelaySum: counters.queueDelaySum - mark.queueDelaySum,
        queueDelayPackets: counters.queuedPackets - mark.queuedPackets, queueDelayMaximum: maximum,
        packetsDropped: counters.droppedPackets + counters.lostPackets - mark.droppedPackets
          - mark.lostPackets),
      at: now)
  }

  private mutating func sampleParticipant(_ number: Int, videos: Int, from start: SimTime, to now: SimTime) {
    let participant = participants[number]
    var row = ParticipantRow(participant: number)
    row.up = pathRow(participant.up, from: start, to: now)
    row.up.estimate = controllers.estimate(Path.up(number))
    row.up.bytes = participant.bytesUp
    row.down = pathRow(participant.down, from: start, to: now)
    row.down.estimate = controllers.estimate(Path.down(number))
    row.down.bytes = participant.bytesDown
    row.audioBytes = participant.audioBytes
    row.audioPacketsReceived = Int64(voices.intervals[number].packetsReceived)
    row.audioPacketsLost = Int64(voices.intervals[number].packetsLost)
    row.videosReceived = videos
    row.decodedPixels = participant.decodedPixels
    recorder.record(row, at: now)
  }

  private func pathRow(_ path: [UInt16], from start: SimTime, to now: SimTime) -> PathRow {
    var row = PathRow()
    row.capacity = .unlimited
    for link in path {
      let counters = network.counters(of: link)
      let mark = linkMarks[Int(link)]
      row.capacity = min(row.capacity, capacities[Int(link)].mean(from: start, to: now))
      row.packets = max(row.packets, counters.offeredPackets - mark.offeredPackets)
      row.packetsMissing +=
        counters.droppedPackets + counters.lostPackets - mark.droppedPackets - mark.lostPackets
      row.queueDelaySum += counters.queueDelaySum - mark.queueDelaySum
      row.queueDelayPackets = max(row.queueDelayPackets, counters.queuedPackets - mark.queuedPackets)
    }
    if path.isEmpty { row.capacity = .zero }
    return row
  }
}
