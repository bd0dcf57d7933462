import Quantity

/// A gap between the rows of a trace that is otherwise sampled regularly.
///
/// Our model: a gap is longer than 30 s and than ten usual steps, in a file of which three quarters of the steps are
/// within three times the usual one. Files that only list changes have no usual step.
struct TraceGap: Equatable {
  /// Start and end, counted from the start of the trace [s].
  let from: Double
  let to: Double
  /// Line of the row before it; `nil` if unknown.
  let line: Int?

  private static let least = 30.0
  private static let steps = 10.0
  private static let leastRows = 5

  /// Finds the gaps between rows.
  ///
  /// - Parameter rows: time [s], duration where the file states it [s], and line of each row.
  static func all(_ rows: [(time: Double, length: Double?, line: Int?)]) -> [TraceGap] {
    guard rows.count >= leastRows, let start = rows.first?.time else { return [] }
    let steps = zip(rows, rows.dropFirst()).map { $1.time - $0.time }
    let usual = PlausibleUnits.median(steps)
    guard usual > 0, steps.count(where: { $0 <= 3 * usual }) * 4 >= steps.count * 3 else { return [] }
    return zip(rows, rows.dropFirst()).compactMap { row, next in
      let end = row.time + min(row.length ?? usual, next.time - row.time)
      guard next.time - end > max(least, Self.steps * usual) else { return nil }
      return TraceGap(from: end - start, to: next.time - start, line: row.line)
    }
  }

  /// Describes the longest gap, and how to get the longest part without one.
  ///
  /// - Parameter length: length of the trace [s].
  static func doubt(_ gaps: [TraceGap], length: Double) -> String? {
    guard let longest = gaps.max(by: { $0.to - $0.from < $1.to - $1.from }) else { return nil }
    let bounds = zip([0] + gaps.map(\.to), gaps.map(\.from) + [length])
    guard let part = bounds.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return nil }
    func text(_ seconds: Double) -> String {
      TraceText.seconds(SimDuration(nanoseconds: Int64(seconds * 1e9)))
    }
    let options =
      (part.0 > 0 ? ["--from \(text(part.0))s"] : []) + (part.1 < length ? ["--until \(text(part.1))s"] : [])
    let place = longest.line.map { ", after line \($0)" } ?? ""
    let others = gaps.count > 1 ? ", the longest of \(gaps.count) gaps" : ""
    return
      "it has no rows between \(text(longest.from)) and \(text(longest.to)) s\(place)\(others): the rate before lasts; "
      + "'trace convert \(options.joined(separator: " "))' writes the longest part without a gap"
  }
}
