package import Quantity
import Systems

/// When a changing budget triggers a reallocation: immediately if it falls below the current allocation; if it rises,
/// only after a while, and only by a sufficient factor or enough for a picture that is not shown at all.
package struct ReallocationRule {
  private let riseFactor: Double
  private let riseSpacing: SimDuration

  init(_ parameters: RateParameters) {
    riseFactor = parameters.reallocationFactor
    riseSpacing = parameters.reallocationSpacing
  }

  package func applies(
    to budget: RateLimit, after acted: RateLimit, given: BitRate, _ missingPicture: BitRate?,
    for time: SimDuration
  ) -> Bool {
    if budget < min(acted, RateLimit(given)) { return true }
    guard time >= riseSpacing else { return false }
    return budget > acted.scaled(by: riseFactor) || missingPicture.map(budget.admits) ?? false
  }
}
