import Metrics
import Quantity

/// What each viewer received in all, as rows of `scalars.csv` with scope `participant`.
extension MeetingSimulation {
  mutating func recordViewers() {
    for viewer in participants.indices {
      var heights: Int64 = 0
      var shown: Int64 = 0
      var bytes: Int64 = 0
      var frozen = SimDuration.zero
      var scores: Int64 = 0
      var scored: Int64 = 0
      for source in sources.indices {
        guard let tile = tiles.tiles[trackNumber(viewer: viewer, source: source)], tile.intervals > 0 else {
          continue
        }
        shown += 1
        heights += Int64(tile.medianHeight)
        bytes += tile.bytes
        frozen += tile.freezesDuration
        if tile.scores > 0 {
          scores += tile.scoreSum / Int64(tile.scores)
          scored += 1
        }
      }
      guard shown > 0 else { continue }
      let rate = Int64(Int128(bytes) * 80_000_000_000 / Int128(plan.duration.nanoseconds))
      let id = plan.participants[viewer].id
      func row(
        _ metric: StaticString, _ stat: StaticString, _ unit: StaticString, _ direction: ScalarRow.Direction,
        _ value: Int64?, _ decimals: Int
      ) -> ScalarRow {
        ScalarRow(
          scope: "participant", viewer: id, metric: metric, stat: stat, unit: unit, direction: direction,
          value: value, decimals: decimals)
      }
      // Means over the tiles that were wanted at some time; sums of bits and freezes.
      recorder.record(row("frame_height", "mean", "px", .bigger, heights * 10 / shown, 1))
      recorder.record(row("bitrate", "mean", "bit/s", .neither, rate, 1))
      recorder.record(row("freezes_duration", "total", "s", .smaller, frozen.nanoseconds / 1_000_000, 3))
      recorder.record(row("mos", "mean", "1", .bigger, scored > 0 ? scores / scored : nil, 2))
    }
  }
}
