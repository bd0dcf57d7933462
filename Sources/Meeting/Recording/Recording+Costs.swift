import Metrics
import Quantity
import SimulationKernel

/// What a meeting costs each participant's device and data plan.
extension Recording {
  /// Totals of one participant.
  struct Cost: BitwiseCopyable {
    /// Bytes on the wire that its paths delivered.
    var upBytes: Int64 = 0
    var downBytes: Int64 = 0
    /// Pixels decoded over the intervals at whose end it was in the meeting; in one of them at most; and their number.
    var pixels: Int64 = 0
    var pixelsAtMost: Int64 = 0
    var intervals: Int64 = 0
  }

  mutating func addCost(of row: ParticipantRow, isJoined: Bool) {
    costs[row.participant].upBytes += row.up.bytes
    costs[row.participant].downBytes += row.down.bytes
    guard isJoined else { return }
    costs[row.participant].pixels += row.decodedPixels
    costs[row.participant].pixelsAtMost = max(costs[row.participant].pixelsAtMost, row.decodedPixels)
    costs[row.participant].intervals += 1
  }

  /// Writes a participant's totals; nothing for one that was in the meeting at no interval's end.
  mutating func summarizeCost(of participant: Int) {
    let cost = costs[participant]
    guard cost.intervals > 0 else { return }
    let length = interval.nanoseconds
    let mean = cost.pixels.scaled(by: 10_000_000_000, per: cost.intervals * length)
    let peak = cost.pixelsAtMost.scaled(by: 10_000_000_000, per: length)
    // Whatever arrived after the last interval, [1/1000 MB].
    let up = (cost.upBytes + takeArrivedBytes(on: Path.up(participant))) / 1000
    let down = (cost.downBytes + takeArrivedBytes(on: Path.down(participant))) / 1000
    record(
      [
        Value("decoded_pixels_per_s", "mean", "px/s", .smaller, mean, 1),
        Value("decoded_pixels_per_s", "max", "px/s", .smaller, peak, 1),
        Value("data_up", "total", "MB", .smaller, up, 3),
        Value("data_down", "total", "MB", .smaller, down, 3),
      ], scope: "participant", viewer: participants[participant])
  }
}
