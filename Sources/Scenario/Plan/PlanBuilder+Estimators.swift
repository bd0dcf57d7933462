import CongestionControl
import Parameters
import Quantity
import Systems
import YAML

/// Reading of `estimator`: `NAME`, `{name: NAME, …}`, or one of these for each of `up` and `down`.
extension PlanBuilder {
  /// Reads the estimators of uplinks and of downlinks; `nil`, with an error reported, if the scenario names an
  /// unknown one.
  func readEstimators(_ fields: Fields) -> (up: EstimatorConfiguration, down: EstimatorConfiguration)? {
    let standard = catalogue.estimators.standard
    guard let node = fields.take("estimator") else {
      return (standard.configuration(), downConfiguration(standard, []))
    }
    guard case .mapping(let mapping) = node,
      mapping.elements.contains(where: { ["up", "down"].contains($0.key.string) }),
      let own = Fields(node, "the estimator", reading)
    else {
      guard let (estimator, settings) = readEstimator(node, "estimator", fields) else { return nil }
      let up = estimator.isForDownlinks ? standard.configuration() : estimator.configuration(settings)
      return (up, downConfiguration(estimator, settings))
    }
    defer { own.finish() }
    var up: EstimatorConfiguration? = standard.configuration()
    var down: EstimatorConfiguration? = downConfiguration(standard, [])
    if let node = own.take("up") {
      let read = readEstimator(node, "up", own)
      up = read.map { $0.estimator.configuration($0.settings) }
      if let estimator = read?.estimator, estimator.isForDownlinks {
        own.report(node, "up: \(estimator.name) is for downlinks: 'estimator: {down: \(estimator.name)}'")
        up = nil
      }
    }
    if let node = own.take("down") { down = readEstimator(node, "down", own).map(downConfiguration) }
    guard let up, let down else { return nil }
    return (up, down)
  }

  /// Configures a downlink's estimator; unless the scenario sets it, the initial estimate is the one that the
  /// system's server assumes.
  private func downConfiguration(
    _ estimator: Estimator, _ settings: [ParameterSetting]
  ) -> EstimatorConfiguration {
    let key = "start"
    guard let start = system.traits.initialEstimate, estimator.parameters.contains(where: { $0.key == key }),
      !settings.contains(where: { $0.key == key })
    else { return estimator.configuration(settings) }
    return estimator.configuration(settings + [ParameterSetting(key, .rate(start))])
  }

  private func readEstimator(
    _ node: Node, _ key: String, _ fields: Fields
  ) -> (estimator: Estimator, settings: [ParameterSetting])? {
    let known = catalogue.estimators
    guard let (name, own) = named(node, key, fields, among: known.names), let estimator = known[name]
    else { return nil }
    let settings = own?.settings(of: estimator.parameters) ?? []
    own?.finish()
    if estimator.configuration().isAllocatorDriven, system.server(at: .zero) == nil, !faults.system {
      fields.report(
        node,
        "\(key): \(name) is driven by its own server's allocator, which policy '\(system.name)' does not have"
      )
      return nil
    }
    return (estimator, settings)
  }
}
