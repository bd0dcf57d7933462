import Allocation
import Quantity

/// How much Signal's SFU allocates of an estimate: of the present one for what is forwarded already, of the least of the
/// last seconds for everything else.
///
/// A ceiling is the estimate less what the outgoing queue needs, at least nine tenths of it, and at most the rate of all
/// ideal encodings. Nine tenths are rounded down to whole bits per second, as upstream does.
struct SignalCeilings {
  /// The estimate [bit/s].
  private let target: Int64
  /// The least estimate of the last seconds, which includes the present one; `nil` for that alone [bit/s].
  private let minimum: Int64?
  private let drain: Int64
  private let ideal: Int64
  /// [1/1,000,000]
  private let share: Int64

  init(_ state: AllocationState, ideal: Int64, _ parameters: SignalParameters) {
    target = state.budget.bitsPerSecond
    minimum = state.demand.minimumTarget?.bitsPerSecond
    drain = state.demand.queueDrain?.bitsPerSecond ?? 0
    self.ideal = ideal
    share = Int64((parameters.leastShare.value * 1e6).rounded())
  }

  /// Whether an allocation fits [bit/s].
  func fits(_ rate: Int64, isForwarded: Bool, _ margin: inout BudgetMargin) -> Bool {
    guard let least = leastTarget(for: rate, isForwarded: isForwarded) else { return false }
    return margin.fits(least, within: target)
  }

  /// Whether a rate is beyond what the viewer takes at most, or all that it could be given.
  func exceedsMaximum(_ rate: Int64) -> Bool { rate > ideal }

  /// How much more estimate an allocation needs [bit/s]; `nil` if no estimate helps now.
  func missing(for rate: Int64, isForwarded: Bool) -> Int64? {
    leastTarget(for: rate, isForwarded: isForwarded).map { max(0, $0 - target) }
  }

  /// The least estimate whose ceiling is not below a rate; `nil` if there is none.
  private func leastTarget(for rate: Int64, isForwarded: Bool) -> Int64? {
    guard rate > 0 else { return 0 }
    guard rate <= ideal else { return nil }
    let undrained = rate.addingReportingOverflow(drain)
    var least = undrained.overflow ? Int64.max : undrained.partialValue
    if share > 0 {
      let shared = (Int128(rate) * 1_000_000 + Int128(share) - 1) / Int128(share)
      least = min(least, Int64(clamping: shared))
    }
    if !isForwarded, let minimum, least > minimum { return nil }
    return least
  }
}
