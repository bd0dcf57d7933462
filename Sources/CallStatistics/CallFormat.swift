/// Kinds of files that `meetsim import` reads.
enum CallFormat {
  /// Returns the subcommand for files that start with these bytes; `nil` if there is none.
  static func command(for bytes: [UInt8]) -> String? {
    if EventLog.begins(bytes) { return "rtc-event-log" }
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    if start.hasPrefix("RTCStatsDump") || start.hasPrefix("[\"connectionInfo\"")
      || start.contains("\"getstats\"")
    {
      return "rtcstats"
    }
    if start.contains("\"PeerConnections\"") { return "webrtc-internals" }
    let types = ["outbound-rtp", "inbound-rtp", "candidate-pair", "media-source"]
    if types.contains(where: { start.contains("\"\($0)\"") }) { return "getstats" }
    return isTable(start) ? "getstats" : nil
  }

  /// `true` for a first line with columns of a table of samples.
  private static func isTable(_ start: String) -> Bool {
    let header = start.prefix { $0 != "\n" && $0 != "\r\n" && $0 != "\r" }.split { ",;\t".contains($0) }
    let names = header.map { $0.drop { $0 == "\u{FEFF}" } }
    let columns = [GetStatsTable.Column.estimate, .received, .sent].flatMap(\.names).map(\.name)
    return names.count > 1 && names.contains { columns.contains(String($0)) }
  }
}

/// Reads a call from any kind of file that `meetsim import` supports.
package enum CallFile {
  /// - Throws: ``CallRecordError`` for a file that cannot be read or contains no usable call.
  package static func read(path: String, _ part: CallPart) throws(CallRecordError) -> CallRecord {
    let bytes = try CallRecord.bytes(of: path, limit: InternalsDump.limit)
    return switch CallFormat.command(for: bytes) {
    case "webrtc-internals": try InternalsDump.read(bytes, path: path, part)
    case "rtcstats": try RTCStatsDump.read(bytes, path: path, part)
    case "rtc-event-log": try RTCEventLog.read(bytes, path: path, part)
    default: try GetStatsFile.read(bytes, path: path, part)
    }
  }
}

/// Part of a call to import.
package struct CallPart: Sendable {
  /// Start and end [s since the call began]; `nil` for the call's own.
  package var from: Double?
  package var to: Double?
  /// Media sources to use as camera and screen share; `nil` for those that the statistics indicate.
  package var camera: String?
  package var screen: String?

  package init(from: Double? = nil, to: Double? = nil, camera: String? = nil, screen: String? = nil) {
    self.from = from
    self.to = to
    self.camera = camera
    self.screen = screen
  }
}
