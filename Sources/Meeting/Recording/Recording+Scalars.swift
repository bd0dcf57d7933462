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
    /// Value in units of the metric's last decimal place; `nil` if there was nothing to measure.
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

  /// Writes a tile's summary over the time it was on the screen; nothing if it was never requested.
  mutating func summarizeTile(_ track: Int, viewer: Int, source: Int) {
    let tile = tiles.tiles[track]
    guard tile.intervals > 0 else { return }
    var values = [Value(.timeOffScreen, tile.timeOffScreen.nanoseconds / 1_000_000)]
    if tile.visible.time > .zero {
      values += self.values(of: tile.visible)
      values.append(Value(.firstFrameDelay, tile.firstFrameDelay.map { $0.nanoseconds / 1_000_000 }))
      values.append(Value(.pictureDelay, tile.longestPictureDelay.map { $0.nanoseconds / 1_000_000 }))
    }
    record(values, scope: .tile, viewer: participants[viewer], source: sources[source])
  }

  private func values(of tile: VisibleSummary) -> [Value] {
    let time = tile.time.nanoseconds
    let times = tile.frameTimes
    func mean(_ sum: Int64) -> Int64? { tile.frames > 0 ? sum / tile.frames : nil }
    return [
      Value(.frameHeight, Int64(tile.medianHeight) * 10),
      Value(.requestedHeightShare, Int64(tile.thousandthsAtHeight)),
      Value(.pixelsOfScreen, Int64(tile.ofScreen.thousandths)),
      Value(.pixelsOfRequest, Int64(tile.ofRequest.thousandths)),
      Value(.framesPerSecond, tile.frames.scaled(by: 100_000_000_000, per: time)),
      Value(.bitrate, tile.bytes.scaled(by: 80_000_000_000, per: time)),
      Value(.decodedBitrate, tile.decodedBytes.scaled(by: 80_000_000_000, per: time)),
      Value(.freezeCount, tile.freezeCount * 10),
      Value(.freezesDuration, tile.freezesDuration.nanoseconds / 1_000_000),
      Value(.packetsLost, tile.packetsLost * 10),
      Value(.score, tile.meanScore),
      Value(.frameDelay, mean(times.delays).map { $0 / 1_000_000 }),
      Value(.longestFrameDelay, tile.frames > 0 ? times.longestDelay / 1_000_000 : nil),
      Value(.framesDropped, times.framesDropped * 10),
      Value(.framesLate, times.framesLate * 10),
      Value(.keyFramesDecoded, tile.keyFrames * 10),
      Value(.jitterBufferDelay, mean(times.jitterBufferDelay.nanoseconds).map { $0 / 1000 }),
      Value(.timeWithoutFrames, tile.timeWithoutFrames.nanoseconds / 1_000_000),
    ]
  }

  /// Writes a viewer's totals: means over the tiles that were ever on the screen, the longest time that one of them was
  /// frozen, and all bits.
  mutating func summarizeViewer(_ viewer: Int, tracks: Range<Int>) {
    let wanted = tracks.map { tiles.tiles[$0] }.filter { $0.intervals > 0 }
    guard !wanted.isEmpty else { return }
    let seen = wanted.map(\.visible).filter { $0.time > .zero }
    let count = Int64(seen.count)
    let bytes = tracks.reduce(0) { $0 + tiles.tiles[$1].bytes }
    var values = [
      Value(.viewerBitrate, bytes.scaled(by: 80_000_000_000, per: duration.nanoseconds))
    ]
    if let frozen = seen.map(\.freezesDuration).max() {
      let pixels = seen.reduce(into: PixelSum()) { $0.add($1.ofScreen) }
      values += [
        Value(.viewerFrameHeight, seen.reduce(0) { $0 + Int64($1.medianHeight) } * 10 / count),
        Value(.viewerPixels, Int64(pixels.thousandths)),
        Value(.viewerFreezesDuration, frozen.nanoseconds / 1_000_000),
        Value(.viewerScore, seen.reduce(0) { $0 + ($1.meanScore ?? 0) } / count),
      ]
    }
    record(values, scope: .participant, viewer: participants[viewer])
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
