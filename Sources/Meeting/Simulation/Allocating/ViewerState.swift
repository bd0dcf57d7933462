import Allocation
import Quantity
import SimulationKernel
import Systems

/// What a participant watches, while the meeting runs.
struct ViewerState {
  var client: any Client
  /// What the downlink leaves for video, and what the last allocation had of it.
  var budget = BitRate.unlimited
  var actedBudget: BitRate?
  /// What the streams take together by the last allocation, and whether they go on though the estimate fell.
  var given = BitRate.zero
  var hold = StreamHold()
  /// What the last allocation could spend: its budget, or less by a cap.
  var allowance = BitRate.zero
  var actedAt = SimTime.zero
  var pendingAllocation: EventHandle?

  init(client: any Client) { self.client = client }

  /// Whether a budget asks for another allocation. Mutating, so that nobody copies the state to ask.
  mutating func takesUp(_ budget: BitRate, by rule: ReallocationRule, at now: SimTime) -> Bool {
    guard let actedBudget else { return false }
    return rule.applies(to: budget, after: actedBudget, for: now - actedAt)
  }
}

/// When a budget that changes by itself is allocated anew: at once when it is less, when it is more only by enough and
/// after a while [our model; the factors of real SFUs differ and are their systems'].
struct ReallocationRule {
  /// A budget above so many times that of the last allocation is taken up …
  var riseFactor = 1.05
  /// … at the earliest this long after it.
  var riseSpacing = SimDuration.seconds(1)

  func applies(to budget: BitRate, after acted: BitRate, for time: SimDuration) -> Bool {
    budget < acted || budget > acted.scaled(by: riseFactor) && time >= riseSpacing
  }
}
