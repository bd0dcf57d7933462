import Files
import JSON

/// Statistics of peer connections over time, from any kind of file.
struct StatsLog {
  /// Peer connections, ordered by name.
  var connections: [StatsConnection] = []
  /// Description of the file for messages, such as "a dump of chrome://webrtc-internals".
  var format: String
  /// Anything unusual about the file, for the user.
  var notes: [String] = []
}

/// Statistics objects of a peer connection over time.
struct StatsConnection {
  var name: String
  /// Objects, ordered by id.
  var objects: [StatsObject]

  init(name: String, objects: [StatsObject]) {
    self.name = name
    self.objects = objects.map(\.ordered).map { $0.type.hasSuffix("-rtp") ? $0.continued : $0 }
      .sorted { ($0.type, $0.id) < ($1.type, $1.id) }
  }

  func of(_ type: String) -> [StatsObject] { objects.filter { $0.type == type } }

  func videos(_ type: String) -> [StatsObject] { of(type).filter { $0.kind == "video" } }
}

/// Value of a statistic at one time.
enum StatsValue: Equatable {
  case number(Double)
  case text(String)
  case flag(Bool)
  case other

  init(_ value: JSONValue) {
    self =
      switch value {
      case .integer(let number): .number(Double(number))
      case .real(let number): .number(number)
      case .text(let text): .text(text)
      case .flag(let flag): .flag(flag)
      case .null, .list, .object: .other
      }
  }

  /// Value as a number; older statistics write numbers as strings.
  var number: Double? {
    switch self {
    case .number(let number): number
    case .text(let text): FieldText.number(text)
    case .flag, .other: nil
    }
  }

  /// Value as an identifier; 7 and "7" are equal.
  var label: String? {
    switch self {
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .text(let text): text.isEmpty ? nil : text
    case .flag, .other: nil
    }
  }

  var isTrue: Bool { self == .flag(true) || self == .text("true") }
}

/// Samples of one member of a statistics object.
struct StatsSeries {
  /// Times of the samples, ascending once ``ordered`` [ms since 1970].
  var times: [Double] = []
  var values: [StatsValue] = []

  /// Returns the index of the latest sample at or before a time.
  func index(at time: Double) -> Int? {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// Valid times of a call, relative to 1970 [ms].
  private static let plausible = -1e13...1e13

  /// Counters of streams, which restart at 0 when a browser recreates the stream.
  static let counters: Set<String> = [
    "bytesSent", "bytesReceived", "headerBytesSent", "headerBytesReceived", "packetsSent", "packetsReceived",
    "packetsLost",
  ]
  /// Minimum count from which a fall to less than half counts as a restart.
  private static let leastCount = 20.0

  /// Samples of a counter, continued across restarts.
  var continued: StatsSeries {
    var series = self
    for (place, number) in Self.continued(values.map(\.number)).enumerated() {
      if let number { series.values[place] = .number(number) }
    }
    return series
  }

  /// Returns the values of a counter, continued across restarts.
  static func continued(_ values: [Double?]) -> [Double?] {
    var before = 0.0
    var last = 0.0
    return values.map { value in
      guard let value else { return nil }
      if last >= leastCount, value < last / 2 { before += last }
      last = value
      return before + value
    }
  }

  /// Appends a sample; one with an impossible time is left out.
  mutating func append(_ value: StatsValue, at time: Double) {
    guard Self.plausible.contains(time) else { return }
    times.append(time)
    values.append(value)
  }

  /// Least share of steps back in time, of all, that shows samples out of order, such as the newest first.
  private static let unordered = 0.1

  /// Samples in the order of their times. A clock that was set back does not put samples before earlier ones.
  var ordered: StatsSeries {
    var series = self
    let back = zip(times, times.dropFirst()).count { $1 < $0 }
    if back == 0 { return self }
    if Double(back) < Self.unordered * Double(times.count) {
      for place in times.indices.dropFirst() {
        series.times[place] = max(times[place], series.times[place - 1])
      }
      return series
    }
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    series.times = order.map { times[$0] }
    series.values = order.map { values[$0] }
    return series
  }
}

/// A statistics object, such as an `outbound-rtp`, with the samples of its members.
struct StatsObject {
  let id: String
  let type: String
  var members: [String: StatsSeries] = [:]
  /// `false` if only its id reveals its type.
  var hasStatedType = true
  /// `false` if its samples have no timestamps.
  var hasClock = true

  /// Members that are read, of all types and browsers; others are discarded.
  static let known: Set<String> = [
    "availableOutgoingBitrate", "currentRoundTripTime", "nominated", "selected", "state", "bytesSent",
    "bytesReceived", "headerBytesSent", "headerBytesReceived", "packetsSent", "packetsReceived",
    "packetsLost",
    "frameHeight", "frameWidth", "framesPerSecond", "targetBitrate", "kind", "mediaType", "ssrc",
    "mediaSourceId", "trackId",
    "trackIdentifier", "mid", "rid", "contentType", "width", "height", "timestamp", "roundTripTime",
    "selectedCandidatePairId", "remoteSource", "isRemote", "codecId", "mimeType", "scalabilityMode",
  ]

  func series(_ name: String) -> StatsSeries? { members[name] }

  /// Returns the latest value at or before a time [ms], no older than `age` [ms].
  func value(_ name: String, at time: Double, age: Double = .infinity) -> StatsValue? {
    guard let series = members[name], let index = series.index(at: time), time - series.times[index] <= age
    else { return nil }
    return series.values[index]
  }

  func number(_ name: String, at time: Double, age: Double = .infinity) -> Double? {
    value(name, at: time, age: age)?.number
  }

  func label(_ name: String) -> String? { members[name]?.values.lazy.reversed().compactMap(\.label).first }

  func last(_ name: String) -> Double? { members[name]?.values.lazy.reversed().compactMap(\.number).first }

  func numbers(_ name: String) -> [Double] { members[name]?.values.compactMap(\.number) ?? [] }

  /// The object with all samples in order.
  var ordered: StatsObject {
    var object = self
    object.members = members.mapValues(\.ordered)
    return object
  }

  /// The object with counters continued across restarts.
  var continued: StatsObject {
    var object = self
    for (name, series) in members where StatsSeries.counters.contains(name) {
      object.members[name] = series.continued
    }
    return object
  }

  /// SSRC of the stream; a stream without an SSRC matches no other.
  var identifier: String? { label("ssrc") }

  /// Audio or video; older statistics only have it in the id.
  var kind: String? {
    label("kind") ?? label("mediaType")
      ?? (id.contains("Video") ? "video" : id.contains("Audio") ? "audio" : nil)
  }

  /// Increase of a counter over all samples.
  func growth(_ name: String) -> Double {
    let values = numbers(name)
    return max(0, (values.last ?? 0))
  }

  /// Times of a member's first and last sample [ms].
  func span(_ name: String) -> ClosedRange<Double>? {
    guard let times = members[name]?.times, let first = times.first, let last = times.last else { return nil }
    return first...last
  }
}
