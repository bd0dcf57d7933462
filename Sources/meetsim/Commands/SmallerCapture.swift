import Ladder

/// Capture formats to try in place of a larger one.
enum SmallerCapture {
  /// Returns the usual formats of cameras or screen shares with fewer lines than a format, the largest first.
  static func formats(isScreen: Bool, below capture: VideoFormat) -> [VideoFormat] {
    (isScreen ? shares : cameras).filter { $0.resolution.lines < capture.resolution.lines }
  }

  private static let cameras = [
    VideoFormat(.p720, framesPerSecond: 30), VideoFormat(.p360, framesPerSecond: 30),
    VideoFormat(.p180, framesPerSecond: 15),
  ]
  private static let shares = [
    VideoFormat(.p720, framesPerSecond: 15), VideoFormat(.p540, framesPerSecond: 5),
  ]
}
