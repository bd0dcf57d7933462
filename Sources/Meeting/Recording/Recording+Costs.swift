import Endpoint
import Metrics
import Network
import Quantity
import SimulationKernel

/// Costs of a meeting to each participant's device and data plan.
extension Recording {
  /// One participant's totals.
  struct Cost: BitwiseCopyable {
    /// Bytes on the wire delivered by its uplink.
    var upBytes: Int64 = 0
    /// Bytes on the wire delivered by its downlink.
    var downBytes: Int64 = 0
    /// Those of video packets sent again, and those of padding.
    var repeatedBytes: Int64 = 0
    var paddingBytes: Int64 = 0
    /// Number of pixels decoded in the intervals at whose end it was in the meeting.
    var pixels: Int64 = 0
    /// Time in the meeting, in those intervals.
    var time = SimDuration.zero
    /// Maximum number of pixels decoded in one interval; a shorter interval only counts if there is no other.
    var pixelsAtMost: Int64 = 0
    /// Length of the interval with the maximum.
    var lengthAtMost = SimDuration.zero
  }

  /// Adds a packet without new media that has reached a participant.
  mutating func addExtra(_ packet: Packet, to participant: Int) {
    if packet.kind == PacketKind.padding.rawValue {
      costs[participant].paddingBytes += Int64(packet.size)
    } else {
      costs[participant].repeatedBytes += Int64(packet.size)
    }
  }

  /// - Parameter presence: part of the interval since the participant joined; zero for one that has left.
  mutating func addCost(of row: ParticipantRow, presence: SimDuration) {
    costs[row.participant].upBytes += row.up.bytes
    costs[row.participant].downBytes += row.down.bytes
    guard presence > .zero else { return }
    costs[row.participant].pixels += row.decodedPixels
    costs[row.participant].time += presence
    guard length >= costs[row.participant].lengthAtMost else { return }
    costs[row.participant].pixelsAtMost = max(costs[row.participant].pixelsAtMost, row.decodedPixels)
    costs[row.participant].lengthAtMost = length
  }

  /// Writes a participant's totals; nothing if it was not in the meeting at the end of any interval.
  mutating func summarizeCost(of participant: Int) {
    let cost = costs[participant]
    guard cost.time > .zero else { return }
    let mean = cost.pixels.scaled(by: 10_000_000_000, per: cost.time.nanoseconds)
    let peak = cost.pixelsAtMost.scaled(by: 10_000_000_000, per: cost.lengthAtMost.nanoseconds)
    // Data including packets that arrived after the last interval [1/1000 MB].
    let up = (cost.upBytes + takeArrivedBytes(on: Path.up(participant))) / 1000
    let down = (cost.downBytes + takeArrivedBytes(on: Path.down(participant))) / 1000
    record(
      [
        Value(.decodedPixels, mean),
        Value(.mostDecodedPixels, peak),
        Value(.dataUp, up),
        Value(.dataDown, down),
        Value(.retransmittedDown, cost.repeatedBytes / 1000),
        Value(.paddingDown, cost.paddingBytes / 1000),
      ], scope: .participant, viewer: participants[participant])
  }
}
