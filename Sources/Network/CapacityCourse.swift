import Quantity

/// Capacity of a link over time, evaluated on demand.
///
/// A trace that loops is never unrolled: memory does not grow with the length of the run, and whole passes are skipped
/// in one step.
struct CapacityCourse: Sendable {
  /// Stretch of constant capacity [ns]; the last one ends at `.max`.
  struct Segment: Sendable {
    var start: Int64
    var end: Int64
    var rate: BitRate

    func contains(_ time: Int64) -> Bool { start <= time && time < end }
  }

  private enum Pass: Sendable {
    case steps([CapacityStep])
    /// Delivery opportunities, which count as their mean per second.
    case opportunities([Int64])
  }

  private let pass: Pass
  private let stepCount: Int
  /// Length of the pass [ns].
  let length: Int64
  /// Set if the pass repeats.
  private let repeats: Bool
  /// Amount that one pass carries [bit/s x ns].
  private let passIntegral: Int128
  private let changes: [CapacityStep]
  /// Time at which the first change replaces the pass [ns].
  private let baseEnd: Int64

  init(_ profile: CapacityProfile) {
    changes = profile.changes
    baseEnd = profile.changes.first?.at.nanoseconds ?? .max
    switch profile.base {
    case .constant(let rate):
      pass = .steps([CapacityStep(at: .zero, rate: rate)])
      (stepCount, length, repeats, passIntegral) = (1, .max, false, 0)
    case .steps(let steps):
      let all = steps.first?.at == .zero ? steps : [CapacityStep(at: .zero, rate: .zero)] + steps
      pass = .steps(all)
      (stepCount, length, repeats, passIntegral) = (all.count, .max, false, 0)
    case .trace(let trace):
      length = trace.period.nanoseconds
      repeats = trace.continuation == .loop
      passIntegral = trace.integral
      switch trace.content {
      case .rates(let steps):
        pass = .steps(steps)
        stepCount = steps.count
      case .opportunities(let times):
        pass = .opportunities(times)
        stepCount = max(1, Int((length + Self.second - 1) / Self.second))
      }
    }
  }

  private static let second: Int64 = 1_000_000_000

  /// `true` if the capacity never changes.
  var isConstant: Bool {
    if case .steps(let steps) = pass { steps.count == 1 && changes.isEmpty } else { false }
  }

  /// First capacity above zero; zero if there is none.
  var firstPositiveRate: BitRate {
    var index = 0
    if case .opportunities(let times) = pass, let first = times.first { index = stepIndex(at: first) }
    while index < stepCount, stepStart(index) < baseEnd {
      let rate = stepRate(index)
      if rate > .zero { return rate }
      index += 1
    }
    return changes.first { $0.rate > .zero }?.rate ?? .zero
  }

  // MARK: Segments

  /// Returns the segment that contains a time from zero on [ns].
  func segment(at time: Int64) -> Segment {
    guard time < baseEnd else {
      let index = changes.partition { $0.at.nanoseconds <= time } - 1
      let end = index + 1 < changes.count ? changes[index + 1].at.nanoseconds : .max
      return Segment(start: changes[index].at.nanoseconds, end: end, rate: changes[index].rate)
    }
    let passStart = repeats ? time / length * length : 0
    let index = stepIndex(at: time - passStart)
    var end = Int64.max
    if index + 1 < stepCount {
      end = passStart + stepStart(index + 1)
    } else if repeats {
      end = passStart + length
    }
    return Segment(start: passStart + stepStart(index), end: min(end, baseEnd), rate: stepRate(index))
  }

  private func stepIndex(at offset: Int64) -> Int {
    switch pass {
    case .steps(let steps): max(0, steps.partition { $0.at.nanoseconds <= offset } - 1)
    case .opportunities: min(Int(offset / Self.second), stepCount - 1)
    }
  }

  private func stepStart(_ index: Int) -> Int64 {
    switch pass {
    case .steps(let steps): steps[index].at.nanoseconds
    case .opportunities: Int64(index) * Self.second
    }
  }

  private func stepRate(_ index: Int) -> BitRate {
    switch pass {
    case .steps(let steps): return steps[index].rate
    case .opportunities(let times):
      let start = Int64(index) * Self.second
      let end = index + 1 < stepCount ? start + Self.second : Int64.max
      let count = times.partition { $0 < end } - times.partition { $0 < start }
      let span = max(min(Self.second, length - start), 1)
      let bits = Double(Int64(count) * CapacityTrace.opportunitySize * 8)
      return BitRate(bitsPerSecond: Int64(bits * 1e9 / Double(span)))
    }
  }

  // MARK: Integrals

  /// Returns the number of whole passes that start at one time and end by another without a change [ns]; zero if the
  /// first time is not the beginning of a pass.
  func wholePasses(from time: Int64, to end: Int64) -> Int64 {
    guard repeats, time < min(end, baseEnd), time % length == 0 else { return 0 }
    return (min(end, baseEnd) - time) / length
  }

  /// Amount that a pass carries [2^-32 byte].
  var finePass: Int128 { passIntegral * (1 << 29) / 1_000_000_000 }

  /// Computes the capacity's integral between two times [bit/s x ns]; delivery opportunities are counted one by one,
  /// without those at the first time unless it is zero.
  func integral(from start: Int64, to end: Int64) -> Int128 {
    var sum = Int128(0)
    var time = start
    if case .opportunities(let times) = pass, time < baseEnd {
      let stop = min(end, baseEnd == .max ? .max : baseEnd - 1, repeats ? .max : length)
      if stop > time || time == 0 {
        let before = time == 0 ? 0 : opportunities(times, by: time)
        sum += Int128(opportunities(times, by: stop) - before) * Int128(CapacityTrace.opportunityIntegral)
        time = max(time, stop < end && stop == baseEnd - 1 ? baseEnd : stop)
      }
    }
    while time < end {
      let passes = wholePasses(from: time, to: end)
      if passes > 0 {
        sum += Int128(passes) * passIntegral
        time += passes * length
        continue
      }
      let segment = segment(at: time)
      let stop = min(segment.end, end)
      sum += Int128(segment.rate.bitsPerSecond) * Int128(stop - time)
      time = stop
    }
    return sum
  }

  /// Returns the number of opportunities until a time, including those at it.
  private func opportunities(_ times: [Int64], by time: Int64) -> Int64 {
    guard repeats else { return Int64(times.partition { $0 <= time }) }
    let passes = time / length
    return passes * Int64(times.count) + Int64(times.partition { $0 <= time - passes * length })
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the number of leading elements for which a condition holds, in a collection partitioned by it (binary
  /// search).
  func partition(where holds: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(self[startIndex + middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
