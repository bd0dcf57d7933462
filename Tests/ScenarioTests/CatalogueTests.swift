import CongestionControl
import JSON
import Network
import Parameters
import Plan
import Quantity
import Scenario
import Testing

/// Returns every name with each of its parameters, as test arguments.
private func cases(_ entries: [some RegistryEntry]) -> [(name: String, parameter: ParameterDescription)] {
  entries.flatMap { entry in entry.parameters.map { (entry.name, $0) } }
}

private func read(_ lines: String) throws -> LoadedScenario {
  let text = "name: t\nduration: 10s\n\(lines)participants:\n  - {id: ann, up: a}\n"
  return try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "")
}

@Suite("Names available in scenarios")
struct CatalogueTests {
  private static let schema = ScenarioSchema.document.description

  @Test(arguments: cases(Catalogue.standard.estimators.entries))
  func everyEstimatorsParameterIsReadAndInTheSchema(name: String, parameter: ParameterDescription) throws {
    let link = "links: {a: {capacity: 1 Mbps}}\n"
    let head = "\(link)policy: livekit\n"
    let scenario = try read("\(head)estimator: {name: \(name), \(parameter.key): \(parameter.example)}\n")
    #expect(scenario.plan.downEstimator.name == name)
    #expect(Self.schema.contains("\"\(parameter.key)\": {"))
    #expect(Self.schema.contains("\(parameter.effect) (default \(parameter.standard))"))
    #expect(throws: ScenarioError.self) {
      try read("\(link)estimator: {name: \(name), \(parameter.key): {}}\n")
    }
  }

  @Test(arguments: cases(Catalogue.standard.disciplines.entries))
  func everyDisciplinesParameterIsReadAndInTheSchema(name: String, parameter: ParameterDescription) throws {
    func link(_ value: String) -> String {
      "links: {a: {capacity: 1 Mbps, queue: {discipline: \(name), \(parameter.key): \(value)}}}\n"
    }
    let plan = try read(link(parameter.example)).plan
    let discipline = try #require(plan.links.first { $0.name == "ann/up" }).parameters.discipline
    #expect(discipline == Catalogue.standard.disciplines[name]?.discipline())
    #expect(Self.schema.contains("\(parameter.effect) (default \(parameter.standard))"))
    #expect(throws: ScenarioError.self) { try read(link("miles")) }
  }

  /// The defaults as written in scenarios.
  @Test func defaultsAreThoseOfTheModels() {
    func standards(_ entries: [some RegistryEntry]) -> [String] {
      cases(entries).map { "\($0.name) \($0.parameter.key) \($0.parameter.standard)" }
    }
    #expect(
      standards(Catalogue.standard.estimators.entries) == [
        "gcc start 300 kbps", "gcc minimum 5 kbps", "gcc maximum unlimited", "gcc pacing-factor 1.1",
        "gcc loss-based true",
        "gcc probing true", "gcc-2019 start 300 kbps", "gcc-2019 maximum unlimited",
        "gcc-2019 pacing-factor 2.5", "gcc-2019 silence 3 s", "gcc-2019 probing true",
        "livekit-send start 100 Mbps", "livekit-send good-delay 20 ms",
        "livekit-send bad-delay 50 ms", "nada minimum 150 kbps", "nada maximum 1500 kbps",
        "nada priority 1.0", "remb start 300 kbps", "remb minimum 5 kbps", "remb rate-window 1 s",
        "remb stream-timeout 2 s", "remb group-length 5 ms", "remb burst-spacing 5 ms",
        "remb offset-noise 0.001", "remb initial-threshold 12.5", "remb threshold-rise 0.0087",
        "remb threshold-fall 0.039", "remb overuse-time 10 ms", "remb probe-window 2 s",
        "remb probe-packet-size 200 B", "remb decrease-factor 0.85", "remb drain-reserve 5 kbps",
        "remb increase-factor 1.08", "remb ceiling-factor 1.5", "remb ceiling-allowance 10 kbps",
        "remb round-trip 200 ms", "remb feedback-interval 200 ms", "remb longest-feedback-interval 1 s",
        "remb throttle-interval 200 ms",
        "oracle smoothing 1 s", "oracle overhead 0.1",
      ])
    #expect(
      standards(Catalogue.standard.disciplines.entries) == [
        "codel target 5 ms", "codel interval 100 ms", "fq-codel target 5 ms", "fq-codel interval 100 ms",
        "fq-codel queues 1024", "fq-codel quantum 1514 B", "pie target 15 ms", "pie update 15 ms",
        "pie burst 150 ms", "pie alpha 0.125", "pie beta 1.25",
      ])
  }

  @Test func withoutANameTheFirstHolds() throws {
    let plan = try read("links: {a: {capacity: 1 Mbps}}\n").plan
    #expect(plan.estimator.name == "gcc")
    #expect(try #require(plan.links.first { $0.name == "ann/up" }).parameters.discipline == .dropTail)
  }
}
