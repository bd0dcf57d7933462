import CongestionControl
import Metrics
import Parameters
import Quantity
import Systems

/// Schema of `estimator`.
extension ScenarioSchema {
  static var estimator: Shape {
    let known = Catalogue.standard.estimators
    let both = known.entries.filter { !$0.isForDownlinks }
    let systems = Catalogue.standard.systems.entries
    let driving = systems.filter { $0.system().server(at: .zero) != nil }.map(\.name)
    func scenario(_ name: String) -> String? {
      guard known[name]?.configuration().isAllocatorDriven == true, let first = driving.first else {
        return nil
      }
      return "{policy: \(driving.first { name.hasPrefix($0) } ?? first)}"
    }
    func choice(_ entries: [Estimator]) -> Shape {
      Shape.named(among: entries, registry: "estimators", amid: scenario)
    }
    let directions = [
      ("up", choice(both).described("Of uplinks.")),
      ("down", choice(known.entries).described("Of downlinks.")),
    ]
    return Shape.any(
      of: choice(known.entries), .mapping(directions, required: ["up"]),
      .mapping(directions, required: ["down"])
    )
    .described("Bandwidth estimation.").withDefault(.text(known.standard.name))
  }
}
