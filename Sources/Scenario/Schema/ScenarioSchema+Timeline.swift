import Allocation
import Metrics
import Network
import Quantity
import Systems

/// Schema of timeline entries.
extension ScenarioSchema {
  static var timelineEntry: Shape {
    let actions = actions
    let byTraffic: [Rule] = ["start-traffic", "stop-traffic"].map { .only(["at", $0]) }
    let byPerson = Rule.all([
      .has("participant"), .exactlyOne(of: actions.map(\.0)),
      .only(["at", "participant"] + actions.map(\.0)),
    ])
    let linkKeys = LinkChange.Name.allCases.map(\.rawValue)
    let byLink = Rule.all([.some(of: linkKeys), .only(["at", "link"] + linkKeys)])
    return .mapping(
      [
        (
          "at",
          Shape.quantity(.duration, "Time of the event.", examples: "10s")
            .beside("{participant: ann, speaks: 8s}")
        ), ("participant", who("Participant who acts.").beside("{at: 10s, speaks: 8s}")),
      ] + actions + [
        (
          "link",
          Shape.anyText.described("Link to change: ID/up, ID/down or a shared link.").examples(
            .text("student-1/down")
          ).ofType("name of a link").shown("eve/down").beside("{at: 10s, capacity: 600 kbps}")
        ),
        (
          "capacity",
          Shape.quantity(.bitRate, "The link's capacity.", examples: "600 kbps").beside(ofLink)
        ),
        (
          "delay",
          Shape.quantity(.duration, "The link's propagation delay, up to 60 s.", examples: "80 ms")
            .beside(ofLink)
        ),
        (
          "jitter",
          Shape.quantity(.duration, "Standard deviation of the link's delay, up to 10 s.", examples: "3 ms")
            .beside(ofLink)
        ),
        ("loss", Shape.reference("loss").beside(ofLink)),
        (
          "queue",
          queueLimit.described("The link's queue limit; packets already queued are kept.").shown("300 ms")
            .beside(ofLink)
        ),
        (
          "down",
          Shape.quantity(
            .duration, "How long the link is down: all packets sent to it are lost.", examples: "2s"
          ).beside(ofLink)
        ),
        ("start-traffic", traffic("Name of the cross traffic to start.")),
        ("stop-traffic", traffic("Name of the cross traffic to stop.")),
      ], required: ["at"],
      rules: [
        .when(
          .has("start-traffic"), byTraffic[0],
          else: .when(.has("stop-traffic"), byTraffic[1], else: .when(.has("link"), byLink, else: byPerson)))
      ]
    ).with("{at: 10s, participant: eve}")
  }

  /// Entries needed beside a link change in an example.
  private static let ofLink = "{at: 10s, link: eve/down}"

  private static func traffic(_ sentence: String) -> Shape {
    Shape.anyText.described(sentence).ofType("name of cross traffic").shown("bulk").beside("{at: 10s}")
      .amid("{cross-traffic: [{name: bulk, link: eve/down, kind: tcp, start: 5s}]}")
  }

  /// Entries needed beside an action of a publisher in an example.
  private static let ofPublisher = "{at: 10s, participant: ann}"

  /// Builds a meeting whose publisher has a source, and whose viewer has a view.
  private static func meeting(
    publishing source: String = "camera: 720p30", viewing view: String = "tiles: {ann: 640x360}",
    under policy: String? = nil
  ) -> String {
    let participants = "participants: [{id: ann, publish: {\(source)}}, {id: eve, view: {\(view)}}]"
    return "{\(policy.map { "policy: \($0), " } ?? "")\(participants)}"
  }

  /// Actions of a participant, by key.
  private static var actions: [(String, Shape)] {
    let yes = Shape([("const", .flag(true))])
    let media = Shape.word(["video", "audio"])
    let person = who("Another participant.")
    let grid = "container: {kind: list, size: 360x640}"
    func pair(_ key: String, _ value: Shape) -> Shape {
      .mapping([("participant", person), (key, value)], required: ["participant", key])
    }
    return [
      ("speaks", .quantity(.duration, "Speaks for this long.", examples: "8s")),
      ("mute", media.described("Stops sending.")), ("unmute", media.described("Resumes sending.")),
      (
        "join",
        yes.described("Joins the meeting.")
          .amid(
            "{participants: [{id: ann, publish: {camera: 720p30}}, {id: eve, join: 10s, view: {stage: {participant: ann, size: 320x180}}}]}"
          )
          .beside("{at: 20s, participant: eve}")
      ), ("leave", yes.described("Leaves the meeting.")),
      (
        "background",
        Shape.any(
          of: .word(["none"]), yes,
          .mapping(
            [("picture-in-picture", windowSubject), ("size", .size)], required: ["picture-in-picture"])
        ).described(
          "Moves the app to the background: with the view's picture-in-picture window if it starts from inline (true), "
            + "without a window, or with this one."
        ).shown("{picture-in-picture: ann}")
      ), ("foreground", yes.described("Moves the app to the foreground.")),
      (
        "request",
        requestEntries(
          Shape.anyText.described("A quality; an invalid one yields the SDK's error."), atMost: 100
        )
        .described("Sends a new stream request; an invalid one yields the SDK's error.")
        .ofPolicies(systems(with: .requests)).shown("[{quality: 360p30, priority: high, participant: ann}]")
        .amid(meeting(viewing: "request: [{quality: 180p15, priority: high, participant: ann}]"))
      ),
      (
        "layout",
        Shape.word(BuiltInLayout.allCases.map(\.rawValue) + ["custom"]).described(
          "Selects a built-in layout, or custom."
        ).ofPolicies(systems(with: .layouts)).amid(meeting(viewing: "layout: people"))
      ),
      (
        "scroll",
        Shape.any(
          of: .integer(0...1_000_000),
          .mapping(
            [
              ("to", Shape.integer(0...1_000_000).described("Offset from the grid's top [points].")),
              (
                "for",
                .quantity(
                  .duration, "How long it takes, at a constant speed, 1 ms to 60 s.", examples: "400 ms")
              ),
            ], required: ["to", "for"])
        ).described(
          "Scrolls the grid to this offset from its top [points], at most to its end: a jump, or over a time."
        ).shown("{to: 400, for: 500 ms}").amid(meeting(viewing: grid))
      ),
      (
        "screen",
        Shape.any(of: .screen).described(
          "Turns or resizes the screen of a grid; the pixels per point stay where none are given."
        ).shown("844x390").amid(meeting(viewing: grid))
      ),
      ("resize", pair("to", .points).described("Resizes a tile.")),
      (
        "page",
        Shape.integer(PlanBuilder.pages).described("Shows another page of tiles.").shown("2")
          .amid(meeting(viewing: "everybody: 320x180, per-page: 1", under: "jitsi"))
      ),
      ("hide", person.described("Hides a tile.").amid(meeting(under: "jitsi"))),
      ("show", person.described("Shows a tile.").amid(meeting(under: "jitsi"))),
      ("pin", person.described("Pins a tile.").amid(meeting(under: "jitsi"))),
      ("unpin", person.described("Unpins a tile.").amid(meeting(under: "jitsi"))),
      (
        "stream-type",
        pair("type", Shape.word(["high", "low"]).described("The stream.")).described(
          "Dual stream: sets the stream type of a remote participant."
        ).ofPolicies(systems(with: .dualStreams)).shown("{participant: ann, type: low}")
      ),
      (
        "override",
        Shape.mapping(
          [
            ("participant", person),
            (
              "size",
              Shape.any(of: .word(["off", "none"]), .size).described(
                "Width and height in pixels, or the name of a 16:9 size; off or none.")
            ),
          ],
          required: ["size"]
        ).described(
          "Policy stream: overrides the size of one participant's video, or of everybody's; off stops it, none removes "
            + "the override."
        ).ofPolicies(systems(with: .overrides)).shown("{participant: ann, size: 360p}")
      ), ("mute-remote", Shape.flag.described("Mutes or unmutes all remote video but screen shares.")),
      ("mute-content", Shape.flag.described("Mutes or unmutes all screen shares.")),
      (
        "receive-720p",
        Shape.flag.described("Lets the client receive more than 360p, or no longer; also before joining.")
      ),
      (
        "source",
        Shape.word(["camera", "custom"]).described(
          "Begins to switch the video source; the event setVideoSource marks its completion."
        ).shown("custom").beside(ofPublisher)
      ),
      (
        "push-frames",
        Shape.any(
          of: .word(["stop"]),
          .mapping(
            [
              (
                "fps",
                Shape.number(1...240).described("Frames per second that the app pushes.").shown("24")
              ),
              ("size", .size),
              (
                "count",
                Shape.integer(1...1_000_000).described(
                  "Number of frames; a single one leaves those alone that are pushed already."
                ).shown("48")
              ), ("for", .quantity(.duration, "How long the app pushes.", examples: "10s")),
            ] + frameShape, rules: [.not(.has("count", "for"))])
        ).described(
          "Pushes frames that the app makes: 'count' of them, 'for' a time, or until it stops; they take the place of "
            + "those that it pushes already. What is left out is as its 'custom' source states it."
        ).shown("{fps: 24, for: 10s}").beside(ofPublisher).amid(meeting(publishing: "custom: 720p24"))
      ),
      (
        "share",
        Shape.word(["screen", "none"]).described("Starts or stops the screen share.")
          .beside(ofPublisher).amid(
            meeting(publishing: "camera: 720p30, screen: {capture: 1080p5, on: false}"))
      ),
      (
        "attach",
        pair("view", Shape.anyText.described("Name of a view of the app.").shown("main")).described(
          "Attaches a participant's stream to a view.")
      ),
      ("detach", person.described("Detaches a participant's stream.")),
      (
        "preferred",
        preference.ofPolicies(systems(with: .preferences)).shown("{participant: ann, size: 640x360}")
      ),
      ("signals", signalChange),
    ]
  }
}
