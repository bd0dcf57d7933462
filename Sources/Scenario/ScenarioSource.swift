import Files
import Meeting
import YAML

/// A scenario's YAML, parsed once, from which plans with different settings are made.
package struct ScenarioSource {
  /// The file that holds it, for messages.
  package let file: String
  /// Folder of that file, with a slash at its end, for the traces that it names; empty for the present one.
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
  /// - Throws: ``ScenarioError`` when it can't be read or is no YAML that a scenario may be.
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
    let reading = Reading(file: file, directory: directory)
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      reading.report("this is not a text file: a scenario is YAML in UTF-8")
      throw ScenarioError(diagnostics: reading.sorted)
    }
    guard let root = YAMLSource.root(of: text, reading) else {
      throw ScenarioError(diagnostics: reading.sorted)
    }
    self.init(root: root, file: file, directory: directory, catalogue: catalogue)
  }

  /// The scenario as YAML, keys in order.
  package var text: String { root.text }

  /// Makes the plan.
  ///
  /// - Parameter overrides: `PATH=VALUE` settings that replace values, such as `links.home.capacity=1 Mbps`.
  /// - Throws: ``ScenarioError`` with everything that is wrong.
  package func load(overrides: [String] = []) throws(ScenarioError) -> LoadedScenario {
    let reading = Reading(file: file, directory: directory)
    var root = root
    for override in overrides { YAMLSource.apply(override, to: &root, reading) }
    let builder = PlanBuilder(reading, catalogue)
    let plan = builder.plan(from: root)
    guard reading.diagnostics.isEmpty, let plan else {
      if reading.diagnostics.isEmpty { reading.report(root, "the scenario could not be read") }
      throw ScenarioError(diagnostics: reading.sorted)
    }
    let resolved = root.text
    return LoadedScenario(file: file, plan: plan, resolvedText: resolved, traces: builder.traces)
  }

  /// A builder that has read the scenario with some settings, for what stands in another file and names its
  /// participants, and whether it came to a plan.
  func builder(overrides: [String]) -> (builder: PlanBuilder, hasPlan: Bool) {
    var root = root
    let reading = Reading(file: file, directory: directory)
    for override in overrides { YAMLSource.apply(override, to: &root, reading) }
    let builder = PlanBuilder(reading, catalogue)
    return (builder, builder.plan(from: root) != nil)
  }

  /// What is wrong with a place where values are to go; `nil` when nothing is.
  func problem(settingAt path: String) -> String? {
    var root = root
    return YAMLSource.set(
      Node("0"), at: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...],
      in: &root)
  }

  /// The folder of a path, with a slash at its end; empty for the present one.
  static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
