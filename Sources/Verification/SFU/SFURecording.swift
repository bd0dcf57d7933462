/// A meeting through a real SFU as one viewer received it, sampled about once a second.
package struct SFURecording: Sendable {
  /// The file's name without `.csv`.
  package let name: String
  package let path: String
  /// Publishers, in the order of the file; `nil` for a room of one publisher, whose table doesn't name it.
  package let publishers: [String]?
  /// When samples were taken, since the viewer joined [s].
  package let times: [Double]
  package let course: TileCourse

  package var tileCount: Int { publishers?.count ?? 1 }
  package var isRoom: Bool { publishers == nil }

  /// The windows in which it is compared with another course.
  package func windows(with other: TileCourse) -> [MeasureWindow] {
    let end = min(course.end, other.end)
    return isRoom ? MeasureWindow.usual(end: end) : MeasureWindow.windows(of: name, end: end)
  }
}
