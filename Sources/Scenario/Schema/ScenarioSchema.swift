import Allocation
import CongestionControl
import Ladder
import Meeting
package import Metrics
import Quantity

/// Schema of scenario files: all keys with their values, meanings and defaults.
///
/// ``PlanBuilder`` reads these files; ``ReaderOnlyCheck`` lists the checks that a schema cannot express.
package enum ScenarioSchema {
  /// The JSON Schema (draft-07) of scenario files.
  package static var document: JSONValue {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("meetsim scenario")),
        (
          "description",
          .text("A multiparty video meeting: participants, links and timeline.")
        ),
      ] + scenario.keywords + [("definitions", definitions), (ReaderOnlyCheck.keyword, ReaderOnlyCheck.json)])
  }

  /// Shared definitions.
  package static var definitions: JSONValue {
    .object(
      [
        ("link", link), ("loss", loss), ("queue", queue), ("participant", participant), ("view", view),
        ("timeline-entry", timelineEntry), ("cross-traffic", crossTraffic), ("expectation", expectation),
      ].map { ($0.0, $0.1.json) })
  }

  /// The root of a scenario file.
  package static var scenario: Shape {
    .mapping(
      [
        ("$schema", Shape.anyText.described("Location of this file's schema, for editors.")),
        (
          "name",
          Shape.identifier.described("Short name: letters, digits, '_', '-' and '.'.").examples(
            .text("one-to-one"))
        ), ("title", Shape.anyText.described("What the scenario shows, in a few words; printed by 'run'.")),
        (
          "duration",
          Shape.quantity(.duration, "Duration of the meeting, 100 ms to 24 h.", examples: "60s", "5 min")
            .withDefault(.text("60s"))
        ),
        (
          "seed",
          Shape.integer(0...Int.max).described("Seed of all random streams.").withDefault(.integer(1))
        ), ("policy", policy), ("estimator", estimator), ("audio", audio),
        (
          "speech",
          Shape.word(["timeline", "talk-spurts"])
            .described("Who speaks: as in the timeline, or a simulated conversation of all participants.")
            .withDefault(.text("timeline"))
        ),
        (
          "yardstick",
          Shape.flag.described(
            "Whether 'scalars.csv' has each viewer's utility beside its optimum; 'false' where speed matters."
          ).withDefault(.flag(true))
        ),
        (
          "speech-order",
          Shape.list(of: .anyText).described(
            "Who spoke before the meeting, the last speaker first; who speaks in the meeting ranks above.")
        ),
        (
          "key-frames",
          Shape.word(KeyFrameScope.allCases.map(\.rawValue))
            .described(
              "Whether a key frame request for one simulcast encoding triggers key frames of all encodings or of that one."
            )
            .withDefault(.text("all-layers"))
        ),
        (
          "links",
          Shape.names(to: .reference("link")).described(
            "Link profiles, by name.")
        ),
        (
          "shared-links",
          Shape.names(to: .mapping([("up", linkName("to")), ("down", linkName("from"))]))
            .described("Links shared by several participants, such as a household's access link.")
        ),
        (
          "participants",
          Shape.list(of: .reference("participant"), atLeast: 1).described(
            "Participants; at most \(MeetingPlan.publisherLimit) publish video.")
        ),
        (
          "cross-traffic",
          Shape.list(of: .reference("cross-traffic")).described(
            "Other traffic on the meeting's links.")
        ),
        (
          "timeline",
          Shape.list(of: .reference("timeline-entry"))
            .described("What participants do and how the network changes, in any order.")
        ),
        (
          "expect",
          Shape.list(of: .reference("expectation")).described(
            "Expectations that 'meetsim check' and 'run --check' evaluate.")
        ),
      ], required: ["name", "participants"])
  }

  private static var audio: Shape {
    Shape.mapping([
      (
        "forward",
        Shape.any(of: .word(["all", "mixed"]), .integer(1...25))
          .described("Audio that the SFU forwards: all, a mix, or the N loudest speakers.").withDefault(
            .integer(3))
      ),
      (
        "transport-cc",
        Shape.flag.described(
          "Whether publishers' audio is covered by transport-wide feedback; some SFUs negotiate it for video only."
        ).withDefault(.flag(true))
      ),
    ]).described("Audio settings.")
  }

  /// A participant's id.
  static func who(_ sentence: String) -> Shape {
    Shape.anyText.described(sentence).examples(.text("student-1"))
  }
}
