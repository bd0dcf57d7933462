/// A fall of the sender's estimate because the path was full, with what it tells about the capacity.
///
/// Our model of libwebrtc's Google Congestion Control. A cut gives three readings: the estimate after it is 0.85 of the
/// arrival rate; the estimate before it had climbed to about 1.08 of the capacity; and the arrival rate, with headers
/// and voice, is what the full path carried. Each can be too low for its own reason (a second cut follows before the
/// sample; the climb ended between two samples; the second contained a pause), so the lowest is left out. The climb
/// goes on past the capacity where the queue is seen late or a probe ended it: above ``mostPeak`` times both others
/// it is left out as well. An estimate that stays above the arrival rate was cut for another reason, such as losses or a
/// probe that measured less.
struct EstimateCut: Equatable {
  /// Estimate in the sample before and after the cut [kbps].
  let before: Double
  let after: Double
  /// Rate that left the path while it was full [kbps].
  let arrived: Double
  /// Indicates that packets lost on the path are missing in ``arrived``.
  private let isWithoutLosses: Bool

  /// Ratio below which a fall of the estimate between two samples counts as a cut.
  private static let cut = 0.9
  /// Estimate after a cut, relative to the arrival rate: libwebrtc's back-off factor.
  private static let backOff = 0.85
  /// Largest peak of a climbing estimate relative to the capacity (recorded calls: 1.06 to 1.18).
  private static let mostPeak = 1.18
  /// Ratio below which a cut shows that the capacity fell.
  private static let collapse = 0.6
  /// Maximum sampling interval at which the sample before a cut still shows how full the path was [s].
  private static let recent = 2.5

  /// Returns the cut between a sample and the one before; `nil` if there is none, or for another reason.
  init?(_ record: CallRecord, at index: Int) {
    let samples = record.samples
    guard index > 0, samples[index].time >= CapacityEvidence.start, !samples[index].isOnNewPath,
      let before = samples[index - 1].estimate, let after = samples[index].estimate, after < Self.cut * before
    else { return nil }
    let interval = samples[index].time - samples[index - 1].time
    // After a collapse, and long before the cut, earlier arrivals reflect another state of the path.
    let isAlone = after < Self.collapse * before || interval > Self.recent || index < 2
    let seconds = isAlone ? [index] : [index - 1, index]
    let sent = seconds.map { CapacityEvidence.arrived(record, at: $0) }.max() ?? 0
    guard after <= sent else { return nil }
    self.before = before
    self.after = after
    isWithoutLosses = record.countsArrivals
    arrived = record.countsArrivals ? sent : seconds.map { Self.left(record, at: $0) }.max() ?? 0
  }

  /// Rate at which what was sent since the previous sample left the path [kbps]: a queue that grew holds the rest.
  private static func left(_ record: CallRecord, at index: Int) -> Double {
    let (begin, end) = (record.samples[index - 1], record.samples[index])
    let time = end.time - begin.time
    let wait = max(0, (end.roundTrip ?? 0) - (begin.roundTrip ?? end.roundTrip ?? 0)) / 1000
    return CapacityEvidence.arrived(record, at: index) * time / (time + wait)
  }

  /// Combines the readings into a capacity [kbps].
  ///
  /// - Parameter loss: share of packets that the path loses after it has carried them.
  func reading(loss: Double) -> Double {
    let share = 1 - min(loss, 0.5)
    let estimated = after / Self.backOff / share
    let measured = isWithoutLosses ? arrived / share : arrived
    guard before <= Self.mostPeak * max(estimated, measured) else { return max(estimated, measured) }
    let readings = [estimated, measured, before / CapacityEvidence.peak].sorted()
    return (readings[1] + readings[2]) / 2
  }
}
