package import JSON
import Ladder
import Network
import Parameters
import Systems
import Vendors

/// Schema of scenario files, generated from the declarations of their keys.
///
/// ``PlanBuilder`` reads the files; ``ReaderOnlyCheck`` lists the checks that a schema cannot express.
package enum ScenarioSchema {
  /// JSON Schema (draft-07) of scenario files.
  package static var document: JSONValue {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("meetsim scenario")),
        (
          "description",
          .text("A multiparty video meeting: participants, links and timeline.")
        ),
      ] + scenario.keywords + [("definitions", definitions), (ReaderOnlyCheck.keyword, ReaderOnlyCheck.json)]
    ).withoutNotes
  }

  /// Shared definitions, including their notes.
  static var definitions: JSONValue {
    let expectation = ExpectationSection.shape(
      only: ExpectationSection.ofScenarios, rules: ExpectationSection.rules)
    return .object(
      [
        ("link", LinkSection.shape.described("One direction of a path.")),
        ("loss", ValueType<LinkLoss>.loss.shape), ("queue", ValueType<QueueSetting>.queue.shape),
        ("participant", ParticipantSection.shape), ("view", view),
        ("timeline-entry", TimelineSection.shape), ("cross-traffic", CrossTrafficSection.shape),
        ("expectation", expectation),
      ].map { ($0.0, $0.1.json) })
  }

  /// Root of a scenario file, including its notes.
  static var scenario: Shape { ScenarioSection.shape(required: ["participants"]) }

  private static var view: Shape {
    ViewSection.shape.described(
      "The participant's view: exactly one of \(ViewSection.arrangements.joined(separator: ", ")), or a stage alone."
    ).shown("{tiles: {ann: 640x360}}")
  }

  /// Names of the systems whose SFU forwards scalable streams.
  static var scalablePolicies: [String] {
    Catalogue.standard.systems.entries.filter { $0.description.scalableSending != nil }.map(\.name)
  }
}
