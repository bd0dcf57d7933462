import Plan

/// Properties of an app's frames besides their size and rate.
struct FrameShape {
  var aspect: FrameAspectRatio?
  var format: FramePixels?
  var orientation: Orientation?

  static let names = ["aspect", "format", "orientation"]
}

/// A section with the properties of an app's frames.
protocol FrameShaped {
  var frame: FrameShape { get set }
}

extension FrameShaped {
  /// Declarations of the properties.
  static var frameKeys: [Key<Self>] {
    [
      Key(
        "aspect", \.frame.aspect, .choice, "Aspect ratio of the frames; must be that of their size."),
      Key(
        "format", \.frame.format, .choice,
        "Pixel format of the frames; nv12 needs an even width and height."),
      Key(
        "orientation", \.frame.orientation, .choice,
        "Orientation of the frames: 0 degrees for portrait and unknown, 90 for landscape-left, 180 for "
          + "portrait-upside-down, 270 for landscape-right."),
    ]
  }
}

/// Orientation of the frames that an app pushes, which determines their rotation for display.
enum Orientation: String, CaseIterable {
  case portrait
  case landscapeLeft = "landscape-left"
  case portraitUpsideDown = "portrait-upside-down"
  case landscapeRight = "landscape-right"
  case unknown

  var quarterTurns: Int {
    switch self {
    case .portrait, .unknown: 0
    case .landscapeLeft: 1
    case .portraitUpsideDown: 2
    case .landscapeRight: 3
    }
  }
}

/// Pixel formats of an app's frames (iOS SDK).
enum FramePixels: String, CaseIterable {
  /// 1.5 bytes per pixel, with color at half the resolution.
  case nv12
  /// 4 bytes per pixel.
  case bgra
}
