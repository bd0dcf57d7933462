import YAML

/// A named change to a scenario, to be compared with others.
package struct Variant: Sendable {
  package let label: String
  package let settings: [Override]

  package init(label: String, settings: [Override]) {
    self.label = label
    self.settings = settings
  }

  /// Reads a mapping of labels to changes; a change is a mapping of paths to values, as in a sweep's `set`.
  ///
  /// - Throws: ``ScenarioError`` with all errors.
  package static func read(path: String) throws(ScenarioError) -> [Variant] {
    let source = try ScenarioSource(path: path)
    let reading = Reading(file: path, directory: source.directory)
    // A sweep file is often at hand: it too varies a scenario.
    guard case .mapping(let labels) = source.root, labels["scenario"]?.string == nil else {
      reading.report(
        source.root,
        "a file of variants is a map of labels to maps of paths to values, such as "
          + "'narrow: {links.home.capacity: 1 Mbps}'; sweep files are for 'meetsim sweep'")
      throw ScenarioError(diagnostics: reading.sorted)
    }
    var variants: [Variant] = []
    for (key, value) in labels {
      guard let label = key.string, case .mapping(let paths) = value else {
        reading.report(
          value, "a variant is a map of paths to values, such as '{links.home.capacity: 1 Mbps}'")
        continue
      }
      let settings = paths.map { path, value in
        Override(
          "\(path.string ?? "")=\(FlowYAML.text(of: value))", origin: .file(reading.position(of: value)))
      }
      variants.append(Variant(label: label, settings: settings))
    }
    guard reading.diagnostics.isEmpty else { throw ScenarioError(diagnostics: reading.sorted) }
    return variants
  }

  /// Name of the sweep variable whose values are the labels.
  package static let variable = "variant"
}

extension SweepFile {
  /// Builds a sweep over variants of a scenario.
  package static func variants(
    _ variants: [Variant], of scenario: ScenarioSource, name: String, title: String, settings: [Override],
    repetitions: Int, seed: UInt64?
  ) -> SweepFile {
    let runs = Runs(repetitions: repetitions, seed: seed)
    let values = variants.map { variant in
      var value = SweepValue(text: variant.label)
      value.kind = .text
      value.number = nil
      value.settings = variant.settings
      return value
    }
    let position = FilePosition(file: scenario.file, line: 1, column: 1)
    let text = variants.map { variant in
      "\(FlowYAML.quoted(variant.label)): {"
        + variant.settings.map { $0.text.replacing("=", with: ": ", maxReplacements: 1) }.joined(
          separator: ", ")
        + "}\n"
    }
    return SweepFile(
      name: name, title: title, path: scenario.file, text: text.joined(), scenario: scenario,
      settings: settings,
      variables: [
        SweepVariable(
          name: Variant.variable, paths: [], values: values, range: nil, position: position)
      ],
      design: .grid(groups: []), constraints: [], runs: runs, results: Results(), expectations: [],
      designPosition: position, constraintPosition: position)
  }
}
