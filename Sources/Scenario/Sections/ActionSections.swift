import Ladder
import Plan
import Quantity
import YAML

/// A picture-in-picture window with which an app goes into the background.
struct BackgroundSection: Section {
  var participant: Name?
  var size: Resolution?

  static let keys: [Key<Self>] = [
    Key("picture-in-picture", \.participant, .windowSubject, required: "teacher"),
    Key("size", \.size, .pixels),
  ]
}

/// A scroll at a constant speed.
struct ScrollSection: Section {
  var to: Int?
  var time: SimDuration?

  static let offsets = 0...1_000_000

  static let keys: [Key<Self>] = [
    Key("to", \.to, .integer(offsets), "Offset from the grid's top [points].", required: "700"),
    Key(
      "for", \.time, .duration(atLeast: .milliseconds(1), atMost: .seconds(60)),
      "How long it takes, at a constant speed, 1 ms to 60 s.", required: "400 ms", examples: ["400 ms"]),
  ]
}

/// A new size of a tile.
struct ResizeSection: Section {
  var participant: Name?
  var to: Resolution?

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .another, required: "ann"),
    Key("to", \.to, .points, required: "1280x720"),
  ]
}

/// A choice between a dual-stream participant's streams.
struct StreamTypeSection: Section {
  var participant: Name?
  var isLow: Bool?

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .another, required: "ann"),
    Key("type", \.isLow, .lowStream, "The stream.", required: "low"),
  ]
}

/// An override of the size of incoming video.
struct OverrideSection: Section {
  var participant: Name?
  var size: Field?

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .another),
    Key(
      "size", \.size, .later(.any(of: .word(["off", "none"]), .size)),
      "Width and height in pixels, or the name of a 16:9 size; off or none.", required: "640x360"),
  ]
}

/// An app's view to which a stream is attached.
struct AttachSection: Section {
  var participant: Name?
  var view: String?

  static let keys: [Key<Self>] = [
    Key("participant", \.participant, .another, required: "ann"),
    Key("view", \.view, .text, "Name of a view of the app.", required: "main").shown("main"),
  ]
}

/// Frames that an app pushes: a number of them, for a time, or until stopped.
struct PushFramesSection: Section, FrameShaped {
  var fps: Double?
  var size: Resolution?
  var count: Int?
  var time: SimDuration?
  var frame = FrameShape()

  static let keys: [Key<Self>] =
    [
      Key("fps", \.fps, .number(1...240), "Frames per second that the app pushes.").shown("24"),
      Key("size", \.size, .pixels),
      Key(
        "count", \.count, .integer(1...1_000_000),
        "Number of frames; a single one leaves those alone that are pushed already."
      ).shown("48"),
      Key(
        "for", \.time, .duration(atLeast: .milliseconds(1)), "How long the app pushes.", examples: ["10s"]),
    ] + frameKeys

  static var rules: [Rule] { [.not(.has("count", "for"))] }
}

// MARK: Types

extension ValueType where Value == Bool {
  /// `video` or `audio`; `true` for video.
  static var medium: Self { .either(("video", true), or: ("audio", false)) }
}

extension ValueType where Value == ScrollSection {
  /// `700` to jump there, or `{to: 700, for: 400 ms}`.
  static var scroll: Self {
    let jump = ValueType<Int>.integer(ScrollSection.offsets)
    return Self(.any(of: jump.shape, ScrollSection.shape)) { field in
      if case .mapping = field.node { return Entry(field, field.key)?.values }
      return jump.read(field).map { ScrollSection(to: $0, time: .zero) }
    }
  }
}

extension ValueType where Value == StatedScreen {
  /// The new screen, such as after a rotation.
  static var turnedScreen: Self { Self(.any(of: .screen), read: Self.screen.read) }
}
