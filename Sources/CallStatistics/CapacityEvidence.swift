/// Evidence from one sample about the capacity of the path [kbps].
///
/// Our model of libwebrtc's Google Congestion Control. While the path is not full, the estimate climbs, and the
/// capacity is at least the estimate divided by ``peak``. When the path is full, the estimate is cut by a tenth or
/// more. Such a cut gives three readings of the capacity: the estimate after it is 0.85 of the arrival rate; the
/// estimate before it had climbed to about 1.08 of the capacity; and the higher arrival rate of the last two seconds,
/// with headers and voice, filled the path. Each can be too low for its own reason (the estimate climbs again before it
/// is sampled; the climb ended between two samples; the second contained a pause), so the lowest of the three is
/// dropped, and so is one far above the other two, which comes from a probe. An estimate that stays far above the
/// arrival rate was cut for another reason, such as losses, and one left over from the initial probes says nothing
/// until it changes: probes pass a token bucket faster than the packets after them. A round trip far above the shortest
/// one reveals a queue: the path then carries no more than arrives or, if the sender has less to send, than the
/// estimate.
enum CapacityEvidence: Equatable {
  /// The path was not seen to be full: its capacity is at least this rate.
  case atLeast(Double)
  /// The path was full at this rate.
  case full(Double)
  /// Packets queued before the path: its capacity is at most this rate.
  case atMost(Double)

  /// Peak at which a climbing estimate is cut, relative to the capacity (recorded calls: 1.06 to 1.18).
  static let peak = 1.08
  /// Estimate after a cut, relative to the arrival rate: libwebrtc's back-off factor.
  static let backOff = 0.85
  /// Ratio below which a fall of the estimate between two samples counts as a cut.
  static let cut = 0.9
  /// Share of the estimate from which the arrival rate counts as filling it.
  static let filled = 0.8
  /// Ratio below which a cut shows that the capacity fell.
  static let collapse = 0.6
  /// Ratio to the second-largest reading from which a reading is attributed to a probe's burst.
  static let outlier = 1.3
  /// Size of an IP packet relative to its RTP packet: 1138 to 1100 bytes.
  static let headers = 1138.0 / 1100
  /// Rate of a voice, headers included [kbps].
  static let voice = 35.0
  /// Maximum sampling interval at which the sample before a cut still shows how full the path was [s].
  static let recent = 2.5
  /// Round trip above the shortest one from which packets count as queued [ms], and share of the longest such delay.
  static let wait = 30.0
  static let longWait = 0.5
  /// End of the initial probes, which overshoot; earlier estimates say nothing about the capacity [s].
  static let start = 5.0

  /// Returns the evidence of every sample; `nil` for samples without any.
  static func of(_ record: CallRecord) -> [CapacityEvidence?] {
    let samples = record.samples
    let arrived = samples.indices.map { Self.arrived(record, at: $0) }
    let first = samples.first { $0.time >= start }?.estimate
    let shortest = samples.compactMap(\.roundTrip).min() ?? 0
    let waits = samples.map { sample in sample.roundTrip.map { $0 - shortest } }
    let longest = waits.compactMap { $0 }.max() ?? 0
    // A new path gets no initial probes.
    var isInitial = !samples.contains(where: \.isOnNewPath)
    return samples.indices.map { index in
      guard samples[index].time >= start, index > 0, let now = samples[index].estimate else { return nil }
      if now != first { isInitial = false }
      if let before = samples[index - 1].estimate, now < cut * before, !samples[index].isOnNewPath {
        // After a collapse, and long before the cut, earlier arrivals reflect another state of the path.
        let isRecent = samples[index].time - samples[index - 1].time <= recent
        let better =
          now < collapse * before || !isRecent ? arrived[index] : max(arrived[index - 1], arrived[index])
        if now < outlier * better {
          return .full(reading(before: before, after: now, arrived: better))
        }
      }
      if let wait = waits[index], wait >= max(Self.wait, longWait * longest) {
        return .atMost(max(arrived[index], now))
      }
      guard let lasting = estimate(record, index) else { return nil }
      let isTold = !isInitial || arrived[index] >= filled * now
      return .atLeast(isTold ? lasting / peak : min(lasting / peak, arrived[index]))
    }
  }

  /// Arrival rate since the previous sample, including headers, padding and a voice [kbps].
  private static func arrived(_ record: CallRecord, at index: Int) -> Double {
    record.pathRate(ofMedia: (record.rate(at: index) ?? 0) + record.paddingRate(from: index - 1, to: index))
  }

  /// Largest lower bound in a stretch from an estimate that the arrival rate filled [kbps]; `nil` if it never did.
  static func filling(_ record: CallRecord, in stretch: Range<Int>) -> Double? {
    stretch.filter { record.samples[$0].time >= start }.compactMap { index in
      estimate(record, index).flatMap { arrived(record, at: index) >= filled * $0 ? $0 / peak : nil }
    }.max()
  }

  /// Estimate of a sample [kbps]; one that drops by the next sample came from a probe, unless the path changed.
  static func estimate(_ record: CallRecord, _ index: Int) -> Double? {
    let samples = record.samples
    guard let now = samples[index].estimate else { return nil }
    let after = index + 1 < samples.count && !samples[index + 1].isOnNewPath ? samples[index + 1] : nil
    return min(now, after?.estimate ?? now)
  }

  /// Combines the readings of a cut into a capacity [kbps].
  static func reading(before: Double, after: Double, arrived: Double) -> Double {
    let readings = [after / backOff, before / peak, arrived].sorted()
    return readings[2] < outlier * readings[1] ? (readings[1] + readings[2]) / 2 : readings[1]
  }

  /// Rate of the evidence, whether a bound or a full path's rate [kbps].
  var rate: Double {
    switch self {
    case .atLeast(let rate), .atMost(let rate), .full(let rate): rate
    }
  }

  /// Returns how far a capacity contradicts the evidence, given the logarithm of the evidence's rate over the capacity.
  func contradiction(at logarithm: Double) -> Double {
    switch self {
    case .atLeast: max(0, logarithm)
    case .atMost: max(0, -logarithm)
    case .full: abs(logarithm)
    }
  }

  /// Rate of a full path; `nil` for a bound [kbps].
  var fullRate: Double? { if case .full(let rate) = self { rate } else { nil } }

  /// Lower bound of the capacity; `nil` for any other evidence [kbps].
  var bound: Double? { if case .atLeast(let rate) = self { rate } else { nil } }
}
