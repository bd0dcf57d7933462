#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Capacity of a call's path over time, inferred from the sender's browser statistics.
///
/// Our model: the capacity is piecewise constant, with few changes. Among all such courses over a grid of capacities 3
/// % apart, a dynamic program over the samples (as in Viterbi's algorithm) finds the one of least cost. Each sample
/// costs as much as it contradicts the capacity (``CapacityEvidence``), in units of ``width`` on a logarithmic scale
/// and at most ``mostPerSample``, for each second since the previous sample, which it stands for; each change costs
/// ``change``. Each stretch then gets the median of its cuts' readings. A stretch without cuts never filled the path,
/// so its capacity is unknown but at least the arrival rate; it gets the largest estimate, and in a call that never
/// filled its path at least ``spare`` times the arrival rate. When the call moves to another path (a new candidate
/// pair), a change costs nothing, as the old path's capacity says nothing about the new one's.
///
/// A fall is dated to the sample before the first cut that shows it. A rise shows only once the estimate has climbed
/// past the old capacity; it may have happened at any time since the last cut, and is dated midway between the two. A
/// change of path is dated to the previous sample.
package struct CapacityCourse: Equatable, Sendable {
  /// A stretch of constant capacity.
  package struct Step: Equatable, Sendable {
    /// Start in whole seconds since the call began.
    package var from: Int
    /// Capacity [kbps].
    package var kilobits: Double
    /// Number of times the path was seen to be full; 0 for an assumed capacity.
    package var cuts: Int
    /// Arrival rate, including headers and voice: a lower bound of the capacity [kbps].
    package var arrived: Double
  }

  private static let lowest = 20.0
  private static let ratio = 1.03
  /// Number of grid levels, up to 1 Gbps.
  private static let levels = 366
  static let width = 0.12
  static let mostPerSample = 3.0
  static let change = 4.0
  /// Maximum logarithm of the ratio between a reading and its stretch's level for the reading to count in the stretch.
  static let consistent = 0.24
  /// Ratio to the old capacity beyond which an estimate shows a rise.
  private static let beyond = 1.02

  /// Steps in order; the first begins at 0 s.
  package let steps: [Step]
  /// Indices of samples at which the path was full.
  let cuts: [Int]

  /// Factor from the largest arrival rate over ``sustained`` samples to the capacity of a path without an estimate:
  /// libwebrtc leaves about a fifth of a path that it fills unused.
  static let spare = 1.25
  private static let sustained = 5
  /// Limits of a sample's weight [s].
  private static let weights = 1.0...10

  /// Infers the course of a record.
  package init(_ record: CallRecord) {
    guard record.hasEstimate else {
      cuts = []
      let arrived = Self.arrived(record)
      steps = [
        Step(from: 0, kilobits: min(arrived * Self.spare, CallRecord.mostEstimate), cuts: 0, arrived: arrived)
      ]
      return
    }
    let evidence = CapacityEvidence.of(record)
    cuts = evidence.indices.filter { evidence[$0]?.fullRate != nil }
    let times = record.samples.map(\.time)
    let weights = zip(times, [times.first ?? 0] + times).map { time, before in
      min(max(time - before, Self.weights.lowerBound), Self.weights.upperBound)
    }
    let path = Self.leastCost(evidence, weights, newPaths: record.samples.map(\.isOnNewPath))
    let starts = path.indices.filter { $0 == 0 || path[$0] != path[$0 - 1] }
    let ends = starts.dropFirst() + [path.count]
    let stretches = zip(starts, ends).map { $0..<$1 }
    let largest = record.samples.compactMap(\.estimate).max() ?? 0
    var steps: [Step] = []
    for (place, stretch) in stretches.enumerated() {
      let full = Self.readings(in: stretch, evidence, level: Self.level(path[stretch.lowerBound]))
      let arrived = Self.arrived(record, in: stretch)
      let kilobits =
        switch full.count {
        case 0:
          max(
            stretch.filter { evidence[$0] != nil }.compactMap { CapacityEvidence.estimate(record, $0) }.max()
              ?? largest,
            stretches.count == 1 ? arrived * Self.spare : 0)
        case 1: max(full[0], CapacityEvidence.filling(record, in: stretch) ?? 0)
        default: Self.median(full)
        }
      var from = 0
      if let old = steps.last {
        let before = stretches[place - 1]
        let shown = stretch.first { evidence[$0]?.fullRate != nil } ?? stretch.lowerBound
        let isNew = record.samples[stretch.lowerBound].isOnNewPath
        let time =
          isNew
          ? record.samples[stretch.lowerBound - 1].time
          : kilobits > old.kilobits
            ? Self.rise(above: old.kilobits, in: stretch, since: before.lowerBound, evidence, record)
            : record.samples[max(shown, 1) - 1].time
        from = max(Int((time ?? record.samples[stretch.lowerBound].time).rounded()), old.from + 1)
      }
      let capacity = min(kilobits, CallRecord.mostEstimate)
      steps.append(Step(from: from, kilobits: capacity, cuts: full.count, arrived: min(arrived, capacity)))
    }
    self.steps = steps
  }

  /// Returns the largest arrival rate over the samples of a stretch, by default of the whole call, including headers,
  /// padding and a voice [kbps].
  private static func arrived(_ record: CallRecord, in stretch: Range<Int>? = nil) -> Double {
    let samples = stretch ?? record.samples.indices
    let all = 0..<(record.samples.map(\.encodings.count).max() ?? 0)
    let rates = samples.dropFirst(min(sustained, samples.count - 1)).compactMap { last -> Double? in
      let first = max(samples.lowerBound, last - sustained)
      return record.rate(of: all, from: first, to: last).map {
        $0 + record.paddingRate(from: first, to: last)
      }
    }
    return record.pathRate(ofMedia: rates.max() ?? 0)
  }

  /// Returns the time at which the capacity rose above that of the preceding stretch, whose first sample is `start`
  /// [s]; `nil` if the estimate never passed it.
  private static func rise(
    above old: Double, in stretch: Range<Int>, since start: Int, _ evidence: [CapacityEvidence?],
    _ record: CallRecord
  ) -> Double? {
    guard let passing = stretch.first(where: { (evidence[$0]?.bound ?? 0) > old * beyond }) else {
      return nil
    }
    let last = (start..<passing).last { evidence[$0]?.fullRate != nil } ?? start
    return (record.samples[last].time + record.samples[passing].time) / 2
  }

  /// Returns the readings of a stretch that are consistent with its level [kbps].
  private static func readings(
    in stretch: Range<Int>, _ evidence: [CapacityEvidence?], level: Double
  ) -> [Double] {
    evidence[stretch].compactMap { $0?.fullRate }.filter { abs(log($0 / level)) < consistent }
  }

  /// Returns the median; for an even number of values, the mean of the middle two.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  private static func level(_ index: Int) -> Double { lowest * exp(Double(index) * log(ratio)) }

  /// Returns the level of each sample on the course of least cost; in a tie, the lowest.
  private static func leastCost(
    _ evidence: [CapacityEvidence?], _ weights: [Double], newPaths: [Bool]
  ) -> [Int] {
    let logarithms = (0..<levels).map { log(lowest) + Double($0) * log(ratio) }
    var costs = [Double](repeating: 0, count: levels)
    // For each sample, the preceding level on the best course to each level.
    var origins: [[Int16]] = []
    origins.reserveCapacity(evidence.count)
    for (place, one) in evidence.enumerated() {
      let weight = weights[place]
      let best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
      let changed = costs[best] + (newPaths[place] ? 0 : change)
      var origin = [Int16](repeating: Int16(best), count: levels)
      let rate = one.map { log(max($0.rate, 1)) } ?? 0
      for level in 0..<levels {
        if costs[level] <= changed { origin[level] = Int16(level) } else { costs[level] = changed }
        guard let one else { continue }
        costs[level] += weight * min(one.contradiction(at: rate - logarithms[level]) / width, mostPerSample)
      }
      origins.append(origin)
    }
    var level = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    var path: [Int] = []
    for origin in origins.reversed() {
      path.append(level)
      level = Int(origin[level])
    }
    return path.reversed()
  }
}
