import ArgumentParser
import CongestionControl
import Ladder
import Scenario
import Systems

/// Lists what a scenario can name.
struct ListCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case policies, links, ladders, estimators
  }

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists everything that a scenario can name, with its source.",
    discussion: """
      EXAMPLES
        meetsim list policies
        meetsim list links
      """)

  @Argument(help: "What to list: policies, links, ladders or estimators.")
  var subject: Subject

  func run() throws {
    for entry in entries { Terminal.result("\(entry.name): \(entry.summary) [\(entry.source)]\n") }
  }

  private var entries: [(name: String, summary: String, source: String)] {
    switch subject {
    case .policies: SystemRegistry.standard.descriptions.map { ($0.name, $0.summary, $0.source) }
    case .links: LinkPreset.all.map { ($0.name, $0.summary, $0.source) }
    case .ladders: SystemRegistry.standard.ladders.map { ($0.name, $0.summary, $0.source) }
    case .estimators: EstimatorConfiguration.all
    }
  }
}
