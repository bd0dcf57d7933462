import CongestionControl
import Parameters
import Quantity
import Systems
import YAML

/// Reads `estimator`: `NAME`, `{name: NAME, …}`, or one of these for each of `up` and `down`.
struct EstimatorReader: PlanReader {
  let draft: MeetingDraft

  private typealias Choice = (model: Estimator, settings: [ParameterSetting])

  /// Reads the estimators of uplinks and of downlinks; `nil`, with an error reported, if the scenario names an
  /// unknown one.
  func estimators(_ field: Field?) -> (up: EstimatorConfiguration, down: EstimatorConfiguration)? {
    let standard = catalogue.estimators.standard
    guard let field else { return (standard.configuration(), downlink((standard, []))) }
    guard case .mapping(let mapping) = field.node, mapping["up"] != nil || mapping["down"] != nil,
      let own = Entry<EstimatorsSection>(field, "the estimator")
    else {
      guard let choice = choice(field) else { return nil }
      let up = choice.model.isForDownlinks ? standard.configuration() : uplink(choice)
      return (up, downlink(choice))
    }
    var up: EstimatorConfiguration? = standard.configuration()
    if let field = own.up {
      let choice = choice(field)
      up = choice.map(uplink)
      if let name = choice?.model.name, choice?.model.isForDownlinks == true {
        field.report("\(name) is for downlinks: 'estimator: {down: \(name)}'")
        up = nil
      }
    }
    let down = own.down.map { choice($0).map(downlink) } ?? downlink((standard, []))
    guard let up, let down else { return nil }
    return (up, down)
  }

  private func uplink(_ choice: Choice) -> EstimatorConfiguration {
    choice.model.configuration(choice.settings)
  }

  /// Configures a downlink's estimator; unless the scenario sets it, the initial estimate is the one that the
  /// system's server assumes.
  private func downlink(_ choice: Choice) -> EstimatorConfiguration {
    let key = "start"
    guard let start = system.traits.initialEstimate, choice.model.parameters.contains(where: { $0.key == key }),
      !choice.settings.contains(where: { $0.key == key })
    else { return choice.model.configuration(choice.settings) }
    return choice.model.configuration(choice.settings + [ParameterSetting(key, .rate(start))])
  }

  private func choice(_ field: Field) -> Choice? {
    guard let choice = model(field, among: catalogue.estimators) else { return nil }
    if choice.model.configuration().isAllocatorDriven, system.server(at: .zero) == nil, !draft.faults.system {
      field.report(
        "\(choice.model.name) is driven by its own server's allocator, which policy '\(system.name)' does not have"
      )
      return nil
    }
    return choice
  }
}
