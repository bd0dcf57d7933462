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
    /// Pixels decoded over the intervals at whose end it was in the meeting, and their length.
    var pixels: Int64 = 0
    var time = SimDuration.zero
    /// In one of them at most, and its length: a shorter one only counts where there is no other.
    var pixelsAtMost: Int64 = 0
    var lengthAtMost = SimDuration.zero
  }

  mutating func addCost(of row: ParticipantRow, isJoined: Bool) {
    costs[row.participant].upBytes += row.up.bytes
    costs[row.participant].downBytes += row.down.bytes
    guard isJoined else { return }
    costs[row.participant].pixels += row.decodedPixels
    costs[row.participant].time += length
    guard length >= costs[row.participant].lengthAtMost else { return }
    costs[row.participant].pixelsAtMost = max(costs[row.participant].pixelsAtMost, row.decodedPixels)
    costs[row.participant].lengthAtMost = length
  }

  /// Writes a participant's totals; nothing for one that was in the meeting at no interval's end.
  mutating func summarizeCost(of participant: Int) {
    let cost = costs[participant]
    guard cost.time > .zero else { return }
    let mean = cost.pixels.scaled(by: 10_000_000_000, per: cost.time.nanoseconds)
    let peak = cost.pixelsAtMost.scaled(by: 10_000_000_000, per: cost.lengthAtMost.nanoseconds)
    // Whatever arrived after the last interval, [1/1000 MB].
    let up = (cost.upBytes + takeArrivedBytes(on: Path.up(participant))) / 1000
    let down = (cost.downBytes + takeArrivedBytes(on: Path.down(participant))) / 1000
    record(
      [
        Value(.decodedPixels, mean),
        Value(.mostDecodedPixels, peak),
        Value(.dataUp, up),
        Value(.dataDown, down),
      ], scope: .participant, viewer: participants[participant])
  }
}
