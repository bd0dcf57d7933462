/// Properties of a call's path other than its capacity.
package struct PathEstimate: Equatable, Sendable {
  /// Excess over the shortest round trip that indicates a full queue [ms].
  private static let inflated = 50.0
  /// Times around a cut or a full queue within which losses are attributed to it [s]. The first that leaves ``rest`` of
  /// the packets is used, as on a path that is cut every few seconds no time is far from all cuts.
  private static let vicinities = [3.0, 2, 1]
  private static let rest = 0.25
  /// Time after which round trips no longer include the connection set-up [s].
  private static let settled = 1.0
  /// Size of a video packet with its RTP header [byte].
  private static let packet = 1100.0
  /// Assumed length of the queue if the call does not reveal it [ms].
  private static let assumedQueue = 300.0
  /// Share of lost packets below which a path counts as loss-free: a few packets per call.
  private static let leastLoss = 0.0005

  /// Shortest round trip, without queueing [ms]; `nil` if none was measured.
  package let roundTrip: Double?
  /// Share of packets lost while the path was not full.
  package let loss: Double
  /// Indicates that losses were reported at all.
  package let isLossKnown: Bool
  /// Length of the queue as a time [ms], and whether the call reveals it through losses at long round trips.
  package let queue: (milliseconds: Double, isSeen: Bool)

  /// Infers the path of a call.
  package init(_ record: CallRecord, _ course: CapacityCourse) {
    let samples = record.samples
    let start = samples.first?.time ?? 0
    let floor = samples.filter { $0.time >= start + Self.settled }.compactMap(\.roundTrip).min()
    roundTrip = floor
    func excess(_ index: Int) -> Double { max(0, (samples[index].roundTrip ?? floor ?? 0) - (floor ?? 0)) }
    let full = Set(course.cuts)
    let congested = samples.indices.filter {
      full.contains($0) || excess($0) > Self.inflated && samples[$0].time >= start + Self.settled
    }
    let intervals = Self.intervals(record)
    let all = Packets(intervals.map(\.packets))
    let free = Self.vicinities.lazy.map { vicinity in
      Packets(
        intervals.filter { interval in
          !congested.contains { abs(samples[$0].time - interval.time) <= vicinity }
        }.map(\.packets))
    }
    let own = free.first { $0.received >= Self.rest * all.received } ?? free.last ?? all
    let overflowed = all.lost - own.lost
    // A small number of packets may by chance have a higher loss rate than the whole call, even though that includes
    // the queue's losses.
    let share = min(own.share, all.share)
    loss = share < Self.leastLoss ? 0 : share
    isLossKnown = samples.contains { $0.lost != nil }
    let longest = samples.indices.filter { samples[$0].time >= start + Self.settled }.map(excess).max() ?? 0
    let isSeen = overflowed > 0 && longest > Self.inflated
    queue = (isSeen ? longest : max(longest, Self.assumedQueue), isSeen)
  }

  /// Packet counts over a period.
  private struct Packets {
    var lost = 0.0
    var received = 0.0

    init(lost: Double, received: Double) { (self.lost, self.received) = (lost, received) }

    init(_ parts: [Packets]) {
      for part in parts {
        lost += part.lost
        received += part.received
      }
    }

    /// Share of lost packets.
    var share: Double { received > 0 ? lost / (lost + received) : 0 }
  }

  /// Packets since the previous sample, for all samples but the first, with the sample's time [s].
  private static func intervals(_ record: CallRecord) -> [(time: Double, packets: Packets)] {
    let samples = record.samples
    return samples.indices.dropFirst().map { index in
      let now = samples[index].time
      let lost = max(0, (samples[index].lost ?? 0) - (samples[index - 1].lost ?? samples[index].lost ?? 0))
      let received =
        if let end = samples[index].packets, let begin = samples[index - 1].packets {
          max(0, end - begin - lost)
        } else {
          (record.rate(at: index) ?? 0) * (now - samples[index - 1].time) * 1000 / 8 / packet
        }
      return (now, Packets(lost: lost, received: received))
    }
  }

  package static func == (a: PathEstimate, b: PathEstimate) -> Bool {
    a.roundTrip == b.roundTrip && a.loss == b.loss && a.queue == b.queue
  }
}
