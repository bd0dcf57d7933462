import ArgumentParser
import JSON
import Metrics
import Scenario

/// Prints the JSON Schema of scenario and sweep files, for editors and validators.
struct SchemaCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case scenario, sweep
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema (draft-07) of scenario and sweep files.",
    discussion: """
      Editors that use the YAML language server offer completion and checks in a file that begins with the line

        # yaml-language-server: $schema=./meetsim.schema.json

      'meetsim validate' checks what the schema cannot: that ids exist, times are in order, trace files are readable.

      EXAMPLES
        meetsim schema > meetsim.schema.json
        meetsim schema sweep
      """)

  @Argument(help: "The kind of file: scenario or sweep; by default one schema covers both.")
  var subject: Subject?

  @OptionGroup var quiet: QuietOption

  func run() throws {
    switch subject {
    case nil: Terminal.result(SweepSchema.either.description)
    case .sweep: Terminal.result(SweepSchema.document.description)
    case .scenario: Terminal.result(ScenarioSchema.document.description)
    }
  }
}
