package import JSON

/// Statistics of one peer connection over time, as returned by `getStats()` (W3C webrtc-stats).
package struct BrowserStatistics: Sendable {
  /// A statistics object, such as an `outbound-rtp`.
  package struct Object: Sendable {
    package let id: String
    package let type: String
    /// Members with one value per sample; `nil` before the first known value, then repeated until it changes.
    package private(set) var members: [(name: String, values: [JSONValue?])] = []

    package init(id: String, type: String) {
      self.id = id
      self.type = type
    }

    /// Adds a member; each value is repeated until the next one.
    package mutating func add(_ name: String, _ values: [JSONValue?]) {
      var last: JSONValue?
      members.append(
        (
          name,
          values.map { value in
            last = value ?? last
            return last
          }
        ))
    }

    package mutating func add(_ name: String, _ value: JSONValue, count: Int) {
      members.append((name, [JSONValue?](repeating: value, count: count)))
    }

    /// Index of the first sample with any value of the object.
    var start: Int {
      members.compactMap { $0.values.firstIndex { $0 != nil } }.min() ?? 0
    }
  }

  /// Start of the run [ms since 1970].
  package let start: Double
  /// Times of the samples [ms since 1970].
  package let times: [Double]
  package let objects: [Object]

  package init(start: Double, times: [Double], objects: [Object]) {
    self.start = start
    self.times = times
    self.objects = objects
  }
}

// MARK: Texts

extension BrowserStatistics {
  /// One report per line: an object with the statistics objects by id, as `JSON.stringify` writes it.
  package var reports: String {
    times.indices.map { index in
      let present = objects.filter { index >= $0.start }
      let report = present.map { object in
        let known = object.members.compactMap { name, values in values[index].map { (name, $0) } }
        let own: [(String, JSONValue)] = [
          ("id", .text(object.id)), ("timestamp", .number(times[index])), ("type", .text(object.type)),
        ]
        return (object.id, JSONValue.object(own + known))
      }
      return JSONValue.object(report).compact + "\n"
    }.joined()
  }

  /// Dump in the format of `chrome://webrtc-internals`: for each member of each object, its samples as text and the
  /// times of the first and the last one.
  package func dump(agent: String) -> String {
    var series: [(String, JSONValue)] = []
    for object in objects {
      let members = object.members + [("timestamp", times.map { JSONValue.number($0) })]
      for (name, values) in members {
        guard var first = values.firstIndex(where: { $0 != nil }) else { continue }
        if name == "timestamp" { first = object.start }
        let texts = JSONValue.list(values[first...].map { $0 ?? .null }).compact
        series.append(
          (
            "\(object.id)-\(name)",
            .object([
              ("startTime", .text(Self.date(times[first]))),
              ("endTime", .text(Self.date(times[times.count - 1]))), ("statsType", .text(object.type)),
              ("values", .text(texts)),
            ])
          ))
      }
    }
    let connection: [(String, JSONValue)] = [
      ("pid", .integer(1)), ("url", .text("https://meetsim.invalid/")), ("rtcConfiguration", .text("{}")),
      ("constraints", .text("")), ("stats", .object(series)), ("updateLog", .list([])),
    ]
    return JSONValue.object([
      ("getUserMedia", .list([])), ("PeerConnections", .object([("1-1", .object(connection))])),
      ("UserAgent", .text(agent)),
    ]).description
  }

  /// Returns a time [ms since 1970] as an ISO 8601 date in UTC, with milliseconds.
  static func date(_ time: Double) -> String {
    let milliseconds = Int64(time.rounded())
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
    // Days of the Gregorian calendar, with years that start in March.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let day = shifted - era * 146_097
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func digits(_ value: Int64, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(value)".count)) + "\(value)"
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfYear - (153 * part + 2) / 5 + 1, 2))T"
      + "\(digits(rest / 3_600_000, 2)):\(digits(rest / 60_000 % 60, 2)):\(digits(rest / 1000 % 60, 2))."
      + "\(digits(rest % 1000, 3))Z"
  }
}
