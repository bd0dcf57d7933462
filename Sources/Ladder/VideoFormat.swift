import Quantity

/// A resolution at a frame rate, such as `720p30` or `640x360@15`.
package struct VideoFormat: Hashable, Sendable, BitwiseCopyable {
  package var resolution: Resolution
  /// Frame rate [1/1000 Hz]: an integer, so that 7.5 fps is exact.
  package var milliFramesPerSecond: Int

  package init(_ resolution: Resolution, milliFramesPerSecond: Int) {
    self.resolution = resolution
    self.milliFramesPerSecond = milliFramesPerSecond
  }

  /// Creates a format with a whole number of frames per second.
  package init(_ resolution: Resolution, framesPerSecond: Int) {
    self.init(resolution, milliFramesPerSecond: framesPerSecond * 1000)
  }

  /// Frame rate [Hz], for display.
  package var framesPerSecond: Double { Double(milliFramesPerSecond) / 1000 }

  /// Checks whether the format has at least the lines and frame rate of a request; 0 accepts any.
  package func meets(_ requested: VideoFormat) -> Bool {
    resolution.lines >= requested.resolution.lines && milliFramesPerSecond >= requested.milliFramesPerSecond
  }
}

/// Reason why a text cannot be parsed as a video format.
package enum VideoFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  case unreadable(String)
  case outOfRange(String)

  package var description: String {
    switch self {
    case .unreadable(let text) where Resolution.named.contains { $0.name == text }:
      "'\(text)' is not a video format: it has no frame rate: did you mean '\(text)30'?"
    case .unreadable(let text):
      "'\(text)' is not a video format: write a name with a frame rate such as '720p30' "
        + "(90p, 180p, 270p, 360p, 540p, 720p, 1080p) or a size such as '640x360@15'"
    case .outOfRange(let text):
      "'\(text)' is out of range: width and height are 16 to 8192 pixels, the frame rate is 1 to 120"
    }
  }
}

extension VideoFormat {
  /// Parses `720p30`, `360p7.5` or `640x360@15`. In the named forms, `7` means 7.5 fps, as in the vendors' documents:
  /// half of 15.
  ///
  /// - Throws: ``VideoFormatError``.
  package init(text: String) throws(VideoFormatError) {
    try self.init(captureText: text)
    guard !text.contains("@") else { return }
    if milliFramesPerSecond == 7000 { milliFramesPerSecond = 7500 }
  }

  /// Parses a capture format, whose frame rate is taken literally.
  ///
  /// - Throws: ``VideoFormatError``.
  package init(captureText text: String) throws(VideoFormatError) {
    let resolution: Resolution
    let rate: Substring
    if let at = text.firstIndex(of: "@") {
      let sides = text[..<at].split(separator: "x", omittingEmptySubsequences: false)
      guard sides.count == 2, let width = Int(plain: sides[0]), let height = Int(plain: sides[1]) else {
        throw .unreadable(text)
      }
      resolution = Resolution(width: width, height: height)
      rate = text[text.index(after: at)...]
    } else {
      guard let p = text.firstIndex(of: "p") else { throw .unreadable(text) }
      let name = String(text[...p])
      guard let known = Resolution.named.first(where: { $0.name == name }) else { throw .unreadable(text) }
      resolution = known.resolution
      rate = text[text.index(after: p)...]
    }
    guard let value = Double(plain: rate) else { throw .unreadable(text) }
    guard (16...8192).contains(resolution.width), (16...8192).contains(resolution.height),
      value >= 1, value <= 120
    else { throw .outOfRange(text) }
    self.init(resolution, milliFramesPerSecond: Int((value * 1000).rounded()))
  }
}

extension VideoFormat: CustomStringConvertible {
  /// Text that parses as the same format.
  package var description: String {
    let whole = milliFramesPerSecond / 1000
    let rate = milliFramesPerSecond % 1000 == 0 ? "\(whole)" : "\(framesPerSecond)"
    let short = rate == "7.5" ? "7" : rate
    let name = resolution.description
    return name.hasSuffix("p") ? name + short : "\(name)@\(rate)"
  }
}
