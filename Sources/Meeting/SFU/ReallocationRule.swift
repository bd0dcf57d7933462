import Quantity

/// When a budget that changes by itself is allocated anew: at once when it falls, when it rises only by enough and
/// after a while [our model; the factors of real SFUs differ and belong to their systems].
struct ReallocationRule {
  /// A budget above the last allocation's by this factor is allocated …
  var riseFactor = 1.05
  /// … at the earliest this long after it.
  var riseSpacing = SimDuration.seconds(1)

  func applies(to budget: BitRate, after acted: BitRate, for time: SimDuration) -> Bool {
    budget < acted || budget > acted.scaled(by: riseFactor) && time >= riseSpacing
  }
}
