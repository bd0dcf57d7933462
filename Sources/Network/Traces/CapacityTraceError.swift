package import Quantity

/// Error in a trace file with its location.
package struct CapacityTraceError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Cause: Equatable, Sendable {
    case empty
    case notText
    case missingHeader(found: String)
    case notARow(String, CapacityTraceFormat)
    case emptyLine
    case noEnd
    case notWhole(String)
    case notANumber(String)
    case notATime(String)
    case negative(String)
    case outOfOrder(previous: String, this: String)
    case mustBeginAtZero(String)
    case noCapacity
    case unknownFormat
    case unknownUnit(String)
    case missingColumn(String, available: [String])
    case missingKey(String, CapacityTraceFormat)
    /// Readings that fit the file, each with its result.
    case ambiguous([TraceCandidate])
    case notJSON(String)
    case tooLarge(String)
    /// A command or other content that cannot be read, with the message for the user.
    case command(String)
    /// A pass of a looping trace is too short.
    case tooShort(SimDuration)
  }

  /// Line in the trace file, from 1.
  package var line: Int
  /// Column of the offending value, from 1; 1 if the whole line is meant.
  package var column: Int
  package var cause: Cause

  package init(line: Int, column: Int = 1, cause: Cause) {
    self.line = line
    self.column = column
    self.cause = cause
  }

  package var description: String {
    switch cause {
    case .empty: "the trace has no rows: at least one is needed"
    case .notText: "the trace is not a UTF-8 text file"
    case .missingHeader(let found): "the first line is '\(found)': a rate-csv starts with 't_s,rate_bps'"
    case .notARow(let text, let format):
      "'\(text)' is not a row of \(format.rawValue): write \(format.example)"
    case .emptyLine: "the line is empty: remove it, Mahimahi rejects it too"
    case .noEnd: "the last chunk has no end: oboe has two rows per chunk, its start and its end"
    case .notWhole(let text):
      "'\(text)' is not a whole number: Mahimahi times are milliseconds such as '12'"
    case .notANumber(let text):
      "'\(text)' is not a number: write one such as '2.5', or specify another 'format'"
    case .notATime(let text):
      "'\(text)' is not a time: write seconds, milliseconds or a date such as '2026-01-31 10:16:30'"
    case .negative(let text): "'\(text)' is negative: times and rates are zero or more"
    case .outOfOrder(let previous, let this): "time \(this) comes after \(previous): sort the rows by time"
    case .mustBeginAtZero(let text): "the first time is \(text): a rate-csv starts at 0"
    case .noCapacity: "the capacity is zero throughout: at least one row needs a capacity above zero"
    case .unknownFormat:
      "unknown trace format: specify one of \(CapacityTraceFormat.allCases.map(\.rawValue).joined(separator: ", ")); "
        + "a table of times and rates is 'columns', with 'time', 'rate' and 'unit' where they have no such names"
    case .unknownUnit(let text): "'\(text)' is not a unit of rate: write bits/sec, Kbits/sec or Mbits/sec"
    case .missingColumn(let name, let available):
      "there is no column '\(name)': the file has \(available.map { "'\($0)'" }.joined(separator: ", ")), of which "
        + "'time', 'rate' and 'unit' state what to read"
    case .missingKey(let name, let format): "'\(name)' is missing: \(format.rawValue) is \(format.example)"
    case .ambiguous(let candidates):
      (candidates.count == 1
        ? "the file does not say how it is to be read: state "
        : "the file can be read in \(candidates.count) ways: state ")
        + candidates.map(\.description).joined(separator: "; or ")
    case .notJSON(let text): "this is not JSON: \(text)"
    case .tooShort(let length):
      "the trace lasts \(length), and one that loops lasts at least \(CapacityTrace.shortestLoop): lengthen it, or "
        + "state 'after-end: hold'"
    case .tooLarge(let text): "'\(text)' is too large: at most 31536000 s and 1e12 bit/s"
    case .command(let text): text
    }
  }
}

/// One of several readings of a file, with its result.
package struct TraceCandidate: Equatable, Sendable, CustomStringConvertible {
  /// Setting that selects the reading, such as 'format: pensieve'.
  package var setting: String
  package var meaning: String
  package var duration: SimDuration
  package var mean: BitRate

  package var description: String {
    "'\(setting)' for \(meaning) (\(TraceText.seconds(duration)) s, mean \(TraceText.rate(mean)))"
  }
}

/// Texts of times and rates in messages on traces.
enum TraceText {
  /// Seconds with up to three decimals.
  static func seconds(_ duration: SimDuration) -> String {
    let value = (duration.seconds * 1000).rounded() / 1000
    return value == value.rounded() ? "\(Int64(value))" : "\(value)"
  }

  /// Whole kbps.
  static func rate(_ rate: BitRate) -> String { "\((rate.bitsPerSecond + 500) / 1000) kbps" }
}
