import Files
import JSON

/// Reads dumps of rtcstats and rtcstats-server: one event per line, as `[method, connection, value, …, time]`.
///
/// The value of `getstats` is a report that omits what has not changed since the last one of its connection. In dumps
/// of rtcstats-server (Jitsi and others) times are absolute, the report's largest timestamp is given beside its
/// objects, whose own timestamps are 0 if they equal it, and a missing object no longer exists. Since rtcstats 4
/// (`RTCStatsDump` in the first line), times are relative to the previous event, names are numbers
/// (`packages/rtcstats-shared/compression.js` of rtcstats/rtcstats), and a missing object has not changed.
package enum RTCStatsDump {
  static let format = "an rtcstats dump"

  /// Names, since rtcstats 4, of the members and types that are read.
  private static let names: [String: String] = [
    "10": "ssrc", "11": "kind", "14": "packetsReceived", "15": "packetsLost", "17": "trackIdentifier",
    "18": "mid", "23": "frameWidth", "24": "frameHeight", "25": "framesPerSecond",
    "35": "headerBytesReceived",
    "41": "bytesReceived", "66": "contentType", "75": "roundTripTime", "79": "packetsSent", "80": "bytesSent",
    "81": "mediaSourceId", "82": "rid", "84": "headerBytesSent", "87": "targetBitrate", "106": "width",
    "107": "height",
    "118": "state",
    "125": "selectedCandidatePairId", "150": "nominated", "152": "currentRoundTripTime",
    "153": "availableOutgoingBitrate", "t": "timestamp",
  ]
  private static let types: [String: String] = [
    "1": "inbound-rtp", "2": "outbound-rtp", "3": "remote-inbound-rtp", "5": "transport",
    "6": "candidate-pair",
    "12": "media-source",
  ]

  /// Reads a dump from a file, compressed or not.
  package static func read(path: String, _ part: CallPart = CallPart()) throws(CallRecordError) -> CallRecord
  {
    try read(try CallRecord.bytes(of: path, limit: InternalsDump.limit), path: path, part)
  }

  /// Reads a dump from its bytes; `path` names it in errors.
  package static func read(
    _ bytes: [UInt8], path: String, _ part: CallPart = CallPart()
  ) throws(CallRecordError) -> CallRecord {
    try StatsCall.record(of: try log(bytes, path: path), part, path: path)
  }

  static func log(_ whole: [UInt8], path: String) throws(CallRecordError) -> StatsLog {
    let bytes = whole.hasByteOrderMark ? [UInt8](whole.dropFirst(3)) : whole
    var reader = Events()
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let text = line.last == 0x0d ? line.dropLast() : line
      if text.isEmpty || number == 0 && text.elementsEqual("RTCStatsDump".utf8) { continue }
      do throws(JSONDefect) {
        var json = JSONReader([UInt8](text))
        reader.add(try json.value())
        guard json.isAtEnd else { throw json.trailing }
      } catch {
        // A truncated dump ends within a line.
        if number == lines.count - 1, reader.count > 0 { break }
        let column = ([UInt8](text).firstNonText ?? error.place(in: [UInt8](text))).column
        throw CallRecordError(
          path: path, line: number + 1, column: column, text: noDump(bytes) + ", and here it is no JSON")
      }
    }
    guard reader.count > 0 else { throw CallRecordError(path: path, text: noDump(bytes)) }
    return reader.reports.log(format: format)
  }

  private static func noDump(_ bytes: [UInt8]) -> String {
    let text =
      "this is no dump of rtcstats: events are expected, one a line, as '[\"getstats\",\"PC_0\",{…},time]'"
    guard let command = CallFormat.command(for: bytes), command != "rtcstats" else { return text }
    return text + "; it looks like a file for 'meetsim import \(command)'"
  }

  /// Reports from the events so far.
  private struct Events {
    var reports = StatsReports()
    /// Number of reports.
    var count = 0
    /// Time of the last event [ms].
    private var now = 0.0
    /// Last complete report of each connection: members by object.
    private var last: [String: [String: [String: JSONValue]]] = [:]

    mutating func add(_ event: JSONValue) {
      guard case .list(let parts) = event, parts.count >= 3 else {
        if let start = event["startTime"]?.number { now = start }
        return
      }
      if let time = parts.last?.number { now = time > 1e11 ? time : now + time }
      let method = StatsValue(parts[0]).label?.lowercased() ?? ""
      guard ["getstats", "g", "1"].contains(method), let connection = parts[1].text,
        case .object(let report) = parts[2]
      else { return }
      count += 1
      add(report, to: connection)
    }

    private mutating func add(_ report: [(String, JSONValue)], to connection: String) {
      var state = last[connection] ?? [:]
      var present: Set<String> = []
      var time: Double?
      var isNumbered = false
      for (name, value) in report {
        switch value {
        case .object(let members):
          present.insert(name)
          var object = state[name] ?? [:]
          for (short, value) in members {
            let long = RTCStatsDump.names[short] ?? short
            isNumbered = isNumbered || long != short
            object[long] = long == "type" ? Self.type(value) : value
          }
          state[name] = object
        case .integer, .real:
          guard name == "timestamp" || name == "t" else { continue }
          isNumbered = isNumbered || name == "t"
          time = value.number
        case .null: state[name] = nil
        default: continue
        }
      }
      last[connection] = state
      for (id, object) in state where isNumbered || present.contains(id) {
        guard let type = StatsReports.type(object["type"]?.text, id: id) else { continue }
        var own = time
        if let value = object["timestamp"]?.number, value > 0, present.contains(id) || time == nil {
          own = value
        }
        if isNumbered, !present.contains(id) { own = time }
        let members = object.map { (name: $0.key, value: StatsValue($0.value)) }
        reports.add(members, of: id, type, to: connection, at: StatsReports.milliseconds(own ?? now))
      }
    }

    private static func type(_ value: JSONValue) -> JSONValue {
      StatsValue(value).label.flatMap { RTCStatsDump.types[$0] }.map(JSONValue.text) ?? value
    }
  }
}
