import Allocation
import Ladder
import Layout
import Media
import Metrics
import Parameters
import Plan
import Quantity
import Systems

/// Schema of participants and views.
extension ScenarioSchema {
  static var participant: Shape {
    .mapping(
      [
        (
          "id",
          Shape.identifier.described("Id; with 'count' the prefix of the members' ids.").examples(
            .text("student")
          ).shown("eve")
        ),
        (
          "count",
          Shape.integer(1...PlanBuilder.participantLimit).described(
            "Number of identical participants: ID-1, ID-2, …."
          ).withDefault(.integer(1)).shown("3")
        ),
        (
          "role",
          Shape.word(["moderator", "guest"]).described(
            "Role; requests can refer to a moderator as '@moderator'."
          ).withDefault(
            .text("guest"))
        ),
        ("up", linkName("to")), ("down", linkName("from")),
        (
          "shared",
          Shape.any(of: .anyText, .list(of: .anyText))
            .described("Shared links on its path, in order from its own link to the SFU.")
            .ofType("name of a shared link, or list of them").shown("house")
            .amid("{shared-links: {house: {down: {capacity: 10 Mbps}}}}")
        ), ("join", .quantity(.duration, "When it joins; by default at the start.", examples: "5s")),
        (
          "publish",
          Shape.any(
            of: .word(["audio-only"]),
            .mapping(
              [
                (
                  "camera",
                  source(
                    "Camera: what it captures, a recording that it plays, or listed layers or levels.",
                    or: recording, listed, levelled)
                ),
                (
                  "custom",
                  source(
                    "In place of a camera: frames that the app makes, pushed from its joining on unless 'on' is false.",
                    and: frameShape)
                ), ("screen", source("Screen share.", or: listed, levelled)),
                ("audio", Shape.flag.described("Whether it publishes audio.").withDefault(.flag(true))),
              ], rules: [.not(.has("camera", "custom"))])
          ).described("What it publishes; omit it for those who only watch.").shown("{camera: 720p30}")
        ), ("view", .reference("view")),
        (
          "capabilities",
          Shape.mapping([
            (
              "receive-720p",
              Shape.flag.described(
                "Whether the client receives more than 360p; by default not with the policy bluejeans, else yes."
              )
            ),
            (
              "custom-layout",
              Shape.flag.described("Whether the client may request individual streams.").withDefault(
                .flag(true))
            ),
            (
              "multitasking-camera",
              Shape.flag.described("Whether the camera keeps capturing in the background.")
            ),
            (
              "picture-in-picture",
              Shape.flag.described("The user's switch for picture in picture in Settings.").withDefault(
                .flag(true))
            ),
            (
              "ios",
              Shape.integer(1...99).described(
                "Major version of iOS; picture in picture of calls needs 15. By default a recent one."
              ).shown("15")
            ),
            (
              "receive-cap",
              .quantity(
                .bitRate,
                "Maximum bit rate that the client accepts, in systems whose servers ask for it.",
                examples: "1200 kbps")
            ),
            (
              "decode",
              Shape.mapping(
                [
                  (
                    "pixels-per-second",
                    Shape.integer(PlanBuilder.decodeRates).described(
                      "Pixels per second that the device decodes, all streams together; by default any number."
                    ).shown("30000000")
                  ),
                  (
                    "streams",
                    Shape.integer(1...MeetingPlan.publisherLimit).described(
                      "Videos that the device decodes at once; by default any number."
                    ).shown("4")
                  ),
                ], rules: [.some(of: ["pixels-per-second", "streams"])]
              ).described("What the device decodes at once; our model.")
                .shown("{pixels-per-second: 30000000, streams: 4}")
            ),
          ]).described("Capabilities of the client's device and licence.").shown("{receive-720p: true}")
            .beside("{id: eve, view: {tiles: {ann: 640x360}}}")
        ),
      ], required: ["id"]
    ).with("{id: eve}")
  }

  static var view: Shape {
    let arrangements = ["request", "layout", "grid", "tiles", "everybody", "container", "signals"]
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
            "Requested streams, most important first; entries without a participant are slots for recent speakers."
          ).beside("{}").ofPolicies(systems(with: .requests))
          .shown("[{quality: 360p30, priority: high, participant: ann}]")
        ),
        (
          "layout",
          Shape.word(BuiltInLayout.self).described("A built-in layout of the client.").beside("{}")
            .ofPolicies(systems(with: .layouts))
        ),
        (
          "grid",
          Shape.word(Catalogue.standard.systems.grids.map(\.name)).described(
            "A client's grid layout."
          ).beside("{}").ofPolicies(
            Catalogue.standard.systems.entries.filter { !$0.description.grids.isEmpty }.map(\.name))
        ),
        ("stage", stage.beside("{}").shown("{participant: ann, size: 640x360}")),
        (
          "tiles",
          Shape.any(of: .sources(to: .points), .list(of: tile)).described(
            "Tiles: participants' sizes in points, or a list of them."
          ).shown("{ann: 640x360}")
        ),
        (
          "share",
          Shape.flag.described("Whether screen shares are shown, the first on the stage.").withDefault(
            .flag(true))
        ),
        (
          "per-page",
          Shape.integer(PlanBuilder.pages).described(
            "Tiles on a page of 'tiles' or 'everybody', the others being off screen; by default all."
          ).shown("4").amid("{policy: jitsi}")
        ),
        (
          "page",
          Shape.integer(PlanBuilder.pages).described("The page on screen.").withDefault(.integer(1))
            .shown("2").beside("{everybody: 320x180, per-page: 1}").amid("{policy: jitsi}")
        ),
        (
          "everybody",
          Shape.points.described(
            "All participants at this size, width and height in points, or the name of a 16:9 size."
          ).beside("{}")
        ),
        ("container", container.beside("{}").shown("{kind: list, size: 360x640}")),
        ("signals", signals.beside("{}")), ("screen", Shape.screen),
        (
          "pin",
          Shape.list(of: .anyText).described("Pinned participants.").shown("[ann]").amid("{policy: jitsi}")
        ),
        (
          "default-stream",
          Shape.word(["high", "low"]).described("Dual stream: this viewer's default stream.").shown("low")
            .ofPolicies(systems(with: .dualStreams))
        ),
        (
          "background",
          Shape.word(ResignObserver.self).described(
            "Subscribers' observers of the app's state: automatic, only the window's video goes on in the background; "
              + "kept, none; removed, the window's, or all without a window. By default kept with policy vonage, else "
              + "automatic."
          ).shown("removed")
        ),
        ("observers", observers), ("picture-in-picture", window),
        (
          "preferred",
          Shape.list(of: preference).described(
            "Policy vonage: subscribers' preferences, later ones override."
          ).ofPolicies(systems(with: .preferences)).shown("[{participant: ann, size: 640x360}]")
        ),
        (
          "override",
          Shape.any(of: .word(["off"]), .size).described(
            "Policy stream: size of all incoming video, or off."
          ).ofPolicies(systems(with: .overrides)).shown("360p")
        ),
        (
          "follow-screen",
          Shape.flag.described("Dual stream: whether tiles that leave the screen switch to the low stream.")
            .withDefault(
              .flag(true)
            ).ofPolicies(systems(with: .dualStreams))
        ),
      ],
      rules: [
        .any(of: [.exactlyOne(of: arrangements), .all([.has("stage"), .not(.some(of: arrangements))])]),
        .when(
          .some(of: ["stage", "page", "per-page"]),
          .not(.some(of: arrangements.filter { $0 != "tiles" && $0 != "everybody" }))),
        .when(.has("page"), .has("per-page")),
      ]
    ).described(
      "The participant's view: exactly one of \(arrangements.joined(separator: ", ")), or a stage alone."
    ).with("{tiles: {ann: 640x360}}").shown("{tiles: {ann: 640x360}}")
  }

  /// Lists the names of the systems whose clients have a feature.
  static func systems(with feature: ViewFeature) -> [String] {
    Catalogue.standard.systems.entries.filter { $0.description.features.contains(feature) }.map(\.name)
  }

  /// Builds the schema of a stream request's entries.
  static func requestEntries(_ quality: Shape, atMost count: Int) -> Shape {
    .list(
      of: .mapping(
        [
          ("quality", quality.shown("360p30")),
          ("priority", Shape.word(Priority.self).described("Priority; set for all entries or for none.")),
          (
            "count",
            Shape.integer(1...count).described("Number of identical entries.").withDefault(.integer(1))
              .shown("3").beside("{quality: 360p15, priority: low}")
          ),
          (
            "participant",
            Shape.anyText.described(
              "Id of a participant, or @moderator; by default a slot for recent speakers."
            )
            .examples(.text("@moderator")).ofType("participant's id").shown("ann")
          ),
        ], required: ["quality"]
      ).with("{participant: ann}"))
  }
}
