/// Times of a call's samples, checked and limited to the imported part.
struct CallClock {
  /// Maximum median sampling interval that reveals anything about a path [s]; services sample every 5 to 15 s.
  static let longestInterval = 30.0

  /// Indices of the samples in the imported part.
  let range: Range<Int>
  /// Median interval of the samples [s].
  let interval: Double

  /// - Parameter times: times of the samples [s], ascending; the call begins with the first.
  /// - Throws: ``CallRecordError`` for a part that is too short or too long, or has a gap.
  init(_ times: [Double], _ part: CallPart, path: String) throws(CallRecordError) {
    let start = times.first ?? 0
    let from = start + (part.from ?? 0)
    let to = start + (part.to ?? .infinity)
    let first = times.firstIndex { $0 >= from } ?? times.count
    let end = times.lastIndex { $0 <= to }.map { $0 + 1 } ?? 0
    guard first < end, times[end - 1] - times[first] >= CallRecord.shortest - 1 else {
      let seconds = times.last.map { Self.seconds($0 - start) } ?? "0"
      let which =
        part.from != nil || part.to != nil ? "this part of it has less" : "this one has \(seconds) s"
      throw CallRecordError(path: path, text: "a call must last at least 10 s: \(which)")
    }
    range = first..<end
    let steps = zip(times[range], times[range].dropFirst()).map { $1 - $0 }
    interval = CapacityCourse.median(steps)
    guard interval <= Self.longestInterval else {
      throw CallRecordError(
        path: path,
        text:
          "the samples are \(Self.seconds(interval)) s apart: at most 30 s, better 1 s, tell how a path changed"
      )
    }
    let longest = max(CallRecord.longestGap, 3 * interval)
    if let gap = steps.firstIndex(where: { $0 > longest }) {
      let after = first + gap + 1
      throw CallRecordError(
        path: path,
        text: "no samples between \(Self.seconds(times[after - 1] - start)) and "
          + "\(Self.seconds(times[after] - start)) s of the call: "
          + Self.advice(times, range, longest, start: start))
    }
    guard times[end - 1] - times[first] <= CallRecord.longest else {
      let last = Self.seconds((part.from ?? 0) + CallRecord.longest)
      throw CallRecordError(
        path: path,
        text: "a call of more than 7200 s cannot be imported whole: take a part of it with '--to \(last)s'")
    }
  }

  /// Returns the options that import the longest part without a gap.
  private static func advice(_ times: [Double], _ range: Range<Int>, _ longest: Double, start: Double)
    -> String
  {
    var best = range.lowerBound..<range.lowerBound
    var begin = range.lowerBound
    for index in range where index + 1 == range.upperBound || times[index + 1] - times[index] > longest {
      if begin < index,
        best.isEmpty || times[index] - times[begin] > times[best.upperBound - 1] - times[best.lowerBound]
      {
        best = begin..<(index + 1)
      }
      begin = index + 1
    }
    guard !best.isEmpty, times[best.upperBound - 1] - times[best.lowerBound] >= CallRecord.shortest - 1 else {
      return "no part between gaps has 10 s"
    }
    var options: [String] = []
    if best.lowerBound > range.lowerBound {
      options.append("--from \(Int((times[best.lowerBound] - start).rounded(.down)))s")
    }
    if best.upperBound < range.upperBound {
      options.append("--to \(Int((times[best.upperBound - 1] - start).rounded(.up)))s")
    }
    return "import the longest part without a gap by '\(options.joined(separator: " "))'"
  }

  private static func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\((value * 10).rounded() / 10)"
  }
}
