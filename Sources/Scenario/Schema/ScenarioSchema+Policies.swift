import CongestionControl
import Metrics
import Quantity
import Systems

/// Policies and estimators with their parameters.
extension ScenarioSchema {
  static var policy: Shape {
    let systems = SystemRegistry.standard
    return Shape.named(
      among: systems.systems.map { system in
        let description = system.description
        return Shape.Choice(
          name: description.name, summary: description.summary,
          parameters: SystemRegistry.parameters(of: system))
      }
    ).described("The rules by which the SFU and its clients share a link.").usually(
      .text(systems.usual.name))
  }

  static var estimator: Shape {
    let gcc: [(String, Shape)] = [
      ("start", .quantity(.bitRate, "gcc: the first estimate.", such: "300 kbps")),
      ("maximum", .quantity(.bitRate, "gcc, nada: the highest estimate.", such: "5 Mbps")),
      ("pacing-factor", Shape.number(1...5).described("gcc: the pacer's rate over the estimate.")),
      ("loss-based", Shape.flag.described("gcc: whether losses count.")),
      ("probing", Shape.flag.described("gcc: whether it probes.")),
    ]
    let nada: [(String, Shape)] = [
      ("minimum", .quantity(.bitRate, "nada: the lowest estimate.", such: "150 kbps")), gcc[1],
      ("priority", Shape.number(0.1...10).described("nada: weight of the flow.")),
    ]
    let oracle: [(String, Shape)] = [
      ("smoothing", .quantity(.duration, "oracle: rises count as the mean over this time.", such: "1 s")),
      ("overhead", Shape.number(0...1).described("oracle: share of headers.")),
    ]
    return named(
      among: EstimatorConfiguration.all, [("gcc", gcc), ("nada", nada), ("oracle", oracle)]
    ).described("Who finds out what a path carries.").usually(.text("gcc"))
  }

  /// `NAME`, or `{name: NAME, …}` with the parameters of that name.
  private static func named(
    among known: [(name: String, summary: String, source: String)],
    _ parameters: [(String, [(String, Shape)])]
  ) -> Shape {
    let name = Shape.word(known.map(\.name))
      .described(known.map { "\($0.name): \($0.summary)" }.joined(separator: "; "))
    var properties: [(String, Shape)] = [("name", name)]
    for (_, own) in parameters {
      for property in own where !properties.contains(where: { $0.0 == property.0 }) {
        properties.append(property)
      }
    }
    let rules = parameters.map {
      Rule.when(.value(of: "name", isOneOf: [$0.0]), .only(["name"] + $0.1.map(\.0)))
    }
    return Shape.any(of: name, .mapping(properties, required: ["name"], rules: rules))
  }
}
