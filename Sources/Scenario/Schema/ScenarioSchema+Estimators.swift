import CongestionControl
import Metrics
import Parameters

/// Schema of `estimator`.
extension ScenarioSchema {
  static var estimator: Shape {
    let known = Catalogue.standard.estimators
    let both = known.entries.filter { !$0.isForDownlinks }
    return Shape.any(
      of: Shape.named(among: known.entries),
      .mapping([
        ("up", Shape.named(among: both).described("Of uplinks.")),
        ("down", Shape.named(among: known.entries).described("Of downlinks.")),
      ])
    )
    .described("Bandwidth estimation.").withDefault(.text(known.standard.name))
  }
}
