import Media
import Metrics
import Network
import Quantity
import SimulationKernel

/// What the whole run showed, as rows of `scalars.csv`.
extension Recording {
  /// One value of the table.
  struct Value {
    var metric: StaticString
    var stat: StaticString
    var unit: StaticString
    var direction: ScalarRow.Direction
    var value: Int64?
    var decimals: Int

    init(
      _ metric: StaticString, _ stat: StaticString, _ unit: StaticString,
      _ direction: ScalarRow.Direction, _ value: Int64?, _ decimals: Int
    ) {
      self.metric = metric
      self.stat = stat
      self.unit = unit
      self.direction = direction
      self.value = value
      self.decimals = decimals
    }
  }

  mutating func record(
    _ values: [Value], scope: StaticString, viewer: String = "", source: String = ""
  ) {
    for value in values {
      record(
        ScalarRow(
          scope: scope, viewer: viewer, source: source, metric: value.metric, stat: value.stat,
          unit: value.unit, direction: value.direction, value: value.value, decimals: value.decimals))
    }
  }

  /// Adds to a tile's summary what its track has counted, and writes it.
  mutating func summarizeTile(
    _ track: Int, viewer: Int, source: Int, reception: Reception, receiver: borrowing VideoReceiver,
    grantedSince: SimTime?
  ) {
    guard var tile = tiles.tiles[track] else { return }
    let delays = reception.delays
    if delays.firstFrameAt >= 0, let grantedSince {
      tile.firstFrameDelay = SimDuration(nanoseconds: delays.firstFrameAt - grantedSince.nanoseconds)
    }
    tile.frameDelaySum = delays.sum
    tile.frameDelayMaximum = delays.maximum
    tiles.tiles[track] = tile
    guard tile.intervals > 0 else { return }
    let wanted = tile.requestedTime.nanoseconds
    let decoded = Int64(reception.status.framesDecoded)
    let jitterBufferDelay = receiver.jitterBufferDelay.nanoseconds
    record(
      [
        Value("frame_height", "p50", "px", .bigger, Int64(tile.medianHeight) * 10, 1),
        Value("requested_height_share", "mean", "1", .bigger, Int64(tile.thousandthsAsAsked), 3),
        Value(
          "frames_per_second", "mean", "Hz", .bigger, tile.frames.scaled(by: 100_000_000_000, per: wanted), 2),
        Value("bitrate", "mean", "bit/s", .neither, tile.bytes.scaled(by: 80_000_000_000, per: wanted), 1),
        Value("freeze_count", "total", "1", .smaller, tile.freezeCount * 10, 1),
        Value("freezes_duration", "total", "s", .smaller, tile.freezesDuration.nanoseconds / 1_000_000, 3),
        Value("packets_lost", "total", "1", .smaller, tile.packetsLost * 10, 1),
        Value("mos", "mean", "1", .bigger, tile.meanScore, 2),
        Value(
          "first_frame_delay", "total", "s", .smaller,
          tile.firstFrameDelay.map { $0.nanoseconds / 1_000_000 }, 3),
        Value(
          "frame_delay", "mean", "s", .smaller,
          decoded > 0 ? tile.frameDelaySum / decoded / 1_000_000 : nil, 3),
        Value(
          "frame_delay", "max", "s", .smaller, decoded > 0 ? tile.frameDelayMaximum / 1_000_000 : nil, 3),
        Value("frames_dropped", "total", "1", .smaller, Int64(receiver.framesDropped) * 10, 1),
        Value("frames_late", "total", "1", .smaller, Int64(receiver.framesLate) * 10, 1),
        Value(
          "key_frames_decoded", "total", "1", .neither, Int64(reception.status.keyFramesDecoded) * 10, 1),
        Value(
          "jitter_buffer_delay", "mean", "s", .smaller,
          decoded > 0 ? jitterBufferDelay / decoded / 1000 : nil, 6),
      ], scope: "tile", viewer: participants[viewer], source: sources[source])
  }

  /// Writes what a viewer received in all: means over the tiles that were wanted at some time; sums of bits and freezes.
  mutating func summarizeViewer(_ viewer: Int, tracks: Range<Int>) {
    var heights: Int64 = 0
    var shown: Int64 = 0
    var bytes: Int64 = 0
    var frozen = SimDuration.zero
    var scores: Int64 = 0
    var scored: Int64 = 0
    for track in tracks {
      guard let tile = tiles.tiles[track], tile.intervals > 0 else { continue }
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
        Value("frame_height", "mean", "px", .bigger, heights * 10 / shown, 1),
        Value("bitrate", "mean", "bit/s", .neither, rate, 1),
        Value("freezes_duration", "total", "s", .smaller, frozen.nanoseconds / 1_000_000, 3),
        Value("mos", "mean", "1", .bigger, scored > 0 ? scores / scored : nil, 2),
      ], scope: "participant", viewer: participants[viewer])
  }

  mutating func summarizeLink(_ link: Int, _ counters: LinkCounters) {
    let mean =
      counters.queuedPackets > 0
      ? SimDuration.mean(of: counters.queueDelaySum, over: counters.queuedPackets).nanoseconds : nil
    let throughput = counters.deliveredBytes.scaled(by: 80_000_000_000, per: duration.nanoseconds)
    record(
      [
        Value("throughput", "mean", "bit/s", .neither, throughput, 1),
        Value(
          "packets_dropped", "total", "1", .smaller, (counters.droppedPackets + counters.lostPackets) * 10, 1),
        Value("queue_delay", "mean", "s", .smaller, mean.map { $0 / 1000 }, 6),
        Value("queue_delay", "max", "s", .smaller, linkCourses[link].queueDelayMaximum / 1000, 6),
      ], scope: "link", source: links[link])
  }

  /// Writes what everybody heard.
  ///
  /// - Parameter totals: by listener.
  mutating func summarizeVoices(_ totals: [VoiceTotals]) {
    var all = VoiceTotals()
    for (listener, total) in totals.enumerated() {
      all += total
      if total.hasSpeech { record(values(of: total), scope: "participant", viewer: participants[listener]) }
    }
    if all.hasSpeech { record(values(of: all), scope: "meeting") }
  }

  private func values(of voices: VoiceTotals) -> [Value] {
    let concealed = voices.concealedSamples.scaled(by: 1_000_000, per: max(voices.speechSamples, 1))
    let delay =
      voices.packetsPlayed > 0
      ? SimDuration.mean(of: voices.jitterBufferDelay, over: voices.packetsPlayed) : nil
    return [
      Value("audio_concealed_frac", "mean", "1", .smaller, concealed, 6),
      Value("audio_packets_discarded", "total", "1", .smaller, voices.packetsDiscarded * 10, 1),
      Value(
        "audio_jitter_buffer_delay", "mean", "s", .smaller, delay.map { $0.nanoseconds / 1000 }, 6),
    ]
  }

  mutating func summarizeMeeting() {
    record(
      [Value("simulated_time", "total", "s", .neither, duration.nanoseconds / 1_000_000, 3)],
      scope: "meeting")
  }
}
