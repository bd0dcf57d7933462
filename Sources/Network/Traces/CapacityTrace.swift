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
  /// A CSV with a header in which `DL_bitrate` [kbit/s] is a column, a row each second (G-NetTrack, UCC 5G).
  case gnettrack
  /// `t_ms kbps` in pairs of rows, beginning and end of a chunk; what lies between chunks keeps the last value.
  case oboe
  /// JSON with `trace_pattern` of `duration` [ms] and `capacity` [kbit/s]; the first pattern counts, its `loss` and
  /// `rtt` are not read (OpenNetLab's AlphaRTC).
  case alphartc

  /// What the values of a format measure.
  package var isLowerBound: Bool { self != .mahimahi && self != .rateCSV && self != .alphartc }
}

/// Why a trace can't be used, and where.
package struct CapacityTraceError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Cause: Equatable, Sendable {
    case empty
    case notText
    case missingHeader(found: String)
    case notARow(String)
    case notANumber(String)
    case negative(String)
    case outOfOrder(previous: String, this: String)
    case mustBeginAtZero(String)
    case noCapacity
    case unknownFormat
    case unknownUnit(String)
    case missingColumn(String)
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
    case .notARow(let text):
      "'\(text)' is not a row of two values: write 't_s,rate_bps' such as '0.5,2000000'"
    case .notANumber(let text): "'\(text)' is not a number"
    case .negative(let text): "'\(text)' is negative: times and rates are zero or more"
    case .outOfOrder(let previous, let this): "time \(this) comes after \(previous): sort the rows by time"
    case .mustBeginAtZero(let text): "the first time is \(text): a rate-csv begins at 0"
    case .noCapacity: "the trace never carries anything: at least one row needs a capacity above zero"
    case .unknownFormat:
      "no known trace format: name one of \(CapacityTraceFormat.allCases.map(\.rawValue).joined(separator: ", "))"
    case .unknownUnit(let text): "'\(text)' is no unit of a rate: write bits/sec, Kbits/sec or Mbits/sec"
    case .missingColumn(let name): "the header has no column '\(name)'"
    case .tooLarge(let text): "'\(text)' is too large: at most 31536000 s and 1e12 bit/s"
    }
  }
}
