package import JSON

/// Schema of sweep files, which ``SweepReader`` reads.
package enum SweepSchema {
  /// JSON Schema (draft-07) of sweep files.
  package static var document: JSONValue {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("meetsim sweep")),
        ("description", .text("A scenario, the variables of the sweep, and the number of repetitions.")),
      ] + SweepSection.shape.keywords + [
        ("definitions", definitions(ScenarioSchema.definitions)),
        (ReaderOnlyCheck.keyword, ReaderOnlyCheck.json),
      ]
    ).withoutNotes
  }

  /// Schema for both kinds of file; a file is a sweep if it has the key `scenario`.
  package static var either: JSONValue {
    let both = JSONValue.object(
      definitions(ScenarioSchema.definitions).entries + [
        ("scenario-file", ScenarioSchema.scenario.json), ("sweep-file", SweepSection.shape.json),
      ])
    return .object([
      ("$schema", .text("http://json-schema.org/draft-07/schema#")),
      ("title", .text("meetsim scenario or sweep")), ("type", .text("object")),
      ("if", Rule.has("scenario").json), ("then", Shape.reference("sweep-file").json),
      ("else", Shape.reference("scenario-file").json), ("definitions", both),
      (ReaderOnlyCheck.keyword, ReaderOnlyCheck.json),
    ]).withoutNotes
  }

  /// Definitions that sweep files have in addition to those of scenarios, including their notes.
  static var ownDefinitions: JSONValue {
    .object([
      ("variable", VariableSection.either.json), ("point-expectation", ExpectationSection.shape.json),
    ])
  }

  private static func definitions(_ scenario: JSONValue) -> JSONValue {
    let own = ownDefinitions.entries
    return .object(
      scenario.entries + [own[0], ("varied-scenario", variedScenario.json)] + own.dropFirst())
  }

  /// Schema of an inline scenario, in which keys may be missing because `set` can supply them. Where all points replace
  /// a value, the reader accepts any value, but the schema does not.
  private static var variedScenario: Shape {
    Shape(ScenarioSchema.scenario.keywords.filter { $0.0 != "required" })
  }

}
