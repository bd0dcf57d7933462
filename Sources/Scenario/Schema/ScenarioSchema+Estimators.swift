import CongestionControl
import Metrics
import Parameters

/// Schema of `estimator`.
extension ScenarioSchema {
  static var estimator: Shape {
    let known = Catalogue.standard.estimators
    return Shape.named(among: known.entries)
      .described("Bandwidth estimation.").withDefault(.text(known.standard.name))
  }
}
