import Allocation
import CongestionControl
import Ladder
import Meeting
package import Metrics
import Quantity

/// What scenario files look like: every key with its values, what it means and what holds without it.
///
/// ``PlanBuilder`` reads the same files. A schema can't say everything: ``BeyondSchema`` lists the rest.
package enum ScenarioSchema {
  /// The JSON Schema (draft-07) of scenario files.
  package static var document: JSONValue {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("meetsim scenario")),
        (
          "description",
          .text("One multiparty video meeting: who takes part, over which links, and what happens.")
        ),
      ] + scenario.keywords + [("definitions", definitions), (BeyondSchema.keyword, BeyondSchema.json)])
  }

  /// The mappings that stand in several places.
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
        ("$schema", Shape.anyText.described("Where the schema of this file is, for editors.")),
        (
          "name",
          Shape.identifier.described("Short name: letters, digits and '_', '-', '.'.").such(
            .text("one-to-one"))
        ), ("title", Shape.anyText.described("What the scenario shows, in a few words.")),
        (
          "duration",
          .quantity(.duration, "How long the meeting lasts: 100 ms to 24 h.", such: "60s", "5 min")
        ),
        (
          "seed",
          Shape.integer(0...Int.max).described("Seed of every random draw.").usually(.integer(1))
        ), ("policy", policy), ("estimator", estimator), ("audio", audio),
        (
          "speech",
          Shape.word(["timeline", "talk-spurts"])
            .described("Who speaks: only whom the timeline says, or everybody in turns of a conversation.")
            .usually(.text("timeline"))
        ),
        (
          "key-frames",
          Shape.word(KeyFrameScope.allCases.map(\.rawValue))
            .described(
              "What a request for a key frame of one simulcast layer brings: key frames of all, or of that layer."
            )
            .usually(.text("all-layers"))
        ),
        (
          "links",
          Shape.names(to: .reference("link")).described(
            "Profiles of links, by the names that participants use.")
        ),
        (
          "shared-links",
          Shape.names(to: .mapping([("up", linkName("to")), ("down", linkName("from"))]))
            .described("Links that several participants share, such as a household's line.")
        ),
        (
          "participants",
          Shape.list(of: .reference("participant"), atLeast: 1).described(
            "Who takes part; at most 25 publish video.")
        ),
        (
          "cross-traffic",
          Shape.list(of: .reference("cross-traffic")).described(
            "Traffic on the links that is not the meeting's.")
        ),
        (
          "timeline",
          Shape.list(of: .reference("timeline-entry"))
            .described("What people do and what happens to the network, in any order.")
        ),
        (
          "expect",
          Shape.list(of: .reference("expectation")).described(
            "What 'meetsim check' and 'run --check' hold the result against.")
        ),
      ], required: ["name", "duration", "participants"])
  }

  private static var audio: Shape {
    Shape.mapping([
      (
        "forward",
        Shape.any(of: .word(["all", "mixed"]), .integer(1...25))
          .described("Voices that the SFU sends on: all, a mix, or the loudest so many.").usually(.integer(3))
      ),
      (
        "transport-cc",
        Shape.flag.described(
          "Whether publishers' voices are in the transport-wide feedback, which some SFUs accept for video only."
        ).usually(.flag(true))
      ),
    ]).described("How voices are sent and forwarded.")
  }

  /// A participant's id.
  static func who(_ sentence: String) -> Shape { Shape.anyText.described(sentence).such(.text("student-1")) }
}
