/// A meeting through a real SFU as received by one viewer, sampled about once a second.
package struct SFURecording: Sendable {
  /// File name without `.csv`.
  package let name: String
  package let path: String
  /// Publishers, in file order; `nil` for a room with one publisher, whose table does not name it.
  package let publishers: [String]?
  /// Sampling times since the viewer joined [s].
  package let times: [Double]
  package var course: TileCourse
  /// Set for a scalable stream, with a `NAME-layers.csv` beside the recording.
  package var isLayered = false

  package var tileCount: Int { publishers?.count ?? 1 }
  package var isRoom: Bool { publishers == nil }

  /// Returns the windows for a comparison with another course.
  package func windows(with other: TileCourse) -> [MeasureWindow] {
    let end = min(course.end, other.end)
    if isLayered { return MeasureWindow.layered(of: name, end: end) }
    return isRoom ? MeasureWindow.usual(end: end) : MeasureWindow.windows(of: name, end: end)
  }

  /// Measures of each window.
  package var measures: [Measure] {
    guard isLayered else { return Measure.windowed }
    return Measure.layered + (course.layers.isEmpty ? [] : Measure.layers)
  }
}
