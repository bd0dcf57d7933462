/// A part of a recording [s], with the rows after its start and up to its end.
package struct MeasureWindow: Equatable, Sendable {
  package var from: Double
  package var to: Double

  package init(from: Double, to: Double) {
    self.from = from
    self.to = to
  }

  package func contains(_ time: Double) -> Bool { from < time && time <= to }

  /// Range in whole seconds, such as `0-20`.
  package var text: String { "\(from.text(decimals: 0))-\(to.text(decimals: 0))" }

  /// Returns the windows of a recording, whose name indicates the course of the link.
  ///
  /// - Parameters:
  ///   - name: `down` and `mild` narrow the link from 40 to 90 s, `out` interrupts it from 40 to 50 s, `bus` and
  ///     `train` follow a trace; the first match counts. For any other name, the start is separate from the rest.
  ///   - end: end of the shorter of the two sides [s]; windows that would start after it are left out.
  package static func windows(of name: String, end: Double) -> [MeasureWindow] {
    func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
    if has("down", "mild") {
      return [
        MeasureWindow(from: 0, to: 40), MeasureWindow(from: 45, to: 90), MeasureWindow(from: 95, to: end),
      ].filter { $0.from < end }
    }
    if has("out") {
      return [MeasureWindow(from: 0, to: 40), MeasureWindow(from: 52, to: end)].filter { $0.from < end }
    }
    if has("bus", "train") {
      return [
        MeasureWindow(from: 0, to: 20), MeasureWindow(from: 20, to: 60), MeasureWindow(from: 60, to: end),
      ].filter { $0.from < end }
    }
    return usual(end: end)
  }

  /// Returns the first 20 s, and the rest.
  package static func usual(end: Double) -> [MeasureWindow] {
    [MeasureWindow(from: 0, to: 20), MeasureWindow(from: 20, to: end)].filter { $0.from < end }
  }

  /// Returns the windows of a scalable stream's recording: `step` changes the link from 35 to 70 s.
  package static func layered(of name: String, end: Double) -> [MeasureWindow] {
    guard name.contains("step") else { return usual(end: end) }
    return [
      MeasureWindow(from: 0, to: 35), MeasureWindow(from: 40, to: 70), MeasureWindow(from: 75, to: end),
    ].filter { $0.from < end }
  }
}
