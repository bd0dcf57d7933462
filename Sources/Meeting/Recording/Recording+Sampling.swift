import Allocation
import Endpoint
import Ladder
import Media
import Metrics
import Network
import Quantity
import Serving
import SimulationKernel
import Viewing

/// The state and counts of an interval, as rows of the tables.
extension Recording {
  /// A viewer's tile of a source at the end of an interval.
  struct Tile {
    var viewer: Int
    var source: Int
    var track: Int
    var kind: StaticString
    /// Subscription; `nil` for a source that is not subscribed to.
    var asked: SubscriptionTable.Tile?
    var grant: Grant?
    var forwarded: ForwardedTrack
    var reception: Reception
    var frameTimes: FrameTimes
    /// Last picture; `nil` if the interval had none.
    var frame: Resolution?
    var limitation: Limitation
    /// Part of the interval in which the tile could be seen.
    var seen: SimDuration
    /// Set if a wanted stream without an allocation stays in the client's list, as a paused stream.
    var keepsStarved: Bool
  }

  /// Records a tile's row.
  ///
  /// - Parameter presence: part of the interval in which viewer and source were in the meeting and the tile could be
  ///   seen; `nil` if one of them has left, whose packets may still arrive.
  /// - Returns: the score of the decoded video; `nil` for none.
  mutating func sample(_ tile: Tile, presence: SimDuration?, at now: SimTime) -> Double? {
    let reception = tile.reception
    var row = StreamRow(
      viewer: tile.viewer, source: tile.source, kind: tile.kind, state: tile.state,
      tile: tile.asked?.size.map { ($0.width, $0.height) },
      requestedHeight: tile.asked?.requested.resolution.height,
      requestedMilliFrames: tile.asked?.requested.milliFramesPerSecond,
      targetHeight: tile.grant?.layer?.format.resolution.height ?? 0,
      frame: tile.frame.map { ($0.width, $0.height) },
      frames: Int(reception.interval.frames), bytes: reception.interval.bytes,
      decodedBytes: reception.interval.decodedBytes,
      packetsLost: Int(reception.lostInInterval), freezeCount: Int(reception.freezesInInterval),
      freezesDuration: reception.freezeTimeInInterval, limitation: tile.limitation.rawValue,
      hundredthsOfMOS: nil)
    if row.state == .hidden { (row.requestedHeight, row.requestedMilliFrames) = (nil, nil) }
    let headers = Int64(reception.interval.decodedPackets) * Int64(PacketOverhead.perPacket)
    row.decodedPayload = reception.interval.decodedBytes - headers
    row.display = tile.asked.map { $0.size ?? $0.requested.resolution }
    let score = row.score(over: length)
    row.hundredthsOfMOS = score.map { Int(($0 * 100).rounded()) }
    row.keyFramesDecoded = Int(reception.keyFramesInInterval)
    row.pictureLossIndications = Int(reception.interval.pictureLossIndications)
    row.negativeAcknowledgements = Int(reception.interval.negativeAcknowledgements)
    row.frameTimes = tile.frameTimes
    record(row, at: now)
    limitations.watch?.note(tile, at: now, interval: length)
    if let presence, presence > .zero {
      if presence != length { row.hundredthsOfMOS = nil }
      tiles.add(row, tile: tile.track, at: now, interval: presence)
    }
    return score
  }

  mutating func sampleLink(_ link: Int, _ path: inout PathLinks, from start: SimTime, to now: SimTime) {
    let counters = path.counters(of: link)
    let mark = linkCourses[link].mark
    let maximum = path.takeQueueDelayMaximum(of: link)
    linkCourses[link].queueDelayMaximum = max(linkCourses[link].queueDelayMaximum, maximum)
    let capacity = path.meanCapacity(of: link, from: start, to: now)
    // Because of rounding, links that reorder, and a bucket's burst, some bytes may be left for the next interval.
    let had = Int128(capacity.bitsPerSecond) * Int128((now - start).nanoseconds) / 8_000_000_000
    let unshown = max(0, path.transmittedBytes(of: link, at: now) - linkCourses[link].shownBytes)
    let used = min(unshown, Int64(clamping: had))
    linkCourses[link].shownBytes += used
    record(
      LinkRow(
        link: link, capacity: capacity, deliveredBytes: counters.deliveredBytes - mark.deliveredBytes,
        crossBytes: linkCourses[link].crossBytes,
        usedBytes: used,
        queueDelaySum: counters.queueDelaySum - mark.queueDelaySum,
        queueDelayPackets: counters.queuedPackets - mark.queuedPackets, queueDelayMaximum: maximum,
        packetsDropped: counters.droppedPackets + counters.lostPackets - mark.droppedPackets
          - mark.lostPackets),
      at: now)
  }

  /// Returns the share of packets that a path's links failed to deliver in the interval that ends now, and the mean
  /// queue delay of those delivered.
  func course(of path: Int, _ links: borrowing PathLinks) -> (missing: Double, queueDelay: SimDuration) {
    let row = counts(of: path, links)
    return (Double(row.packetsMissing) / Double(max(row.packets, 1)), row.meanQueueDelay)
  }

  /// Returns the counts of a path's links over the interval that ends now.
  private func counts(of path: Int, _ links: borrowing PathLinks) -> PathRow {
    var row = PathRow()
    for link in links.route(of: path).map(Int.init) {
      let counters = links.counters(of: link)
      let mark = linkCourses[link].mark
      row.addLink(
        delivered: counters.deliveredPackets - mark.deliveredPackets,
        missing: counters.droppedPackets + counters.lostPackets - mark.droppedPackets - mark.lostPackets)
      row.queueDelaySum += counters.queueDelaySum - mark.queueDelaySum
      row.queueDelayPackets = max(row.queueDelayPackets, counters.queuedPackets - mark.queuedPackets)
    }
    return row
  }

  /// Returns a path's row for the interval that ends now.
  mutating func pathRow(
    _ path: Int, estimate: BitRate, _ links: borrowing PathLinks, from start: SimTime, to now: SimTime
  ) -> PathRow {
    var row = counts(of: path, links)
    row.capacity = links.meanCapacity(ofPath: path, from: start, to: now)
    row.estimate = estimate
    row.bytes = takeArrivedBytes(on: path)
    return row
  }

  /// Begins a new interval of the links' counters, which are cumulative.
  mutating func beginInterval(_ links: borrowing PathLinks) {
    for link in linkCourses.indices {
      linkCourses[link].mark = links.counters(of: link)
      linkCourses[link].crossRate = BitRate(bytes: linkCourses[link].crossBytes, in: length)
      linkCourses[link].crossBytes = 0
    }
  }

  mutating func sampleVoice(
    _ reception: AudioReception, of speaker: Int?, by listener: Int, targetDelay: SimDuration,
    at now: SimTime
  ) {
    let played = Int64(reception.packetsPlayed)
    record(
      AudioRow(
        viewer: listener, source: speaker, packetsReceived: Int64(reception.packetsReceived),
        packetsLost: Int64(reception.packetsLost), packetsDiscarded: Int64(reception.packetsDiscarded),
        concealedSamples: reception.concealedSamples,
        concealmentEvents: Int64(reception.concealmentEvents),
        insertedSamples: reception.insertedSamplesForDeceleration,
        removedSamples: reception.removedSamplesForAcceleration,
        delay: played > 0
          ? SimDuration(nanoseconds: reception.jitterBufferDelay.nanoseconds / played) : nil,
        targetDelay: targetDelay,
        concealedTenThousandths: reception.concealedSamples.scaled(
          by: 10_000, per: max(reception.speechSamples, 1))),
      at: now)
  }
}

extension Recording.Tile {
  fileprivate var state: TileState {
    guard asked != nil, let grant else {
      return asked != nil || limitation == .starting ? .absent : .hidden
    }
    if case .muted = grant.limitation { return .muted }
    guard grant.layer != nil else {
      if case .offScreen = grant.limitation { return .hidden }
      return keepsStarved ? .paused : .absent
    }
    // The previous encoding may have ended while another encoding's key frame is awaited.
    let isWaiting = (forwarded.isWaiting || reception.asksKeyFrame) && reception.interval.frames == 0
    return isWaiting || forwarded.current.encoding < 0 || !reception.status.isDecodable
      ? .waitingForKeyFrame : .receiving
  }
}

extension PathRow {
  /// Mean queue delay of the delivered packets.
  var meanQueueDelay: SimDuration {
    queueDelayPackets > 0 ? SimDuration.mean(of: queueDelaySum, over: queueDelayPackets) : .zero
  }
}
