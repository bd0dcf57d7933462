import Ladder
import Media
import Plan
import Quantity
import YAML

/// Change of a sender's parameters; see ``SendReader``.
struct SendSection: Section {
  var of: VideoSourcePlan.Kind?
  var maximum: Field?
  var lines: Field?
  var fps: Field?
  var scale: Field?
  var encodings: [Name]?
  var capture: Field?
  var degradation: DegradationPreference?
  var priority: SenderPriority?

  static let lineLimits = 16...8192
  static let frameRates = 1.0...120
  static let factors = 1.0...64

  static let keys: [Key<Self>] = [
    Key("of", \.of, .choice, "The source; camera and custom are both the main video.", default: "camera")
      .beside("{maximum: 500 kbps}").amid(meeting(of: "webrtc-vp8")),
    Key(
      "maximum", \.maximum, .limit(.quantity(.bitRate)),
      "Maximum bit rate of all encodings or layers together, or by encoding (maxBitrate); none removes it."
    ).shown("500 kbps"),
    Key(
      "maximum-height", \.lines, .limit(.integer(lineLimits)),
      "Maximum of the picture's shorter side [px]: of the source, beyond which higher encodings are off, or by "
        + "encoding (scaleResolutionDownTo); none removes it."
    ).shown("360"),
    Key(
      "maximum-fps", \.fps, .limit(.number(frameRates)),
      "Maximum frames per second of all encodings, or by encoding (maxFramerate); none removes it."
    ).shown("15"),
    Key(
      "scale-down-by", \.scale, .limit(.number(factors)),
      "Divisor of width and height: of the source, for all encodings beyond their own, or by encoding, from the capture "
        + "(scaleResolutionDownBy); none removes it."
    ).shown("2"),
    Key(
      "encodings", \.encodings, .list(of: .name),
      "Encodings that are on, all others being off (active); of a scalable stream all layers, or none."
    ).shown("[q, h]").amid(meeting(of: "webrtc-vp8")),
    Key(
      "capture", \.capture, .later(.capture),
      "Size and frame rate of the camera or screen from now on (applyConstraints), at most what is published."
    ).shown("360p15"),
    Key(
      "degradation", \.degradation, .choice,
      "Degradation preference of a source with one encoding "
        + "(degradationPreference); an error with several."
    ).shown("maintain-resolution").amid(meeting(of: "single", capture: "360p30")),
    Key(
      "priority", \.priority, .choice,
      "Weight of the source among its sender's own: each priority has twice that of the one below; low by default."
    ),
  ]

  /// Builds a meeting whose publisher has a camera with a ladder.
  private static func meeting(of ladder: String, capture: String = "720p30") -> String {
    "{participants: [{id: ann, publish: {camera: {capture: \(capture), ladder: \(ladder)}, screen: 1080p15}}, "
      + "{id: eve, view: {tiles: {ann: 640x360}}}]}"
  }
}

extension ValueType where Value == Field {
  /// A value for the source, a mapping from encodings to values, or none.
  fileprivate static func limit(_ value: Shape) -> Self {
    .later(.any(of: value, .word(["none"]), .names(to: value).named("q")))
  }
}
