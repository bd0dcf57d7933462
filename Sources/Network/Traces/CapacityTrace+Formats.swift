import Quantity

/// Parsers of third-party trace formats.
extension CapacityTrace {
  /// Rate from a time on [s, bit/s], and its duration if the file states it [s].
  struct Sample {
    var time: Double
    var rate: Double
    var length: Double?
  }

  /// Converts samples to steps shifted to start at zero; of several at the same time the last wins.
  static func trace(
    _ samples: [Sample], _ continuation: Continuation, _ lastLine: Int
  ) throws(CapacityTraceError) -> CapacityTrace {
    guard let first = samples.first, let last = samples.last else {
      throw CapacityTraceError(line: max(1, lastLine), cause: .empty)
    }
    var steps: [CapacityStep] = []
    for sample in samples {
      guard sample.time - first.time <= longest, sample.rate <= greatestRate, (sample.length ?? 0) <= longest
      else { throw CapacityTraceError(line: lastLine, cause: .tooLarge("\(sample.time) \(sample.rate)")) }
      let step = CapacityStep(
        at: SimTime(nanoseconds: Int64(((sample.time - first.time) * 1e9).rounded())),
        rate: BitRate(bitsPerSecond: Int64(sample.rate.rounded())))
      if let before = steps.last, before.at == step.at { steps.removeLast() }
      steps.append(step)
    }
    guard steps.contains(where: { $0.rate > .zero }) else {
      throw CapacityTraceError(line: lastLine, cause: .noCapacity)
    }
    let end = steps[steps.count - 1].at
    let spacing = steps.count > 1 ? end - steps[steps.count - 2].at : .seconds(1)
    let length = last.length.map { SimDuration(nanoseconds: Int64(($0 * 1e9).rounded())) } ?? spacing
    return CapacityTrace(
      content: .rates(steps), period: end.sinceStart + max(length, .milliseconds(1)),
      continuation: continuation)
  }

  /// Parses rows of two numbers: a non-decreasing time and a rate.
  static func pairs(
    _ lines: [Substring], _ format: CapacityTraceFormat, perSecond: Double, unit: Double
  ) throws(CapacityTraceError) -> [Sample] {
    var samples: [Sample] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count == 2 else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40)), format))
      }
      let time = try value(fields[0], line: index + 1, limit: 1e12) / perSecond
      let rate = try value(fields[1], line: index + 1, limit: 1e9) * unit
      if let last = samples.last, time < last.time {
        throw CapacityTraceError(
          line: index + 1, cause: .outOfOrder(previous: "\(last.time)", this: "\(time)"))
      }
      samples.append(Sample(time: time, rate: rate))
    }
    return samples
  }

  /// Parses pairs of rows: start and end of a chunk.
  static func chunks(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    let rows = try pairs(lines, .oboe, perSecond: 1000, unit: 1e3)
    guard rows.count % 2 == 0 else { throw CapacityTraceError(line: lines.count, cause: .noEnd) }
    return stride(from: 0, to: rows.count, by: 2).map { row in
      Sample(
        time: rows[row].time, rate: rows[row].rate, length: rows[row + 1].time - rows[row].time)
    }
  }

  /// Parses rows of a value and its unit, one per second.
  static func valuesWithUnit(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    var samples: [Sample] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 2 else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40)), .mbpsLines))
      }
      let unit: Double
      switch fields[1].lowercased().filter({ !$0.isWhitespace }) {
      case "mbits/sec": unit = 1e6
      case "kbits/sec": unit = 1e3
      case "bits/sec": unit = 1
      default: throw CapacityTraceError(line: index + 1, cause: .unknownUnit(String(fields[1].prefix(20))))
      }
      samples.append(
        Sample(
          time: Double(samples.count), rate: try value(fields[0], line: index + 1, limit: 1e9) * unit,
          length: 1))
    }
    return samples
  }

  /// Parses rows of bytes over the time since the previous row.
  static func sixColumns(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    var samples: [Sample] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count == 6 else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40)), .sixColumn))
      }
      let end = try value(fields[1], line: index + 1, limit: 1e12) / 1000
      let bytes = try value(fields[4], line: index + 1, limit: 1e12)
      let length = try value(fields[5], line: index + 1, limit: 1e9) / 1000
      guard length > 0 else { continue }
      let begin = end - length
      if let last = samples.last, begin < last.time {
        throw CapacityTraceError(
          line: index + 1, cause: .outOfOrder(previous: "\(last.time)", this: "\(begin)"))
      }
      samples.append(Sample(time: begin, rate: bytes * 8 / length, length: length))
    }
    return samples
  }

  /// Parses the column `DL_bitrate`.
  static func bitrateColumn(_ lines: [Substring]) throws(CapacityTraceError) -> [Sample] {
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false),
      let column = header.firstIndex(of: "DL_bitrate")
    else { throw CapacityTraceError(line: 1, cause: .missingColumn("DL_bitrate")) }
    let stampColumn = header.firstIndex { $0.lowercased() == "timestamp" }
    var samples: [Sample] = []
    var stamp: Substring?
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count > max(column, stampColumn ?? 0) else {
        throw CapacityTraceError(line: index + 1, cause: .notARow(String(line.prefix(40)), .gnettrack))
      }
      let rate =
        fields[column] == "-"
        ? samples.last?.rate ?? 0 : try value(fields[column], line: index + 1, limit: 1e9) * 1000
      let own = stampColumn.map { fields[$0] }
      let time = own.flatMap { seconds(ofStamp: $0) } ?? samples.last.map { $0.time + 1 } ?? 0
      if let last = samples.last, time < last.time {
        throw CapacityTraceError(
          line: index + 1, cause: .outOfOrder(previous: "\(stamp ?? "")", this: "\(own ?? "")"))
      }
      if own != nil, own == stamp {
        samples[samples.count - 1].rate = rate
      } else {
        samples.append(Sample(time: time, rate: rate, length: 1))
      }
      stamp = own
    }
    return samples
  }

  /// Returns the seconds of a timestamp such as `2019.12.14_10.16.30` since a fixed epoch; `nil` for any other form.
  private static func seconds(ofStamp stamp: Substring) -> Double? {
    let numbers = stamp.split { !$0.isNumber }.compactMap { Int($0) }
    let ranges = [0...9999, 1...12, 1...31, 0...24, 0...60, 0...60]
    guard numbers.count == 6, zip(ranges, numbers).allSatisfy({ $0.contains($1) }) else { return nil }
    // Days of the Gregorian calendar, with years starting in March.
    let year = numbers[1] > 2 ? numbers[0] : numbers[0] - 1
    let month = (numbers[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2]
    return Double(((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5])
  }

  /// Parses the objects of the uplink's `trace_pattern`, or else of the first one; only `duration` and `capacity` are
  /// read.
  static func patterns(_ text: String) throws(CapacityTraceError) -> [Sample] {
    let name = "\"trace_pattern\""
    let uplink = text.range(of: "\"uplink\"").flatMap { text[$0.upperBound...].range(of: name) }
    guard let start = uplink ?? text.range(of: name) else {
      throw CapacityTraceError(line: 1, cause: .missingKey("trace_pattern"))
    }
    var samples: [Sample] = []
    var time = 0.0
    var capacity = 0.0
    var line = 1 + text[..<start.lowerBound].count(where: \.isNewline)
    let objects = text[start.upperBound...].prefix { $0 != "]" }.split(
      separator: "{", omittingEmptySubsequences: false)
    line += objects.first?.count(where: \.isNewline) ?? 0
    for object in objects.dropFirst() {
      let body = object.prefix { $0 != "}" }
      if let field = Self.field("capacity", of: body), field != "null" {
        capacity = try value(field, line: line, limit: 1e9) * 1000
      }
      guard let field = Self.field("duration", of: body) else {
        throw CapacityTraceError(line: line, cause: .missingKey("duration"))
      }
      let length = try value(field, line: line, limit: 1e12) / 1000
      samples.append(Sample(time: time, rate: capacity, length: length))
      time += length
      line += object.count(where: \.isNewline)
    }
    return samples
  }

  /// Returns the value of a key in a JSON object without nested objects.
  private static func field(_ name: String, of object: Substring) -> Substring? {
    guard let found = object.range(of: "\"\(name)\"") else { return nil }
    let rest = object[found.upperBound...].drop { $0 == ":" || $0.isWhitespace }
    return rest.prefix { $0 != "," && !$0.isWhitespace }
  }
}

extension CapacityTraceFormat {
  /// Detects the format of a file from its content; `nil` if unknown.
  package init?(lookingAt bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self).withoutByteOrderMark
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) })
    else { return nil }
    if line.hasPrefix("t_s,rate_bps") {
      self = .rateCSV
    } else if line.first == "{" || line.first == "[" {
      self = .alphartc
    } else if line.contains("DL_bitrate") {
      self = .gnettrack
    } else {
      let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," })
      let numbers = fields.map { Double($0) }
      switch fields.count {
      case 1 where Int(fields[0]) != nil: self = .mahimahi
      case 2 where numbers[0] != nil && numbers[1] == nil: self = .mbpsLines
      case 2 where line.contains(","): return nil
      case 2 where Int(fields[0]) != nil && numbers[1] ?? 0 >= 100: self = .oboe
      case 2 where numbers[0] != nil && numbers[1] != nil: self = .pensieve
      case 6 where numbers.allSatisfy({ $0 != nil }): self = .sixColumn
      default: return nil
      }
    }
  }
}

extension CapacityTraceFormat {
  /// Checks whether a file also states delay or loss, which are not read from traces.
  package func statesMore(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    switch self {
    case .rateCSV: return text.prefix { !$0.isNewline }.split(separator: ",").count > 2
    case .alphartc: return text.range(of: "\"loss\"") != nil || text.range(of: "\"rtt\"") != nil
    case .mahimahi, .pensieve, .mbpsLines, .sixColumn, .gnettrack, .oboe: return false
    }
  }
}

extension StringProtocol {
  /// Returns the range of the first occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
