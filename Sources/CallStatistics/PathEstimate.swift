/// Properties of a call's path other than its capacity.
package struct PathEstimate: Equatable, Sendable {
  /// Excess over the shortest round trip that indicates a full queue [ms].
  private static let inflated = 50.0
  /// Time around a cut or a full queue within which losses are attributed to it [s].
  private static let vicinity = 3.0
  /// Time after which round trips no longer include the connection's set-up [s].
  private static let settled = 1.0
  /// Size of a video packet with its RTP header [byte].
  private static let packet = 1100.0
  /// Length of the queue if the call does not reveal it [ms].
  private static let assumedQueue = 300.0
  /// Share of lost packets below which a path counts as free of loss: a few packets of a call.
  private static let leastLoss = 0.0005

  /// Shortest round trip, without queueing [ms]; `nil` if none was measured.
  package let roundTrip: Double?
  /// Share of packets lost while the path was not full.
  package let loss: Double
  /// Indicates that losses were reported at all.
  package let isLossKnown: Bool
  /// Length of the queue in time [ms], and whether the call reveals it by losses while its round trip was long.
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
    var lost = 0.0
    var packets = 0.0
    var overflowed = 0.0
    for index in samples.indices.dropFirst() {
      let now = samples[index].time
      let more = max(0, (samples[index].lost ?? 0) - (samples[index - 1].lost ?? samples[index].lost ?? 0))
      if congested.contains(where: { abs(samples[$0].time - now) <= Self.vicinity }) {
        overflowed += more
      } else {
        lost += more
        if let end = samples[index].packets, let begin = samples[index - 1].packets {
          packets += max(0, end - begin - more)
        } else {
          packets +=
            (record.rate(at: index) ?? 0) * (now - samples[index - 1].time) * 1000 / 8 / Self.packet
        }
      }
    }
    let share = packets > 0 ? lost / (lost + packets) : 0
    loss = share < Self.leastLoss ? 0 : share
    isLossKnown = samples.contains { $0.lost != nil }
    let longest = samples.indices.filter { samples[$0].time >= start + Self.settled }.map(excess).max() ?? 0
    let isSeen = overflowed > 0 && longest > Self.inflated
    queue = (isSeen ? longest : max(longest, Self.assumedQueue), isSeen)
  }

  package static func == (a: PathEstimate, b: PathEstimate) -> Bool {
    a.roundTrip == b.roundTrip && a.loss == b.loss && a.queue == b.queue
  }
}
