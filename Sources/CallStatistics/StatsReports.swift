/// Collects the statistics objects of reports, with the time of each report.
struct StatsReports {
  /// Current type names, with the names used by older browsers.
  private static let types: [String: String] = [
    "outbound-rtp": "outbound-rtp", "inbound-rtp": "inbound-rtp", "remote-inbound-rtp": "remote-inbound-rtp",
    "candidate-pair": "candidate-pair", "media-source": "media-source", "transport": "transport",
    "track": "track", "outboundrtp": "outbound-rtp", "inboundrtp": "inbound-rtp",
    "candidatepair": "candidate-pair", "ssrc": "goog", "VideoBwe": "goog", "codec": "codec",
  ]

  private var connections: [String: [String: StatsObject]] = [:]
  /// Indicates that some object had no timestamp.
  private(set) var lacksTimes = false

  /// Returns the type of an object that is read; `nil` for others.
  static func type(_ name: String?, id: String) -> String? {
    if let legacy = StatsDialect.type(ofID: id), legacy == "goog" { return legacy }
    return name.flatMap { types[$0] }
  }

  /// Adds an object of a report.
  ///
  /// - Parameter time: time [ms], or in the file's unit if it does not count from 1970 (``log(format:)``).
  mutating func add(
    _ members: [(name: String, value: StatsValue)], of id: String, _ type: String, to connection: String,
    at time: Double?
  ) {
    guard let time else {
      lacksTimes = true
      return
    }
    var object = connections[connection]?.removeValue(forKey: id) ?? StatsObject(id: id, type: type)
    for (name, value) in members where value != .other && Self.isKnown(name) {
      object.members[name, default: StatsSeries()].append(value, at: time)
    }
    connections[connection, default: [:]][id] = object
  }

  private static func isKnown(_ name: String) -> Bool {
    name != "timestamp" && (StatsObject.known.contains(name) || StatsDialect.legacyMembers.contains(name))
  }

  /// Returns a time in milliseconds if it counts from 1970 in seconds, milliseconds or microseconds; unchanged
  /// otherwise.
  static func milliseconds(_ value: Double) -> Double {
    switch value {
    case 1e14...: value / 1000
    case 1e11...: value
    case 1e8...: value * 1000
    default: value
    }
  }

  /// Returns everything collected.
  func log(format: String) -> StatsLog {
    let factor = factor
    let list = connections.sorted { $0.key < $1.key }.map { name, objects in
      let scaled = objects.values.map { object in
        var object = object
        if factor != 1 {
          for (member, series) in object.members {
            object.members[member]?.times = series.times.map { $0 * factor }
          }
        }
        return object
      }
      return StatsDialect.modernized(StatsConnection(name: name, objects: scaled))
    }
    return StatsLog(connections: list, format: format)
  }

  /// Factor to milliseconds for times that do not count from 1970, assuming sampling intervals between 30 ms and 30 s.
  private var factor: Double {
    let longest =
      connections.values.flatMap(\.values).flatMap(\.members.values).map(\.times)
      .max { $0.count < $1.count } ?? []
    guard let last = longest.last, last < 1e8, longest.count > 1 else { return 1 }
    return CapacityCourse.median(zip(longest, longest.dropFirst()).map { abs($1 - $0) }) <= 30 ? 1000 : 1
  }
}
