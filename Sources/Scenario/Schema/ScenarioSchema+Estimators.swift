import CongestionControl
import Metrics
import Parameters

/// Schema of `estimator`.
extension ScenarioSchema {
  static var estimator: Shape {
    let known = Catalogue.standard.estimators
    let both = known.entries.filter { !$0.isForDownlinks }
    let directions = [
      ("up", Shape.named(among: both).described("Of uplinks.")),
      ("down", Shape.named(among: known.entries).described("Of downlinks.")),
    ]
    return Shape.any(
      of: Shape.named(among: known.entries), .mapping(directions, required: ["up"]),
      .mapping(directions, required: ["down"])
    )
    .described("Bandwidth estimation.").withDefault(.text(known.standard.name))
  }
}
