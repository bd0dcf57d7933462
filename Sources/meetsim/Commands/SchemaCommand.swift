import ArgumentParser
import Metrics
import Scenario

/// Prints what the files look like, for editors and validators.
struct SchemaCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case scenario
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema (draft-07) of scenario files.",
    discussion: """
      Editors with the YAML language server complete and check a file that begins with the line

        # yaml-language-server: $schema=./meetsim.schema.json

      What a schema cannot say (ids that must exist, times in order, trace files) 'meetsim validate' checks.

      EXAMPLES
        meetsim schema > meetsim.schema.json
      """)

  @Argument(help: "Which files: scenario.")
  var subject: Subject = .scenario

  func run() throws {
    switch subject {
    case .scenario: Terminal.result(ScenarioSchema.document.description)
    }
  }
}
