import Allocation
import Quantity
import Systems

/// Limits on the share of an estimate that Signal's SFU allocates: of the current estimate for encodings already
/// forwarded, and of the lowest of the last few seconds for all others.
///
/// A ceiling is the estimate minus the rate that the outgoing queue needs, but at least nine tenths of the estimate,
/// and at most the rate of all ideal encodings. Nine tenths are rounded down to whole bits per second, as upstream
/// does.
struct SignalCeilings {
  /// Current estimate [bit/s].
  private let target: Int64
  /// Lowest estimate of the last few seconds, including the current one; `nil` to use only the current one [bit/s].
  private let minimum: Int64?
  private let drain: Int64
  private let ideal: Int64
  /// Minimum share of the estimate to allocate [1/1,000,000].
  private let share: Int64

  init(_ state: AllocationState, ideal: Int64, _ parameters: SignalParameters) {
    target = state.budget.bitsPerSecond
    minimum = state.demand.minimumTarget?.bitsPerSecond
    drain = state.demand.queueDrain?.bitsPerSecond ?? 0
    self.ideal = ideal
    share = Int64((parameters.leastShare.value * 1e6).rounded())
  }

  /// Checks whether an allocation fits [bit/s].
  func fits(_ rate: Int64, isForwarded: Bool, _ margin: inout BudgetMargin) -> Bool {
    guard let least = leastTarget(for: rate, isForwarded: isForwarded) else { return false }
    return margin.fits(least, within: target)
  }

  /// Checks whether a rate exceeds the viewer's maximum, or the rate of all ideal encodings.
  func exceedsMaximum(_ rate: Int64) -> Bool { rate > ideal }

  /// Returns the increase of the estimate that an allocation needs [bit/s]; `nil` if the current estimate carries it
  /// and only the lowest of the last few seconds does not.
  func missing(for rate: Int64) -> Int64? {
    let missing = present(for: rate) - target
    return missing > 0 ? missing : nil
  }

  /// Returns the lowest estimate whose ceiling is not below a rate; `nil` if there is none.
  private func leastTarget(for rate: Int64, isForwarded: Bool) -> Int64? {
    guard rate > 0 else { return 0 }
    guard rate <= ideal else { return nil }
    let least = present(for: rate)
    if !isForwarded, let minimum, least > minimum { return nil }
    return least
  }

  /// Returns the lowest current estimate whose ceiling is not below a rate.
  private func present(for rate: Int64) -> Int64 {
    let undrained = rate.addingReportingOverflow(drain)
    let least = undrained.overflow ? Int64.max : undrained.partialValue
    guard share > 0 else { return least }
    let shared = (Int128(rate) * 1_000_000 + Int128(share) - 1) / Int128(share)
    return min(least, Int64(clamping: shared))
  }
}
