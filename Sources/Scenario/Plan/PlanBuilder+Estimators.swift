import CongestionControl
import Parameters
import Quantity
import Systems
import YAML

/// Reads `estimator`: `NAME`, `{name: NAME, …}`, or one of these for each of `up` and `down`.
extension PlanBuilder {
  /// The estimators of uplinks and of downlinks; if the scenario names an unknown one, an error is reported and the
  /// result is `nil`.
  func readEstimators(_ fields: Fields) -> (up: EstimatorConfiguration, down: EstimatorConfiguration)? {
    let standard = catalogue.estimators.standard
    guard let node = fields.take("estimator") else {
      return (standard.configuration(), standard.configuration())
    }
    guard case .mapping(let mapping) = node,
      mapping.elements.contains(where: { ["up", "down"].contains($0.key.string) }),
      let own = Fields(node, "the estimator", reading)
    else {
      guard let (estimator, down) = readEstimator(node, "estimator", fields) else { return nil }
      return (estimator.isForDownlinks ? standard.configuration() : down, down)
    }
    defer { own.finish() }
    var up: EstimatorConfiguration? = standard.configuration()
    var down = up
    if let node = own.take("up") {
      let read = readEstimator(node, "up", own)
      up = read?.configuration
      if let estimator = read?.estimator, estimator.isForDownlinks {
        own.report(node, "up: \(estimator.name) is for downlinks: 'estimator: {down: \(estimator.name)}'")
        up = nil
      }
    }
    if let node = own.take("down") { down = readEstimator(node, "down", own)?.configuration }
    guard let up, let down else { return nil }
    return (up, down)
  }

  private func readEstimator(
    _ node: Node, _ key: String, _ fields: Fields
  ) -> (estimator: Estimator, configuration: EstimatorConfiguration)? {
    let known = catalogue.estimators
    guard let (name, own) = named(node, key, fields, among: known.names), let estimator = known[name]
    else { return nil }
    let settings = own?.settings(of: estimator.parameters) ?? []
    own?.finish()
    if estimator.configuration().isAllocatorDriven, system.server(at: .zero) == nil {
      fields.report(
        node,
        "\(key): \(name) is driven by its own server's allocator, which policy '\(system.name)' does not have"
      )
      return nil
    }
    return (estimator, estimator.configuration(settings))
  }
}
