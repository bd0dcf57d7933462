package import Quantity

/// Statistics of a trace, by second.
package struct CapacityTraceSummary: Equatable, Sendable {
  package var duration: SimDuration
  /// Mean over the whole trace.
  package var mean: BitRate
  /// Minimum over seconds.
  package var least: BitRate
  /// Maximum over seconds.
  package var greatest: BitRate
  /// 5 % quantile over seconds (nearest rank).
  package var p5: BitRate
  /// Median over seconds (nearest rank).
  package var p50: BitRate
  /// 95 % quantile over seconds (nearest rank).
  package var p95: BitRate
  /// Longest period of zero capacity.
  package var longestOutage: SimDuration
  /// Number of seconds with zero capacity.
  package var emptySeconds: Int
  /// Mean rates of the seconds, with consecutive equal ones combined.
  package var seconds: [Stretch]

  /// Consecutive seconds of one mean rate.
  package struct Stretch: Equatable, Sendable {
    package var rate: BitRate
    package var count: Int
  }

  package var secondCount: Int { seconds.reduce(0) { $0 + $1.count } }
}

extension CapacityTrace {
  /// Statistics of one pass of the trace.
  package var summary: CapacityTraceSummary {
    var once = self
    once.continuation = .hold
    let profile = CapacityProfile(.trace(once))
    let end = SimTime.zero + period
    let meter = CapacityMeter(profile: profile)
    var seconds: [CapacityTraceSummary.Stretch] = []
    var at = SimTime.zero
    while at < end {
      let equal = max(1, equalSeconds(at))
      let next = min(at + .seconds(equal), end)
      let rate = meter.mean(from: at, to: next)
      if let last = seconds.last, last.rate == rate {
        seconds[seconds.count - 1].count += Int(equal)
      } else {
        seconds.append(.init(rate: rate, count: Int(equal)))
      }
      at = next
    }
    let sorted = seconds.sorted { $0.rate < $1.rate }
    let count = seconds.reduce(0) { $0 + $1.count }
    func quantile(_ share: Double) -> BitRate {
      var rest = min(count, max(1, Int((share * Double(count)).rounded(.up))))
      for stretch in sorted {
        if stretch.count >= rest { return stretch.rate }
        rest -= stretch.count
      }
      return sorted[sorted.count - 1].rate
    }
    return CapacityTraceSummary(
      duration: period, mean: meter.mean(from: .zero, to: end), least: sorted[0].rate,
      greatest: sorted[sorted.count - 1].rate, p5: quantile(0.05), p50: quantile(0.5), p95: quantile(0.95),
      longestOutage: longestOutage,
      emptySeconds: seconds.reduce(0) { $1.rate == .zero ? $0 + $1.count : $0 }, seconds: seconds)
  }

  /// Returns a lower bound on the number of whole seconds from a time on that have the same mean rate: those before the
  /// next step or opportunity.
  private func equalSeconds(_ time: SimTime) -> Int64 {
    let second: Int64 = 1_000_000_000
    switch content {
    case .rates(let steps):
      let next = steps.partition { $0.at <= time }
      let end = next < steps.count ? steps[next].at.nanoseconds : period.nanoseconds
      return (end - time.nanoseconds) / second
    case .opportunities(let times):
      // An opportunity at the end of a second belongs to it.
      let next = times.partition { $0 <= time.nanoseconds }
      guard time > .zero || times.first != 0, next < times.count else { return 1 }
      return (times[next] - time.nanoseconds - 1) / second
    }
  }

  private var longestOutage: SimDuration {
    switch content {
    case .opportunities(let times):
      var longest = times.first ?? 0
      for (a, b) in zip(times, times.dropFirst()) { longest = max(longest, b - a) }
      return SimDuration(nanoseconds: longest)
    case .rates(let steps):
      var longest = SimDuration.zero
      var since: SimTime?
      for step in steps {
        if step.rate == .zero {
          since = since ?? step.at
        } else if let begin = since {
          longest = max(longest, step.at - begin)
          since = nil
        }
      }
      return max(longest, since.map { SimTime.zero + period - $0 } ?? .zero)
    }
  }

  /// Number of rows of ``rateCSV``.
  package var rateRows: Int64 {
    switch content {
    case .rates(let steps): Int64(steps.count) + 1
    case .opportunities: period.nanoseconds / 100_000_000 + 1
    }
  }
  /// Maximum number of lines of ``mahimahi``.
  package var opportunityLines: Int64 { Int64(clamping: integral / Int128(Self.opportunityIntegral)) }

  /// Trace as `rate-csv`; delivery opportunities become means over 100 ms.
  ///
  /// In that format the last row lasts as long as the one before; it is split if that would change the period.
  package var rateCSV: String {
    var rows: [(time: Int64, rate: Int64)] = []
    switch content {
    case .rates(let steps): rows = steps.map { ($0.at.nanoseconds, $0.rate.bitsPerSecond) }
    case .opportunities(let times):
      let bin: Int64 = 100_000_000
      var bytes = [Int64](repeating: 0, count: Int((period.nanoseconds + bin - 1) / bin))
      for time in times { bytes[min(Int(time / bin), bytes.count - 1)] += Self.opportunitySize }
      for (index, size) in bytes.enumerated() {
        let begin = Int64(index) * bin
        let length = min(bin, period.nanoseconds - begin)
        rows.append((begin, size.scaled(by: 8_000_000_000, per: length)))
      }
    }
    if let last = rows.last {
      let length = period.nanoseconds - last.time
      let before = rows.count > 1 ? last.time - rows[rows.count - 2].time : 1_000_000_000
      if length != before, length >= 2_000 { rows.append((last.time + length / 2, last.rate)) }
    }
    return rows.reduce(into: "t_s,rate_bps\n") { $0 += "\(Self.seconds($1.time)),\($1.rate)\n" }
  }

  /// Trace in Mahimahi's format: one line per delivery opportunity of one pass; empty if there is none.
  ///
  /// In that format a pass ends with its last opportunity, so any time after it is lost. A line is the millisecond by
  /// whose end the capacity since the previous one has carried ``opportunitySize`` bytes.
  package var mahimahi: String {
    var text = ""
    switch content {
    case .opportunities(let times): for time in times { text += "\(time / 1_000_000)\n" }
    case .rates(let steps):
      let size = Int128(Self.opportunityIntegral)
      // Amount carried since the last opportunity [bit/s x ns].
      var credit = Int128(0)
      for (index, step) in steps.enumerated() where step.rate > .zero {
        let end = index + 1 < steps.count ? steps[index + 1].at : SimTime.zero + period
        let rate = Int128(step.rate.bitsPerSecond)
        let begin = Int128(step.at.nanoseconds) * rate - credit
        credit += rate * Int128((end - step.at).nanoseconds)
        let count = credit / size
        credit -= count * size
        // Millisecond by whose end the integral is full.
        let unit = rate * 1_000_000
        for number in 0..<count { text += "\((begin + (number + 1) * size + unit - 1) / unit)\n" }
      }
    }
    return text
  }

  /// Formats seconds with up to six decimals, without trailing zeros.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let micro = nanoseconds / 1000
    var fraction = String(String(1_000_000 + micro % 1_000_000).dropFirst())
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(micro / 1_000_000)" : "\(micro / 1_000_000).\(fraction)"
  }
}
