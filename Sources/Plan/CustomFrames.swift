package import Ladder
package import Quantity

/// Frames that an app produces and passes to the SDK, one call per frame.
package struct CustomFrames: Hashable, Sendable {
  /// Number of frames that the app pushes.
  package enum Extent: Hashable, Sendable {
    /// A number of frames, at least 1.
    case count(Int)
    /// The frames due within a time from the first.
    case duration(SimDuration)
    /// Frames until the timeline stops the app.
    case untilStopped
  }

  /// Frame rate at which the app pushes [1/1000 Hz], above zero.
  package var milliFramesPerSecond: Int
  /// Size before orientation.
  package var size: Resolution
  /// Number of quarter turns clockwise, 0 to 3.
  package var quarterTurns: Int
  package var extent: Extent

  package init(milliFramesPerSecond: Int, size: Resolution, quarterTurns: Int = 0, extent: Extent) {
    self.milliFramesPerSecond = milliFramesPerSecond
    self.size = size
    self.quarterTurns = quarterTurns
    self.extent = extent
  }

  /// Indicates whether the app makes a single call.
  package var isSingle: Bool { extent == .count(1) }

  /// Frame rate [1/1000 Hz] of an app that pushes for a second or longer; 0 for a shorter batch.
  package var steadyRate: Int {
    guard let count else { return milliFramesPerSecond }
    return count * 1000 >= Int64(milliFramesPerSecond) ? milliFramesPerSecond : 0
  }

  /// Number of frames; `nil` if frames continue until the app is stopped.
  package var count: Int64? {
    switch extent {
    case .count(let count): return Int64(count)
    case .duration(let duration):
      let frames = Int128(duration.nanoseconds) * Int128(milliFramesPerSecond)
      return Int64((frames + 999_999_999_999) / 1_000_000_000_000)
    case .untilStopped: return nil
    }
  }

  /// Returns the time of a frame after the first, which is number 0.
  package func offset(of frame: Int64) -> SimDuration {
    SimDuration(frames: frame, milliFramesPerSecond: milliFramesPerSecond)
  }

  /// Text in `events.csv`: `1280x720` for one frame, `1280x720@24` for several.
  package var description: String {
    let size = "\(size.width)x\(size.height)"
    return isSingle ? size : "\(size)@\(Self.rate(milliFramesPerSecond))"
  }

  private static func rate(_ milliFramesPerSecond: Int) -> String {
    milliFramesPerSecond % 1000 == 0
      ? "\(milliFramesPerSecond / 1000)" : "\(Double(milliFramesPerSecond) / 1000)"
  }
}

/// Aspect ratio of an app's frames (iOS SDK).
package enum FrameAspectRatio: String, Hashable, Sendable, CaseIterable {
  case wide = "16:9"
  case standard = "4:3"

  /// Finds the aspect ratio of a size, within 1 % for sizes such as 854x480 [our model for the tolerance]; `nil` for
  /// any other.
  package init?(of size: Resolution) {
    let match = Self.allCases.first { ratio in
      let (across, down) = ratio.sides
      return abs(size.width * down - size.height * across) * 100 <= size.height * across
    }
    guard let match else { return nil }
    self = match
  }

  private var sides: (across: Int, down: Int) {
    switch self {
    case .wide: (16, 9)
    case .standard: (4, 3)
    }
  }
}
