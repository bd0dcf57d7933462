/// A meeting through a real SFU as received by one viewer, sampled about once a second.
package struct SFURecording: Sendable {
  /// File name without `.csv`.
  package let name: String
  package let path: String
  /// Publishers, in the order of the file; `nil` for a room of one publisher, whose table does not name it.
  package let publishers: [String]?
  /// Sampling times since the viewer joined [s].
  package let times: [Double]
  package let course: TileCourse

  package var tileCount: Int { publishers?.count ?? 1 }
  package var isRoom: Bool { publishers == nil }

  /// Returns the windows for a comparison with another course.
  package func windows(with other: TileCourse) -> [MeasureWindow] {
    let end = min(course.end, other.end)
    return isRoom ? MeasureWindow.usual(end: end) : MeasureWindow.windows(of: name, end: end)
  }
}
