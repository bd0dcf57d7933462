/// A quantity compared between two meetings.
package enum Measure: String, CaseIterable, Sendable {
  /// RTP bytes received in all tiles together [kbps].
  case kbps
  /// Share of seconds and tiles in which a frame was decoded.
  case picture
  /// Mean height over seconds and tiles, 0 where no frame was decoded [px].
  case height
  /// Decoded frames per second and tile.
  case fps
  /// Packets lost per second, in all tiles.
  case lost
  /// Duration of finished freezes per tile [s].
  case frozen
  /// Decoded key frames per tile and minute.
  case keyFrames = "key_frames"
  /// Rates of the sender's spatial layers, including RTP headers [kbps].
  case layer0 = "s0"
  case layer1 = "s1"
  case layer2 = "s2"
  /// Time at which the last tile is first shown [s]; 99 if any never is.
  case allShown = "all_shown"

  /// Measures of each window, in the order of the report.
  package static let windowed: [Measure] = [.kbps, .picture, .height, .fps, .lost, .frozen]
  /// Measures of each window of a scalable stream.
  package static let layered = windowed + [.keyFrames]
  /// Measures of each window if the sender's layers were recorded.
  package static let layers: [Measure] = [.layer0, .layer1, .layer2]
}

/// Measures of one window.
package struct WindowMeasures: Sendable {
  package var kbps = 0.0
  package var picture = 0.0
  package var height = 0.0
  package var fps = 0.0
  package var lost = 0.0
  package var frozen = 0.0
  package var keyFrames = 0.0
  /// Rates of the sender's spatial layers [kbps].
  package var layers = InlineArray<3, Double>(repeating: 0)

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
      keyFrames += row.keyFrames
    }
    kbps = kbps / 1e3 / seconds
    picture /= count
    height /= count
    fps /= count
    lost /= seconds
    frozen /= tiles
    keyFrames *= 60 / count
    for spatial in 0..<3 {
      layers[spatial] = course.layers.bits(of: spatial, in: window) / 1e3 / seconds
    }
  }

  package subscript(measure: Measure) -> Double {
    switch measure {
    case .kbps: kbps
    case .picture: picture
    case .height: height
    case .fps: fps
    case .lost: lost
    case .frozen: frozen
    case .keyFrames: keyFrames
    case .layer0: layers[0]
    case .layer1: layers[1]
    case .layer2: layers[2]
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
      mean.keyFrames += one.keyFrames
      for spatial in 0..<3 { mean.layers[spatial] += one.layers[spatial] }
    }
    let count = Double(all.count)
    mean.kbps /= count
    mean.picture /= count
    mean.height /= count
    mean.fps /= count
    mean.lost /= count
    mean.frozen /= count
    mean.keyFrames /= count
    for spatial in 0..<3 { mean.layers[spatial] /= count }
    return mean
  }
}
