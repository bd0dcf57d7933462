import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Viewing

/// Results of the whole run, as rows of `scalars.csv`.
extension Recording {
  /// One value of the table.
  struct Value {
    var metric: ScalarMetric
    /// Value in units of the metric's last decimal; `nil` if there was nothing to measure.
    var value: Int64?

    init(_ metric: ScalarMetric, _ value: Int64?) {
      self.metric = metric
      self.value = value
    }
  }

  mutating func record(
    _ values: [Value], scope: ScalarMetric.Scope, viewer: String = "", source: String = ""
  ) {
    for value in values {
      record(ScalarRow(value.metric, value.value, scope: scope, viewer: viewer, source: source))
    }
  }

  /// Adds the counts of a tile's track to its summary, and writes it.
  mutating func summarizeTile(
    _ track: Int, viewer: Int, source: Int, reception: Reception, receiver: borrowing VideoReceiver,
    grantedSince: SimTime?
  ) {
    guard tiles.tiles[track].intervals > 0 else { return }
    var tile = tiles.tiles[track]
    let delays = reception.delays
    if delays.firstFrameAt >= 0, let grantedSince {
      tile.firstFrameDelay = SimDuration(nanoseconds: delays.firstFrameAt - grantedSince.nanoseconds)
    }
    tile.frameDelaySum = delays.sum
    tile.frameDelayMaximum = delays.maximum
    tiles.tiles[track] = tile
    let wanted = tile.requestedTime.nanoseconds
    let decoded = Int64(reception.status.framesDecoded)
    let jitterBufferDelay = receiver.jitterBufferDelay.nanoseconds
    record(
      [
        Value(.frameHeight, Int64(tile.medianHeight) * 10),
        Value(.requestedHeightShare, Int64(tile.thousandthsAsAsked)),
        Value(.framesPerSecond, tile.frames.scaled(by: 100_000_000_000, per: wanted)),
        Value(.bitrate, tile.bytes.scaled(by: 80_000_000_000, per: wanted)),
        Value(.decodedBitrate, tile.decodedBytes.scaled(by: 80_000_000_000, per: wanted)),
        Value(.freezeCount, tile.freezeCount * 10),
        Value(.freezesDuration, tile.freezesDuration.nanoseconds / 1_000_000),
        Value(.packetsLost, tile.packetsLost * 10),
        Value(.score, tile.meanScore),
        Value(
          .firstFrameDelay,
          tile.firstFrameDelay.map { $0.nanoseconds / 1_000_000 }),
        Value(
          .frameDelay,
          decoded > 0 ? tile.frameDelaySum / decoded / 1_000_000 : nil),
        Value(.longestFrameDelay, decoded > 0 ? tile.frameDelayMaximum / 1_000_000 : nil),
        Value(.framesDropped, Int64(receiver.framesDropped) * 10),
        Value(.framesLate, Int64(receiver.framesLate) * 10),
        Value(.keyFramesDecoded, Int64(reception.status.keyFramesDecoded) * 10),
        Value(
          .jitterBufferDelay,
          decoded > 0 ? jitterBufferDelay / decoded / 1000 : nil),
      ], scope: .tile, viewer: participants[viewer], source: sources[source])
  }

  /// Writes a viewer's totals: means over the tiles that were wanted at some time; sums of bits and freezes.
  mutating func summarizeViewer(_ viewer: Int, tracks: Range<Int>) {
    var heights: Int64 = 0
    var shown: Int64 = 0
    var bytes: Int64 = 0
    var frozen = SimDuration.zero
    var scores: Int64 = 0
    var scored: Int64 = 0
    for track in tracks {
      let tile = tiles.tiles[track]
      guard tile.intervals > 0 else { continue }
      shown += 1
      heights += Int64(tile.medianHeight)
      bytes += tile.bytes
      frozen += tile.freezesDuration
      if let score = tile.meanScore {
        scores += score
        scored += 1
      }
    }
    guard shown > 0 else { return }
    let rate = bytes.scaled(by: 80_000_000_000, per: duration.nanoseconds)
    record(
      [
        Value(.viewerFrameHeight, heights * 10 / shown),
        Value(.viewerBitrate, rate),
        Value(.viewerFreezesDuration, frozen.nanoseconds / 1_000_000),
        Value(.viewerScore, scored > 0 ? scores / scored : nil),
      ], scope: .participant, viewer: participants[viewer])
  }

  mutating func summarizeLink(_ link: Int, _ counters: LinkCounters) {
    let mean =
      counters.queuedPackets > 0
      ? SimDuration.mean(of: counters.queueDelaySum, over: counters.queuedPackets).nanoseconds : nil
    let throughput = counters.deliveredBytes.scaled(by: 80_000_000_000, per: duration.nanoseconds)
    record(
      [
        Value(.throughput, throughput),
        Value(.packetsDropped, (counters.droppedPackets + counters.lostPackets) * 10),
        Value(.queueDelay, mean.map { $0 / 1000 }),
        Value(.longestQueueDelay, linkCourses[link].queueDelayMaximum / 1000),
      ], scope: .link, source: links[link])
  }

  /// Writes the voice totals of all listeners.
  ///
  /// - Parameter totals: totals by listener.
  mutating func summarizeVoices(_ totals: [VoiceTotals]) {
    var all = VoiceTotals()
    for (listener, total) in totals.enumerated() {
      all += total
      if total.hasSpeech { record(values(of: total), scope: .participant, viewer: participants[listener]) }
    }
    if all.hasSpeech { record(values(of: all), scope: .meeting) }
  }

  private func values(of voices: VoiceTotals) -> [Value] {
    let concealed = voices.concealedSamples.scaled(by: 1_000_000, per: max(voices.speechSamples, 1))
    let delay =
      voices.packetsPlayed > 0
      ? SimDuration.mean(of: voices.jitterBufferDelay, over: voices.packetsPlayed) : nil
    return [
      Value(.concealedAudio, concealed),
      Value(.discardedAudio, voices.packetsDiscarded * 10),
      Value(.audioDelay, delay.map { $0.nanoseconds / 1000 }),
    ]
  }

  mutating func summarizeMeeting() {
    record(
      [Value(.simulatedTime, duration.nanoseconds / 1_000_000)],
      scope: .meeting)
  }
}
