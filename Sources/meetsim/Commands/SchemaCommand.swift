import ArgumentParser
import Metrics
import Scenario

/// Prints what the files look like, for editors and validators.
struct SchemaCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case scenario, sweep
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema (draft-07) of scenario and sweep files.",
    discussion: """
      Editors with the YAML language server complete and check a file that begins with the line

        # yaml-language-server: $schema=./meetsim.schema.json

      What a schema cannot say (ids that must exist, times in order, trace files) 'meetsim validate' checks.

      EXAMPLES
        meetsim schema > meetsim.schema.json
        meetsim schema sweep
      """)

  @Argument(help: "Which files: scenario or sweep; one schema that takes both when left out.")
  var subject: Subject?

  func run() throws {
    switch subject {
    case nil: Terminal.result(SweepSchema.either.description)
    case .sweep: Terminal.result(SweepSchema.document.description)
    case .scenario: Terminal.result(ScenarioSchema.document.description)
    }
  }
}
