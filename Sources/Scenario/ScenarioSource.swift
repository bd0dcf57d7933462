import Files
import Plan
import YAML

/// A scenario's YAML, parsed once and built into plans with different settings.
package struct ScenarioSource {
  /// Path of the file, for messages.
  package let file: String
  /// Directory of the file, with a trailing slash, that trace paths are relative to; empty for the working directory.
  package let directory: String
  let root: Node
  let catalogue: Catalogue

  init(root: Node, file: String, directory: String, catalogue: Catalogue = .standard) {
    self.root = root
    self.file = file
    self.directory = directory
    self.catalogue = catalogue
  }

  /// Parses the file at a path.
  ///
  /// - Throws: ``ScenarioError`` when it cannot be read or is not a mapping in the supported subset of YAML.
  package init(path: String, catalogue: Catalogue = .standard) throws(ScenarioError) {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: ScenarioReader.sizeLimit)
    } catch {
      throw ScenarioError(diagnostics: [
        Diagnostic(file: path, line: 1, column: 1, message: error.description)
      ])
    }
    try self.init(bytes: bytes, file: path, directory: Self.directory(of: path), catalogue: catalogue)
  }

  /// Parses a file's bytes.
  package init(
    bytes: [UInt8], file: String, directory: String, catalogue: Catalogue = .standard
  ) throws(ScenarioError) {
    let reading = Reading(file: file, directory: directory, catalogue: catalogue)
    let content = bytes.dropFirst(bytes.hasByteOrderMark ? 3 : 0)
    guard let text = String(validating: content, as: UTF8.self), !bytes.contains(0) else {
      let place = [UInt8](content).firstNonText ?? (1, 1)
      reading.report(
        line: place.line, column: place.column, "this is not a text file: a scenario is UTF-8 YAML")
      throw ScenarioError(diagnostics: reading.sorted)
    }
    guard let root = YAMLSource.root(of: text, reading) else {
      throw ScenarioError(diagnostics: reading.sorted)
    }
    guard reading.diagnostics.isEmpty else {
      // If the YAML can be read despite the error, all errors of the scenario are reported at once.
      if case .mapping(let mapping) = root, mapping.contains(where: { $0.key.string == "participants" }) {
        var builder = PlanBuilder(reading)
        _ = builder.plan(from: root)
      }
      throw ScenarioError(diagnostics: reading.sorted)
    }
    self.init(root: root, file: file, directory: directory, catalogue: catalogue)
  }

  /// Scenario as YAML with sorted keys.
  package var text: String { root.text }

  /// Builds the plan.
  ///
  /// - Parameter overrides: `PATH=VALUE` settings that replace values, such as `links.home.capacity=1 Mbps`.
  /// - Throws: ``ScenarioError`` with all errors.
  package func load(overrides: [String] = []) throws(ScenarioError) -> LoadedScenario {
    try load(settings: overrides.map { Override($0) })
  }

  /// Builds the plan with settings that replace values.
  ///
  /// - Throws: ``ScenarioError`` with all errors.
  package func load(
    settings: [Override], for purpose: ScenarioPurpose = .run
  ) throws(ScenarioError) -> LoadedScenario {
    let reading = Reading(file: file, directory: directory, catalogue: catalogue)
    var root = root
    for setting in settings { YAMLSource.apply(setting, to: &root, reading) }
    var builder = PlanBuilder(reading, for: purpose)
    let plan = builder.plan(from: root)
    guard reading.diagnostics.isEmpty, let plan else {
      if reading.diagnostics.isEmpty { reading.report(root, "the scenario could not be read") }
      throw ScenarioError(
        diagnostics: reading.sorted, warnings: builder.isAdvisable ? reading.sortedWarnings : [])
    }
    let resolved = root.text
    let estimator = EstimatorReader(draft: builder.draft).note(on: plan)
    return LoadedScenario(
      file: file, plan: plan, resolvedText: resolved, policySettings: Self.policySettings(of: root),
      traces: builder.draft.files.contents,
      warnings: reading.sortedWarnings,
      notes: (estimator.map { [$0] } ?? []) + builder.draft.notes)
  }

  /// Returns the policy parameters that have explicit values.
  private static func policySettings(of root: Node) -> [(key: String, value: String)] {
    guard case .mapping(let scenario) = root, case .mapping(let policy)? = scenario["policy"] else {
      return []
    }
    return policy.elements.compactMap { entry in
      guard let key = entry.key.string, let value = entry.value.string else { return nil }
      return (key, value)
    }
  }

  /// Reads the scenario with settings and returns the draft, in which names from another file can be resolved;
  /// `hasPlan` is set if it became a plan.
  func draft(settings: [Override]) -> (draft: MeetingDraft, hasPlan: Bool) {
    var root = root
    let reading = Reading(file: file, directory: directory, catalogue: catalogue)
    for setting in settings { YAMLSource.apply(setting, to: &root, reading) }
    var builder = PlanBuilder(reading)
    let hasPlan = builder.plan(from: root) != nil
    return (builder.draft, hasPlan)
  }

  /// Explains why a value cannot be set at a path; `nil` if it can.
  func problem(settingAt path: String) -> String? {
    var root = root
    return YAMLSource.problem(ofWriting: path)
      ?? YAMLSource.set(
        Node("0"), at: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...],
        in: &root)
  }

  /// Returns the directory of a path, with a trailing slash; empty for the working directory.
  static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
