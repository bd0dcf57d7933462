import Files
import JSON

/// Reads dumps saved by `chrome://webrtc-internals` ("Download the webrtc-internals dump"), of all versions.
///
/// Each member of a statistics object is a separate series, `ID-member`, with the times of its first and last sample.
/// Since Chromium 117 the object's `timestamp` is among them; before, samples were a second apart. Before statistics
/// had a `statsType`, their ids tell the type, and before the standard statistics there were `goog` statistics
/// (``StatsDialect``). Chromium keeps the last 1000 samples of each series.
package enum InternalsDump {
  static let limit = 400_000_000
  private static let format = "a dump of chrome://webrtc-internals"

  /// Reads a dump from a file, compressed or not.
  ///
  /// - Throws: ``CallRecordError`` for a file that cannot be read, is not a dump, or contains no usable call.
  package static func read(path: String, _ part: CallPart = CallPart()) throws(CallRecordError) -> CallRecord
  {
    try read(try CallRecord.bytes(of: path, limit: limit), path: path, part)
  }

  /// Reads a dump from its bytes; `path` names it in errors.
  package static func read(
    _ bytes: [UInt8], path: String, _ part: CallPart = CallPart()
  ) throws(CallRecordError) -> CallRecord {
    try StatsCall.record(of: try log(bytes, path: path), part, path: path)
  }

  /// Reads several dumps of one call, one from each end.
  package static func read(paths: [String], _ part: CallPart = CallPart()) throws(CallRecordError)
    -> CallRecord
  {
    var whole = StatsLog(format: format)
    var ends: [[StatsConnection]] = []
    for (number, path) in paths.enumerated() {
      let one = try log(try CallRecord.bytes(of: path, limit: limit), path: path)
      ends.append(one.connections)
      whole.notes += one.notes.filter { !whole.notes.contains($0) }
      // Ids are local to a browser: both ends may have the same.
      whole.connections += one.connections.map {
        StatsConnection(name: "\(number)/\($0.name)", objects: $0.objects)
      }
    }
    if ends.count == 2, !meet(ends[0], ends[1]), !meet(ends[1], ends[0]) {
      whole.notes.append(
        "no video stream (SSRC) that one dump sent was received in the other: they are two calls, or a server between "
          + "them changes SSRCs; arrivals and losses are those that the sender knew")
    }
    return try StatsCall.record(of: whole, part, path: paths.joined(separator: ", "))
  }

  /// Checks whether one end received a video stream that the other one sent.
  private static func meet(_ sender: [StatsConnection], _ receiver: [StatsConnection]) -> Bool {
    let sent = Set(sender.flatMap { $0.videos("outbound-rtp") }.compactMap(\.identifier))
    return receiver.flatMap { $0.videos("inbound-rtp") }.compactMap(\.identifier).contains(
      where: sent.contains)
  }

  /// Returns the statistics of a dump.
  static func log(_ whole: [UInt8], path: String) throws(CallRecordError) -> StatsLog {
    let bytes = whole.hasByteOrderMark ? [UInt8](whole.dropFirst(3)) : whole
    let read: [StatsConnection]?
    do throws(JSONDefect) {
      read = try connections(bytes)
    } catch {
      throw noDump(bytes, path, error)
    }
    guard let read else { throw noDump(bytes, path, nil) }
    return StatsLog(connections: read.sorted { $0.name < $1.name }, format: format, notes: notes(read))
  }

  /// Returns notes on what a dump of an older version lacks.
  private static func notes(_ connections: [StatsConnection]) -> [String] {
    let objects = connections.flatMap(\.objects)
    if objects.contains(where: { $0.members["availableOutgoingBitrate"] != nil && $0.id == "bweforvideo" }) {
      return ["goog statistics, of Chromium before 117"]
    }
    var notes: [String] = []
    if objects.contains(where: { !$0.hasStatedType }) {
      notes.append("no 'statsType', as in dumps before Chromium 90: the ids tell what the statistics are of")
    }
    if objects.contains(where: { !$0.hasClock }) {
      notes.append(
        "no timestamps, as in dumps before Chromium 117: samples are spaced evenly from first to last")
    }
    return notes
  }

  /// Returns the peer connections of a dump; `nil` for other JSON.
  private static func connections(_ bytes: [UInt8]) throws(JSONDefect) -> [StatsConnection]? {
    var reader = JSONReader(bytes)
    var found: [StatsConnection]?
    if reader.startsObject {
      try reader.object { (name, reader) throws(JSONDefect) in
        guard name == "PeerConnections", reader.startsObject else { return try reader.skip() }
        var list = found ?? []
        try reader.object { (name, reader) throws(JSONDefect) in list.append(try connection(name, &reader)) }
        found = list
      }
    } else {
      try reader.skip()
    }
    guard reader.isAtEnd else { throw reader.trailing }
    return found
  }

  private static func noDump(_ bytes: [UInt8], _ path: String, _ defect: JSONDefect?) -> CallRecordError {
    let place = defect.map { bytes.firstNonText ?? $0.place(in: bytes) }
    var text =
      "this is no dump of chrome://webrtc-internals: a JSON object with 'PeerConnections' is expected"
    if place != nil { text += ", and here it is no JSON" }
    if let command = CallFormat.command(for: bytes), command != "webrtc-internals" {
      text += "; it looks like a file for 'meetsim import \(command)'"
    }
    return CallRecordError(path: path, line: place?.line ?? 1, column: place?.column ?? 1, text: text)
  }

  private static func connection(
    _ name: String, _ reader: inout JSONReader
  ) throws(JSONDefect) -> StatsConnection {
    var objects: [String: DumpedObject] = [:]
    guard reader.startsObject else {
      try reader.skip()
      return StatsConnection(name: name, objects: [])
    }
    try reader.object { (member, reader) throws(JSONDefect) in
      guard member == "stats", reader.startsObject else { return try reader.skip() }
      try reader.object { (key, reader) throws(JSONDefect) in
        // `ID-member`: ids may contain hyphens, members cannot.
        guard let hyphen = key.lastIndex(of: "-") else { return try reader.skip() }
        let member = String(key[key.index(after: hyphen)...])
        guard StatsObject.known.contains(member) || StatsDialect.legacyMembers.contains(member) else {
          return try reader.skip()
        }
        let id = String(key[..<hyphen])
        let series = try reader.value()
        let stated = series["statsType"]?.text
        guard let type = stated ?? StatsDialect.type(ofID: id) else { return }
        objects[id, default: DumpedObject(type: type, isStated: stated != nil)].series[member] = series
      }
    }
    let read = objects.map { id, object in object.placed(id: id) }
    return StatsDialect.modernized(StatsConnection(name: name, objects: read))
  }
}

/// Series of an object before its samples have been assigned times.
private struct DumpedObject {
  let type: String
  let isStated: Bool
  var series: [String: JSONValue] = [:]

  /// Returns the object with its samples at their times.
  func placed(id: String) -> StatsObject {
    var object = StatsObject(id: id, type: type)
    object.hasStatedType = isStated
    object.hasClock = series["timestamp"] != nil
    let times = series["timestamp"].map(Self.values)?.compactMap { value in
      value.number ?? value.label.flatMap(ISOTime.milliseconds)
    }
    let longest = series.values.map { Self.values($0).count }.max() ?? 0
    for (name, one) in series where name != "timestamp" {
      let values = Self.values(one)
      var placed = StatsSeries()
      let places = Self.times(of: one, count: values.count, clock: times ?? [], longest: longest)
      for (value, time) in zip(values.suffix(places.count), places) { placed.append(value, at: time) }
      object.members[name] = placed
    }
    return object
  }

  private static func values(_ series: JSONValue) -> [StatsValue] {
    guard let text = series["values"]?.text else { return [] }
    var reader = JSONReader(Array(text.utf8))
    guard case .list(let values)? = try? reader.value() else { return [] }
    return values.map(StatsValue.init)
  }

  /// Returns the times of a member's samples [ms]: those of the object's clock if it has as many, in total or between
  /// the member's first and last time; otherwise evenly spaced between these two. In a dump without such times, all
  /// members end together.
  private static func times(of series: JSONValue, count: Int, clock: [Double], longest: Int) -> [Double] {
    if count == clock.count { return clock }
    guard let first = series["startTime"]?.text.flatMap(ISOTime.milliseconds),
      let last = series["endTime"]?.text.flatMap(ISOTime.milliseconds), first <= last
    else {
      return clock.isEmpty
        ? (0..<count).map { Double(longest - count + $0) * 1000 } : [Double](clock.suffix(count))
    }
    // Both ends are rounded to a millisecond.
    let within = clock.filter { $0 > first - 2 && $0 < last + 2 }
    if within.count == count { return within }
    guard count > 1 else { return [first] }
    return (0..<count).map { first + (last - first) * Double($0) / Double(count - 1) }
  }
}
