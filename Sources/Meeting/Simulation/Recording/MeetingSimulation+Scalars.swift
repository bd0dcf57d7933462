import Media
import Metrics
import Network
import Quantity
import SimulationKernel

/// What the whole run showed, as rows of `scalars.csv`.
extension MeetingSimulation {
  /// Fills in what the tracks know and writes every whole-run value.
  mutating func summarise() {
    for viewer in participants.indices {
      for source in sources.indices {
        let track = trackNumber(viewer: viewer, source: source)
        guard var tile = tiles.tiles[track] else { continue }
        let t = tracks[track]
        if t.firstFrameAt >= 0, t.wantedSince >= 0 {
          tile.firstFrameDelay = SimDuration(nanoseconds: t.firstFrameAt - t.wantedSince)
        }
        tile.frameDelaySum = t.frameDelaySum
        tile.frameDelayMaximum = t.frameDelayMaximum
        tiles.tiles[track] = tile
        recordTile(viewer: viewer, source: source, track: track)
      }
    }
    recordViewers()
    for link in plan.links.indices { recordLink(link) }
    recordVoices()
    let span = plan.duration.nanoseconds
    recorder.record(
      ScalarRow(
        scope: "meeting", metric: "simulated_time", stat: "total", unit: "s", direction: .neither,
        value: span / 1_000_000, decimals: 3))
  }

  private mutating func recordTile(viewer: Int, source: Int, track: Int) {
    guard let tile = tiles.tiles[track], tile.intervals > 0 else { return }
    let viewerID = plan.participants[viewer].id
    let sourceID =
      plan.participants[sources[source].participant].id + (sources[source].isScreen ? "/screen" : "")
    func row(
      _ metric: StaticString, _ stat: StaticString, _ unit: StaticString, _ direction: ScalarRow.Direction,
      _ value: Int64?, _ decimals: Int
    ) -> ScalarRow {
      ScalarRow(
        scope: "tile", viewer: viewerID, source: sourceID, metric: metric, stat: stat, unit: unit,
        direction: direction, value: value, decimals: decimals)
    }
    let wanted = Int64(tile.intervals) * interval.nanoseconds
    let decoded = Int64(tracks[track].status.framesDecoded)
    let rows = [
      row("frame_height", "p50", "px", .bigger, Int64(tile.medianHeight) * 10, 1),
      row("requested_height_share", "mean", "1", .bigger, Int64(tile.thousandthsAsAsked), 3),
      row("frames_per_second", "mean", "Hz", .bigger, tile.frames * 100_000_000_000 / wanted, 2),
      row("bitrate", "mean", "bit/s", .neither, tile.bytes * 80_000_000_000 / wanted, 1),
      row("freeze_count", "total", "1", .smaller, tile.freezeCount * 10, 1),
      row("freezes_duration", "total", "s", .smaller, tile.freezesDuration.nanoseconds / 1_000_000, 3),
      row("packets_lost", "total", "1", .smaller, tile.packetsLost * 10, 1),
      row("mos", "mean", "1", .bigger, tile.scores > 0 ? tile.scoreSum / Int64(tile.scores) : nil, 2),
      row(
        "first_frame_delay", "total", "s", .smaller,
        tile.firstFrameDelay.map { $0.nanoseconds / 1_000_000 }, 3),
      row(
        "frame_delay", "mean", "s", .smaller,
        decoded > 0 ? tile.frameDelaySum / decoded / 1_000_000 : nil, 3),
      row("frame_delay", "max", "s", .smaller, decoded > 0 ? tile.frameDelayMaximum / 1_000_000 : nil, 3),
      row(
        "frames_dropped", "total", "1", .smaller, Int64(receivers[track].framesDropped) * 10, 1),
      row("frames_late", "total", "1", .smaller, Int64(receivers[track].framesLate) * 10, 1),
      row(
        "key_frames_decoded", "total", "1", .neither,
        Int64(tracks[track].status.keyFramesDecoded) * 10, 1),
      row(
        "jitter_buffer_delay", "mean", "s", .smaller,
        decoded > 0 ? receivers[track].jitterBufferDelay.nanoseconds / decoded / 1000 : nil, 6),
    ]
    for row in rows { recorder.record(row) }
  }

  private mutating func recordLink(_ link: Int) {
    let counters = network.counters(of: UInt16(link))
    let name = plan.links[link].name
    func row(
      _ metric: StaticString, _ stat: StaticString, _ unit: StaticString, _ direction: ScalarRow.Direction,
      _ value: Int64?, _ decimals: Int
    ) -> ScalarRow {
      ScalarRow(
        scope: "link", source: name, metric: metric, stat: stat, unit: unit, direction: direction,
        value: value,
        decimals: decimals)
    }
    let mean = counters.queuedPackets > 0 ? counters.queueDelaySum / counters.queuedPackets : nil
    let rows = [
      row(
        "throughput", "mean", "bit/s", .neither,
        Int64(Int128(counters.deliveredBytes) * 80_000_000_000 / Int128(plan.duration.nanoseconds)), 1),
      row(
        "packets_dropped", "total", "1", .smaller, (counters.droppedPackets + counters.lostPackets) * 10, 1),
      row("queue_delay", "mean", "s", .smaller, mean.map { $0 / 1000 }, 6),
      row("queue_delay", "max", "s", .smaller, queueDelayMaxima[link] / 1000, 6),
    ]
    for row in rows { recorder.record(row) }
  }
}
