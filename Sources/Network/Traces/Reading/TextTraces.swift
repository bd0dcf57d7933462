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

  /// The column `DL_bitrate`, with dates, times of day or times since 1970.
  static func bitrateColumn(_ lines: TraceLines) throws(CapacityTraceError) -> RateSamples {
    let comma = UInt8(ascii: ",")
    let names = lines.first?.fields(comma).map(\.text) ?? []
    guard let column = names.firstIndex(of: "DL_bitrate") else {
      throw CapacityTraceError(
        line: 1, cause: .missingColumn("DL_bitrate", available: Array(names.prefix(20))))
    }
    let stampColumn = names.firstIndex { $0.lowercased() == "timestamp" }
    var samples = RateSamples()
    var clock = TraceClock()
    var stamp: String?
    for line in lines.dropFirst() where !line.isBlank {
      let fields = line.fields(comma)
      guard fields.count > max(column, stampColumn ?? 0) else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, .gnettrack))
      }
      let rate =
        fields[column].text == "-"
        ? samples.last?.rate ?? 0 : try fields[column].value(upTo: 1e9) * 1000
      let own = stampColumn.map { fields[$0] }.flatMap { $0.isAbsent ? nil : $0 }
      var time = samples.last.map { $0.time + 1 } ?? 0
      if let own { time = try clock.seconds(own) }
      if own != nil, own?.text == stamp {
        samples.replaceLast(rate: rate)
      } else {
        try samples.add(.init(time: time, rate: rate, length: 1, line: line.number))
      }
      stamp = own?.text
    }
    return samples
  }
}
