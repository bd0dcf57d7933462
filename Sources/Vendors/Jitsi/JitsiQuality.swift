import Ladder
import Layout
import Systems

/// jitsi-meet's quality levels (`video-quality/constants.ts`, `video-layout/functions.any.ts`).
enum JitsiQuality: Int, CaseIterable {
  case low = 180
  case standard = 360
  case high = 720
  case ultra = 2160

  var lines: Int { rawValue }
  /// `true` if only a few tiles may request the level.
  var isFull: Bool { lines > Self.standard.lines }

  /// Limits the level to standard if there are too many tiles.
  func capped(_ isCapped: Bool) -> JitsiQuality { isCapped && isFull ? .standard : self }

  /// Returns a tile's level: the highest that its height in points reaches; standard while no size is known.
  static func tile(_ size: Resolution?, _ screen: Screen) -> JitsiQuality {
    guard let height = size.map({ screen.points(of: $0).height }) else { return .standard }
    return allCases.last { height >= $0.lines } ?? .low
  }

  /// Returns the large video's level: the lowest that its height in points does not exceed; low while no size is known.
  static func largeVideo(_ size: Resolution?, _ screen: Screen) -> JitsiQuality {
    guard let height = size.map({ screen.points(of: $0).height }) else { return .low }
    return allCases.first { height <= $0.lines } ?? .ultra
  }
}
