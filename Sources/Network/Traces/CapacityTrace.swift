package import Quantity

/// Recorded or generated capacity over time.
package struct CapacityTrace: Hashable, Sendable {
  /// Content of a trace.
  package enum Content: Hashable, Sendable {
    /// Capacity steps with strictly increasing times from zero.
    case rates([CapacityStep])
    /// Delivery opportunities of ``CapacityTrace/opportunitySize`` bytes each, as in Mahimahi's `mm-link` [ns since the
    /// start]; several may coincide.
    case opportunities([Int64])
  }

  /// Behaviour after the end of the trace.
  package enum Continuation: String, Hashable, Sendable, CaseIterable {
    /// The trace repeats.
    case loop
    /// The last capacity is kept.
    case hold
  }

  package let content: Content
  /// Length of one pass; for opportunities, the last time in the file (mm-link's rule).
  package let period: SimDuration
  package var continuation: Continuation
  /// Amount that one pass carries [bit/s x ns].
  let integral: Int128

  package init(content: Content, period: SimDuration, continuation: Continuation) {
    self.content = content
    self.period = period
    self.continuation = continuation
    switch content {
    case .opportunities(let times): integral = Int128(times.count) * Int128(Self.opportunityIntegral)
    case .rates(let steps):
      var sum = Int128(0)
      var end = period.nanoseconds
      for step in steps.reversed() {
        sum += Int128(step.rate.bitsPerSecond) * Int128(end - step.at.nanoseconds)
        end = step.at.nanoseconds
      }
      integral = sum
    }
  }

  /// Minimum length of a pass that repeats: anything shorter than a packet on a slow link has no effect but its mean.
  package static let shortestLoop = SimDuration.milliseconds(1)

  /// Size of a delivery opportunity [byte]: 1504 in Mahimahi's code (`link_queue.hh`), although its manual says 1500.
  package static let opportunitySize: Int64 = 1504
  /// Capacity integral of one delivery opportunity [bit/s x ns].
  static let opportunityIntegral = opportunitySize * 8 * 1_000_000_000
}

/// File formats of capacity traces.
package enum CapacityTraceFormat: String, Hashable, Sendable, CaseIterable {
  /// `t_s,rate_bps` with a header; each rate applies until the next row, the last one for as long as the one before.
  case rateCSV = "rate-csv"
  /// One non-decreasing integer per line [ms], a delivery opportunity each.
  case mahimahi
  /// `t_s mbps`, separated by spaces or tabs, at irregular times; a value applies until the next row (our rule;
  /// Pensieve's simulator uses the sample of the current interval).
  case pensieve
  /// `value,unit`, one row per second (NYU-METS).
  case mbpsLines = "mbps-lines"
  /// Epoch and elapsed time [ms], latitude, longitude, bytes and milliseconds since the previous row: a rate for the
  /// interval that ends at the row (Ghent 4G, Norway HSDPA logs).
  case sixColumn = "six-column"
  /// CSV with a header and a column `DL_bitrate` [kbit/s] (G-NetTrack, UCC 5G); times from `Timestamp`, such as
  /// `2019.12.14_10.16.30`, or one row per second without it; `-` keeps the last value; of several rows at one time the
  /// last wins.
  case gnettrack
  /// `t_ms kbps` in pairs of rows, start and end of a chunk, with the rate of the first; gaps between chunks keep the
  /// last value.
  case oboe
  /// JSON with a `trace_pattern` of `duration` [ms] and `capacity` [kbit/s], the uplink's or else the first; a missing
  /// capacity keeps the last value; `loss`, `rtt` and `jitter` are ignored (OpenNetLab's AlphaRTC).
  case alphartc

  /// `true` if the values are achieved throughput rather than path capacity.
  package var isLowerBound: Bool { self != .mahimahi && self != .rateCSV && self != .alphartc }

  /// Example row.
  var example: String {
    switch self {
    case .rateCSV: "'t_s,rate_bps' such as '0.5,2000000'"
    case .mahimahi: "whole milliseconds such as '12'"
    case .pensieve: "'t_s mbps' such as '0.5 2.4'"
    case .mbpsLines: "'value,unit' such as '14.4,Mbits/sec'"
    case .sixColumn:
      "epoch, ms, latitude, longitude, bytes and ms since the previous row, separated by spaces"
    case .gnettrack: "as many comma-separated values as the header has columns"
    case .oboe: "'t_ms kbps' such as '4000 1200'"
    case .alphartc: "'{\"duration\": 60000, \"capacity\": 300}'"
    }
  }
}

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
    case negative(String)
    case outOfOrder(previous: String, this: String)
    case mustBeginAtZero(String)
    case noCapacity
    case unknownFormat
    case unknownUnit(String)
    case missingColumn(String)
    case missingKey(String)
    case tooLarge(String)
    /// One pass of a trace that loops is too short.
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
    case .negative(let text): "'\(text)' is negative: times and rates are zero or more"
    case .outOfOrder(let previous, let this): "time \(this) comes after \(previous): sort the rows by time"
    case .mustBeginAtZero(let text): "the first time is \(text): a rate-csv starts at 0"
    case .noCapacity: "the capacity is zero throughout: at least one row needs a capacity above zero"
    case .unknownFormat:
      "unknown trace format: specify one of \(CapacityTraceFormat.allCases.map(\.rawValue).joined(separator: ", "))"
    case .unknownUnit(let text): "'\(text)' is not a unit of rate: write bits/sec, Kbits/sec or Mbits/sec"
    case .missingColumn(let name): "the header has no column '\(name)', which gnettrack requires"
    case .missingKey(let name):
      "'\(name)' is missing: alphartc has a 'trace_pattern' of 'duration' and 'capacity'"
    case .tooShort(let length):
      "the trace lasts \(length), and one that loops lasts at least \(CapacityTrace.shortestLoop): lengthen it, or "
        + "state 'after-end: hold'"
    case .tooLarge(let text): "'\(text)' is too large: at most 31536000 s and 1e12 bit/s"
    }
  }
}
