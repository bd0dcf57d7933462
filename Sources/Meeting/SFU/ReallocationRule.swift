import Quantity
import Systems

/// When a budget that changes by itself is allocated anew: at once when it falls, when it rises only by enough and
/// after a while.
struct ReallocationRule {
  private let riseFactor: Double
  private let riseSpacing: SimDuration

  init(_ parameters: RateParameters) {
    riseFactor = parameters.reallocationFactor
    riseSpacing = parameters.reallocationSpacing
  }

  func applies(to budget: BitRate, after acted: BitRate, for time: SimDuration) -> Bool {
    budget < acted || budget > acted.scaled(by: riseFactor) && time >= riseSpacing
  }
}
