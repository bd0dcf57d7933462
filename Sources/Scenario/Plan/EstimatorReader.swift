import CongestionControl
import Parameters
import Plan
import Quantity
import Systems
import YAML

/// Reads `estimator`: `NAME`, `{name: NAME, …}`, or one of these for each of `up` and `down`. By default, uplinks have
/// the standard estimator, as in libwebrtc's clients, and downlinks the system's own.
struct EstimatorReader: PlanReader {
  let draft: MeetingDraft

  private typealias Choice = (model: Estimator, settings: [ParameterSetting])

  /// Reads the estimators of uplinks and of downlinks; `nil`, with an error reported, if the scenario names an
  /// unknown one.
  func estimators(_ field: Field?) -> (up: EstimatorConfiguration, down: EstimatorConfiguration)? {
    let standard = catalogue.estimators.standard
    guard let field else { return (standard.configuration(), downlink((own, []))) }
    guard case .mapping(let mapping) = field.node, mapping["up"] != nil || mapping["down"] != nil,
      let section = Entry<EstimatorsSection>(field, "the estimator")
    else {
      guard let choice = choice(field) else { return nil }
      let up = choice.model.isForDownlinks ? standard.configuration() : uplink(choice)
      return (up, downlink(choice, from: field))
    }
    var up: EstimatorConfiguration? = standard.configuration()
    if let field = section.up {
      let choice = choice(field)
      up = choice.map(uplink)
      if let name = choice?.model.name, choice?.model.isForDownlinks == true {
        field.report("\(name) is for downlinks: 'estimator: {down: \(name)}'")
        up = nil
      }
    }
    guard let field = section.down else { return up.map { ($0, downlink((own, []))) } }
    guard let up, let down = choice(field) else { return nil }
    return (up, downlink(down, from: field))
  }

  /// Notes that the scenario names estimators other than those of the deployed system; `nil` if it does not.
  func note(on plan: MeetingPlan) -> Diagnostic? {
    guard let node = draft.estimator, !plan.hasOwnEstimators else { return nil }
    let own = plan.ownEstimator
    let deployed =
      own.name == OwnEstimator.uplinks ? own.name : "{up: \(OwnEstimator.uplinks), down: \(own.name)}"
    let position = reading.position(of: node)
    return Diagnostic(
      file: position.file, line: position.line, column: position.column,
      message:
        "estimator \(plan.estimatorName): '\(plan.system.name)' is deployed with \(deployed), the default "
        + "[\(own.source)]", severity: .note)
  }

  /// The system's own estimator.
  private var own: Estimator {
    let name = type(of: system).description.estimator.name
    guard let own = catalogue.estimators[name] else {
      preconditionFailure("policy '\(system.name)' has an unknown estimator '\(name)'")
    }
    return own
  }

  private func uplink(_ choice: Choice) -> EstimatorConfiguration {
    choice.model.configuration(choice.settings)
  }

  /// Configures a downlink's estimator; unless the scenario sets them, the initial estimate is the one that the
  /// system's server assumes, and the bounds are those of the server's own estimator.
  private func downlink(_ choice: Choice, from field: Field? = nil) -> EstimatorConfiguration {
    let estimates = system.traits.estimates
    var defaults = [("start", estimates.start)]
    if choice.model.name == own.name {
      defaults += [("minimum", estimates.minimum), ("maximum", estimates.maximum)]
    }
    let settings = defaults.compactMap { key, rate -> ParameterSetting? in
      guard let rate, choice.model.parameters.contains(where: { $0.key == key }),
        !choice.settings.contains(where: { $0.key == key })
      else { return nil }
      return ParameterSetting(key, .rate(rate))
    }
    let all = choice.settings + settings
    if let field { reportBounds(of: (choice.model, all), from: field) }
    return choice.model.configuration(all)
  }

  /// Reports a lowest estimate above the highest; indicates whether they are in order.
  @discardableResult
  private func reportBounds(of choice: Choice, from field: Field) -> Bool {
    guard let low = choice.model.rate(of: "minimum", with: choice.settings),
      let high = choice.model.rate(of: "maximum", with: choice.settings), low > high
    else { return true }
    field.report("minimum: \(low) is more than the maximum, \(high): lower it")
    return false
  }

  private func choice(_ field: Field) -> Choice? {
    guard let choice = model(field, among: catalogue.estimators), reportBounds(of: choice, from: field) else {
      return nil
    }
    if choice.model.configuration().traits.isAllocatorDriven, system.server(at: .zero) == nil,
      !draft.faults.system
    {
      field.report(
        "\(choice.model.name) is driven by its own server's allocator, which policy '\(system.name)' does not have"
      )
      return nil
    }
    return choice
  }
}
