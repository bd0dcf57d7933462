import Allocation
import Ladder
import Layout
import Media
import Metrics
import Quantity
import Systems

/// Participants, what they publish and what they watch.
extension ScenarioSchema {
  static var participant: Shape {
    .mapping(
      [
        (
          "id",
          Shape.identifier.described("Id; of a group with 'count' the beginning of its members' ids.").such(
            .text("student"))
        ),
        ("count", Shape.integer(1...PlanBuilder.participantLimit).described("So many alike: ID-1, ID-2, ….")),
        (
          "role",
          Shape.word(["moderator", "guest"]).described("A moderator is '@moderator' in requests.").usually(
            .text("guest"))
        ),
        ("up", linkName("to")), ("down", linkName("from")),
        (
          "shared",
          Shape.any(of: .anyText, .list(of: .anyText))
            .described("Shared links that it is behind, from its own towards the SFU.")
        ), ("join", .quantity(.duration, "When it joins; at the beginning when left out.", such: "5s")),
        (
          "publish",
          Shape.any(
            of: .word(["audio-only"]),
            .mapping([
              ("camera", source("The camera's capture.")), ("screen", source("The screen's capture.")),
              ("audio", Shape.flag.described("Whether it has a microphone.").usually(.flag(true))),
            ])
          ).described("What it sends; who only watches has none.")
        ), ("view", .reference("view")),
        (
          "capabilities",
          Shape.mapping([
            ("receive-720p", Shape.flag.described("Whether the client may receive 720p.")),
            ("custom-layout", Shape.flag.described("Whether the client may request streams.")),
            ("multitasking-camera", Shape.flag.described("Whether the camera goes on in the background.")),
            ("receive-cap", .quantity(.bitRate, "The most that the client accepts.", such: "1200 kbps")),
          ]).described("What the client's device and licence allow.")
        ),
      ], required: ["id"])
  }

  private static func source(_ sentence: String) -> Shape {
    let content = ContentComplexity.named.map(\.name)
    return Shape.any(
      of: .format,
      .mapping(
        [
          ("capture", .format),
          (
            "ladder",
            Shape.word(Catalogue.standard.systems.ladders.map(\.name))
              .described("The encodings offered; the policy's own when left out.")
          ), ("on", Shape.flag.described("Whether it is on at first.").usually(.flag(true))),
          ("maximum", .quantity(.bitRate, "The most that the encodings use.", such: "1500 kbps")),
          ("minimum", .quantity(.bitRate, "Below this the source stops.", such: "30 kbps")),
          (
            "degradation",
            Shape.word(DegradationPreference.self).described("What one encoding gives up first.")
          ),
          (
            "content",
            Shape.any(
              of: .word(content),
              .quantity(.bitRate, "The rate at which 720p of it is good.", such: "700 kbps")
            )
            .described("What the camera looks at.")
          ),
        ], required: ["capture"])
    ).described(sentence).such(.text("720p30"), .text("640x360@15"))
  }

  static var view: Shape {
    let tile = Shape.mapping(
      [("participant", who("Whose video.")), ("size", .size)], required: ["participant", "size"])
    let arrangements = ["request", "layout", "grid", "tiles", "everybody"]
    let priority = Rule(.object([("items", Rule.has("priority").json)]))
    let none = Rule(.object([("items", Rule.all([.not(.has("priority")), .has("participant")]).json)]))
    let request = requestEntries(.quality, atMost: 25)
    return Shape.mapping(
      [
        (
          "request",
          Shape(
            request.keywords + [
              ("minItems", .integer(1)), ("maxItems", .integer(25)),
              ("allOf", .list([Rule.any(of: [priority, none]).json])),
            ]
          )
          .described(
            "Streams asked for, most important first; without a participant a slot for recent speakers."
          )
        ),
        ("layout", Shape.word(BuiltInLayout.self).described("A layout that the client has built in.")),
        (
          "grid",
          Shape.word(Catalogue.standard.systems.grids.map(\.name)).described(
            "A grid of tiles as a client lays it out on the screen.")
        ),
        ("tiles", Shape.list(of: tile).described("Tiles by participant and size.")),
        ("everybody", Shape.size.described("Everybody at this size.")),
        ("screen", Shape.screen.usually(.text("390x844@3"))),
        ("pin", Shape.list(of: .anyText).described("Participants that are pinned.")),
        (
          "default-stream",
          Shape.word(["high", "low"]).described("Dual stream: this viewer's default stream.")
        ),
        (
          "background",
          Shape.word(ResignObserver.self).described("What the client does when it goes to the background.")
        ),
        (
          "override",
          Shape.any(of: .word(["off"]), .size).described(
            "Stream: one size for all incoming video, or none of it.")
        ),
        (
          "follow-screen",
          Shape.flag.described("Dual stream: whether tiles that leave the screen go low.").usually(
            .flag(true))
        ),
      ], rules: [.exactlyOne(of: arrangements)]
    ).described("What the participant watches: exactly one of \(arrangements.joined(separator: ", ")).")
  }

  /// The entries of a stream request.
  static func requestEntries(_ quality: Shape, atMost count: Int) -> Shape {
    .list(
      of: .mapping(
        [
          ("quality", quality),
          ("priority", Shape.word(Priority.self).described("Its priority; all entries have one or none.")),
          ("count", Shape.integer(1...count).described("So many entries alike.")),
          (
            "participant",
            Shape.anyText.described(
              "Whose video: an id or @moderator; a slot for recent speakers when left out."
            )
            .such(.text("@moderator"))
          ),
        ], required: ["quality"]))
  }
}
