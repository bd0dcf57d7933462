import Scenario

/// Differences between two runs, from their resolved scenarios.
struct RunDifference {
  /// Keys whose values differ.
  private let values: [ScenarioDifference]
  private let names: (String, String)

  init(_ first: RunHeader, _ second: RunHeader) {
    names = (first.scenario, second.scenario)
    let values = ScenarioDifference.between(first.resolvedScenario, second.resolvedScenario)
      .filter { !["name", "title", "seed"].contains($0.path) }
    let seeds = ScenarioDifference(path: "seed", base: first.seed, new: second.seed)
    self.values = first.seed == second.seed ? values : values + [seeds]
  }

  /// Title of a page about both: their differences, as scenario paths.
  var title: String {
    guard !values.isEmpty else { return "\(names.0) twice: nothing differs" }
    let shown = values.prefix(2).map { "\($0.path): \(Self.short($0.base)) or \(Self.short($0.new))" }
    let more = values.count > 2 ? " and \(values.count - 2) more" : ""
    let name = names.0 == names.1 ? "\(names.0) with " : "\(names.0) and \(names.1): "
    return name + shown.joined(separator: ", ") + more
  }

  /// Shortens a value that may be a mapping of many lines.
  private static func short(_ value: String?) -> String {
    guard let value else { return "unset" }
    return value.count > 48 ? value.prefix(47) + "…" : value
  }
}
