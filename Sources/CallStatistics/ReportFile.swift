import Files
import JSON

/// Reads `getStats()` reports as JSON, in the shapes saved by web pages and test runners.
///
/// Reports may come one after another, in an array, one per line, or in objects that state the time and connection: an
/// object with a `type` of webrtc-stats is a statistics object wherever it is. Its time is its own `timestamp`, or else
/// that of an enclosing object, since 1970 in seconds, milliseconds or microseconds, or as ISO 8601. A connection is
/// identified by an id (`pcid`, `peerConnectionId`) or by a key such as `PC_1`; anything without either belongs to a
/// single connection.
enum ReportFile {
  static let format = "a file of getStats() reports"
  private static let times = ["timestamp", "time", "ts", "t", "date", "timestamp_ms", "timestampMs"]
  private static let names = ["pcid", "pcId", "peerConnectionId", "peer_connection_id", "connectionId", "pc"]
  private static let containers = ["peerconnections", "connections", "pcs"]

  /// Returns the statistics of a file.
  static func log(_ whole: [UInt8], path: String) throws(CallRecordError) -> StatsLog {
    let bytes = whole.hasByteOrderMark ? [UInt8](whole.dropFirst(3)) : whole
    var reports = StatsReports()
    do throws(JSONDefect) {
      var reader = JSONReader(bytes)
      repeat {
        if reader.startsArray {
          try reader.array { (reader) throws(JSONDefect) in
            walk(try reader.value(), Place(), &reports)
          }
        } else {
          walk(try reader.value(), Place(), &reports)
        }
      } while !reader.isAtEnd
    } catch {
      let place = bytes.firstNonText ?? error.place(in: bytes)
      throw CallRecordError(
        path: path, line: place.line, column: place.column,
        text: "this is no file of getStats() reports: JSON is expected, whole or one report a line")
    }
    let log = reports.log(format: format)
    if log.connections.isEmpty {
      var text = "no object of the file has a 'type' of webrtc-stats, such as 'outbound-rtp'"
      if reports.lacksTimes { text = "the reports have no 'timestamp'" }
      let command = CallFormat.command(for: bytes)
      throw CallRecordError(path: path, text: text).advised(command, besides: "getstats")
    }
    return log
  }

  /// Context of a value.
  private struct Place {
    var connection = ""
    var time: Double?
    var key: String?
    var isInContainer = false
  }

  private static func walk(_ value: JSONValue, _ place: Place, _ reports: inout StatsReports) {
    switch value {
    case .list(let elements):
      var inner = place
      for element in elements {
        // An entry of a map: `[id, object]`.
        if case .text(let text) = element { inner.key = text } else { walk(element, inner, &reports) }
      }
    case .object(let members):
      var inner = place
      if let time = time(of: value) { inner.time = time }
      let id = value["id"].map(StatsValue.init)?.label ?? place.key
      let name = value["type"]?.text
      let kind = value["ssrc"].map(StatsValue.init)?.label
      if let type = StatsReports.type(name, id: id ?? "") {
        // Flutter and others keep the members in an object of their own.
        var own = members.map { (name: $0.0, value: StatsValue($0.1)) }
        if case .object(let more)? = value["values"] {
          own += more.map { (name: $0.0, value: StatsValue($0.1)) }
        }
        return reports.add(own, of: id ?? "\(type) \(kind ?? "")", type, to: place.connection, at: inner.time)
      }
      for field in names {
        if let label = value[field].map(StatsValue.init)?.label { inner.connection = label }
      }
      for (name, value) in members {
        var next = inner
        next.key = name
        let lower = name.lowercased()
        next.isInContainer = containers.contains(lower)
        if place.isInContainer || isConnection(lower) { next.connection = name }
        walk(value, next, &reports)
      }
    case .null, .flag, .integer, .real, .text: return
    }
  }

  /// Checks for keys such as `PC_0` and `peerConnection-1`.
  private static func isConnection(_ key: String) -> Bool {
    let stem = key.prefix { !$0.isNumber && $0 != "_" && $0 != "-" }
    return ["pc", "peerconnection", "connection"].contains(stem) && stem.count < key.count
  }

  private static func time(of object: JSONValue) -> Double? {
    for name in times {
      switch object[name] {
      case .integer(let value)?: return StatsReports.milliseconds(Double(value))
      case .real(let value)?: return StatsReports.milliseconds(value)
      case .text(let text)?:
        if let time = ISOTime.milliseconds(text) ?? Double(text).map(StatsReports.milliseconds) {
          return time
        }
      default: continue
      }
    }
    return nil
  }
}
