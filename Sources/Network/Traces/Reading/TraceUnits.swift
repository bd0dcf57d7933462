/// Units of rate in trace files.
package enum TraceRateUnit: String, Hashable, Sendable, CaseIterable {
  case bps, kbps
  case megabits = "Mbps"
  case gigabits = "Gbps"
  case bytes = "B/s"
  case kilobytes = "kB/s"
  case megabytes = "MB/s"

  /// Bits per second in one unit.
  var bitsPerSecond: Double {
    switch self {
    case .bps: 1
    case .kbps: 1e3
    case .megabits: 1e6
    case .gigabits: 1e9
    case .bytes: 8
    case .kilobytes: 8e3
    case .megabytes: 8e6
    }
  }

  /// Parses a unit as people write it; only a capital B after a small or capital prefix means bytes.
  package init?(text: String) {
    switch text {
    case "B/s", "Bps": self = .bytes
    case "kB/s", "KB/s", "kBps", "KBps": self = .kilobytes
    case "MB/s", "MBps": self = .megabytes
    default:
      let letters = text.lowercased().filter(\.isLetter)
      guard let unit = Self.words.first(where: { $0.word == letters })?.unit else { return nil }
      self = unit
    }
  }

  /// Finds a unit in the name of a column, such as `throughput_mbps` or `Rate (Mbit/s)`.
  init?(inName name: String) {
    let tokens = name.split { !$0.isLetter && !$0.isNumber && $0 != "/" }.map(String.init)
    if let unit = tokens.lazy.compactMap(Self.init(text:)).last {
      self = unit
      return
    }
    let letters = name.lowercased().filter(\.isLetter)
    let found = Self.words.filter { letters.hasSuffix($0.word) }.max { $0.word.count < $1.word.count }
    guard let found else { return nil }
    self = found.unit
  }

  /// Letters of each unit's spellings.
  private static let words: [(word: String, unit: Self)] = {
    let bits: [(String, Self)] = [
      ("", .bps), ("k", .kbps), ("kilo", .kbps), ("m", .megabits), ("mega", .megabits), ("g", .gigabits),
    ]
    let bytes: [(String, Self)] = [
      ("", .bytes), ("k", .kilobytes), ("kilo", .kilobytes), ("m", .megabytes), ("mega", .megabytes),
    ]
    let seconds = ["s", "ps", "sec", "persec", "persecond"]
    var words: [(word: String, unit: Self)] = []
    for (prefix, unit) in bits {
      words += [(prefix + "bps", unit), (prefix + "bit", unit), (prefix + "bits", unit)]
      for end in seconds { words += [(prefix + "bit" + end, unit), (prefix + "bits" + end, unit)] }
    }
    for (prefix, unit) in bytes {
      for end in seconds { words += [(prefix + "byte" + end, unit), (prefix + "bytes" + end, unit)] }
    }
    return words
  }()
}

/// Units of time in trace files.
package enum TraceTimeUnit: String, Hashable, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"

  /// Units in one second.
  var perSecond: Double {
    switch self {
    case .seconds: 1
    case .milliseconds: 1e3
    case .microseconds: 1e6
    case .nanoseconds: 1e9
    }
  }

  /// Unit of a word in the name of a column.
  init?(word: String) {
    switch word {
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    case "ms", "msec", "millis", "millisecond", "milliseconds": self = .milliseconds
    case "us", "usec", "micros", "microsecond", "microseconds": self = .microseconds
    case "ns", "nsec", "nanos", "nanosecond", "nanoseconds": self = .nanoseconds
    default: return nil
    }
  }

  /// Unit of times since 1970, by their size; `nil` for times since another start.
  init?(sinceEpoch time: Double) {
    switch time {
    case 1e9..<1e11: self = .seconds
    case 1e12..<1e14: self = .milliseconds
    case 1e15..<1e17: self = .microseconds
    case 1e18..<1e20: self = .nanoseconds
    default: return nil
    }
  }
}

/// Columns of a table and their units; what is not stated is taken from the header.
package struct TraceColumns: Hashable, Sendable {
  /// Name of the column of times, or its number from 1.
  package var time: String?
  /// Name of the column of rates, or its number from 1.
  package var rate: String?
  package var unit: TraceRateUnit?
  package var timeUnit: TraceTimeUnit?

  package init(
    time: String? = nil, rate: String? = nil, unit: TraceRateUnit? = nil, timeUnit: TraceTimeUnit? = nil
  ) {
    self.time = time
    self.rate = rate
    self.unit = unit
    self.timeUnit = timeUnit
  }

  package var isEmpty: Bool { self == TraceColumns() }
}
