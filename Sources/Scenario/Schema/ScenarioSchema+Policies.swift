import Metrics
import Parameters
import Systems

/// Schema of `policy`.
extension ScenarioSchema {
  static var policy: Shape {
    let known = Catalogue.standard.systems
    return Shape.named(among: known.entries, registry: KeyWalk.policies)
      .described("The system whose SFU, clients and allocation are simulated.").withDefault(
        .text(known.standard.name))
  }
}
