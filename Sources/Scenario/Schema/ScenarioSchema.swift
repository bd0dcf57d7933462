import Allocation
import CongestionControl
import Ladder
package import Metrics
import Plan
import Quantity

/// Schema of scenario files: all keys with their values, meanings and defaults.
///
/// ``PlanBuilder`` reads these files; ``ReaderOnlyCheck`` lists the checks that a schema cannot express.
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
    .object(
      [
        ("link", link), ("loss", loss), ("queue", queue), ("participant", participant), ("view", view),
        ("timeline-entry", timelineEntry), ("cross-traffic", crossTraffic), ("expectation", expectation),
      ].map { ($0.0, $0.1.json) })
  }

  /// Root of a scenario file, including its notes.
  static var scenario: Shape {
    .mapping(
      [
        (
          "$schema",
          Shape.anyText.described("Location of this file's schema, for editors.").shown(
            "./meetsim.schema.json")
        ),
        (
          "name",
          Shape.identifier.described("Short name: letters, digits, '_', '-' and '.'.").examples(
            .text("one-to-one"))
        ),
        (
          "title",
          Shape.anyText.described("What the scenario shows, in a few words; printed by 'run'.").shown(
            "One-to-one call")
        ),
        (
          "duration",
          Shape.quantity(.duration, "Duration of the meeting, 100 ms to 24 h.", examples: "60s", "5 min")
            .withDefault(.text("60s"))
        ),
        (
          "seed",
          Shape.integer(0...Int.max).described("Seed of all random streams.").withDefault(.integer(1)).shown(
            "7")
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
            "Who spoke before the meeting, the last speaker first; who speaks in the meeting ranks above."
          ).shown("[ann]")
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
            "Link profiles, by name."
          ).shown("{home: {capacity: 2400 kbps, delay: 20 ms}}").amid(meeting("down: home"))
        ),
        (
          "shared-links",
          Shape.names(to: .mapping([("up", linkName("to")), ("down", linkName("from"))])).named("house")
            .described("Links shared by several participants, such as a household's access link.")
            .shown("{house: {down: {capacity: 10 Mbps}}}").amid(meeting("shared: house"))
        ),
        (
          "participants",
          Shape.list(of: .reference("participant"), atLeast: 1).described(
            "Participants; at most \(MeetingPlan.publisherLimit) publish video."
          ).after("[{id: ann, publish: {camera: 720p30}, view: {everybody: 360p}}]")
        ),
        (
          "cross-traffic",
          Shape.list(of: .reference("cross-traffic")).described(
            "Other traffic on the meeting's links."
          ).shown("[{name: bulk, link: eve/down, kind: tcp}]")
        ),
        (
          "timeline",
          Shape.list(of: .reference("timeline-entry"))
            .described("What participants do and how the network changes, in any order.")
            .shown("[{at: 10s, participant: ann, speaks: 8s}]")
        ),
        (
          "expect",
          Shape.list(of: .reference("expectation")).described(
            "Expectations that 'meetsim check' and 'run --check' evaluate."
          ).shown("[{viewer: eve, source: ann, metric: frame_height, stat: p50, is: '>= 360'}]")
        ),
      ], required: ["name", "participants"]
    ).with("{name: example, \(participants(""))}")
  }

  /// Builds the participants of examples: a publisher, and a viewer with further entries.
  static func participants(_ more: String) -> String {
    let entries = more.isEmpty ? "" : ", \(more)"
    return
      "participants: [{id: ann, publish: {camera: 720p30}}, {id: eve\(entries), view: {tiles: {ann: 640x360}}}]"
  }

  /// Builds a meeting whose viewer has further entries.
  private static func meeting(_ more: String) -> String { "{\(participants(more))}" }

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

  /// Shape of a participant's id.
  static func who(_ sentence: String, shown id: String = "ann") -> Shape {
    Shape.anyText.described(sentence).examples(.text("student-1")).ofType("participant's id").shown(id)
  }
}
