import Metrics
import Parameters
import Systems

/// Policies with their parameters.
extension ScenarioSchema {
  static var policy: Shape {
    let known = Catalogue.standard.systems
    return Shape.named(among: known.entries)
      .described("The rules by which the SFU and its clients share a link.").usually(
        .text(known.standard.name))
  }
}
