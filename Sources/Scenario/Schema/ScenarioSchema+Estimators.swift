import CongestionControl
import Metrics
import Parameters

/// Estimators with their parameters.
extension ScenarioSchema {
  static var estimator: Shape {
    let known = Catalogue.standard.estimators
    return Shape.named(among: known.entries)
      .described("Who finds out what a path carries.").usually(.text(known.standard.name))
  }
}
