/// What one sample of a call says about its path's capacity [kbps].
///
/// Our model, of libwebrtc's Google Congestion Control. While the path isn't full, the estimate climbs: the
/// capacity is at least the estimate divided by ``peak``. When the path is full, the estimate is cut by a tenth
/// or more. Such a cut reads the capacity in three ways: the estimate after it is 0.85 of what arrived; the one
/// before it had climbed to about 1.08 of the capacity; and what arrived in the better of the last two seconds,
/// with headers and voice, filled the path. Each falls short for reasons of its own (the estimate climbs again
/// before it is sampled; the climb ended between two samples; the second had a pause), so the lowest of the
/// three is left out, and so is one far above both others: a probe's.
enum CapacityEvidence: Equatable {
  /// The path was not seen to be full: it carries at least this.
  case atLeast(Double)
  /// The path was full at this rate.
  case full(Double)

  /// Where a climbing estimate is cut, as a share of the capacity (recorded calls: 1.06 to 1.18).
  static let peak = 1.08
  /// What a cut leaves of the rate that arrived: libwebrtc's back-off factor.
  static let backOff = 0.85
  /// A fall of the estimate to less than this share within a sample is a cut.
  static let cut = 0.9
  /// A cut to less than this share shows that the capacity fell.
  static let collapse = 0.6
  /// A reading this many times the second largest comes from a probe's burst.
  static let outlier = 1.3
  /// IP packets over RTP packets without their payload's overhead: 1138 of 1100 bytes.
  static let headers = 1138.0 / 1100
  /// A voice, with headers [kbps].
  static let voice = 35.0
  /// Until here probes overshoot: estimates say nothing [s].
  static let start = 5.0

  /// The evidence of every sample; `nil` for none.
  static func of(_ record: CallRecord) -> [CapacityEvidence?] {
    let samples = record.samples
    let arrived = samples.indices.map { index in
      (record.rate(at: index) ?? 0) * headers + (record.hasVoice ? voice : 0)
    }
    return samples.indices.map { index in
      guard samples[index].time >= start, index > 0, let now = samples[index].estimate else { return nil }
      if let before = samples[index - 1].estimate, now < cut * before {
        // After a collapse, what arrived before it is the old capacity's.
        let better = now < collapse * before ? arrived[index] : max(arrived[index - 1], arrived[index])
        return .full(reading(before: before, after: now, arrived: better))
      }
      // An estimate that is gone with the next sample was a probe's.
      let next = index + 1 < samples.count ? samples[index + 1].estimate ?? now : now
      return .atLeast(min(now, next) / peak)
    }
  }

  /// The capacity that a cut shows [kbps].
  static func reading(before: Double, after: Double, arrived: Double) -> Double {
    let readings = [after / backOff, before / peak, arrived].sorted()
    return readings[2] < outlier * readings[1] ? (readings[1] + readings[2]) / 2 : readings[1]
  }

  /// The rate, whatever it says of the capacity [kbps].
  var rate: Double {
    switch self {
    case .atLeast(let rate), .full(let rate): rate
    }
  }

  /// What it tells of a full path [kbps].
  var fullRate: Double? { if case .full(let rate) = self { rate } else { nil } }

  /// The bound that it is [kbps].
  var bound: Double? { if case .atLeast(let rate) = self { rate } else { nil } }
}
