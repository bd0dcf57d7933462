/// A quantity compared between two meetings.
package enum Measure: String, CaseIterable, Sendable {
  /// RTP bytes received of all tiles together [kbps].
  case kbps
  /// Share of seconds and tiles in which a frame was decoded.
  case picture
  /// Mean height over seconds and tiles, 0 where no frame was decoded [px].
  case height
  /// Decoded frames per second and tile.
  case fps
  /// Lost packets of all tiles per second.
  case lost
  /// Duration of finished freezes per tile [s].
  case frozen
  /// Time at which the last tile was first shown [s]; 99 if one never was.
  case allShown = "all_shown"

  /// Measures of each window, in the order of the report.
  package static let windowed: [Measure] = [.kbps, .picture, .height, .fps, .lost, .frozen]
}

/// Measures of one window.
package struct WindowMeasures: Equatable, Sendable {
  package var kbps = 0.0
  package var picture = 0.0
  package var height = 0.0
  package var fps = 0.0
  package var lost = 0.0
  package var frozen = 0.0

  package init() {}

  /// Measures a window of a course; `nil` if the window has no rows.
  package init?(_ course: TileCourse, in window: MeasureWindow) {
    let rows = course.rows.filter { window.contains($0.time) }
    guard !rows.isEmpty, course.tileCount > 0 else { return nil }
    let tiles = Double(course.tileCount)
    let count = Double(rows.count)
    let seconds = count / tiles
    for row in rows {
      kbps += row.bits
      picture += row.frames > 0 ? 1 : 0
      height += row.height
      fps += row.frames
      lost += row.lost
      frozen += row.frozen
    }
    kbps = kbps / 1e3 / seconds
    picture /= count
    height /= count
    fps /= count
    lost /= seconds
    frozen /= tiles
  }

  package subscript(measure: Measure) -> Double {
    switch measure {
    case .kbps: kbps
    case .picture: picture
    case .height: height
    case .fps: fps
    case .lost: lost
    case .frozen: frozen
    case .allShown: .nan
    }
  }

  /// Averages each measure; all are zero without any windows.
  package static func mean(of all: [WindowMeasures]) -> WindowMeasures {
    var mean = WindowMeasures()
    guard !all.isEmpty else { return mean }
    for one in all {
      mean.kbps += one.kbps
      mean.picture += one.picture
      mean.height += one.height
      mean.fps += one.fps
      mean.lost += one.lost
      mean.frozen += one.frozen
    }
    let count = Double(all.count)
    mean.kbps /= count
    mean.picture /= count
    mean.height /= count
    mean.fps /= count
    mean.lost /= count
    mean.frozen /= count
    return mean
  }
}
