import Ladder
import Media
import Metrics
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// A camera, a screen share or an app's frames, in any of the forms in which they can be written.
struct SourceSection: Section, FrameShaped {
  /// Form of a source, which determines its keys.
  ///
  /// The first form whose key is stated applies.
  enum Form: CaseIterable {
    /// An encoder's recording.
    case recorded
    /// Layers as measured by an SFU.
    case listed
    /// Levels that a controller chooses from.
    case levelled
    /// A capture format.
    case captured
    /// Frames that an app pushes.
    case custom

    /// Keys of the form.
    var keys: [String] {
      let captured = [
        "capture", "ladder", "codec", "scalability-mode", "low", "on", "maximum", "minimum", "degradation",
        "follows-receivers", "content", "fec",
      ]
      return switch self {
      case .captured: captured
      case .custom: captured.filter { $0 != "scalability-mode" } + FrameShape.names
      case .recorded: ["frames", "on"]
      case .listed: ["layers", "codec", "scalability-mode", "on"]
      case .levelled: ["capture", "levels", "on"]
      }
    }

    /// Checks whether sources of a kind are written in this form.
    func isOf(_ kind: VideoSourcePlan.Kind) -> Bool {
      switch self {
      case .recorded: kind == .camera
      case .listed, .levelled, .captured: kind != .custom
      case .custom: kind == .custom
      }
    }

    /// Key that distinguishes the form.
    var required: String {
      switch self {
      case .captured, .custom: "capture"
      case .recorded: "frames"
      case .listed: "layers"
      case .levelled: "levels"
      }
    }
  }

  var capture: Field?
  var ladder: Name?
  var coding = Coding()
  var low: Entry<LowStreamSection>?
  var on: Bool?
  var maximum: BitRate?
  var minimum: BitRate?
  var degradation: DegradationPreference?
  var followsReceivers: Bool?
  var content: ContentComplexity?
  var frame = FrameShape()
  var frames: Entry<RecordingSection>?
  var layers: Field?
  var levels: Field?

  /// Coding and protection of pictures.
  struct Coding {
    var codec: VideoCodec?
    var mode: ScalabilityMode?
    var protection: ForwardErrorCorrection?
  }

  static let keys: [Key<Self>] =
    [
      Key("capture", \.capture, .later(.capture)),
      Key(
        "ladder", \.ladder, .ladder,
        "Simulcast ladder; by default the policy's; see 'meetsim list ladders'."),
      Key(
        "codec", \.coding.codec, .choice,
        "Codec: simulcast of the ladder in vp8 and h264, a scalable stream in vp9 and av1, where the policy's SFU forwards "
          + "those.",
        default: "vp8", examples: ["vp8"]),
      Key(
        "scalability-mode", \.coding.mode, .scalabilityMode,
        "Layers of the scalable stream, by W3C's names; by default those of the policy's client. A small capture has "
          + "fewer spatial layers: 240x135 is the smallest. Several of them have one temporal layer each in a screen "
          + "share in vp9."
      ).ofPolicies(ScenarioSchema.scalablePolicies).beside("{capture: 720p30, codec: vp9}"),
      Key(
        "low", \.low, .section(LowStreamSection.self) { "low stream of \($0)" },
        "The low stream of a dual-stream ladder; what is not set is the ladder's. Limits are the vendor's. Its "
          + "size is turned as the capture is, and it has no more frames."
      ).ofSystems(calling: "stream-type").shown("{size: 320x180, fps: 15}")
        .beside("{capture: 720p30\(dualLadder)}"),
      Key("on", \.on, .flag, "Whether it is initially on.", default: "true"),
      Key(
        "maximum", \.maximum, .rate,
        "Maximum bit rate of the highest encoding; of a lone one also above libwebrtc's own, as an app may set it; of a "
          + "scalable stream that of all its layers together.",
        examples: ["1500 kbps"]),
      Key("minimum", \.minimum, .rate, "Minimum bit rate of the lowest encoding.", examples: ["30 kbps"]),
      Key(
        "degradation", \.degradation, .choice,
        "Degradation preference of a source with one encoding; an error with several."
      ).beside("{capture: 360p30, ladder: single}"),
      Key(
        "follows-receivers", \.followsReceivers, .flag,
        "Whether the sender of one encoding is asked for no more than the worst of its receivers can receive, as by "
          + "servers that merge their receivers' estimates; those that do so by themselves need no key.",
        default: "false"
      ).beside("{capture: 360p30, ladder: single}"),
      Key(
        "fec", \.coding.protection, .choice,
        "Forward error correction of a source with one encoding, as strong as the loss of the last ten seconds asks for "
          + "(libwebrtc's hybrid with retransmission, from a round trip of 20 ms): 'ulpfec' among the video's packets, as "
          + "between two browsers, or 'flexfec' in a stream of its own, behind a field trial. Servers negotiate none, which "
          + "is the default."
      ).beside("{capture: 360p30, ladder: single}"),
      Key(
        "content", \.content, .content,
        "Content complexity; by default what the ladder's documented bit rates suffice for, otherwise a talking head, "
          + "for screens a document."),
    ] + frameKeys + [
      Key(
        "frames", \.frames, .section(RecordingSection.self) { "frames of \($0)" },
        "A recording of an encoder: all encodings are sent always, past rate control, pacer and demand; each request "
          + "for a key frame jumps to the encoding's next one, at most every 300 ms."),
      Key(
        "layers", \.layers, .later(.list(of: LayerSection.shape, atLeast: 1)),
        "The source's own ladder: each encoding with its size, frame rate and target; in 'meetsim allocate' as an SFU "
          + "measured them. A run takes sizes and bit rates that rise, and frame rates that double from one temporal "
          + "layer to the next; an encoding begins when the uplink carries 0.6 of its target."),
      Key(
        "levels", \.levels, .later(.list(of: LevelSection.shape, atLeast: 1)),
        "Policy gso: the levels that the controller chooses from, one for each size at most."
      ).ofPolicies(
        Catalogue.standard.systems.entries.filter { $0.system().controller != nil }.map(\.name)),
    ]

  private static var dualLadder: String {
    Catalogue.standard.systems.ladders.first { $0.ladder.lowStream != nil }.map { ", ladder: \($0.name)" }
      ?? ""
  }

  /// Builds the schema of a source: a capture format, or a mapping in one of several forms.
  static func shape(_ form: Form = .captured, orIn others: [Form] = []) -> Shape {
    .any(of: [.capture] + ([form] + others).map { shape(only: $0.keys, required: [$0.required]) })
  }
}

/// The low stream of a dual-stream ladder.
struct LowStreamSection: Section {
  var size: Resolution?
  var fps: Field?
  var bitrate: BitRate?

  static let keys: [Key<Self>] = [
    Key("size", \.size, .pixels),
    Key("fps", \.fps, .later(.integer(1...30)), "Frames per second.").shown("15"),
    Key("bitrate", \.bitrate, .rate, "Bit rate of the low stream.", examples: ["45 kbps"]),
  ]
}

/// An encoder's recording that a camera plays.
struct RecordingSection: Section {
  var file: Name?
  var fps: Double?
  var start = 0
  var packet: ByteCount?
  var encodings: [NamedSize]?

  static let keys: [Key<Self>] = {
    let packets = RecordedFrames.packetRange
    let usual = "\(RecordedFrames.usualPacketBytes) B"
    return [
      Key(
        "file", \.file, .name,
        "CSV with the columns frame,temporal_id,keyframe and ENCODING_bytes for each encoding, or the frames of one, 'f': a "
          + "size in bytes a line, ffprobe's pkt_size,pict_type or its JSON of frames or packets, or a trace of Arizona "
          + "State University's video trace library; relative to the scenario's folder.",
        required: "frames.csv"
      ).ofType("path of a file").shown("frames.csv"),
      Key("fps", \.fps, .number(1...Double(SourceReader.captureLimit)), "Frames per second.", required: "30")
        .shown("30"),
      Key(
        "start", default: \.start, .integer(0...FrameTableReader.rowLimit),
        "It begins with the first key frame from this row on, and plays in a loop."),
      Key(
        "packet", \.packet, .packet,
        "Most bytes of a frame in a packet, \(packets.lowerBound) to \(packets.upperBound) B; by default \(usual).",
        examples: [usual]),
      Key(
        "encodings", \.encodings, .encodings, "Picture size of each encoding.", required: "{q: 320x180}"
      ).shown("{q: 320x180, h: 640x360}").named("q"),
    ]
  }()
}

/// A layer of a source, as sent by an app or measured by an SFU.
struct LayerSection: Section {
  var encoding = 0
  var spatial: Int?
  var temporal = 0
  var size: Resolution?
  var fps: Double?
  var bitrate: BitRate?

  static let encodings = 0...7

  static let keys: [Key<Self>] = [
    Key(
      "encoding", default: \.encoding, .integer(encodings), "Number of the encoding, from the lowest."
    ).shown("0"),
    Key(
      "spatial", \.spatial, .integer(0...2),
      "Spatial layer of a scalable stream, whose only encoding is 0; its bit rate is its own, without the layers below. "
        + "The source's 'scalability-mode' says how they predict from each other, by default in key pictures."
    ).ofPolicies(ScenarioSchema.scalablePolicies).shown("0"),
    Key("temporal", default: \.temporal, .integer(0...3), "Temporal layer.").shown("0"),
    Key("size", \.size, .pixels, required: "320x180"),
    Key("fps", \.fps, .number(0...120), "Frames per second; by default unknown.").shown("15"),
    Key(
      "bitrate", \.bitrate, .rate,
      "Bit rate of the layer and all below it in its encoding, of the highest the encoding's target; in 'meetsim "
        + "allocate' 0 bps of one that does not arrive.",
      required: "150 kbps", examples: ["99 kbps"]),
  ]

  static let companions: String? = "{size: 320x180, fps: 15, bitrate: 99 kbps}"
}

/// A level that a controller may choose.
struct LevelSection: Section {
  var size: Resolution?
  var bitrate: BitRate?
  var qoe: Int?

  static let keys: [Key<Self>] = [
    Key("size", \.size, .pixels, required: "1280x720"),
    Key(
      "bitrate", \.bitrate, .rate, "Bit rate of the level.", required: "1.5 Mbps", examples: ["1500 kbps"]),
    Key(
      "qoe", \.qoe, .integer(1...QualityLevel.maximumQoE), "Quality of experience, in any unit.",
      required: "1200"
    ).shown("900"),
  ]
}
