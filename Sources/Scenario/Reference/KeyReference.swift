import Metrics

/// What the reference says of a key of scenario or sweep files.
///
/// Everything comes from ``ScenarioSchema`` and ``SweepSchema``, which tests hold against the reader.
package struct KeyReference: Sendable {
  /// The keys from the root of the file, such as `participants[].view.pin`: `[]` is an element of a list, `NAME` a name
  /// that the file chooses.
  package var path: String
  /// One or several sentences.
  package var meaning: String
  /// Type, range and units.
  package var type: String
  /// Whether its mapping must have it.
  package var isRequired: Bool
  /// The value that holds where the key is absent; empty where the meaning says it.
  package var standard: String
  /// The systems that know the key; empty for all.
  package var policies: [String]
  /// Where a parameter's default and range come from; empty for other keys.
  package var source: String
  /// A file that has the key, and can be validated as it stands beside the files that it names.
  package var example: String

  /// The keys of scenario files, in the order of the schema.
  package static let scenario = KeyWalk.keys(of: ScenarioSchema.scenario, ScenarioSchema.definitions)

  /// The keys of sweep files but for those of the scenario.
  package static let sweep = KeyWalk.keys(of: SweepSchema.sweep, SweepSchema.ownDefinitions)

  /// The last key of the path.
  package var name: String { path.split(separator: ".").last.map { String($0) } ?? path }
}
