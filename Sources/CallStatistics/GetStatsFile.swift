import Files
import JSON

/// Reads files of `getStats()` samples: tables and JSON, compressed or not.
package enum GetStatsFile {
  private static let limit = 64_000_000

  /// Reads a file: as JSON if it begins with a bracket, otherwise as a table.
  ///
  /// - Throws: ``CallRecordError`` for a file that cannot be read or contains no usable call.
  package static func read(path: String, _ part: CallPart = CallPart()) throws(CallRecordError) -> CallRecord
  {
    try read(try CallRecord.bytes(of: path, limit: limit), path: path, part)
  }

  /// Reads a file from its bytes; `path` names it in errors.
  package static func read(
    _ bytes: [UInt8], path: String, _ part: CallPart = CallPart()
  ) throws(CallRecordError) -> CallRecord {
    var reader = JSONReader(bytes.hasByteOrderMark ? [UInt8](bytes.dropFirst(3)) : bytes)
    guard reader.startsArray || reader.startsObject else {
      if EventLog.begins(bytes) {
        throw CallRecordError(
          path: path,
          text: "this is neither JSON nor a table; it looks like a file for 'meetsim import rtc-event-log'")
      }
      return try GetStatsTable.read(bytes, path: path, part)
    }
    let log = try ReportFile.log(bytes, path: path)
    do throws(CallRecordError) {
      return try StatsCall.record(of: log, part, path: path)
    } catch {
      throw error.advised(CallFormat.command(for: bytes), besides: "getstats")
    }
  }
}
