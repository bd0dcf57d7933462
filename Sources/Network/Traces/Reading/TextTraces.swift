import Quantity

/// Parsers of third-party text formats.
enum TextTraces {
  /// Rows of two numbers in the file's own units, with a non-decreasing time.
  static func pairs(
    _ lines: TraceLines, _ format: CapacityTraceFormat
  ) throws(CapacityTraceError) -> RateSamples {
    var samples = RateSamples()
    for line in lines.rows {
      let fields = line.cells
      guard fields.count == 2 else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, format))
      }
      let time = try fields[0].value(upTo: 1e20)
      try samples.add(.init(time: time, rate: try fields[1].value(upTo: 1e12), line: line.number))
    }
    return samples
  }

  /// Pairs of rows: start and end of a chunk.
  static func chunks(of pairs: RateSamples) throws(CapacityTraceError) -> RateSamples {
    let rows = pairs.scaled(.milliseconds, .kbps).samples
    guard rows.count % 2 == 0 else {
      throw CapacityTraceError(line: rows[rows.count - 1].line, cause: .noEnd)
    }
    var samples = RateSamples()
    for row in stride(from: 0, to: rows.count, by: 2) {
      var sample = rows[row]
      sample.length = rows[row + 1].time - sample.time
      try samples.add(sample)
    }
    return samples
  }

  /// Rows of a value and its unit, one per second.
  static func valuesWithUnit(_ lines: TraceLines) throws(CapacityTraceError) -> RateSamples {
    var samples = RateSamples()
    for line in lines where !line.isBlank {
      let fields = line.fields(UInt8(ascii: ","))
      guard fields.count == 2 else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, .mbpsLines))
      }
      let unit: Double
      switch fields[1].text.lowercased().filter({ !$0.isWhitespace }) {
      case "mbits/sec": unit = 1e6
      case "kbits/sec": unit = 1e3
      case "bits/sec": unit = 1
      default: throw fields[1].failure(.unknownUnit(String(fields[1].text.prefix(20))))
      }
      let rate = try fields[0].value(upTo: 1e9) * unit
      try samples.add(.init(time: Double(samples.samples.count), rate: rate, length: 1, line: line.number))
    }
    return samples
  }

  /// Rows of bytes over the time since the previous row.
  static func sixColumns(_ lines: TraceLines) throws(CapacityTraceError) -> RateSamples {
    var samples = RateSamples()
    for line in lines where !line.isBlank {
      let fields = line.words
      guard fields.count == 6 else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, .sixColumn))
      }
      let end = try fields[1].value(upTo: 1e12) / 1000
      let bytes = try fields[4].value(upTo: 1e12)
      let length = try fields[5].value(upTo: 1e9) / 1000
      guard length > 0 else { continue }
      try samples.add(.init(time: end - length, rate: bytes * 8 / length, length: length, line: line.number))
    }
    return samples
  }

  /// The column `DL_bitrate`.
  static func bitrateColumn(_ lines: TraceLines) throws(CapacityTraceError) -> RateSamples {
    let comma = UInt8(ascii: ",")
    let names = lines.first?.fields(comma).map(\.text) ?? []
    guard let column = names.firstIndex(of: "DL_bitrate") else {
      throw CapacityTraceError(
        line: 1, cause: .missingColumn("DL_bitrate", available: Array(names.prefix(20))))
    }
    let stampColumn = names.firstIndex { $0.lowercased() == "timestamp" }
    var samples = RateSamples()
    var stamp: String?
    for line in lines.dropFirst() where !line.isBlank {
      let fields = line.fields(comma)
      guard fields.count > max(column, stampColumn ?? 0) else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, .gnettrack))
      }
      let rate =
        fields[column].text == "-"
        ? samples.last?.rate ?? 0 : try fields[column].value(upTo: 1e9) * 1000
      let own = stampColumn.map { fields[$0].text }
      let time = own.flatMap { TraceTime.seconds(ofDate: $0) } ?? samples.last.map { $0.time + 1 } ?? 0
      if let last = samples.last, time < last.time {
        throw CapacityTraceError(
          line: line.number, cause: .outOfOrder(previous: "\(stamp ?? "")", this: "\(own ?? "")"))
      }
      if own != nil, own == stamp {
        samples.replaceLast(rate: rate)
      } else {
        try samples.add(.init(time: time, rate: rate, length: 1, line: line.number))
      }
      stamp = own
    }
    return samples
  }
}

/// Times as text.
enum TraceTime {
  /// Seconds of a date and time such as `2019.12.14_10.16.30` or `2019-12-14T10:16:30.5Z` since a fixed epoch, without
  /// regard to its time zone; `nil` for any other form.
  static func seconds(ofDate text: String) -> Double? {
    let numbers = text.split { !($0.isASCII && $0.isNumber) }
    let values = numbers.prefix(6).compactMap { Int($0) }
    let ranges = [0...9999, 1...12, 1...31, 0...24, 0...60, 0...60]
    guard values.count == 6, zip(ranges, values).allSatisfy({ $0.contains($1) }) else { return nil }
    // Days of the Gregorian calendar, with years starting in March.
    let year = values[1] > 2 ? values[0] : values[0] - 1
    let month = (values[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + values[2]
    return Double(((days * 24 + values[3]) * 60 + values[4]) * 60 + values[5])
      + fraction(after: numbers[5], in: text)
  }

  /// Seconds since midnight of a time of day such as `10:16:30.5`.
  static func seconds(ofDay text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]),
      let seconds = Double(parts[2]),
      (0...24).contains(hours), (0...60).contains(minutes), (0...61).contains(seconds)
    else { return nil }
    return Double((hours * 60 + minutes) * 60) + seconds
  }

  /// Decimals that follow a number of seconds.
  private static func fraction(after number: Substring, in text: String) -> Double {
    let rest = text[number.endIndex...]
    guard let mark = rest.first, mark == "." || mark == "," else { return 0 }
    return Double("0." + rest.dropFirst().prefix { $0.isASCII && $0.isNumber }) ?? 0
  }
}
