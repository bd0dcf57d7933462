import Allocation
import Ladder
import Layout
import Media
import Meeting
import Metrics
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
            .text("student"))
        ),
        (
          "count",
          Shape.integer(1...PlanBuilder.participantLimit).described(
            "Number of identical participants: ID-1, ID-2, ….")
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
        ), ("join", .quantity(.duration, "When it joins; by default at the start.", examples: "5s")),
        (
          "publish",
          Shape.any(
            of: .word(["audio-only"]),
            .mapping(
              [
                ("camera", source("Camera: what it captures, or a recording that it plays.", or: recording)),
                (
                  "custom",
                  source(
                    "In place of a camera: frames that the app makes, pushed from its joining on unless 'on' is false.",
                    and: frameShape)
                ), ("screen", source("Screen share.")),
                ("audio", Shape.flag.described("Whether it publishes audio.").withDefault(.flag(true))),
              ], rules: [.not(.has("camera", "custom"))])
          ).described("What it publishes; omit it for those who only watch.")
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
            ("custom-layout", Shape.flag.described("Whether the client may request individual streams.")),
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
                "Major version of iOS; picture in picture of calls needs 15. By default a recent one.")
            ),
            (
              "receive-cap",
              .quantity(.bitRate, "Maximum bit rate that the client accepts.", examples: "1200 kbps")
            ),
            (
              "decode",
              Shape.mapping(
                [
                  (
                    "pixels-per-second",
                    Shape.integer(PlanBuilder.decodeRates).described(
                      "Pixels per second that the device decodes, all streams together; by default any number."
                    )
                  ),
                  (
                    "streams",
                    Shape.integer(1...MeetingPlan.publisherLimit).described(
                      "Videos that the device decodes at once; by default any number.")
                  ),
                ], rules: [.some(of: ["pixels-per-second", "streams"])]
              ).described("What the device decodes at once; our model.")
            ),
          ]).described("Capabilities of the client's device and licence.")
        ),
      ], required: ["id"])
  }

  /// What can be stated of an app's frames besides their size and rate.
  static let frameShape: [(String, Shape)] = [
    (
      "aspect",
      Shape.word(FrameAspectRatio.self).described(
        "Aspect ratio of the frames; must be that of their size.")
    ),
    (
      "format",
      Shape.word(FramePixels.self).described(
        "Pixel format of the frames; nv12 needs an even width and height.")
    ),
    (
      "orientation",
      Shape.word(Orientation.self).described(
        "Orientation of the frames: 0 degrees for portrait and unknown, 90 for landscape-left, 180 for "
          + "portrait-upside-down, 270 for landscape-right.")
    ),
  ]

  /// A camera that plays a recording of an encoder.
  private static var recording: Shape {
    let sizes = Shape.names(to: .size).adding("minProperties", .integer(1))
      .adding("maxProperties", .integer(Int64(RecordedFrames.encodingLimit)))
    let packets = RecordedFrames.packetRange
    return .mapping(
      [
        (
          "frames",
          Shape.mapping(
            [
              (
                "file",
                Shape.anyText.described(
                  "CSV with the columns frame,temporal_id,keyframe and ENCODING_bytes for each encoding, relative to the "
                    + "scenario's folder.")
              ), ("fps", Shape.number(1...Double(PlanBuilder.captureLimit)).described("Frames per second.")),
              (
                "start",
                Shape.integer(0...PlanBuilder.startLimit).described(
                  "It begins with the first key frame from this row on, and plays in a loop.")
              ),
              (
                "packet",
                .quantity(
                  .byteCount,
                  "Most bytes of a frame in a packet, \(packets.lowerBound) to \(packets.upperBound) B; by default "
                    + "\(RecordedFrames.usualPacketBytes) B.",
                  examples: "\(RecordedFrames.usualPacketBytes) B")
              ), ("encodings", sizes.described("Picture size of each encoding.")),
            ], required: ["file", "fps", "encodings"]
          ).described(
            "A recording of an encoder: all encodings are sent always, past rate control, pacer and demand; each request "
              + "for a key frame jumps to the encoding's next one, at most every 300 ms.")
        ), ("on", Shape.flag.described("Whether it is initially on.").withDefault(.flag(true))),
      ], required: ["frames"])
  }

  private static func source(
    _ sentence: String, and more: [(String, Shape)] = [], or other: Shape? = nil
  ) -> Shape {
    let content = ContentComplexity.named.map(\.name)
    return Shape.any(
      of: [
        .capture,
        .mapping(
          [
            ("capture", .capture),
            (
              "ladder",
              Shape.word(Catalogue.standard.systems.ladders.map(\.name))
                .described("Simulcast ladder; by default the policy's.")
            ),
            (
              "low",
              Shape.mapping([
                ("size", .size), ("fps", .integer(1...30)),
                ("bitrate", .quantity(.bitRate, "Bit rate.", examples: "45 kbps")),
              ]).described(
                "The low stream of a dual-stream ladder; what is not set is the ladder's. Limits are the vendor's."
              )
            ), ("on", Shape.flag.described("Whether it is initially on.").withDefault(.flag(true))),
            (
              "maximum",
              .quantity(.bitRate, "Maximum bit rate of the highest encoding.", examples: "1500 kbps")
            ),
            ("minimum", .quantity(.bitRate, "Minimum bit rate of the lowest encoding.", examples: "30 kbps")),
            (
              "degradation",
              Shape.word(DegradationPreference.self).described(
                "Degradation preference of a source with one encoding; an error with several.")
            ),
            (
              "content",
              Shape.any(
                of: .word(content),
                .quantity(.bitRate, "Bit rate of 720p at good quality.", examples: "700 kbps")
              )
              .described(
                "Content complexity; by default what the ladder's documented bit rates suffice for, otherwise a talking head, "
                  + "for screens a document.")
            ),
          ] + more, required: ["capture"]),
      ] + [other].compactMap { $0 }
    ).described(sentence).examples(.text("720p30"), .text("640x360@15"))
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
          )
        ),
        ("layout", Shape.word(BuiltInLayout.self).described("A built-in layout of the client.")),
        (
          "grid",
          Shape.word(Catalogue.standard.systems.grids.map(\.name)).described(
            "A client's grid layout.")
        ),
        ("tiles", Shape.list(of: tile).described("Tiles, by participant and size.")),
        (
          "everybody",
          Shape.points.described(
            "All participants at this size, width and height in points, or the name of a 16:9 size.")
        ),
        ("container", container), ("signals", signals),
        ("screen", Shape.screen),
        ("pin", Shape.list(of: .anyText).described("Pinned participants.")),
        (
          "default-stream",
          Shape.word(["high", "low"]).described("Dual stream: this viewer's default stream.")
        ),
        (
          "background",
          Shape.word(ResignObserver.self).described(
            "Subscribers' observers of the app's state: automatic, only the window's video goes on in the background; "
              + "kept, none; removed, the window's, or all without a window. By default kept with policy vonage, else "
              + "automatic.")
        ),
        ("observers", observers), ("picture-in-picture", window),
        (
          "preferred",
          Shape.list(of: preference).described(
            "Policy vonage: subscribers' preferences, later ones override.")
        ),
        (
          "override",
          Shape.any(of: .word(["off"]), .size).described(
            "Policy stream: size of all incoming video, or off.")
        ),
        (
          "follow-screen",
          Shape.flag.described("Dual stream: whether tiles that leave the screen switch to the low stream.")
            .withDefault(
              .flag(true))
        ),
      ], rules: [.exactlyOne(of: arrangements)]
    ).described("The participant's view: exactly one of \(arrangements.joined(separator: ", ")).")
  }

  /// The entries of a stream request.
  static func requestEntries(_ quality: Shape, atMost count: Int) -> Shape {
    .list(
      of: .mapping(
        [
          ("quality", quality),
          ("priority", Shape.word(Priority.self).described("Priority; set for all entries or for none.")),
          ("count", Shape.integer(1...count).described("Number of identical entries.")),
          (
            "participant",
            Shape.anyText.described(
              "Id of a participant, or @moderator; by default a slot for recent speakers."
            )
            .examples(.text("@moderator"))
          ),
        ], required: ["quality"]))
  }
}
