import ArgumentParser
import CongestionControl
import Ladder
import Network
import Parameters
import Scenario
import Systems
import Vendors

/// Lists the models that scenarios can refer to by name.
struct ListCommand: ParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case policies, links, ladders, estimators, disciplines, keys, events, metrics, limitations, rules, words
  }

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "Lists the models available to scenarios with their sources, or keys, events, metrics, limitations, rules or words.",
    discussion: """
      Without a subject it prints the subjects.

      EXAMPLES
        meetsim list policies
        meetsim list links
        meetsim list metrics
        meetsim list metrics freeze
        meetsim list keys --short per-page
      """)

  @Argument(
    help: """
      What to list: policies, links, ladders, estimators or (queue) disciplines; keys of scenarios and sweeps, events, \
      metrics, limitations, rules (of decisions.csv) or words that commands print.
      """)
  var subject: Subject?

  @Argument(help: "Lists only entries whose name or meaning has one of these words.")
  var filters: [String] = []

  @Flag(help: "Lists names alone.")
  var short = false

  private func isListed(_ texts: String...) -> Bool {
    filters.isEmpty
      || filters.contains { filter in
        // Words of several parts are listed with hyphens.
        let words = [filter, filter.replacing(" ", with: "-")].map { $0.lowercased() }
        return texts.contains { text in words.contains { text.lowercased().contains($0) } }
      }
  }

  /// Exits with 2, naming the nearest words, if no entry has one of the filters.
  private func refuseNothing(_ subject: Subject, among names: [String]) throws {
    let near = filters.flatMap { Suggestion.nearest(to: $0, among: names, atMost: 3) }
    let words = filters.map { "'\($0)'" }.joined(separator: " or ")
    Terminal.error(
      "error: no entry of 'list \(subject.rawValue)' has \(words)"
        + (near.isEmpty ? "" : ": did you mean \(near.joined(separator: ", "))?"))
    throw ExitCode(2)
  }

  @OptionGroup var quiet: QuietOption

  func run() throws {
    guard let subject else {
      return Terminal.result(Subject.allCases.map { "\($0.rawValue)\n" }.joined())
    }
    if let kinds = subject.kinds {
      let all = kinds.flatMap { Reference.entries(of: $0) }
      let listed = all.filter { isListed($0.name, $0.meaning) }
      if listed.isEmpty { try refuseNothing(subject, among: all.map(\.name)) }
      if short {
        var names: [String] = []
        for entry in listed where !names.contains(entry.name) { names.append(entry.name) }
        return Terminal.result(names.map { "\($0)\n" }.joined())
      }
      return ReferenceText.list(listed) { Terminal.result($0, heading: $1) }
    }
    func column(_ names: [String]) -> Int { (names.map(\.count).max() ?? 0) + 2 }
    func list(_ name: String, _ text: String, indent: String, _ width: Int) {
      Terminal.result(
        ReferenceText.hanging(
          text, behind: indent + "\(name):".padded(to: width), at: indent.count + width))
    }
    let all = entries(of: subject)
    let entries = all.filter { isListed($0.name, $0.summary) }
    if entries.isEmpty { try refuseNothing(subject, among: all.map(\.name)) }
    for entry in entries {
      guard !short else {
        Terminal.line(entry.name)
        continue
      }
      list(
        entry.name, "\(entry.summary) [\(entry.source)]", indent: "",
        entry.parameters.isEmpty ? column(entries.map(\.name)) : entry.name.count + 2)
      if let estimator = entry.estimator {
        list("estimator", estimator, indent: "  ", column(["estimator"]))
      }
      for parameter in entry.parameters {
        let text =
          "\(parameter.effect), default \(parameter.standard) (\(parameter.kind)) [\(parameter.source)]"
        list(parameter.key, text, indent: "  ", column(entry.parameters.map(\.key)))
      }
    }
  }

  private func entries(of subject: Subject) -> [Entry] {
    switch subject {
    case .policies: policies
    case .links: LinkPreset.all.map { Entry(name: $0.name, summary: $0.summary, source: $0.source) }
    case .ladders:
      Catalogue.standard.systems.ladders.map { Entry(name: $0.name, summary: $0.summary, source: $0.source) }
    case .estimators: Catalogue.standard.estimators.entries.map(Entry.init)
    case .disciplines: Catalogue.standard.disciplines.entries.map(Entry.init)
    case .keys, .events, .metrics, .limitations, .rules, .words: []
    }
  }

  /// Every policy with its own parameters, then the parameters common to all.
  private var policies: [Entry] {
    let all = Catalogue.standard.systems.entries
    let common = RateParameters.descriptions
    let systems = all.map { system in
      var entry = Entry(system)
      entry.parameters.removeAll { common.contains($0) }
      entry.estimator = system.estimatorText
      return entry
    }
    return systems + [
      Entry(
        name: "every policy", summary: "how its SFU and publishers follow their estimates",
        source: "where the system's own rule is not known",
        parameters: common.map { parameter in
          let users = all.filter { $0.parameters.contains { $0.key == parameter.key } }.map(\.name)
          return users.count == all.count ? parameter : parameter.noting("only \(users.enumeration)")
        })
    ]
  }
}

extension ListCommand.Subject {
  /// Kinds of reference entries listed for this subject; `nil` for models.
  fileprivate var kinds: [ReferenceEntry.Kind]? {
    switch self {
    case .keys: [.scenarioKey, .sweepKey]
    case .events: [.event]
    case .metrics: [.metric]
    case .limitations: [.limitation]
    case .rules: [.rule]
    case .words: [.word]
    case .policies, .links, .ladders, .estimators, .disciplines: nil
    }
  }
}

/// One entry of a list.
private struct Entry {
  var name: String
  var summary: String
  var source: String
  var parameters: [ParameterDescription] = []
  /// Estimators that a policy brings with it.
  var estimator: String?

  init(name: String, summary: String, source: String, parameters: [ParameterDescription] = []) {
    self.name = name
    self.summary = summary
    self.source = source
    self.parameters = parameters
  }

  init(_ entry: some RegistryEntry) {
    self.init(
      name: entry.name, summary: entry.summary, source: entry.source, parameters: entry.parameters)
  }
}
