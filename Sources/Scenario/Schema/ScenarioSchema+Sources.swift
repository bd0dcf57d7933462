import Ladder
import Media
import Metrics
import Parameters
import Plan
import Quantity
import Systems

/// Schema of cameras, custom sources and screen shares.
extension ScenarioSchema {
  /// Keys for properties of an app's frames besides their size and rate.
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

  /// Schema of a camera that plays an encoder's recording.
  static var recording: Shape {
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
                    + "scenario's folder."
                ).ofType("path of a file").shown("frames.csv")
              ),
              (
                "fps",
                Shape.number(1...Double(PlanBuilder.captureLimit)).described("Frames per second.").shown("30")
              ),
              (
                "start",
                Shape.integer(0...PlanBuilder.startLimit).described(
                  "It begins with the first key frame from this row on, and plays in a loop."
                ).withDefault(.integer(0))
              ),
              (
                "packet",
                .quantity(
                  .byteCount,
                  "Most bytes of a frame in a packet, \(packets.lowerBound) to \(packets.upperBound) B; by default "
                    + "\(RecordedFrames.usualPacketBytes) B.",
                  examples: "\(RecordedFrames.usualPacketBytes) B")
              ),
              (
                "encodings",
                sizes.described("Picture size of each encoding.").shown("{q: 320x180, h: 640x360}").named("q")
              ),
            ], required: ["file", "fps", "encodings"]
          ).described(
            "A recording of an encoder: all encodings are sent always, past rate control, pacer and demand; each request "
              + "for a key frame jumps to the encoding's next one, at most every 300 ms.")
        ), ("on", Shape.flag.described("Whether it is initially on.").withDefault(.flag(true))),
      ], required: ["frames"])
  }

  /// Schema of a source with listed levels.
  static var levelled: Shape {
    .mapping(
      [
        ("capture", .capture),
        (
          "levels",
          Shape.list(
            of: .mapping(
              [
                ("size", .size),
                ("bitrate", .quantity(.bitRate, "Bit rate of the level.", examples: "1500 kbps")),
                (
                  "qoe",
                  Shape.integer(PlanBuilder.levelQoE).described("Quality of experience, in any unit.").shown(
                    "900")
                ),
              ], required: ["size", "bitrate", "qoe"]), atLeast: 1
          ).described(
            "Policy gso: the levels that the controller chooses from, one for each size at most."
          ).ofPolicies(
            Catalogue.standard.systems.entries.filter { $0.system().meetingRule != nil }.map(\.name))
        ), ("on", Shape.flag.described("Whether it is initially on.").withDefault(.flag(true))),
      ], required: ["levels"])
  }

  /// Schema of a source with listed layers.
  static var listed: Shape {
    .mapping(
      [
        (
          "layers",
          Shape.list(
            of: Shape.mapping(
              [
                (
                  "encoding",
                  Shape.integer(PlanBuilder.encodingNumbers).described(
                    "Number of the encoding, from the lowest."
                  )
                  .withDefault(.integer(0)).shown("0")
                ),
                (
                  "temporal",
                  Shape.integer(PlanBuilder.temporalNumbers).described("Temporal layer.").withDefault(
                    .integer(0)
                  ).shown("0")
                ), ("size", .size),
                (
                  "fps",
                  Shape.number(0...120).described("Frames per second; by default unknown.").shown("15")
                ),
                (
                  "bitrate",
                  .quantity(
                    .bitRate,
                    "Bit rate of the layer and all below it in its encoding; 0 bps of one that does not arrive.",
                    examples: "99 kbps")
                ),
              ], required: ["size", "bitrate"]
            ).with("{size: 320x180, fps: 15, bitrate: 99 kbps}"), atLeast: 1
          ).described("The source's layers as an SFU measured them, for 'meetsim allocate'.")
        ), ("on", Shape.flag.described("Whether it is initially on.").withDefault(.flag(true))),
      ], required: ["layers"])
  }

  static func source(
    _ sentence: String, and more: [(String, Shape)] = [], or others: Shape...
  ) -> Shape {
    let content = ContentComplexity.named.map(\.name)
    let ladders = Catalogue.standard.systems.ladders
    let dualLadder = ladders.first { $0.ladder.lowStream != nil }.map { ", ladder: \($0.name)" } ?? ""
    let dual = "{capture: 720p30\(dualLadder)}"
    return Shape.any(
      of: [
        .capture,
        .mapping(
          [
            ("capture", .capture),
            (
              "ladder",
              Shape.word(Catalogue.standard.systems.ladders.map(\.name))
                .described("Simulcast ladder; by default the policy's; see 'meetsim list ladders'.")
            ),
            (
              "low",
              Shape.mapping([
                ("size", .size),
                ("fps", Shape.integer(1...30).described("Frames per second.").shown("15")),
                ("bitrate", .quantity(.bitRate, "Bit rate of the low stream.", examples: "45 kbps")),
              ]).described(
                "The low stream of a dual-stream ladder; what is not set is the ladder's. Limits are the vendor's. Its "
                  + "size is turned as the capture is, and it has no more frames."
              ).ofPolicies(systems(with: .dualStreams)).shown("{size: 320x180, fps: 15}").beside(dual)
            ), ("on", Shape.flag.described("Whether it is initially on.").withDefault(.flag(true))),
            (
              "maximum",
              .quantity(.bitRate, "Maximum bit rate of the highest encoding.", examples: "1500 kbps")
            ),
            ("minimum", .quantity(.bitRate, "Minimum bit rate of the lowest encoding.", examples: "30 kbps")),
            (
              "degradation",
              Shape.word(DegradationPreference.self).described(
                "Degradation preference of a source with one encoding; an error with several."
              ).beside("{capture: 360p30, ladder: single}")
            ),
            (
              "content",
              Shape.any(
                of: .word(content),
                .quantity(
                  .bitRate, "Bit rate of 720p at good quality, up to 331776 kbps.", examples: "700 kbps")
              )
              .described(
                "Content complexity; by default what the ladder's documented bit rates suffice for, otherwise a talking head, "
                  + "for screens a document.")
            ),
          ] + more, required: ["capture"]),
      ] + others
    ).described(sentence).examples(.text("720p30"), .text("640x360@15"))
  }
}
