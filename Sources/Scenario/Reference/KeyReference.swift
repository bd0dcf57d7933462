import Metrics

/// Reference entry of a key in scenario or sweep files.
///
/// Everything is derived from ``ScenarioSchema`` and ``SweepSchema``, which tests compare with the reader.
package struct KeyReference: Sendable {
  /// Keys from the root of the file, such as `participants[].view.pin`: `[]` is an element of a list, `NAME` a name
  /// chosen in the file.
  package var path: String
  /// Meaning, in one or more sentences.
  package var meaning: String
  /// Type, range and units, in words.
  package var type: String
  /// Set if the key is required in its mapping.
  package var isRequired: Bool
  /// Default for an absent key; empty if the meaning states it.
  package var standard: String
  /// Systems that know the key; empty for all.
  package var policies: [String]
  /// Source of a parameter's default and range; empty for other keys.
  package var source: String
  /// A complete file that contains the key and is valid, provided that the files it names exist.
  package var example: String

  /// Keys of scenario files, in the order of the schema.
  package static let scenario = KeyWalk.keys(of: ScenarioSchema.scenario, ScenarioSchema.definitions)

  /// Keys of sweep files, without those of scenarios.
  package static let sweep = KeyWalk.keys(of: SweepSection.shape, SweepSchema.ownDefinitions)
}
