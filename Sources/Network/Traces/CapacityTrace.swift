package import Quantity

/// A recorded or generated capacity over time.
package struct CapacityTrace: Hashable, Sendable {
  /// What a trace says of each moment.
  package enum Content: Hashable, Sendable {
    /// The capacity from each time on; times rise strictly from zero.
    case rates([CapacityStep])
    /// Moments at which one packet of ``CapacityTrace/opportunitySize`` may leave, as Mahimahi's `mm-link` reads
    /// them [ns since the beginning]; several may share a moment.
    case opportunities([Int64])
  }

  /// What comes after the end of the trace.
  package enum Continuation: String, Hashable, Sendable, CaseIterable {
    /// The trace begins again.
    case loop
    /// The last capacity stays.
    case hold
  }

  package var content: Content
  /// Length of one pass; the last stated time for opportunities (mm-link's rule).
  package var period: SimDuration
  package var continuation: Continuation

  package init(content: Content, period: SimDuration, continuation: Continuation) {
    self.content = content
    self.period = period
    self.continuation = continuation
  }

  /// Bytes of one delivery opportunity: 1504 in Mahimahi's code (`link_queue.hh`), though its manual says 1500.
  package static let opportunitySize: Int64 = 1504
}

/// The file formats of capacity traces.
package enum CapacityTraceFormat: String, Hashable, Sendable, CaseIterable {
  /// `t_s,rate_bps` with a header; each rate holds until the next row, the last one as long as the row before.
  case rateCSV = "rate-csv"
  /// One integer per line [ms], never falling: a delivery opportunity each.
  case mahimahi
  /// `t_s mbps` by spaces or tabs, irregular; a value holds until the next row (our rule; Pensieve's own simulator takes
  /// the sample of the present interval).
  case pensieve
  /// `value,unit`, a row each second (NYU-METS).
  case mbpsLines = "mbps-lines"
  /// Epoch and elapsed time [ms], latitude, longitude, bytes and milliseconds since the row before: a rate that holds
  /// in the interval that ends at the row (Ghent 4G, Norway HSDPA logs).
  case sixColumn = "six-column"
  /// A CSV with a header in which `DL_bitrate` [kbit/s] is a column (G-NetTrack, UCC 5G): times from `Timestamp`, as
  /// `2019.12.14_10.16.30`, a second each without; `-` keeps the last value, the last of several at one time holds.
  case gnettrack
  /// `t_ms kbps` in pairs of rows, beginning and end of a chunk, the rate being that of the beginning; what lies between
  /// chunks keeps the last value.
  case oboe
  /// JSON with `trace_pattern` of `duration` [ms] and `capacity` [kbit/s]: the uplink's, else the first; an absent
  /// capacity keeps the last value, `loss`, `rtt` and `jitter` are not read (OpenNetLab's AlphaRTC).
  case alphartc

  /// Whether the values are what somebody achieved, not what the path had.
  package var isLowerBound: Bool { self != .mahimahi && self != .rateCSV && self != .alphartc }

  /// A row as it should be.
  var example: String {
    switch self {
    case .rateCSV: "'t_s,rate_bps' such as '0.5,2000000'"
    case .mahimahi: "whole milliseconds such as '12'"
    case .pensieve: "'t_s mbps' such as '0.5 2.4'"
    case .mbpsLines: "'value,unit' such as '14.4,Mbits/sec'"
    case .sixColumn: "epoch, ms, latitude, longitude, bytes and ms since the row before, by spaces"
    case .gnettrack: "as many values as the header has names, by commas"
    case .oboe: "'t_ms kbps' such as '4000 1200'"
    case .alphartc: "'{\"duration\": 60000, \"capacity\": 300}'"
    }
  }
}

/// Why a trace can't be used, and where.
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
  }

  /// Line in the trace file, from 1.
  package var line: Int
  package var cause: Cause

  package init(line: Int, cause: Cause) {
    self.line = line
    self.cause = cause
  }

  package var description: String {
    switch cause {
    case .empty: "the trace has no rows: give it at least one"
    case .notText: "the trace is not text"
    case .missingHeader(let found): "the first line is '\(found)': a rate-csv begins with 't_s,rate_bps'"
    case .notARow(let text, let format):
      "'\(text)' is not a row of \(format.rawValue): write \(format.example)"
    case .emptyLine: "the line is empty: take it out, Mahimahi refuses it too"
    case .noEnd: "the last row has no partner: oboe states beginning and end of each chunk"
    case .notWhole(let text):
      "'\(text)' is not a whole number: Mahimahi's times are milliseconds such as '12'"
    case .notANumber(let text):
      "'\(text)' is not a number: write one such as '2.5', or name another 'format'"
    case .negative(let text): "'\(text)' is negative: times and rates are zero or more"
    case .outOfOrder(let previous, let this): "time \(this) comes after \(previous): sort the rows by time"
    case .mustBeginAtZero(let text): "the first time is \(text): a rate-csv begins at 0"
    case .noCapacity: "the trace never carries anything: at least one row needs a capacity above zero"
    case .unknownFormat:
      "no known trace format: name one of \(CapacityTraceFormat.allCases.map(\.rawValue).joined(separator: ", "))"
    case .unknownUnit(let text): "'\(text)' is no unit of a rate: write bits/sec, Kbits/sec or Mbits/sec"
    case .missingColumn(let name): "the header has no column '\(name)': gnettrack needs it"
    case .missingKey(let name):
      "no '\(name)' here: alphartc has a 'trace_pattern' of 'duration' and 'capacity'"
    case .tooLarge(let text): "'\(text)' is too large: at most 31536000 s and 1e12 bit/s"
    }
  }
}
