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
      let lower = text.lowercased()
      let letters = String(lower.map { $0 == "/" ? "p" : $0 }.filter(\.isLetter))
      let bits = lower.hasSuffix("bit") || lower.hasSuffix("bits") ? Self.amounts[lower] : nil
      guard let unit = Self.words.first(where: { $0.word == letters })?.unit ?? bits else { return nil }
      self = unit
    }
  }

  /// Finds a unit of rate in the name of a column, such as `throughput_mbps`, `Rate (Mbit/s)` or `bandwidth_mbit`.
  /// Bytes are a unit of amounts unless the name says that it is a rate; bits are one if it says that they are amounts.
  init?(inName name: String) {
    let tokens = name.split { !$0.isLetter && !$0.isNumber && $0 != "/" }.map(String.init)
    let found = tokens.lazy.compactMap { Self.amounts[$0.lowercased()] == nil ? Self(text: $0) : nil }.last
    if let unit = found ?? Self(endOf: TraceColumnName.words(of: name)) {
      self = unit
      return
    }
    guard let amount = Self(amountIn: name), !Self.isAmount(name) else { return nil }
    self = amount
  }

  /// Finds a unit per second at the end of a name's words, such as `goodput` and `kbps`.
  private init?(endOf words: [String]) {
    let last = words.last ?? ""
    // `mbit_s` is one, `mbits` is not.
    let isApart = ["s", "sec", "second"].contains(last) && Self.amounts[words.dropLast().last ?? ""] != nil
    let letters = isApart ? words.dropLast().joined() + "p" + last : words.joined()
    let found = Self.words.filter { letters.hasSuffix($0.word) }.max { $0.word.count < $1.word.count }
    guard let found else { return nil }
    self = found.unit
  }

  /// Finds the unit of the amounts in a column such as `rx_bytes`, per second.
  init?(amountIn name: String) {
    let tokens = name.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    guard let unit = (TraceColumnName.words(of: name) + tokens).compactMap({ Self.amounts[$0] }).last else {
      return nil
    }
    self = unit
  }

  /// `true` if a column whose name has a unit of amounts, but none of rates, holds amounts.
  private static func isAmount(_ name: String) -> Bool {
    let words = TraceColumnName.words(of: name)
    let rates: Set<String> = [
      "throughput", "bandwidth", "bitrate", "capacity", "goodput", "datarate", "rate", "speed", "bw", "tput",
    ]
    let amounts: Set<String> = [
      "rx", "tx", "received", "recv", "sent", "total", "transferred", "transfer", "data", "count",
      "cumulative",
    ]
    if words.contains(where: rates.contains) { return false }
    return words.contains { $0.hasSuffix("byte") || $0.hasSuffix("bytes") || amounts.contains($0) }
  }

  /// Name of the unit's amount in one second.
  var amount: String {
    switch self {
    case .bps: "bit"
    case .kbps: "kbit"
    case .megabits: "Mbit"
    case .gigabits: "Gbit"
    case .bytes: "B"
    case .kilobytes: "kB"
    case .megabytes: "MB"
    }
  }

  /// Units of amounts, as units per second.
  private static let amounts: [String: Self] = {
    var amounts: [String: Self] = [:]
    for (prefix, bits, bytes) in [
      ("", .bps, .bytes), ("k", .kbps, .kilobytes), ("kilo", .kbps, .kilobytes), ("m", .megabits, .megabytes),
      ("mega", .megabits, .megabytes), ("g", .gigabits, nil), ("giga", .gigabits, nil),
    ] as [(String, Self, Self?)] {
      for end in ["", "s"] {
        amounts[prefix + "bit" + end] = bits
        amounts[prefix + "byte" + end] = bytes
      }
    }
    return amounts
  }()

  /// Spellings of each unit, with `p` for a slash.
  private static let words: [(word: String, unit: Self)] = {
    let bits: [(String, Self)] = [
      ("", .bps), ("k", .kbps), ("kilo", .kbps), ("m", .megabits), ("mega", .megabits), ("g", .gigabits),
    ]
    let bytes: [(String, Self)] = [
      ("", .bytes), ("k", .kilobytes), ("kilo", .kilobytes), ("m", .megabytes), ("mega", .megabytes),
    ]
    let seconds = ["ps", "sec", "psec", "persec", "second", "psecond", "persecond"]
    var words: [(word: String, unit: Self)] = []
    for (prefix, unit) in bits {
      words.append((prefix + "bps", unit))
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
