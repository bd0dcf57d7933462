import Files
import Quantity

/// A trace file that has been read.
package struct TraceFile {
  package let format: CapacityTraceFormat
  package let trace: CapacityTrace
  /// First rows, each with its place in the file and its meaning.
  package let rows: [Row]
  /// Notes on what was left out or chosen: other directions, delays, loss.
  package let notes: [String]
  /// Reasons to doubt that the file was read as intended.
  package let doubts: [String]

  /// A row: its line from 1, and its meaning.
  package struct Row: Equatable, Sendable {
    package var line: Int
    package var text: String
    package var meaning: String
  }

  /// Number of rows that are shown.
  static let shownRows = 3

  /// Reads a file in the given format, or else in the one that fits its whole content.
  ///
  /// - Throws: ``CapacityTraceError`` with the offending line, or with all readings of a file that fits several.
  package init(
    bytes: [UInt8], format stated: CapacityTraceFormat? = nil, columns: TraceColumns = TraceColumns(),
    continuation: CapacityTrace.Continuation
  ) throws(CapacityTraceError) {
    if let place = bytes.firstNonText {
      throw CapacityTraceError(line: place.line, column: place.column, cause: .notText)
    }
    let lines = TraceLines(bytes)
    let choice: TraceChoice
    if let stated {
      choice = try TraceChoice(lines, as: stated, columns)
    } else if !columns.isEmpty {
      choice = try TraceChoice(lines, as: .columns, columns)
    } else {
      choice = try TraceChoice(detecting: lines)
    }
    let trace = try choice.trace(continuation)
    guard trace.continuation == .hold || trace.period >= CapacityTrace.shortestLoop else {
      throw CapacityTraceError(line: lines.lastNumber, cause: .tooShort(trace.period))
    }
    format = choice.format
    self.trace = trace
    rows = choice.rows(of: trace)
    notes = choice.notes
    // Stating the format settles these doubts.
    var doubts: [String] = []
    if stated == nil {
      doubts = choice.doubts
      if let gap = TraceGap.doubt(choice.gaps(of: trace), length: trace.period.seconds) { doubts.append(gap) }
    }
    self.doubts = doubts + Self.doubts(of: trace)
  }

  /// Returns doubts about lengths and rates that no path of a call has [our model].
  private static func doubts(of trace: CapacityTrace) -> [String] {
    var doubts: [String] = []
    let mean = trace.meanRate
    if trace.period < .seconds(1) {
      doubts.append("it lasts \(TraceText.seconds(trace.period)) s: are its times in another unit?")
    }
    if mean < .kilobits(10) {
      doubts.append("its mean is \(mean.bitsPerSecond) bps: are its rates in another unit?")
    }
    if case .rates(let steps) = trace.content, let greatest = steps.map(\.rate).max(),
      greatest > .megabits(10_000)
    {
      doubts.append("its greatest rate is \(TraceText.rate(greatest)): are its rates in another unit?")
    } else if mean > .megabits(10_000) {
      doubts.append("its mean is \(TraceText.rate(mean)): are its rates in another unit?")
    }
    return doubts
  }
}

extension CapacityTrace {
  /// Reads a trace file (``TraceFile``).
  package init(
    bytes: [UInt8], format: CapacityTraceFormat, continuation: Continuation
  ) throws(CapacityTraceError) {
    self = try TraceFile(bytes: bytes, format: format, continuation: continuation).trace
  }

  /// Mean over one pass.
  var meanRate: BitRate {
    let mean = integral / Int128(max(1, period.nanoseconds))
    return BitRate(bitsPerSecond: Int64(clamping: mean))
  }
}
